/** A field as it arrived, with the header lines of its own. */
export interface Part {
	name: string;
	value: string;
	fileName?: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function refuse(what: string, text: string): never {
	throw new Error(`${what}: ${JSON.stringify(text.slice(0, 200))}`);
}

/** What a part may have above its content: nothing but these lines, in this order. */
const fieldHead = /^Content-Disposition: form-data; name="([\w[\]]+)"$/;
const fileHead =
	/^Content-Disposition: form-data; name="(\w+)"; filename="([^"\r\n]*)"\r\nContent-Type: text\/csv$/;

/** Takes a multipart form apart as RFC 7578 has it, and forgives nothing. */
export function readMultipart(body: Buffer, contentType: string): Part[] {
	const boundary = /^multipart\/form-data; boundary=([\w.-]{20,70})$/.exec(contentType)?.[1];
	if (boundary === undefined) refuse('no boundary', contentType);
	const text = body.toString('latin1');
	const [before, ...pieces] = `\r\n${text}`.split(`\r\n--${boundary}`);
	if (before !== '') refuse('something before the first part', before ?? '');
	const end = pieces.pop();
	if (end !== '--\r\n') refuse('no proper end', end ?? '');
	return pieces.map((piece) => {
		const gap = piece.indexOf('\r\n\r\n');
		if (!piece.startsWith('\r\n') || gap < 0) refuse('a part without a head', piece);
		const head = Buffer.from(piece.slice(2, gap), 'latin1').toString();
		const [, name, fileName] = fieldHead.exec(head) ?? fileHead.exec(head) ?? [];
		if (name === undefined) refuse('another head', head);
		const value = utf8.decode(Buffer.from(piece.slice(gap + 4), 'latin1'));
		return { name, value, ...(fileName !== undefined && { fileName }) };
	});
}

const encoded = /^(?:[A-Za-z0-9\-._~*:@!$'(),+[\]]|%[0-9A-Fa-f]{2})*$/;

/** Takes `a=1&b=2` apart: a query, or an urlencoded body. */
export function readPairs(text: string): Part[] {
	if (text === '') return [];
	return text.split('&').map((pair) => {
		const [name = '', value, ...more] = pair.split('=');
		if (value === undefined || more.length > 0 || !encoded.test(name) || !encoded.test(value)) {
			refuse('no proper pair', pair);
		}
		const decode = (piece: string) => decodeURIComponent(piece.replaceAll('+', ' '));
		return { name: decode(name), value: decode(value) };
	});
}
