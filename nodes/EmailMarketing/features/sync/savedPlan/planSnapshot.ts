import { coerceText } from '../../../util/coerce';
import { TEXT_FIELDS, type TextField } from '../../contacts/fields';
import type { ContactBody, ListedContact, PlannedRow } from '../../contacts/types';
import type { Plan } from '../types';

/** A country in a plan; the list (18) shows a name, and the details (22) an ID. */
export interface PlanCountry {
	id?: string;
	/** '' if the list shows none. */
	name?: string;
}

/** Values of a contact. Its address is in the column `email`, unless it changes. */
export type PlanValues = { email?: string; country?: PlanCountry } & Partial<
	Record<TextField, string>
>;

/** What a row of a dry run has besides its columns, so that it can be written and checked later. */
export interface RowSnapshot {
	/** What is sent, besides the columns of the row. */
	write?: PlanValues;
	/** What the contact had, where that is not what `write` says. */
	seen?: PlanValues;
	/** The limit that would have stopped the run. */
	limit?: string;
}

const countryOf = (id: string, name: string): PlanCountry => ({
	id,
	...(name !== id && { name }),
});

function valuesToWrite(
	body: ContactBody,
	{ changes }: PlannedRow,
	contact?: ListedContact,
): PlanValues {
	const shown = changes?.country?.to ?? coerceText(contact?.country).trim();
	const values: PlanValues = { country: countryOf(body.country, shown) };
	for (const field of TEXT_FIELDS) {
		const text = body[field];
		if (text !== undefined) values[field] = text;
	}
	return values;
}

function valuesSeen(
	contact: ListedContact,
	{ email, changes, countryId }: PlannedRow,
	write?: PlanValues,
): PlanValues {
	const values: PlanValues = {};
	if (contact.email !== email) values.email = contact.email;
	if (!write || changes?.country) {
		const name = coerceText(contact.country).trim();
		values.country = countryId === undefined ? { name } : { id: countryId, name };
	}
	for (const field of TEXT_FIELDS) {
		const text = coerceText(contact[field]);
		if (text !== (write?.[field] ?? '')) values[field] = text;
	}
	return values;
}

/** @param contact the contact of the row; a new one has none */
function rowPlanOf(row: PlannedRow, contact?: ListedContact): RowSnapshot | undefined {
	const { action, body } = row;
	if (action === 'created') return body && { write: valuesToWrite(body, row) };
	if (!contact) return undefined;
	if (action === 'deleted' || action === 'addedToGroup') return { seen: valuesSeen(contact, row) };
	if (!body || (action !== 'updated' && action !== 'moved')) return undefined;
	const write = valuesToWrite(body, row, contact);
	return { write, seen: valuesSeen(contact, row, write) };
}

/** Makes the function that adds to each row of a dry run what is needed to carry it out later. */
export function rowSnapshots({
	contacts,
	limit,
}: Plan): (row: PlannedRow) => RowSnapshot | undefined {
	const byId = new Map(contacts.map((contact) => [contact.id, contact]));
	return (row) => {
		const plan = rowPlanOf(row, byId.get(row.contactId ?? 0));
		return plan && limit ? { ...plan, limit: limit.reason } : plan;
	};
}
