import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { coerceText } from '../../util/coerce';
import { editDistance } from '../../util/editDistance';
import { normalizeKey } from '../../util/normalize';
import { settleAll } from '../../util/settleAll';
import { truncateList, sanitize } from '../../util/text';
import type { Finding, ListReader } from './findings';

/** Placeholders of one field that an error names. */
const mostShown = 3;
/** Known placeholders that an error suggests. */
const mostSuggested = 5;

/** `((name))`, however it is written inside; what does not begin with a letter is no placeholder, such as `((1 + 2))`. */
const pattern = /\(\(([ \t]*[\p{L}_][^()<>\r\n]{0,80})\)\)/gu;

export function placeholdersIn(text: string): string[] {
	return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];
}

const shown = (name: string): string => `((${sanitize(name, 80)}))`;

/** How far a known name is from an unknown one, as a share of its length; 0 if only case and separators differ. */
function distance(unknown: string, known: string): number {
	const key = normalizeKey(unknown);
	return editDistance(key, normalizeKey(known)) / Math.max(1, key.length);
}

/** The known names that each unknown one may be meant to be: the one that is the same, or those that resemble it. */
function meantBy(unknown: string, known: string[]): string[] {
	const near = known
		.map((name) => ({ name, far: distance(unknown, name) }))
		.filter(({ far }) => far <= 0.5)
		.sort((a, b) => a.far - b.far);
	const isSame = near[0]?.far === 0;
	return near.filter(({ far }) => !isSame || far === 0).map(({ name }) => name);
}

const knownPlaceholders = 'use Design Template > Get Dynamic Content.';

function remedyFor(unknown: string[], known: string[]): Pick<Finding, 'remedy'> {
	const meant = [...new Set(unknown.flatMap((name) => meantBy(name, known)))];
	const names = meant.slice(0, mostSuggested).map(shown);
	if (names.length === 0) {
		return { remedy: `Correct them. To list the known ones, ${knownPlaceholders}` };
	}
	const are = names.length === 1 ? 'placeholder is' : 'placeholders are';
	return {
		remedy: `Correct them. The most similar known ${are} ${names.join(', ')}. To list the others, ${knownPlaceholders}`,
	};
}

/**
 * Placeholders that are not known: neither dynamic content nor the name of a custom field. If the service lists no
 * dynamic content at all, nothing can be said.
 *
 * @param texts what readers will see, by the label of the field that it stands in
 */
export async function checkPlaceholders(
	texts: Array<{ label: string; text: unknown }>,
	lists: ListReader,
): Promise<Finding[]> {
	const used = texts
		.map(({ label, text }) => ({ label, names: placeholdersIn(coerceText(text)) }))
		.filter(({ names }) => names.length > 0);
	if (used.length === 0) return [];
	const [contents, customFields] = await settleAll([
		lists.dynamicContent(),
		lists.records(endpoints.customField.getAll),
	]);
	if (contents.length === 0) return [];
	const known = [
		...contents,
		...customFields.map((field: IDataObject) => coerceText(field.field_name)),
	].filter((name) => name !== '');
	const unknown = used
		.map(({ label, names }) => ({ label, names: names.filter((name) => !known.includes(name)) }))
		.filter(({ names }) => names.length > 0);
	if (unknown.length === 0) return [];
	const places = unknown.map(
		({ label, names }) => `${truncateList(names.map(shown), mostShown)} in "${label}"`,
	);
	const named = unknown.flatMap(({ names }) => names.slice(0, mostShown));
	return [
		{
			code: 'placeholdersUnknown',
			field: unknown.map(({ label }) => label).join(', '),
			problem: `Unknown placeholders: ${places.join('; ')}`,
			...remedyFor(named, known),
		},
	];
}
