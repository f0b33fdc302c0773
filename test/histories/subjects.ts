import type { IDataObject } from 'n8n-workflow';

import type { Part } from '../../sandbox/forms.ts';

export type Listed = { email?: string; email_address?: string } & Partial<Record<string, unknown>>;

/** The list that a record is on. */
export const LISTS = {
	contacts: (row: Listed) => `contacts ${Number(row.contact_type_id)}`,
	segmentRecipients: (row: Listed) => `segment ${Number(row.segment_id)}`,
	groupRecipients: (row: Listed) => `group ${Number(row.unsubscribe_groups_id)}`,
	globalUnsubscribes: () => 'global',
} as const;
export type ListTable = keyof typeof LISTS;

/** What a write is about: a table, and the field with the ID of a record that is there already. */
const ABOUT: Record<string, [table: ListTable, id?: string]> = {
	'/contacts/add': ['contacts'],
	'/contacts/upload-csv': ['contacts'],
	'/contacts/update': ['contacts', 'contact_id'],
	'/contacts/delete': ['contacts', 'contact_id'],
	'/contacts/bulk-delete': ['contacts', 'strIds'],
	'/segment/email/store': ['segmentRecipients'],
	'/segment/email/delete': ['segmentRecipients', 'segment_recipient_id'],
	'/unsubscribes-groups/manually-add': ['groupRecipients'],
	'/unsubscribes-groups/recipients-delete': ['groupRecipients', 'id'],
	'/unsubscribes-groups/recipients-bulk-delete': ['groupRecipients', 'strIds'],
	'/global-unsubscribes/save': ['globalUnsubscribes'],
	'/global-unsubscribes/delete': ['globalUnsubscribes', 'id'],
	'/global-unsubscribes/bulk-delete': ['globalUnsubscribes', 'strIds'],
};

export const listedAddress = ({ email, email_address: address }: Listed) =>
	String(email ?? address)
		.trim()
		.toLowerCase();
const addressesIn = (text: string): string[] => text.match(/[^\s,;"<>]+@[^\s,;"<>]+/g) ?? [];

/** The fields of a request, with the text of a file. */
export const shownParts = (parts: readonly Part[]): IDataObject =>
	Object.fromEntries(parts.map(({ name, value, file }) => [name, file?.bytes.toString() ?? value]));

/**
 * What a write is about: the list, and whom it adds to it, changes or removes.
 *
 * @param rowsOf the records of a table, as they are before it
 */
export function subjectsOf(
	path: string,
	parts: readonly Part[],
	rowsOf: (table: ListTable) => Iterable<Listed>,
): IDataObject {
	const [table, idField] = ABOUT[path] ?? [];
	if (table === undefined) return {};
	if (idField === undefined) {
		const texts = parts.flatMap(({ name, value, file }) =>
			file ? [file.bytes.toString()] : /^email/.test(name) ? [value] : [],
		);
		const emails = texts.flatMap(addressesIn).map((email) => email.toLowerCase());
		return { list: LISTS[table](shownParts(parts)), emails: [...new Set(emails)] };
	}
	const ids = parts.flatMap(({ name, value }) =>
		name === idField || name.startsWith(`${idField}[`) ? [Number(value)] : [],
	);
	const rows = [...rowsOf(table)].filter(({ id }) => ids.includes(Number(id)));
	const emails = rows.map(listedAddress);
	const isUpdate = path === '/contacts/update';
	return {
		...{ ids, emails: [...new Set(emails)], list: rows[0] && LISTS[table](rows[0]) },
		...(isUpdate && rows[0] && { before: rows[0] as IDataObject }),
	};
}
