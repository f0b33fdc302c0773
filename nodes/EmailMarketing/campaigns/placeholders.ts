import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import { coerceText } from '../util/coerce';
import { normalizeKey } from '../util/normalize';
import { settleAll } from '../util/settleAll';
import { truncateList, sanitize } from '../util/text';
import type { Finding, ListReader } from './findings';

/** Placeholders of one field that an error names. */
const mostShown = 3;

/** `((name))`, however it is written inside; what does not begin with a letter is no placeholder, such as `((1 + 2))`. */
const pattern = /\(\(([ \t]*[\p{L}_][^()<>\r\n]{0,80})\)\)/gu;

export function placeholdersIn(text: string): string[] {
	return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];
}

function suggestion(name: string, known: string[]): string {
	const meant = known.find((candidate) => normalizeKey(candidate) === normalizeKey(name));
	return meant === undefined ? '' : `, did you mean ((${sanitize(meant, 80)}))?`;
}

/**
 * Placeholders that the service does not fill in: neither dynamic content nor the name of a custom field.
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
	const names = customFields.map((field: IDataObject) => coerceText(field.field_name));
	const known = [...new Set([...contents, ...names])].filter((name) => name !== '');
	const unknown = used.flatMap(({ label, names }) => {
		const strange = names.filter((name) => !known.includes(name));
		if (strange.length === 0) return [];
		const shown = strange
			.slice(0, mostShown)
			.map((name) => `((${sanitize(name, 80)}))${suggestion(name, known)}`);
		const others = strange.length > mostShown ? [`${strange.length - mostShown} more`] : [];
		return `${[...shown, ...others].join(' and ')} in "${label}"`;
	});
	if (unknown.length === 0) return [];
	return [
		{
			problem: `The service does not fill in ${unknown.join(' and ')}`,
			remedy: `Placeholders are, without spaces: ${truncateList(
				known.map((name) => `((${sanitize(name, 60)}))`),
				40,
			)}.`,
		},
	];
}
