const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** If a text is not JSON, only its beginning is examined. */
const BEGINNING_BYTES = 64 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Text of bytes. Invalid bytes are never replaced, because a write that repeats the current values would send the
 * replacements back.
 *
 * @throws TypeError if the bytes are not UTF-8
 */
export function decode(bytes: Buffer): string {
	return decoder.decode(bytes);
}

export function withoutMark(bytes: Buffer): Buffer {
	const mark = bytes.subarray(0, BYTE_ORDER_MARK.length);
	return mark.equals(BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

/** The beginning of a text that is not JSON in UTF-8, such as a web page. */
export const unreadable = (bytes: Buffer): string => bytes.toString('utf8', 0, BEGINNING_BYTES);

/** If a key occurs twice, the last one counts. A byte order mark is not part of the text. */
export function parseJson(response: Buffer): unknown {
	const bytes = withoutMark(response);
	try {
		return JSON.parse(decode(bytes)) as unknown;
	} catch {
		return unreadable(bytes);
	}
}
