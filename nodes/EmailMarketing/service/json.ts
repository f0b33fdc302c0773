import type { HttpResponse } from './failure';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Of a text that is no JSON, only the beginning is looked at. */
const BEGINNING_BYTES = 64 * 1024;

/** So much of a text is checked at once. */
const PART_BYTES = 1024 * 1024;

const utf8 = { fatal: true, ignoreBOM: true };
const decoder = new TextDecoder('utf-8', utf8);

/**
 * Text of bytes. What is not UTF-8 is never replaced: a write that repeats the current values would send the
 * replacements back.
 *
 * @throws TypeError for what is not UTF-8
 */
export function decode(bytes: Buffer): string {
	return decoder.decode(bytes);
}

/** JSON begins with an ASCII character, of which UTF-16 and UTF-32 make one byte that is zero, or more. */
function isUtf8(bytes: Buffer): boolean {
	if (bytes[0] === 0 || bytes[1] === 0) return false;
	// In parts, because a text may be longer than a string can be.
	const parts = new TextDecoder('utf-8', utf8);
	try {
		for (let at = 0; at < bytes.length; at += PART_BYTES) {
			parts.decode(bytes.subarray(at, at + PART_BYTES), { stream: true });
		}
		parts.decode();
		return true;
	} catch {
		return false;
	}
}

export function withoutMark(bytes: Buffer): Buffer {
	const mark = bytes.subarray(0, BYTE_ORDER_MARK.length);
	return mark.equals(BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

/** The body of a response, or what is known of one that is no JSON. */
export type Parsed = Pick<HttpResponse, 'body' | 'isUtf8'>;

/** @param bytes what is no JSON, or not UTF-8 */
export function unreadable(bytes: Buffer): Parsed {
	const body = bytes.toString('utf8', 0, BEGINNING_BYTES);
	return isUtf8(bytes) ? { body } : { body, isUtf8: false };
}

/** Of members with the same key, the last one counts; a byte order mark is no part of the text. */
export function parseJson(response: Buffer): Parsed {
	const bytes = withoutMark(response);
	try {
		return { body: JSON.parse(decode(bytes)) as unknown };
	} catch {
		return unreadable(bytes);
	}
}
