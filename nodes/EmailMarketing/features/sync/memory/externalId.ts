import type { ErrorCode } from '../../../service/errorCode';
import { addressKey } from '../../../util/email';
import { groupBy } from '../../../util/groups';
import { isOfSymbols, isPlaceholder } from '../../../util/mayBeAnyones';
import { quote } from '../../../util/text';
import { toText, wholeNumbersIn } from '../../../util/coerce';
import type { NotText } from '../../../util/coerce';
import { FIELD_LABELS } from '../../contacts/fields';
import type { ContactInput } from '../../contacts/fields';
import type { Directory, Identified, Unidentified } from '../../contacts/identify';
import type { SyncState } from './syncState';
import type { ListedContact } from '../../contacts/types';

type Row = Identified | Unidentified;

const externalIdProblem = (
	code: ErrorCode,
	problem: string,
	{ email, contact, named }: Row,
): Unidentified => ({
	code,
	field: FIELD_LABELS.external_id,
	...{ problem, email, contact, named },
});

/** The errors of spreadsheets, and what programs write in place of an object. */
const DAMAGED = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)$|^\[object /i;

/**
 * Some sources write whole numbers with decimals: `1000004.0` is the ID 1000004, but `1.000` may be 1000. Numbers beyond
 * 2^53 are not exact, so two of them may look the same. "N/A", 0, false and the like are nobody's ID: an online shop has 0
 * for each of its guests. What hides a value, such as `***-**`, may be anyone's.
 */
export function externalIdOf(value: unknown): string | NotText {
	if (value === false) return '';
	if (value === true) return { problem: 'is true or false, which is not an ID' };
	if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
		return { problem: 'is a number with too many digits to be exact. Map it as text' };
	}
	const text = toText(value);
	if (typeof text !== 'string') return text;
	const [number = text, other] = wholeNumbersIn(text);
	const id = other === undefined ? number : text;
	if (isPlaceholder(id) || /^[0-]+$/.test(id)) return '';
	if (DAMAGED.test(text) || isOfSymbols(text)) {
		return { problem: `is ${quote(text)}, which is not an ID` };
	}
	return id;
}

/**
 * Finds items with the same external ID but different addresses, for example several items with "N/A": two people must
 * never become one contact.
 *
 * @param externalIds also of items that fail for another reason
 * @returns for each such item, another one with its ID
 */
function findShared(externalIds: readonly string[], rows: readonly Row[]): Map<number, number> {
	const groups = groupBy(externalIds.keys(), (item) =>
		rows[item]?.email === '' ? undefined : externalIds[item] || undefined,
	);
	const keyOf = (item: number) => addressKey(rows[item]?.email ?? '');
	const shared = new Map<number, number>();
	for (const items of groups.values()) {
		const [first = 0] = items;
		const different = items.find((item) => keyOf(item) !== keyOf(first));
		if (different === undefined) continue;
		for (const item of items) shared.set(item, keyOf(item) === keyOf(first) ? different : first);
	}
	return shared;
}

/**
 * Items with a new address may mean a contact whose external ID the sync remembers. If another item names that contact
 * by its address or ID, the contact stays with that item.
 */
export function matchExternalIds(
	items: readonly ContactInput[],
	identified: readonly Row[],
	directory: Directory,
	state: SyncState,
): Row[] {
	const rows = [...identified];
	const externalIds = items.map(({ externalId }, item) => {
		const row = rows[item] as Row;
		const id = externalIdOf(externalId);
		if (typeof id === 'string') return id;
		rows[item] = {
			...('problem' in row ? row : externalIdProblem('single-value-expected', id.problem, row)),
			...(!row.contact && { mayBeAnyone: true }),
		};
		return '';
	});
	for (const [item, other] of findShared(externalIds, rows)) {
		const row = rows[item] as Row;
		const problem = `${quote(externalIds[item])} also belongs to item ${(items[other] as ContactInput).item}, which has a different email. Correct one of them`;
		if (!('problem' in row)) rows[item] = externalIdProblem('external-id-shared', problem, row);
		externalIds[item] = '';
	}
	const named = new Set(rows.flatMap(({ contact }) => (contact ? [contact.id] : [])));
	const find = state.byExternalId(directory);
	rows.forEach((row, item) => {
		const id = externalIds[item] ?? '';
		if ('problem' in row || id === '') return;
		const contact = find(id);
		if (contact === undefined) {
			if (!row.contact) rows[item] = { ...row, isGone: state.isKnownExternalId(id) };
			return;
		}
		if (row.contact || named.has(contact.id)) {
			rows[item] = { ...row, remembered: contact };
			return;
		}
		const note = `Found by the external ID ${quote(id)}`;
		rows[item] = { ...row, contact, keepsEmail: false, note };
	});
	return withContactsOfFailed(items, rows, find);
}

/**
 * A failed item still means the contact with its external ID, unless another item names that contact. If its email or ID
 * cannot be read, it may mean any other one as well, because these come before the external ID.
 */
function withContactsOfFailed(
	items: readonly ContactInput[],
	rows: readonly Row[],
	find: (externalId: string) => ListedContact | undefined,
): Row[] {
	const named = new Set(rows.flatMap(({ contact }) => (contact ? [contact.id] : [])));
	return rows.map((row, item) => {
		if (!('problem' in row) || row.contact) return row;
		const id = externalIdOf(items[item]?.externalId);
		const contact = typeof id === 'string' && id !== '' ? find(id) : undefined;
		return contact && !named.has(contact.id) ? { ...row, contact } : row;
	});
}
