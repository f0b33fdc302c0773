import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import type { KeyedEndpoint } from '../api/endpoints';
import { coerceNumber, coerceText } from '../util/coerce';
import { settleAll } from '../util/settleAll';
import { truncateList } from '../util/text';
import { nameOf, withId } from './findings';
import type { Finding, ListReader } from './findings';

/** A contact type or a segment. */
interface Target {
	/** As requests name it: `contacts_3`, `segments_8`. */
	entry: string;
	kind: string;
	id: string;
	/** Whether there is a list of such targets; what an update keeps may be of another kind. */
	isKnown: boolean;
	/** Absent where it does not exist. */
	record?: IDataObject;
	/** Infinite where the service does not say. */
	count: number;
}

const kinds: Record<string, { list: KeyedEndpoint; name: string; count: string }> = {
	contacts: { list: endpoints.contactType.getAll, name: 'name', count: 'contacts_count' },
	segments: { list: endpoints.segment.getAll, name: 'segment_name', count: 'segment_emails_count' },
};

async function targetOf(entry: string, lists: ListReader): Promise<Target> {
	const [kind = '', id = ''] = entry.split('_');
	const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
	if (known === undefined) return { entry, kind, id, isKnown: false, count: Infinity };
	const record = withId(await lists.records(known.list), id);
	const count = record?.[known.count];
	return {
		entry,
		kind,
		id,
		isKnown: true,
		record,
		count: typeof count === 'number' ? count : Infinity,
	};
}

const nameOfTarget = ({ kind, entry, record }: Target): string =>
	record === undefined ? entry : nameOf(record, kinds[kind]?.name ?? '');

/** Contact types and segments under `label` that do not exist. */
function missing(targets: Target[], label: string): Finding[] {
	const gone = targets.filter(({ isKnown, record }) => isKnown && record === undefined);
	if (gone.length === 0) return [];
	return [
		{
			problem: `"${label}" contains contact types or segments that do not exist: ${truncateList(
				gone.map(({ entry }) => entry),
				5,
			)}`,
			remedy: `Choose "${label}" from the list again.`,
		},
	];
}

const addresses = (records: IDataObject[], field: string): string[] =>
	records.map((record) => coerceText(record[field]).toLowerCase());

async function addressesOf({ kind, id, isKnown }: Target, lists: ListReader): Promise<string[]> {
	if (!isKnown) return [];
	if (kind === 'segments') {
		return addresses(
			await lists.records(endpoints.segment.getRecipients, { segment_id: id }),
			'email',
		);
	}
	const contacts = await lists.records(endpoints.contact.getAll);
	return addresses(
		contacts.filter((contact) => coerceText(contact.contact_type_id) === id),
		'email',
	);
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Whether nobody is left, from the addresses themselves. */
async function isNobodyLeft(
	left: Target[],
	excluded: Target[],
	suppressed: string[],
	lists: ListReader,
): Promise<boolean> {
	const reached = new Set(
		(await settleAll(left.map(async (one) => await addressesOf(one, lists)))).flat(),
	);
	for (const target of excluded) {
		for (const address of await addressesOf(target, lists)) reached.delete(address);
	}
	for (const address of suppressed) reached.delete(address);
	return reached.size === 0;
}

interface Audience {
	recipients: string[];
	excluded: string[];
	groupId: string;
}

/**
 * Whether the audience exists, and anybody is left of it after exclusions and unsubscribes. Counts
 * answer that mostly; the addresses are compared only where as many may be left out as there are.
 */
export async function checkAudience(audience: Audience, lists: ListReader): Promise<Finding[]> {
	const [recipients, excluded] = await settleAll(
		[audience.recipients, audience.excluded].map(
			async (entries) =>
				await settleAll(entries.map(async (entry) => await targetOf(entry, lists))),
		),
	);
	const findings = [
		...missing(recipients ?? [], 'Recipient Names or IDs'),
		...missing(excluded ?? [], 'Exclude Names or IDs'),
	];
	if (findings.length > 0 || recipients === undefined || excluded === undefined) return findings;

	const names = truncateList(recipients.map(nameOfTarget), 5);
	const left = recipients.filter(({ entry }) => !audience.excluded.includes(entry));
	const nobody = (problem: string, remedy: string): Finding[] => [{ problem, remedy }];
	if (left.length === 0) {
		return nobody(
			`No one would receive the email: "Recipient Names or IDs" and "Exclude Names or IDs" both contain ${names}`,
			'Remove it from "Exclude Names or IDs", or choose other recipients.',
		);
	}
	if (left.every(({ count }) => count === 0)) {
		return nobody(
			`No one would receive the email: there are no recipients in ${truncateList(left.map(nameOfTarget), 5)}`,
			'Add contacts first, or choose other recipients.',
		);
	}
	const [groups, globalUnsubscribes] = await settleAll([
		lists.records(endpoints.unsubscribeGroup.getAll),
		lists.records(endpoints.globalUnsubscribe.getAll),
	]);
	const groupCount = coerceNumber(withId(groups, audience.groupId)?.unsubscribe_clients_count ?? 0);
	const leftOut = sum(excluded.map(({ count }) => count)) + groupCount + globalUnsubscribes.length;
	if (left.some(({ isKnown, count }) => !isKnown || count > leftOut)) return [];
	const group =
		groupCount === 0
			? []
			: await lists.records(endpoints.unsubscribeGroup.getRecipients, {
					groupId: audience.groupId,
				});
	const suppressed = addresses([...globalUnsubscribes, ...group], 'email_address');
	if (!(await isNobodyLeft(left, excluded, suppressed, lists))) return [];
	return nobody(
		`No one would receive the email: everyone in ${names} is excluded or has unsubscribed`,
		'Choose other recipients, or exclude fewer.',
	);
}
