import type { IDataObject } from 'n8n-workflow';

import { coerceText, isEmpty, isId, withoutLeadingZeros } from '../util/coerce';
import { spellingKey } from '../util/email';
import { isDeleted } from './recordKind';

const idOf = ({ unsubscribe_groups_id: id }: IDataObject): string =>
	isEmpty(id) ? '' : withoutLeadingZeros(coerceText(id).trim()) || '?';

/**
 * The unsubscribe group of an entry on the list of global unsubscribes (1), which may also contain such entries;
 * undefined for a global one, and for one whose group cannot be read.
 */
export function groupOf(entry: IDataObject): string | undefined {
	const id = idOf(entry);
	return isId(id) ? id : undefined;
}

/** What the output calls a group of which only the ID is known. */
export const groupName = (id: number | string): string => `Unsubscribe Group ${id}`;

/** Whether an entry of that list is offered as a global one. */
export const isOfNoGroup = (entry: IDataObject): boolean => groupOf(entry) === undefined;

/** Whether an entry of that list certainly unsubscribes from everything; one that is marked as deleted may not. */
export const isGlobal = (entry: IDataObject): boolean =>
	!isDeleted(entry) && ['', '0'].includes(idOf(entry));

/** The spelling keys of the entries of a list of unsubscribes that certainly unsubscribe from it. */
const spellingsOf = (
	entries: readonly IDataObject[],
	unsubscribes: (entry: IDataObject) => boolean,
): Set<string> =>
	new Set(
		entries.filter(unsubscribes).map(({ email_address: text }) => spellingKey(coerceText(text))),
	);

/** Of the list of global unsubscribes (1). */
export const globalSpellings = (entries: readonly IDataObject[]): Set<string> =>
	spellingsOf(entries, isGlobal);

/** Of the list of a group (10). */
export const groupSpellings = (entries: readonly IDataObject[]): Set<string> =>
	spellingsOf(entries, (entry) => !isDeleted(entry));
