const byteOf = (character: string): number => character.charCodeAt(0);

const QUOTE = byteOf('"');
const BACKSLASH = byteOf('\\');
const COMMA = byteOf(',');
const OPEN_OBJECT = byteOf('{');
const CLOSE_OBJECT = byteOf('}');
const OPEN_LIST = byteOf('[');
const CLOSE_LIST = byteOf(']');
const BLANKS: ReadonlySet<number | undefined> = new Set([...' \t\n\r'].map(byteOf));
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** So much of a list is parsed at once: little compared with the list, much compared with a record. */
const PART_BYTES = 256 * 1024;

/** Of a text that is no JSON, only the beginning is looked at. */
const BEGINNING_BYTES = 64 * 1024;

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

/** Where the next comma or closing bracket is that does not belong to the value which begins here. */
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

/** Where the value of the first member with this key begins; undefined if the object has none. */
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

/** Where the list begins that a list endpoint has under a key of its `message`. */
function findList(bytes: Buffer, root: number, key: string): number | undefined {
	const message = memberOf(bytes, root, 'message');
	const list = message === undefined ? undefined : memberOf(bytes, message, key);
	return bytes[list ?? bytes.length] === OPEN_LIST ? list : undefined;
}

/** The brackets of a list, and between them some of the commas between its records: at most one for each part. */
function limitsOf(bytes: Buffer, list: number): number[] {
	const limits = [list];
	let start = list;
	let at = list;
	do {
		at = afterValue(bytes, at + 1);
		if (at - start < PART_BYTES && bytes[at] === COMMA) continue;
		limits.push(at);
		start = at;
	} while (bytes[at] === COMMA);
	return limits;
}

/** @throws SyntaxError for what is no JSON */
function parseParts(bytes: Buffer, limits: number[], take: (record: unknown) => void): void {
	limits.slice(1).forEach((end, index) => {
		const text = bytes.toString('utf8', (limits[index] ?? 0) + 1, end);
		// A bracket too many or too few in the text does not go together with these two.
		const part = JSON.parse(`[${text}]`) as unknown[];
		if (part.length === 0 && limits.length > 2) throw new SyntaxError('No record beside a comma');
		part.forEach((record) => take(record));
	});
}

const beginningOf = (bytes: Buffer): string => bytes.toString('utf8', 0, BEGINNING_BYTES);

function parseWhole(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch {
		return beginningOf(bytes);
	}
}

/** Whether what follows a list may change what its keys say: of members with the same key, the last one counts. */
function mayReplace(after: Buffer, key: string): boolean {
	return ['"message"', `"${key}"`, '\\'].some((text) => after.includes(text));
}

/**
 * Parses the response of a list endpoint. The list is parsed part by part, so that neither its text nor its records
 * are ever in memory as a whole; a response that is not built as the reference shows it is parsed in one piece.
 *
 * @param take is given each record of a list that is parsed by parts, also where the text turns out to be no JSON
 * @returns what JSON.parse would give, but with an empty list if its records were taken; the text if it is no JSON
 */
export function parseList(body: Buffer, key: string, take: (record: unknown) => void): unknown {
	const hasMark = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
	const bytes = hasMark ? body.subarray(BYTE_ORDER_MARK.length) : body;
	const list = findList(bytes, afterBlanks(bytes, 0), key);
	if (list === undefined) return parseWhole(bytes);
	const limits = limitsOf(bytes, list);
	const after = bytes.subarray(limits.at(-1));
	if (mayReplace(after, key)) return parseWhole(bytes);
	try {
		parseParts(bytes, limits, take);
	} catch {
		return beginningOf(bytes);
	}
	return parseWhole(Buffer.concat([bytes.subarray(0, list + 1), after]));
}
