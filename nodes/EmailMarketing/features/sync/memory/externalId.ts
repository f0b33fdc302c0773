import type { ErrorCode } from '../../../service/errorCode';
import { addressKey } from '../../../util/email';
import { quote } from '../../../util/text';
import { toText } from '../../../util/values';
import type { NotText } from '../../../util/values';
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

/** Some sources write whole numbers with a decimal: `1000004.0` is the ID 1000004. */
export const externalIdOf = (value: unknown): string | NotText => {
	const text = toText(value);
	return typeof text === 'string' ? text.replace(/^(\d+)\.0+$/, '$1') : text;
};

/**
 * Finds items with the same external ID but different addresses, for example several items with "N/A": two people must
 * never become one contact.
 *
 * @returns for each such item, the first item with its ID; for the first item, the second one
 */
function findShared(externalIds: readonly string[], rows: readonly Row[]): Map<number, number> {
	const firsts = new Map<string, number>();
	const shared = new Map<number, number>();
	externalIds.forEach((id, item) => {
		if (id === '') return;
		const first = firsts.get(id);
		if (first === undefined) {
			firsts.set(id, item);
		} else if (addressKey(rows[first]?.email ?? '') !== addressKey(rows[item]?.email ?? '')) {
			shared.set(item, first);
			if (!shared.has(first)) shared.set(first, item);
		}
	});
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
		if (typeof id === 'string') return 'problem' in row ? '' : id;
		rows[item] = {
			...('problem' in row ? row : externalIdProblem('single-value-expected', id.problem, row)),
			...(!row.contact && { mayBeAnyone: true }),
		};
		return '';
	});
	for (const [item, other] of findShared(externalIds, rows)) {
		const problem = `${quote(externalIds[item])} also belongs to item ${items[other]?.item ?? other}, which has a different email. Correct one of them`;
		rows[item] = externalIdProblem('external-id-shared', problem, rows[item] as Row);
		externalIds[item] = '';
	}
	const named = new Set(rows.flatMap(({ contact }) => (contact ? [contact.id] : [])));
	const find = state.byExternalId(directory.contacts);
	rows.forEach((row, item) => {
		const id = externalIds[item] ?? '';
		if ('problem' in row || row.contact || id === '') return;
		const contact = find(id);
		if (contact === undefined) {
			rows[item] = { ...row, isGone: state.isKnownExternalId(id) };
			return;
		}
		if (named.has(contact.id)) return;
		const note = `Found by the external ID ${quote(id)}`;
		rows[item] = { contact, email: row.email, keepsEmail: false, note };
	});
	return withContactsOfFailed(items, rows, find);
}

/** A failed item still means the contact with its external ID, unless another item names that contact. */
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
		return contact && !named.has(contact.id) ? { ...row, contact, mayBeAnyone: undefined } : row;
	});
}
