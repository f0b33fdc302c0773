import type { IDataObject } from 'n8n-workflow';

import { withoutTexts } from '../../../service/hideTexts';
import { spellingsToSend } from '../../../util/addressesIn';
import { coerceText, isId } from '../../../util/coerce';
import { tombstoneOf } from '../../consent/tombstone';
import { places, recordKey, referenceTo } from '../places';
import type { Found } from '../places';
import { decide, keepsOff, suppresses } from './plan';
import type { ErasureOptions, PlannedRecord } from './plan';
import type { Erasure } from './write';

/** Data that no request to the service can delete. */
const notReached = [
	'Executions and pinned data in n8n: delete them, or set n8n to prune executions',
	'What a Sync node remembers: salted hashes of addresses',
	'Segments whose recipients the service determines only when it sends: the API does not list them',
	'Campaigns with the address as sender or reply address: see Campaign: Get Many',
	'Campaign reports in the service: the API does not return who received, opened or clicked a campaign',
	'Sources of the contacts, exported files and backups',
];

type Outcome = 'wouldDelete' | 'deleted' | 'kept' | 'open';

interface RecordOutcome {
	found: Found;
	outcome: Outcome;
	reason?: string;
}

/** The content of the lists afterwards, or why it is unknown. */
export type Afterwards = { records: readonly Found[] } | { unread: string } | { dryRun: true };

/** Whether two are the same record: a contact may have been moved to another contact type. */
const isSame = (one: Found, other: Found): boolean =>
	recordKey(one) === recordKey(other) ||
	(one.place === 'contact' && other.place === 'contact' && isId(one.id) && one.id === other.id);

const deletedMeanwhile = 'deleted in the meantime, for example by another item of this run';

function outcomeOf(
	{ found, decision }: PlannedRecord,
	{ failures, notSuppressed, keptOff }: Erasure,
	afterwards: Afterwards,
): RecordOutcome {
	const isListed =
		!('records' in afterwards) ||
		afterwards.records.some((one) => isSame(one, found) && !one.isDeleted);
	if (decision.kind === 'keep') {
		if (decision.isOpen && !isListed)
			return { found, outcome: 'deleted', reason: deletedMeanwhile };
		const { reason, isOpen } = decision;
		return { found, outcome: isOpen ? 'open' : 'kept', reason };
	}
	if (keptOff !== undefined && keepsOff(found)) return { found, outcome: 'open', reason: keptOff };
	if ('dryRun' in afterwards) return { found, outcome: 'wouldDelete' };
	const failure = failures.get(recordKey(found));
	if (notSuppressed !== undefined) {
		const reason = `not deleted, since the address is not on the global unsubscribe list: ${notSuppressed}`;
		return { found, outcome: 'open', reason };
	}
	if ('unread' in afterwards) {
		const unknown = `not confirmed as deleted: ${afterwards.unread}`;
		return { found, outcome: 'open', reason: failure?.reason ?? unknown };
	}
	// It may be listed with another address by now.
	if (!isListed && !failure?.isUndone) return { found, outcome: 'deleted' };
	return { found, outcome: 'open', reason: failure?.reason ?? 'the service still lists it' };
}

/** Records that were added after the lists were first read. */
function added(erasure: Erasure, afterwards: Afterwards, options: ErasureOptions): RecordOutcome[] {
	if (!('records' in afterwards)) return [];
	const { plan, person, keptOff } = erasure;
	return afterwards.records
		.filter((found) => !plan.records.some((planned) => isSame(found, planned.found)))
		.flatMap((found): RecordOutcome[] => {
			const decision = decide(found, person.key, options);
			if (decision.kind === 'delete') {
				const reason = (keepsOff(found) && keptOff) || 'it was added during the erasure';
				return [{ found, outcome: 'open', reason }];
			}
			return decision.isOpen ? [{ found, outcome: 'open', reason: decision.reason }] : [];
		});
}

type Suppression = 'wouldAdd' | 'added' | 'alreadyListed' | 'notChosen' | 'notAdded';

function suppressionOf(
	{ person, plan, notSuppressed }: Erasure,
	afterwards: Afterwards,
	{ removesUnsubscribes }: ErasureOptions,
): Suppression {
	if (removesUnsubscribes) return 'notChosen';
	if ('dryRun' in afterwards) return plan.suppress.length === 0 ? 'alreadyListed' : 'wouldAdd';
	const isListed =
		'unread' in afterwards ||
		afterwards.records.some(
			({ isGlobal, record }) => isGlobal && suppresses(record, person, afterwards.records),
		);
	if (notSuppressed !== undefined || !isListed) return 'notAdded';
	return plan.suppress.length === 0 ? 'alreadyListed' : 'added';
}

const entryOf = ({ found, outcome, reason }: RecordOutcome): IDataObject => ({
	...referenceTo(found),
	outcome,
	...(outcome === 'deleted' && { verifiedGone: true }),
	...(reason !== undefined && { reason }),
});

export interface Receipt {
	json: IDataObject;
	/** The open records, in words. */
	left: string[];
}

const recordOf = ({ recordType, listId, id }: IDataObject): string =>
	JSON.stringify([recordType, listId, id]);

/** What an earlier try of the node has deleted, since n8n keeps nothing of its receipt. */
const deletedIn = ({ records }: IDataObject = {}): IDataObject[] =>
	((records ?? []) as IDataObject[]).filter(({ outcome }) => outcome === 'deleted');

export interface ReceiptOptions extends ErasureOptions {
	reference: string;
	tombstoneKey: string;
	hidesAddress: boolean;
}

/** All forms of the address that the service has, or may repeat in its texts. */
const spellingsOf = ({ person: { email, key }, plan }: Erasure): string[] => [
	...[key, ...spellingsToSend(email)],
	...plan.records.map(({ found: { record, field } }) => coerceText(record[field]).trim()),
];

/** The completed and the open steps for a person. */
export function receiptOf(
	erasure: Erasure,
	afterwards: Afterwards,
	options: ReceiptOptions,
	times: { startedAt: string; finishedAt: string },
	earlier?: IDataObject,
): Receipt {
	const { person, plan, notSuppressed } = erasure;
	const isDryRun = 'dryRun' in afterwards;
	const before = deletedIn(earlier);
	const gone = new Set(before.map(recordOf));
	// A record that an earlier try has deleted may still be listed, marked as deleted.
	const planned = plan.records
		.map((record) => outcomeOf(record, erasure, afterwards))
		.filter((one) => !(one.found.isDeleted && gone.has(recordOf(entryOf(one)))));
	const outcomes = [...planned, ...added(erasure, afterwards, options)];
	const count = (...those: Outcome[]) =>
		outcomes.filter(({ outcome }) => those.includes(outcome)).length;
	const open = outcomes.filter(({ outcome }) => outcome === 'open');
	const left = open.map(
		({ found: { place, list, id }, reason = '' }) =>
			`${places[place].title}, ID ${id} (${list}): ${reason}`,
	);
	if ('unread' in afterwards)
		left.unshift(`The lists could not be read again: ${afterwards.unread}`);
	const suppression = suppressionOf(erasure, afterwards, options);
	if (suppression === 'notAdded')
		left.unshift(`Global Unsubscribes: ${notSuppressed ?? 'not listed'}`);
	const { reference, tombstoneKey, hidesAddress } = options;
	const tombstone = tombstoneKey === '' ? undefined : tombstoneOf(person.key, tombstoneKey);
	const json = {
		...(hidesAddress ? {} : { email: person.email }),
		...(tombstone !== undefined && { tombstone }),
		...(reference !== '' && { reference }),
		dryRun: isDryRun,
		isComplete: !isDryRun && left.length === 0,
		found: planned.length + before.length,
		[isDryRun ? 'wouldDelete' : 'deleted']: count('wouldDelete', 'deleted') + before.length,
		kept: count('kept'),
		open: open.length,
		globalUnsubscribe: suppression,
		...times,
		...(before.length > 0 && { startedAt: earlier?.startedAt }),
		records: [...before, ...outcomes.map(entryOf)],
		notReached,
	};
	const receipt = { json, left };
	return hidesAddress ? (withoutTexts(receipt, spellingsOf(erasure)) as Receipt) : receipt;
}
