import { quote } from '../util/text';
import { toText } from '../util/values';
import { FIELD_LABELS } from './fields';
import type { ContactInput } from './fields';
import type { Directory, Identified, Unidentified } from './identify';
import type { SyncState } from './syncState';

type Row = Identified | Unidentified;

/** Which contacts items are about, once their external IDs have been looked at. */
export interface ExternalIdMatches {
	rows: Row[];
	/** For each item that a later one with the same external ID replaces: that item. */
	superseded: Map<number, number>;
}

/** The last item of each external ID. */
function lastItems(externalIds: readonly string[]): Map<string, number> {
	return new Map(externalIds.flatMap((id, item) => (id === '' ? [] : [[id, item] as const])));
}

const externalIdProblem = (problem: string, { email, contact }: Row): Unidentified => ({
	field: FIELD_LABELS.external_id,
	problem,
	email,
	contact,
});

/**
 * Finds the contacts of items whose address is new by the external IDs that the sync remembers. A contact that an item
 * names by its address, or by its ID, is that item's.
 */
export function matchExternalIds(
	items: readonly ContactInput[],
	identified: readonly Row[],
	directory: Directory,
	state: SyncState,
): ExternalIdMatches {
	const rows = [...identified];
	const externalIds = items.map(({ externalId }, item) => {
		const row = rows[item] as Row;
		if ('problem' in row) return '';
		const text = toText(externalId);
		if (typeof text === 'string') return text;
		rows[item] = externalIdProblem(text.problem, row);
		return '';
	});
	const last = lastItems(externalIds);
	const superseded = new Map<number, number>();
	externalIds.forEach((id, item) => {
		const winner = last.get(id) ?? item;
		if (winner !== item) superseded.set(item, winner);
	});
	const named = new Set(
		rows.flatMap(({ contact }, item) => (contact && !superseded.has(item) ? [contact.id] : [])),
	);
	const find = state.byExternalId(directory.contacts);
	rows.forEach((row, item) => {
		const id = externalIds[item] ?? '';
		if ('problem' in row || row.contact || id === '' || superseded.has(item)) return;
		const contact = find(id);
		if (contact === undefined) {
			rows[item] = { ...row, isGone: state.isKnownExternalId(id) };
			return;
		}
		if (named.has(contact.id)) return;
		const note = `Found by the external ID ${quote(id)}`;
		rows[item] = { contact, email: row.email, keepsEmail: false, note };
	});
	return { rows, superseded };
}
