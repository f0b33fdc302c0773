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
function decode(bytes: Buffer): string {
	return decoder.decode(bytes);
}

function withoutMark(bytes: Buffer): Buffer {
	const mark = bytes.subarray(0, BYTE_ORDER_MARK.length);
	return mark.equals(BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

/** The beginning of a text that is not JSON in UTF-8, such as a web page. */
const unreadable = (bytes: Buffer): string => bytes.toString('utf8', 0, BEGINNING_BYTES);

/** If a key occurs twice, the last one counts. A byte order mark is not part of the text. */
export function parseJson(response: Buffer): unknown {
	const bytes = withoutMark(response);
	try {
		return JSON.parse(decode(bytes)) as unknown;
	} catch {
		return unreadable(bytes);
	}
}

const byteOf = (character: string): number => character.charCodeAt(0);

const QUOTE = byteOf('"');
const BACKSLASH = byteOf('\\');
const COMMA = byteOf(',');
const OPEN_OBJECT = byteOf('{');
const CLOSE_OBJECT = byteOf('}');
const OPEN_LIST = byteOf('[');
const CLOSE_LIST = byteOf(']');
const BLANKS: ReadonlySet<number | undefined> = new Set([...' \t\n\r'].map(byteOf));

/** The length of a part to parse at a time: short compared with a list, long compared with a record. */
const PART_BYTES = 256 * 1024;

function afterBlanks(bytes: Buffer, from: number): number {
	let at = from;
	while (BLANKS.has(bytes[at])) at++;
	return at;
}

/** @param quote where a string begins */
function afterString(bytes: Buffer, quote: number): number {
	for (let at = quote + 1; at < bytes.length; at++) {
		const byte = bytes[at];
		if (byte === QUOTE) return at + 1;
		if (byte === BACKSLASH) at++;
	}
	return bytes.length;
}

/** The position of the next comma or closing bracket after the value that begins here. */
function afterValue(bytes: Buffer, from: number): number {
	let depth = 0;
	for (let at = from; at < bytes.length; at++) {
		const byte = bytes[at];
		if (byte === QUOTE) at = afterString(bytes, at) - 1;
		else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
		else if (depth > 0) depth -= byte === CLOSE_OBJECT || byte === CLOSE_LIST ? 1 : 0;
		else if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST) return at;
	}
	return bytes.length;
}

/** The position at which the value of the first member with this key begins; undefined if there is none. */
function memberOf(bytes: Buffer, object: number, key: string): number | undefined {
	if (bytes[object] !== OPEN_OBJECT) return undefined;
	let at = object;
	do {
		const name = afterBlanks(bytes, at + 1);
		if (bytes[name] !== QUOTE) return undefined;
		const nameEnd = afterString(bytes, name);
		const value = afterBlanks(bytes, afterBlanks(bytes, nameEnd) + 1);
		if (bytes.toString('latin1', name + 1, nameEnd - 1) === key) return value;
		at = afterValue(bytes, value);
	} while (bytes[at] === COMMA);
	return undefined;
}

/** The position at which the list under a key of `message` begins. */
function findList(bytes: Buffer, root: number, key: string): number | undefined {
	const message = memberOf(bytes, root, 'message');
	const list = message === undefined ? undefined : memberOf(bytes, message, key);
	return bytes[list ?? bytes.length] === OPEN_LIST ? list : undefined;
}

/** Whether the text after a list may repeat one of its keys: the last one counts. */
function mayReplace(after: Buffer, key: string): boolean {
	return ['"message"', `"${key}"`, '\\'].some((text) => after.includes(text));
}

/**
 * Parses a list.
 *
 * @returns where it ends
 * @throws SyntaxError if it is not JSON
 * @throws TypeError if it is not UTF-8
 */
function parseParts(
	bytes: Buffer,
	list: number,
	take: (record: unknown) => void,
	partBytes: number,
): number {
	let end = list;
	do {
		const start = end + 1;
		end = afterValue(bytes, start);
		while (bytes[end] === COMMA && end - start < partBytes) end = afterValue(bytes, end + 1);
		// With these two brackets, an extra or missing bracket in the text is a syntax error.
		const records = JSON.parse(`[${decode(bytes.subarray(start, end))}]`) as unknown[];
		// A comma without a record before or after it.
		if (records.length === 0 && (start > list + 1 || bytes[end] === COMMA)) throw new SyntaxError();
		for (const record of records) take(record);
	} while (bytes[end] === COMMA);
	return end;
}

/** The response of a list endpoint; its list is empty once the values have been picked. */
interface ListResponse<T> {
	body: unknown;
	picked: T[];
}

/**
 * Parses the response of a list endpoint. The list is parsed part by part, so that neither its text nor its records are
 * ever in memory as a whole; a response with another structure than in the reference is parsed in one piece.
 *
 * @param pick extracts the needed values from a record
 * @param partBytes the length of a part, to which the rest of its last record is added
 */
export function parseList<T>(
	response: Buffer,
	key: string,
	pick: (record: unknown) => T,
	partBytes = PART_BYTES,
): ListResponse<T> {
	const bytes = withoutMark(response);
	const list = findList(bytes, afterBlanks(bytes, 0), key);
	if (list === undefined) return { body: parseJson(response), picked: [] };
	const picked: T[] = [];
	try {
		const end = parseParts(bytes, list, (record) => picked.push(pick(record)), partBytes);
		const after = bytes.subarray(end);
		if (mayReplace(after, key)) return { body: parseJson(response), picked: [] };
		const rest = Buffer.concat([bytes.subarray(0, list + 1), after]);
		return { body: JSON.parse(decode(rest)) as unknown, picked };
	} catch {
		return { body: unreadable(bytes), picked: [] };
	}
}
