import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { operationError } from '../service/errors';
import { readCredential } from '../service/credential';
import type { CredentialResult } from '../service/credential';
import { serviceIn } from '../service/signRequest';
import { withHelp } from '../run/help';
import { simplifyRecord, withAddedFields } from '../run/output/simplify';
import { InvalidInput } from '../params/invalidInput';
import { nameOrId } from '../records/recordKind';
import { records } from '../records/records';
import { isOn } from '../params/values';
import { coerceText } from '../util/coerce';
import { quote } from '../util/text';
import { detect, keyOf } from './events';
import { forgetFailures, heartbeatOf, recordReads } from './heartbeat';
import { nounOf, readLists } from './lists';
import type { ReadLists } from './lists';
import { readUnreadableMs, readWatch } from './parameters';
import { raiseProblems, recordPoll, stateToStartFrom, withPollLock } from './pollLock';
import { problemsOf, reasonForPoll } from './problems';
import { sampleEvents } from './sample';
import { kindOf, labelOfEvent, listOfEvent, sourcesOf } from './sources';
import type { ListEvent, SourceName } from './sources';
import { accountHash, readState, withLineage, withoutFailuresOfOtherAccount } from './state';
import type { TriggerState } from './state';
import type { Row, TriggerEvent, Watch } from './types';

export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await pollOnce(context).catch((error: unknown) => {
		if (!(error instanceof InvalidInput)) throw withHelp(error);
		const { code, message, remedy: description } = error;
		throw withHelp(operationError(context.getNode(), code, message, { description }));
	});
}

async function pollOnce(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const credential = await readCredential(context);
	const watch = { ...readWatch(context), account: accountKey(credential) };
	const unreadableMs = readUnreadableMs(context);
	if (context.getMode() === 'manual') {
		return asTestEvents(toOutput(context, await testEvents(context, watch, credential)));
	}
	const reason = reasonForPoll(context);
	const isPublishing = reason === 'publishing';
	const { id, name } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, id, name]);
	return await withPollLock(key, async (lock) => {
		const staticData = context.getWorkflowStaticData('node');
		const stored = readState(staticData);
		// A state of a newer version is left unchanged, so that this version can continue from it later.
		if (!stored) {
			throw operationError(
				context.getNode(),
				'state-unreadable',
				'The saved state of this trigger cannot be read and was left unchanged',
				{
					description:
						'If a newer version of this package saved it, update the package again: no event is lost. Otherwise, duplicate this node and delete the original: the copy starts over.',
				},
			);
		}
		const last = stateToStartFrom(lock, stored);
		if (last === null) return null;
		const before = withoutFailuresOfOtherAccount(last, watch.account);
		const now = Date.now();
		const { polledAt = now } = lock;
		lock.polledAt = now;
		const sources = sourcesOf(watch);
		const first = lock.next ?? before.next;
		const { rows, failures, next } = await readLists(context, sources, credential, first);
		recordReads(lock.reads, { rows, failures }, watch, now);
		const [failure] = failures.values();
		for (const source of failures.keys()) lock.unread.add(source);
		for (const source of rows.keys()) lock.unread.delete(source);
		const isFailing = (source: SourceName) =>
			lock.unread.has(source) || before.failing[source] !== undefined;
		lock.next = next;
		if (failure && rows.size === 0 && sources.every(isFailing)) {
			// n8n would not poll before it tries to start the trigger again, after up to a day. The next poll says so.
			if (reason === 'starting') return null;
			throw failure.error;
		}
		const { events: found, state, massAbsences } = detect(rows, before, watch, now);
		const failing = failingSince(before, sources, { rows, failures }, now);
		const { heartbeat, heartbeatAt } = heartbeatOf(
			watch,
			before,
			{ reads: lock.reads, failing },
			now,
			now - polledAt,
		);
		const events = [...found, ...heartbeat];
		const output = toOutput(context, events);
		const polled = {
			...{ before, failing, failures, massAbsences },
			...{ unreadableMs, now, isPublishing, account: watch.account },
		};
		if (reason !== 'starting') raiseProblems(lock, problemsOf(context, polled), now);
		// The next poll finds it again, and says so.
		if (reason !== 'schedule' && massAbsences.length > 0) return null;
		const after = withLineage(before, { ...state, next, failing, heartbeatAt });
		const hasEvents = events.length > 0;
		// Done last, when nothing can fail anymore: a failed poll leaves the state unchanged.
		staticData.state = after as unknown as IDataObject;
		recordPoll(lock, { before, after, hasEvents });
		if (heartbeat.length > 0) forgetFailures(lock.reads);
		return hasEvents ? output : null;
	});
}

/** A list that was not read in time keeps its state. */
function failingSince(
	{ failing }: TriggerState,
	sources: SourceName[],
	{ rows, failures }: Pick<ReadLists, 'rows' | 'failures'>,
	now: number,
): TriggerState['failing'] {
	const still = sources.filter(
		(source) => failures.has(source) || (failing[source] && !rows.has(source)),
	);
	return Object.fromEntries(still.map((source) => [source, Math.min(failing[source] ?? now, now)]));
}

/**
 * A hash, because it is saved with the state. Undefined if the credential cannot be read; the requests then report why.
 */
function accountKey(credential: CredentialResult): string | undefined {
	if (credential instanceof Error) return undefined;
	const { service, publicKey } = serviceIn(credential);
	return accountHash(service, publicKey);
}

/**
 * A filter for a record that does not exist would never let an event pass.
 *
 * @throws InvalidInput
 */
function refuseUnlisted(rows: ReadonlyMap<SourceName, Row[]>, watch: Watch): void {
	for (const source of ['singleSends', 'automations'] as const) {
		const listed = rows.get(source);
		if (listed === undefined) continue;
		const keys = new Set(listed.map((row) => coerceText(row[keyOf(source)])));
		const unlisted = watch[source].only.find((key) => !keys.has(key));
		if (unlisted === undefined) continue;
		throw new InvalidInput(
			'choice-unknown',
			`"${source === 'singleSends' ? 'Campaign' : 'Automation'} Names or IDs" has a UTR that matches no ${nounOf(source).replace(/s$/, '')}: ${quote(unlisted)}`,
			'Choose from the list, or remove it.',
		);
	}
}

/** Real records in the form of the events, for "Fetch Test Event". Leaves the state unchanged. */
async function testEvents(
	context: IPollFunctions,
	watch: Watch,
	credential: CredentialResult,
): Promise<TriggerEvent[]> {
	const sources = sourcesOf(watch);
	const { rows, failures } = await readLists(context, sources, credential);
	const failure = [...failures.values()].find(({ isTooSlow }) => !isTooSlow || rows.size === 0);
	if (failure) throw failure.error;
	refuseUnlisted(rows, watch);
	const events = sampleEvents(rows, watch, Date.now());
	if (events.length > 0) return events;
	throw operationError(
		context.getNode(),
		'no-test-event',
		`No test event available: the account has no ${sources.map(nounOf).join(' or ')} yet`,
		{
			description:
				'Add one in the service and fetch again, or publish the workflow anyway: it starts with the first event.',
			level: 'warning',
		},
	);
}

function toOutput(context: IPollFunctions, events: TriggerEvent[]): INodeExecutionData[][] {
	const simplify = isOn(context.getNodeParameter('simplify', true), 'Simplify', true);
	return [events.map((event) => toItem(event, simplify))];
}

/** Marks the events, because none of them has just happened: the record of a deletion still exists. */
const asTestEvents = (output: INodeExecutionData[][]): INodeExecutionData[][] =>
	output.map((items) =>
		items.map((item) => ({ ...item, json: { ...item.json, isTestEvent: true } })),
	);

/** The item of an event. The order of the keys is that of the columns in n8n's table, so what identifies it comes first. */
function toItem(event: TriggerEvent, simplify: boolean): INodeExecutionData {
	const { previousStatus, status, statistic, snapshot, lists, record } = event;
	const shape = simplify ? simplifyRecord : withAddedFields;
	const kind = lists ? undefined : kindOf(listOfEvent(event.event as ListEvent));
	const name = kind && nameOrId(record, records[kind]);
	return {
		json: {
			event: event.event,
			eventLabel: labelOfEvent(event.event),
			...(name && { name }),
			occurredAt: event.occurredAt,
			...(previousStatus !== undefined && {
				previousStatus: previousStatus && { ...previousStatus },
			}),
			...(status !== undefined && { status: status && { ...status } }),
			...(statistic && { statistic: { ...statistic } }),
			...(snapshot && { snapshot: { ...snapshot } }),
			...(lists && { lists: lists.map((list) => ({ ...list })) }),
			...(kind !== undefined && { record: shape(record, kind) }),
			eventId: event.eventId,
		},
	};
}
