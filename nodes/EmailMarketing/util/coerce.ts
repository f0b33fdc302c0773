import type { IDataObject } from 'n8n-workflow';

/**
 * A value from outside as text. Objects have none: what JavaScript makes of them is not readable, and a `toString` of
 * their own could throw.
 *
 * @returns '' for objects, lists, null and undefined
 */
export function coerceText(value: unknown): string {
	if (typeof value === 'string') return value;
	return ['number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : '';
}

/** @returns the number, or the number in a text; NaN for anything else */
export function coerceNumber(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
}

/** A status or a flag of the service, whose 1 and 0 may also be true and false, and text. */
export function codeText(value: unknown): string {
	const text = coerceText(value).trim();
	return /^(?:true|false)$/i.test(text) ? String(Number(text.toLowerCase() === 'true')) : text;
}

/** The service shows a missing date as zeros. */
export const isZeroDate = (value: unknown): boolean =>
	typeof value === 'string' && value.startsWith('0000-00-00');

/** Whether a date stands for none. */
export const isNoDate = (value: unknown): boolean =>
	isEmpty(value) || isZeroDate(value) || codeText(value) === '0';

/** Whether it is the id of a record; longer ones would not be exact as numbers. */
export const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);

/** An id in the form that the service accepts, even if a list has it as a text such as 007. */
export const withoutLeadingZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '');

/** Whether it may be the utr of a single send, an automation or one of its schedules. */
export const isUtr = (text: string): boolean => /^[\w-]{1,100}$/.test(text);

/** Whether it may be the key of a record in this field. */
export const isKeyOf = (field: string, text: string): boolean =>
	field === 'utr' ? isUtr(text) : isId(text);

/** @returns undefined for values without a JSON form, or nested too deeply */
export function toJson(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}

/** @returns undefined for a text that is not JSON */
export function fromJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** The same as `coerceText`, with objects and lists as JSON; '' for those without a JSON form. */
export const textOrJson = (value: unknown): string =>
	typeof value === 'object' && value !== null ? (toJson(value) ?? '') : coerceText(value);

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** A value that cannot be sent as text; `problem` completes the sentence "<Field> …". */
export interface NotText {
	problem: string;
}

/**
 * Reads a mapped value in the form that the API receives, even if it is cut inside an emoji. For values that are only
 * shown or compared, use `coerceText`, which reports no problems.
 *
 * @returns the trimmed text; '' for null, undefined and blank text; a problem for lists, objects and NaN
 */
export function toText(value: unknown): string | NotText {
	if (typeof value === 'string') return value.trim().toWellFormed();
	if (value === null || value === undefined) return '';
	if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
	if (typeof value === 'number') {
		return Number.isFinite(value) ? String(value) : { problem: `is ${value}, which is not text` };
	}
	if (Array.isArray(value)) return { problem: 'is a list. Map a single value' };
	return { problem: 'is an object. Map one of its fields' };
}

/** The value without halves of characters, from a text that is cut inside an emoji. */
export const withoutHalves = (value: unknown): unknown =>
	typeof value === 'string' && !value.isWellFormed() ? value.replace(/\p{Cs}/gu, '').trim() : value;

/** Whether a program could not read a character of the text, and wrote � in its place. */
export const isGarbled = (value: unknown): boolean =>
	typeof value === 'string' && value.includes('\ufffd');

const ASCII = /^[ -~]*$/;

/** Whether two texts are the same except for outer spaces, line endings, Unicode composition and halves of characters. */
export function sameText(a: string, b: string): boolean {
	return a === b || canonical(a) === canonical(b);
}

function canonical(text: string): string {
	const trimmed = text.trim();
	if (ASCII.test(trimmed)) return trimmed;
	return trimmed.replace(/\r\n?/g, '\n').normalize('NFC').toWellFormed();
}

/** The whole numbers that a text may be: some sources write decimals, as in `1000004.0`, but `1.000` may be 1 or 1000. */
export function wholeNumbersIn(text: string): string[] {
	const [, whole, decimals = ''] = /^(\d+)(?:\.(0+))?$/.exec(text) ?? [];
	if (whole === undefined) return [];
	const mayBeGrouped = decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
	return mayBeGrouped ? [whole, whole + decimals] : [whole];
}
