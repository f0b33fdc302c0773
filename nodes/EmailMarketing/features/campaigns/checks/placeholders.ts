import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../../service/endpoints';
import { closestOf } from '../../../util/closest';
import { coerceText } from '../../../util/coerce';
import { settleAll } from '../../../util/promises';
import { truncateList, sanitize } from '../../../util/text';
import type { Finding, ListReader } from './findings';

/** Placeholders of one field that an error names. */
const mostShown = 3;
/** Known placeholders that an error suggests. */
const mostSuggested = 5;

/**
 * `((name))`, however the name is spelled. Text that does not begin with a letter, such as `((1 + 2))`, is no
 * placeholder.
 */
const pattern = /\(\(([ \t]*[\p{L}_][^()<>\r\n]{0,80})\)\)/gu;

export function placeholdersIn(text: string): string[] {
	return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];
}

/** How other services write placeholders. Brackets are common in subjects, so only names of people count in them. */
const foreignPatterns = [
	/\*\|[^|\r\n]{1,80}\|\*/g,
	/\$\{[^{}\r\n]{1,80}\}/g,
	// Not a percentage in CSS, and not the percent-encoding of a URL.
	/(?<![\w%])%(?![\da-f]{2})[a-z][a-z_.]{2,40}%(?!\w)/gi,
	/(?<![\w\])])\[(?:first|last|full|f|l)[ _-]?name\]/gi,
];

/** Up to the first `}}`, or to the end of the text, so that no `{{` is read twice. */
const bracePattern = /\{\{.*?(?:\}\}|$)/gs;

/**
 * Placeholders of other services, and expressions of n8n, as written in the text. An expression may have braces and line
 * ends. `}}` alone is common in CSS and JSON, but `{{` has no place in either.
 */
export function foreignPlaceholdersIn(text: string): string[] {
	const inBraces: string[] = [];
	const rest = text.replace(bracePattern, (found) => {
		if (!found.endsWith('}}')) return found;
		inBraces.push(found);
		return '}}';
	});
	const found = foreignPatterns.flatMap((foreign) => rest.match(foreign) ?? []);
	return [...new Set([...inBraces, ...found])];
}

/** An expression in a field that is not set to "Expression", or in text that an expression returned. */
const isN8nExpression = (foreign: string): boolean => /^\{\{.*\$/s.test(foreign);

/** What n8n makes of an object in a text, and Luxon of a date that it cannot read. */
const faultyResultsIn = (text: string): string[] => [
	...new Set(text.match(/\[object [A-Z]\w*\]|Invalid DateTime/g) ?? []),
];

const shown = (name: string): string => `((${sanitize(name, 80)}))`;

const knownPlaceholders = 'use "Design Template: Get Dynamic Content".';

function remedyFor(unknown: string[], known: string[]): Pick<Finding, 'remedy'> {
	const meant = [...new Set(unknown.flatMap(closestOf(known)))];
	const names = meant.slice(0, mostSuggested).map(shown);
	if (names.length === 0) {
		return { remedy: `Correct them. To list the known ones, ${knownPlaceholders}` };
	}
	const are = names.length === 1 ? 'placeholder is' : 'placeholders are';
	return {
		remedy: `Correct them. The most similar known ${are} ${names.join(', ')}. To list the others, ${knownPlaceholders}`,
	};
}

/** Texts that readers will see, by the label of the field that each stands in. */
type Texts = Array<{ label: string; text: string }>;

/** The placeholders that `find` finds, by the label of their field. */
function placesOf(texts: Texts, find: (text: string) => string[]) {
	return texts
		.map(({ label, text }) => ({ label, names: find(text) }))
		.filter(({ names }) => names.length > 0);
}

type Places = ReturnType<typeof placesOf>;

/** Only what passes. */
const thoseIn = (places: Places, passes: (name: string) => boolean): Places =>
	places
		.map(({ label, names }) => ({ label, names: names.filter(passes) }))
		.filter(({ names }) => names.length > 0);

/** As a message shows it. An expression of n8n may have several lines. */
const inShort = (found: string): string => sanitize(found.replace(/\s+/g, ' '), 80);

/** One finding for all of these places. */
function findingsOf(
	places: Places,
	{ code, problem, remedy }: Pick<Finding, 'code' | 'problem' | 'remedy'>,
	show = inShort,
): Finding[] {
	if (places.length === 0) return [];
	const words = places.map(
		({ label, names }) => `${truncateList(names.map(show), mostShown)} in "${label}"`,
	);
	const field = places.map(({ label }) => label).join(', ');
	return [{ code, field, problem: `${problem}: ${words.join('; ')}`, remedy }];
}

function checkForeign(texts: Texts): Finding[] {
	const foreign = placesOf(texts, foreignPlaceholdersIn);
	return [
		...findingsOf(thoseIn(foreign, isN8nExpression), {
			code: 'placeholders-foreign',
			problem: 'n8n expressions would be sent unchanged',
			remedy:
				'Switch the field to "Expression". If the text comes from another node, insert the values there: n8n does not evaluate expressions inside it.',
		}),
		...findingsOf(
			thoseIn(foreign, (one) => !isN8nExpression(one)),
			{
				code: 'placeholders-foreign',
				problem: 'Placeholders of another service would be sent unchanged',
				remedy: `Write placeholders as in ((first_name)). To list the known ones, ${knownPlaceholders}`,
			},
		),
		...findingsOf(placesOf(texts, faultyResultsIn), {
			code: 'expression-faulty',
			problem: 'The output of a faulty expression would be sent',
			remedy:
				'Correct the expression. For [object Object], choose a field of the object. For Invalid DateTime, check the date passed to it.',
		}),
	];
}

/**
 * Neither dynamic content nor the name of a custom field. If the service lists no dynamic content, nothing is checked.
 */
async function checkUnknown(texts: Texts, lists: ListReader): Promise<Finding[]> {
	const used = placesOf(texts, placeholdersIn);
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
	const unknown = thoseIn(used, (name) => !known.includes(name));
	const named = unknown.flatMap(({ names }) => names.slice(0, mostShown));
	const found = { code: 'placeholders-unknown', problem: 'Unknown placeholders' } as const;
	return findingsOf(unknown, { ...found, ...remedyFor(named, known) }, shown);
}

/** What readers would see as it is written: placeholders that the service does not replace, and failed expressions. */
export async function checkPlaceholders(
	texts: Array<{ label: string; text: unknown }>,
	lists: ListReader,
): Promise<Finding[]> {
	const read = texts.map(({ label, text }) => ({ label, text: coerceText(text) }));
	return [...checkForeign(read), ...(await checkUnknown(read, lists))];
}

/** An unsubscribe link or placeholder, or words for it in common languages. */
const unsubscribes =
	/unsubscri|opt[ -]?out|abmeld|abbestell|d[ée]sinscri|d[ée]sabonn|darse de baja|cancelar|disiscri|afmeld/i;

/** A warning for HTML of the user's own; the service may add a link to it. */
export function checkUnsubscribeLink(html: unknown, where = ''): Finding[] {
	const text = coerceText(html);
	if (text.trim() === '' || unsubscribes.test(text)) return [];
	return [
		{
			code: 'unsubscribe-link-missing',
			field: 'HTML',
			problem: `"HTML"${where} has no unsubscribe link`,
			remedy: 'Add the placeholder ((unsubscribe_preferences)), unless the service adds a link.',
		},
	];
}
