import type { Entry } from './journal.ts';
import type { SingleSend } from './model.ts';
import type { State } from './state.ts';

const SHOWN = 50;

const newest = <T>(rows: readonly T[]): T[] => rows.slice(-SHOWN).reverse();

const request = ({ n, time, method, path, status, outcome, fault }: Entry) => ({
	n,
	time,
	method,
	path,
	status,
	outcome,
	fault,
});

const singleSend = (send: SingleSend) => ({
	id: send.id,
	single_send_name: send.single_send_name,
	recipient_id: send.recipient_id,
	schedule_type: send.schedule_type,
	schedule_date: send.schedule_date,
	schedule_time: send.schedule_time,
	status: send.status,
	triggered: send.triggered,
	delivered: send.delivered,
	unique_opens: send.unique_opens,
});

/** Adds to each record how many rows point to it. */
function withCounts<R extends { id: number }, S>(
	rows: R[],
	pointing: Iterable<S>,
	target: (row: S) => number | null,
) {
	const counts = new Map<number | null, number>();
	for (const row of pointing) counts.set(target(row), (counts.get(target(row)) ?? 0) + 1);
	return newest(rows).map((row) => ({ ...row, count: counts.get(row.id) ?? 0 }));
}

/** What the page shows: the newest records of each table, and how many there are. */
export function summaryOf({ store, tables, journal }: State) {
	const types = tables.contactTypes.all();
	const segments = tables.segments.all();
	const groups = tables.unsubscribeGroups.all();
	return {
		counts: Object.fromEntries(store.list().map(({ name, size }) => [name, size])),
		names: {
			contacts_: Object.fromEntries(types.map(({ id, name }) => [id, name])),
			segments_: Object.fromEntries(segments.map((row) => [row.id, row.segment_name])),
			groups: Object.fromEntries(groups.map((row) => [row.id, row.group_name])),
		},
		singleSends: newest(tables.singleSends.all()).map(singleSend),
		automations: newest(tables.automations.all()),
		contacts: newest(tables.contacts.all()),
		contactTypes: withCounts(types, tables.contacts.values(), (row) => row.contact_type_id),
		segments: withCounts(segments, tables.segmentRecipients.values(), (row) => row.segment_id),
		unsubscribeGroups: withCounts(
			groups,
			tables.groupRecipients.values(),
			(row) => row.unsubscribe_groups_id,
		),
		globalUnsubscribes: newest(tables.globalUnsubscribes.all()),
		senders: newest(tables.senders.all()),
		templates: newest(tables.templates.all()).map(({ id, template_name, is_blank }) => ({
			id,
			template_name,
			is_blank,
		})),
		violations: newest(journal.violations),
		violationCount: journal.violations.length,
		requests: newest(journal.entries).map(request),
		maxInFlight: journal.maxInFlight,
	};
}
