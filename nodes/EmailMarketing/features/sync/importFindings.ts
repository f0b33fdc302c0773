import { coerceText } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { isAsSent, otherCustomFields, otherValues } from './asSent';
import type { NewContact } from './importFile';
import type { ListedContact } from '../contacts/types';

/** An imported contact with its entries in the list. */
export interface Finding {
	contact: NewContact;
	/** New contacts with its address, in any contact type. */
	found: ListedContact[];
}

export interface Findings {
	findings: Finding[];
	/** Whether anything else in the list has changed. */
	hasOtherChanges: boolean;
}

function isSame(one: ListedContact, other: ListedContact): boolean {
	const keys = Object.keys(one) as Array<keyof ListedContact>;
	return keys.every((key) => one[key] === other[key]);
}

/** Compares the list before and after an import. */
export function findImported(
	contacts: readonly NewContact[],
	before: readonly ListedContact[],
	after: readonly ListedContact[],
): Findings {
	const known = new Map(before.map((contact) => [contact.id, contact]));
	const byKey = new Map(
		contacts.map((contact) => [
			addressKey(contact.row.email),
			{ contact, found: [] as ListedContact[] },
		]),
	);
	let unchanged = 0;
	let others = 0;
	for (const contact of after) {
		const old = known.get(contact.id);
		const finding = old ? undefined : byKey.get(addressKey(contact.email));
		if (finding && !contact.deleted_at) finding.found.push(contact);
		else if (old && isSame(old, contact)) unchanged++;
		else others++;
	}
	const findings = [...byKey.values()];
	return { findings, hasOtherChanges: others > 0 || unchanged < before.length };
}

/** The problem with an imported contact, as a sentence without a full stop; none if it is there once, as planned. */
export function problemOf({ contact: { row }, found }: Finding): string | undefined {
	const [first, ...more] = found;
	if (!first) return 'The imported contact is not in the list';
	if (more.length > 0) return 'The imported contact is in the list several times';
	if (Number(first.contact_type_id) !== row.body?.contact_type_id) return misplaced(first);
	if (isAsSent(first, row)) return undefined;
	const other = otherValues(first, row) || otherCustomFields(first, row);
	return other || 'The import stored values that were not in the file';
}

export const misplaced = ({ id, contact_type_id: type }: ListedContact): string =>
	`The import put contact ${id} into contact type ${coerceText(type)} instead`;
