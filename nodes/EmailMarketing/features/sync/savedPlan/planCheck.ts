import { coerceText, isEmpty } from '../../../util/coerce';
import { addressKey, spellingKey } from '../../../util/email';
import { quote } from '../../../util/text';
import { sameText } from '../../../util/values';
import { FIELD_LABELS, TEXT_FIELDS, type ContactField } from '../../contacts/fields';
import type { PlanCountry, PlanValues } from './planSnapshot';
import { placeOf, type SavedPlanRow } from './planRows';
import type { ClearedBody, ListedContact, PlannedRow } from '../../contacts/types';
import { failedRow } from '../../contacts/contactWrites';

/** The contacts that the rows of a plan are about, as they are now. */
export interface CurrentContacts {
	byId: ReadonlyMap<number, ListedContact>;
	/** Who has the address that a row puts somewhere, by `ownerKey`. */
	owners: ReadonlyMap<string, ListedContact>;
	/** Address keys of the unsubscribe group that contacts are added to. */
	groupMembers: ReadonlySet<string>;
}

export const ownerKey = (contactTypeId: number | string, email: string): string =>
	`${contactTypeId} ${addressKey(email)}`;

/** The contacts of the list (18) that rows are about, and those with addresses that rows put somewhere. */
export function currentOf(
	contacts: readonly ListedContact[],
	rows: readonly SavedPlanRow[],
): Pick<CurrentContacts, 'byId' | 'owners'> {
	const ids = new Set(rows.map(({ row }) => row.contactId));
	const places = new Set(
		rows.flatMap((planRow) => {
			const { body, email } = planRow.row;
			return body && placeOf(planRow) ? [ownerKey(body.contact_type_id, email)] : [];
		}),
	);
	const types = new Set(rows.flatMap(({ row }) => row.body?.contact_type_id ?? []));
	const byId = new Map<number, ListedContact>();
	const owners = new Map<string, ListedContact>();
	for (const contact of contacts) {
		if (contact.deleted_at) continue;
		const isClear = contact.unclear === undefined;
		if (isClear && ids.has(contact.id)) byId.set(contact.id, contact);
		if (places.size === 0) continue;
		// One of an unknown type may be in any of them.
		for (const type of isClear ? [contact.contact_type_id] : types) {
			const key = ownerKey(type, contact.email);
			if (!places.has(key)) continue;
			const other = owners.get(key);
			if (!other || contact.id < other.id) owners.set(key, contact);
		}
	}
	return { byId, owners };
}

/** The list shows a name, and the details an ID, so there may be nothing to compare. */
function isOtherCountry(current: string, { id, name }: PlanCountry): boolean | 'unknown' {
	if (current === id || (name !== undefined && sameText(current, name))) return false;
	if (current === '' || name === '') return true;
	const isKnown = (/^\d+$/.test(current) ? id : name) !== undefined;
	return isKnown || 'unknown';
}

interface Difference {
	field: ContactField | 'contact_type_id';
	from: string;
	to: string;
}

/**
 * In which fields a contact does not have the expected values.
 *
 * @param isComplete whether fields without an expected value are expected to be empty
 */
function differences(
	contact: ListedContact,
	email: string,
	{ write, seen }: Pick<SavedPlanRow, 'write' | 'seen'>,
	isComplete: boolean,
): Difference[] {
	const found: Difference[] = [];
	const expectedEmail = seen?.email ?? email;
	if (!sameText(contact.email, expectedEmail)) {
		found.push({ field: 'email', from: expectedEmail, to: contact.email });
	}
	const country = seen?.country ?? write?.country;
	const current = coerceText(contact.country).trim();
	const isOther = country !== undefined && isOtherCountry(current, country);
	// What cannot be compared is not known to have changed, nor to be what is to be written.
	if (isOther === true || (isOther === 'unknown' && !isComplete)) {
		found.push({ field: 'country', from: country?.name ?? country?.id ?? '', to: current });
	}
	for (const field of TEXT_FIELDS) {
		const expected = seen?.[field] ?? write?.[field];
		if (expected === undefined && !isComplete) continue;
		const to = coerceText(contact[field]);
		if (!sameText(to, expected ?? '')) found.push({ field, from: expected ?? '', to });
	}
	return found;
}

/** Whether a contact has all values that are to be written. */
const hasValues = (contact: ListedContact, email: string, write: PlanValues): boolean =>
	addressKey(contact.email) === addressKey(email) &&
	differences(contact, contact.email, { write }, false).length === 0;

/** Which item and contact a row is about. */
type About = Pick<PlannedRow, 'item' | 'email' | 'contactId'>;

const shown = (text: string): string => (text === '' ? 'empty' : quote(text));

function changedSince(row: About, what: string, field?: Difference['field']): PlannedRow {
	const failed = failedRow(row, 'changed-since-plan', `changed since the plan: ${what}`);
	return field === undefined ? failed : { ...failed, field: FIELD_LABELS[field] };
}

function settled({ item, email, contactId }: About, reason: string): PlannedRow {
	return { item, action: 'unchanged', email, contactId, reason };
}

const asPlanned = 'The contact already has the planned values';

/** @returns what becomes of the row instead of what was planned */
function checkNew(
	{ row, write = {} }: SavedPlanRow,
	owner: ListedContact | undefined,
): PlannedRow | undefined {
	if (!owner) return undefined;
	const known = { ...row, contactId: owner.id };
	if (hasValues(owner, row.email, write)) return settled(known, asPlanned);
	return changedSince(known, `contact ${owner.id} has the email now`, 'email');
}

/** The same for a row about a contact that was there. */
function checkKnown(
	planRow: SavedPlanRow,
	contact: ListedContact | undefined,
	owner: ListedContact | undefined,
): PlannedRow | undefined {
	const { row, contactTypeId, write } = planRow;
	if (!contact) {
		if (row.action === 'deleted') return settled(row, 'The contact was deleted already');
		return changedSince(row, 'the contact no longer exists');
	}
	const type = Number(contact.contact_type_id);
	if (write && type === row.body?.contact_type_id && hasValues(contact, row.email, write)) {
		return settled(row, asPlanned);
	}
	if (type !== contactTypeId) {
		const what = `"Contact Type" was ${contactTypeId} and is ${type}`;
		return changedSince(row, what, 'contact_type_id');
	}
	const changed = differences(contact, row.email, planRow, true);
	if (changed.length > 0) {
		const all = changed.map(
			({ field, from, to }) => `"${FIELD_LABELS[field]}" was ${shown(from)} and is ${shown(to)}`,
		);
		return changedSince(row, all.join(', '), changed[0]?.field);
	}
	if (!owner || owner.id === row.contactId) return undefined;
	return changedSince(row, `contact ${owner.id} has the email now`, 'email');
}

/** @returns the row if the contact is what the dry run saw, or what becomes of it instead */
export function checkedRow(
	planRow: SavedPlanRow<ClearedBody>,
	current: CurrentContacts,
): PlannedRow {
	const { row } = planRow;
	const { action, body, contactId, email } = row;
	const owner =
		body && placeOf(planRow)
			? current.owners.get(ownerKey(body.contact_type_id, email))
			: undefined;
	if (action === 'created') return checkNew(planRow, owner) ?? row;
	if (action === 'addedToGroup' && current.groupMembers.has(spellingKey(email))) {
		return settled(row, 'already in the unsubscribe group');
	}
	return checkKnown(planRow, current.byId.get(contactId ?? 0), owner) ?? row;
}

/** Details show a contact (22) that may be deleted. */
export const isThere = (contact: ListedContact | undefined): contact is ListedContact =>
	contact !== undefined && isEmpty(contact.deleted_at);
