import type { HttpResponse } from './failure';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** If a text is not JSON, only its beginning is examined. */
const BEGINNING_BYTES = 64 * 1024;

/** The length of text to check at a time. */
const PART_BYTES = 1024 * 1024;

const utf8 = { fatal: true, ignoreBOM: true };
const decoder = new TextDecoder('utf-8', utf8);

/**
 * Text of bytes. Invalid bytes are never replaced, because a write that repeats the current values would send the
 * replacements back.
 *
 * @throws TypeError if the bytes are not UTF-8
 */
export function decode(bytes: Buffer): string {
	return decoder.decode(bytes);
}

/** JSON begins with an ASCII character, which UTF-16 and UTF-32 encode with at least one zero byte. */
function isUtf8(bytes: Buffer): boolean {
	if (bytes[0] === 0 || bytes[1] === 0) return false;
	// Read in parts, because a text may exceed the maximum length of a string.
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

/** The body of a response, or facts about one that is not JSON. */
export type Parsed = Pick<HttpResponse, 'body' | 'isUtf8'>;

/** @param bytes that are not JSON, or not UTF-8 */
export function unreadable(bytes: Buffer): Parsed {
	const body = bytes.toString('utf8', 0, BEGINNING_BYTES);
	return isUtf8(bytes) ? { body } : { body, isUtf8: false };
}

/** If a key occurs twice, the last one counts. A byte order mark is not part of the text. */
export function parseJson(response: Buffer): Parsed {
	const bytes = withoutMark(response);
	try {
		return { body: JSON.parse(decode(bytes)) as unknown };
	} catch {
		return unreadable(bytes);
	}
}
