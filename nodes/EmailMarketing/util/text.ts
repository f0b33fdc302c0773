import { createHash } from 'crypto';

import { toJson } from './coerce';

/** Control characters, line ends, halves of characters, and marks that reverse the writing direction. */
const unreadable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string =>
	({ '\n': '\\n', '\r': '\\r', '\t': '\\t' })[character] ??
	`\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Text from outside in a form for messages: on one line, and of limited length.
 *
 * @param length characters that are kept; what is cut off leaves …
 */
export function sanitize(text: string, length: number): string {
	const line = text.slice(0, length + 1).replace(unreadable, escaped);
	if (line.length <= length) return line;
	return `${line.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A short rendering of a value for an error message. */
export function quote(value: unknown): string {
	return value === undefined || value === null ? 'empty' : `"${sanitize(rendered(value), 60)}"`;
}

/** The first of a list: `a, b, c and 7 more`. */
export function truncateList(texts: readonly string[], most = 3): string {
	const rest = texts.length - most;
	const shown = texts.slice(0, most).map((text) => sanitize(text, 200));
	return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** A text of the service itself, which may have several lines. */
export function serviceText(value: unknown): string {
	return sanitize(rendered(value).replace(/\s+/g, ' ').trim(), 500);
}

/** Expressions also return values without a JSON form: circular objects, big integers, functions, NaN. */
function rendered(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	const json = toJson(value) ?? typeof value;
	// A time is a text in JSON.
	return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** A hash of a text in base64, of which each character has 6 bits. */
export const shortHash = (text: string, length: number): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, length);
