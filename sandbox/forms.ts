/** Takes a request apart without forgiving anything. Which fields an endpoint knows is judged in params.ts. */

export interface UploadedFile {
	filename: string;
	contentType: string;
	bytes: Buffer;
}

export interface Part {
	name: string;
	value: string;
	file?: UploadedFile;
}

export interface Broken {
	rule: string;
	detail: string;
}

export interface Parsed {
	parts: Part[];
	broken: Broken[];
}

const UNENCODED = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/;
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;

function decodePiece(piece: string, rule: string, broken: Broken[]): string {
	try {
		return decodeURIComponent(piece.replaceAll('+', ' '));
	} catch {
		broken.push({ rule, detail: `"${piece}" does not decode to UTF-8` });
		return piece;
	}
}

/** `a=1&b=2`, of a query or of an x-www-form-urlencoded body. */
function parsePairs(text: string, rule: string, unencoded: RegExp): Parsed {
	const broken: Broken[] = [];
	if (text === '') return { parts: [], broken };
	const odd = unencoded.exec(text);
	if (odd) broken.push({ rule, detail: `"${odd[0]}" must be percent-encoded` });
	if (BAD_ESCAPE.test(text)) broken.push({ rule, detail: 'a % is not followed by two hex digits' });
	if (broken.length) return { parts: [], broken };
	const parts: Part[] = [];
	for (const pair of text.split('&')) {
		const at = pair.indexOf('=');
		if (at < 1) {
			broken.push({ rule, detail: `"${pair}" is not of the form name=value` });
			continue;
		}
		const name = decodePiece(pair.slice(0, at), rule, broken);
		parts.push({ name, value: decodePiece(pair.slice(at + 1), rule, broken) });
	}
	return { parts, broken };
}

export const parseQuery = (text: string): Parsed => parsePairs(text, 'query-encoding', UNENCODED);

// Browsers' and axios's own serialisers leave [ and ] of a body's keys as they are: both forms are legal there.
export const parseUrlencoded = (body: Buffer): Parsed =>
	parsePairs(body.toString('latin1'), 'body-encoding', /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%[\]]/);

export function checkPath(path: string): Broken[] {
	const odd = UNENCODED.exec(path);
	if (odd) return [{ rule: 'path-encoding', detail: `"${odd[0]}" must be percent-encoded` }];
	try {
		decodeURIComponent(path);
		return [];
	} catch {
		return [{ rule: 'path-encoding', detail: 'the path does not decode to UTF-8' }];
	}
}

export async function parseMultipart(body: Buffer, contentType: string): Promise<Parsed> {
	let form: FormData;
	try {
		form = await new Response(new Uint8Array(body), {
			headers: { 'content-type': contentType },
		}).formData();
	} catch {
		const detail = 'the multipart body cannot be read (boundary, part headers or closing line)';
		return { parts: [], broken: [{ rule: 'body-encoding', detail }] };
	}
	const parts: Part[] = [];
	for (const [name, value] of form) {
		if (typeof value === 'string') {
			parts.push({ name, value });
			continue;
		}
		const bytes = Buffer.from(await value.arrayBuffer());
		parts.push({ name, value: '', file: { filename: value.name, contentType: value.type, bytes } });
	}
	return { parts, broken: [] };
}

export type Encoding = 'none' | 'multipart' | 'urlencoded' | 'other';

export function encodingOf(contentType: string | undefined): Encoding {
	if (contentType === undefined || contentType === '') return 'none';
	const kind = contentType.split(';')[0]?.trim().toLowerCase();
	if (kind === 'multipart/form-data') return 'multipart';
	if (kind === 'application/x-www-form-urlencoded') return 'urlencoded';
	return 'other';
}
