import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { coerceText, isEmpty } from '../util/coerce';
import { quote } from '../util/text';
import { InvalidInput } from './invalidInput';

/** Also true for text of spaces only. */
export function isBlank(value: unknown): boolean {
	return isEmpty(value) || (typeof value === 'string' && value.trim() === '');
}

/** Other objects may have a key of this name too, but not with this value. */
const isLocator = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && (value as IDataObject).__rl === true;

/** Reduces a resource locator to its value. */
export function locatorValue(value: unknown): unknown {
	return isLocator(value) ? value.value : value;
}

/** @param raw a parameter, or a resource locator, as the workflow contains it */
export function isExpression(raw: unknown): boolean {
	const value = locatorValue(raw);
	return typeof value === 'string' && value.startsWith('=');
}

/** A parameter of a node that runs once, or for one item, with its expressions. */
export const rawParameter = (
	context: Pick<IPollFunctions, 'getNodeParameter'>,
	path: string,
): unknown => context.getNodeParameter(path, '', { rawExpressions: true });

/** What n8n's expressions know without a `$`. */
const knownNames = new Set([
	...['DateTime', 'Duration', 'Interval', 'Math', 'JSON', 'Date', 'Array', 'Object'],
	...['String', 'Number', 'Boolean', 'Infinity', 'NaN', 'true', 'false', 'null', 'undefined'],
	...['new', 'typeof', 'void', 'this', 'await'],
]);

/** What is in braces, such as `{{first_name}}`, without anything to which n8n gives a value. */
export function placeholderIn(raw: unknown): { text: string; name: string } | undefined {
	if (!isExpression(raw)) return undefined;
	const all = coerceText(locatorValue(raw)).matchAll(
		/(?<!\\)\{\{\s*([A-Za-z_]\w*)((?:\.\w+)*)\b[^{}$(]*\}\}/g,
	);
	for (const [text, first = '', path = ''] of all) {
		const name = path.split('.').at(-1) || first;
		if (!knownNames.has(first)) return { text, name };
	}
	return undefined;
}

/** How the value of a resource locator was given: `list`, `id`, `email`. */
export function locatorMode(value: unknown): string | undefined {
	return isLocator(value) ? coerceText(value.mode) : undefined;
}

/** Half a character, from a text cut inside an emoji, becomes the character that the service would store for it. */
export function asText(value: unknown, label: string): string {
	if (typeof value === 'string') return value.toWellFormed();
	if (Number.isFinite(value) || typeof value === 'bigint') return String(value);
	throw new InvalidInput(
		'text-expected',
		`"${label}" must be text, but it is ${quote(value)}`,
		`Set "${label}" to a single text value, such as one field of the input.`,
	);
}

/** The text of a value that may be missing; '' if it is. */
export const textOrEmpty = (value: unknown, label: string): string =>
	isBlank(value) ? '' : asText(value, label).trim();

/** Whether a part of a list may be one number with separators: `1,234` in `1,234; 5,678`. */
const hasThousands = (text: string): boolean =>
	text.split(/[;\n]|,\s/).some((part) => /(?:^|,)\s*\d{1,3},\d{3}(?!\d)/.test(part));

/** Splits a comma-separated text, or takes an array as it is; an empty entry is ''. */
export function entriesOf(value: unknown, label: string): string[] {
	if (isEmpty(value)) return [];
	if (typeof value === 'string' && hasThousands(value)) {
		throw new InvalidInput(
			'list-ambiguous',
			`"${label}" is ${quote(value)}, which may be one number or a list of several`,
			'For one record, return the number without separators. For several, return an array, or put a space after each comma.',
		);
	}
	// Array.from makes holes, as in [1, , 3], entries like others; map() would pass over them.
	const entries = Array.isArray(value)
		? Array.from(value as unknown[])
		: asText(value, label).split(/[,;\n]/);
	return entries.map((entry, index) => textOfEntry(locatorValue(entry), label, index));
}

function textOfEntry(entry: unknown, label: string, index: number): string {
	if (isEmpty(entry)) return '';
	if (typeof entry !== 'object') return asText(entry, label).trim();
	throw new InvalidInput(
		'text-expected',
		`Entry ${index + 1} of "${label}" must be text or a number, but it is ${quote(entry)}`,
		'Return a list of plain values from the expression, such as {{ $json.records.map(one => one.id) }}.',
	);
}

/** The same without the empty entries. */
export const listOf = (value: unknown, label: string): string[] =>
	entriesOf(value, label).filter((entry) => entry !== '');

export function wholeNumber(value: unknown, label: string, remedy: string): string {
	const digits = typeof value === 'number' ? String(value) : asText(value, label).trim();
	if (!/^\d{1,15}$/.test(digits)) {
		throw new InvalidInput(
			'whole-number-expected',
			`"${label}" must be a whole number, but it is ${quote(value)}`,
			remedy,
		);
	}
	return String(Number(digits));
}

/** @returns `1` or `0`, also for the words true and false; undefined for an empty value */
export function toFlag(value: unknown, label: string): '0' | '1' | undefined {
	if (isEmpty(value)) return undefined;
	const normalised = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (normalised === true || normalised === 1 || normalised === '1' || normalised === 'true') {
		return '1';
	}
	if (normalised === false || normalised === 0 || normalised === '0' || normalised === 'false') {
		return '0';
	}
	throw notAFlag(value, label);
}

const notAFlag = (value: unknown, label: string): InvalidInput =>
	new InvalidInput(
		'boolean-expected',
		`"${label}" must be true or false, but it is ${quote(value)}`,
		'Turn it on or off, or return true or false from the expression.',
	);

/** @throws InvalidInput for what is neither on nor off: an expression that returned nothing must not count as off */
export function requireFlag(value: unknown, label: string): boolean {
	const flag = toFlag(value, label);
	if (flag === undefined) throw notAFlag(value, label);
	return flag === '1';
}

/**
 * Whether a parameter is on.
 *
 * @param preset what it is if it is empty, or if its expression returned nothing
 * @throws InvalidInput for what is neither on nor off
 */
export function isOn(value: unknown, label: string, preset = false): boolean {
	const flag = toFlag(value, label);
	return flag === undefined ? preset : flag === '1';
}

/** Whether it names a contact type or a segment: `contacts_3`, `segments_8`. */
export function isTarget(text: string): boolean {
	return /^(contacts|segments)_[1-9]\d{0,14}$/.test(text);
}
