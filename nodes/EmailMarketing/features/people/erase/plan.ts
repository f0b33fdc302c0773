import type { IDataObject } from 'n8n-workflow';

import { isDeleted } from '../../../records/recordKind';
import { globalSpellings, isGlobal } from '../../../records/unsubscribes';
import { isAddressAlone, spellingsToSend, storedAddress } from '../../../util/addressesIn';
import { coerceText, isId } from '../../../util/coerce';
import { addressKey, spellingKey } from '../../../util/email';
import type { Person } from '../people';
import type { Found } from '../places';

export interface ErasureOptions {
	/** Whether the person's entries of unsubscribe lists are deleted too, and none is added. */
	removesUnsubscribes: boolean;
	deletesSenders: boolean;
}

/** The decision about a record. */
type Decision =
	| { kind: 'delete' }
	| {
			kind: 'keep';
			reason: string;
			/** Whether somebody has to decide, because the record may belong to the person. */
			isOpen?: true;
	  };

export interface PlannedRecord {
	found: Found;
	decision: Decision;
}

/**
 * In this order: keep the person off all lists, delete their records, and delete their unsubscribes if that is chosen.
 */
export interface ErasurePlan {
	suppress: string[];
	records: PlannedRecord[];
	/** Whether the person may be on no unsubscribe list afterwards. */
	removesUnsubscribes: boolean;
}

/** Whether a record keeps the person off lists. */
export const keepsOff = ({ place }: Found): boolean =>
	place === 'globalUnsubscribe' || place === 'unsubscribeGroupRecipient';

/**
 * Whether an entry of the global list keeps a person off lists: the service may match nobody by one with more than the
 * address.
 *
 * @param found what the lists had of the person
 */
export function suppresses(
	entry: IDataObject,
	{ email, key }: Person,
	found: readonly Found[],
): boolean {
	const text = coerceText(entry.email_address);
	const isPlain = isAddressAlone(text) || spellingKey(text) === spellingKey(email);
	const isKnown = () =>
		!isDeleted(entry) && found.some((one) => one.isGlobal && one.id === coerceText(entry.id));
	return isPlain && addressKey(text) === key && (isGlobal(entry) || isKnown());
}

/** Whether a record would be emailed, or added again, without an entry that keeps its person off lists. */
export const needsUnsubscribe = (found: Found): boolean =>
	!found.isDeleted && !keepsOff(found) && found.place !== 'sender';

export const OTHERS_LEFT =
	'kept, because other records of the person are left: without this entry, they could be emailed again';

export const KEPT_BY_OTHER = 'kept, because another item keeps the person off lists';

const open = (reason: string): Decision => ({ kind: 'keep', reason, isOpen: true });

const keptUnsubscribe =
	'kept so that the person is not emailed or added again: the service can only match a plain address';

/** Nobody else's record is deleted: the address is the only one in its field, and the field is that of the record's owner. */
export function decide(
	{ place, field, id, isDeleted, isGlobal, record }: Found,
	key: string,
	{ removesUnsubscribes, deletesSenders }: ErasureOptions,
): Decision {
	if (isDeleted) return { kind: 'keep', reason: 'the service has already marked it as deleted' };
	const address = storedAddress(coerceText(record[field]));
	if (address === undefined || addressKey(address) !== key) {
		return open(
			'its field contains more than this address, so it may also belong to somebody else',
		);
	}
	if (field === 'alt_email') {
		return open('it is the alternative email of a contact whose main email is different');
	}
	if (field === 'reply_to_email') return open('it is the reply address of a sender');
	if (!isId(id)) return open('the service lists it without a valid ID');
	if (place === 'sender' && !deletesSenders) {
		return { kind: 'keep', reason: 'senders are only deleted with "Delete Senders"' };
	}
	if ((place === 'globalUnsubscribe' || isGlobal) && !removesUnsubscribes) {
		return { kind: 'keep', reason: keptUnsubscribe };
	}
	return { kind: 'delete' };
}

/**
 * The spellings of a person's address that are not on the global unsubscribe list yet. An entry with more than the address
 * may match nobody.
 */
function missingSpellings({ email }: Person, found: readonly Found[], records: PlannedRecord[]) {
	const textOf = ({ record, field }: Found) => coerceText(record[field]);
	const listed = found.filter(({ place }) => place === 'globalUnsubscribe');
	const known = globalSpellings(listed.map(({ record }) => record));
	const deleted = records.filter(({ decision }) => decision.kind === 'delete');
	const wanted = [email, ...deleted.map((one) => textOf(one.found))].flatMap(spellingsToSend);
	return wanted.filter((address) => {
		const spelling = spellingKey(address);
		const isNew = !known.has(spelling);
		known.add(spelling);
		return isNew;
	});
}

/** Whether records are left for which the person has to stay on the unsubscribe lists, since no entry is added. */
export const keepsRecords = ({ records, removesUnsubscribes }: ErasurePlan): boolean =>
	removesUnsubscribes &&
	records.some(({ found, decision }) => decision.kind === 'keep' && needsUnsubscribe(found));

/** @param found what the lists have of the person */
export function planErasure(
	person: Person,
	found: readonly Found[],
	options: ErasureOptions,
): ErasurePlan {
	const records = found.map((one) => ({
		found: one,
		decision: decide(one, person.key, options),
	}));
	const suppress = options.removesUnsubscribes ? [] : missingSpellings(person, found, records);
	return { suppress, records, removesUnsubscribes: options.removesUnsubscribes };
}
