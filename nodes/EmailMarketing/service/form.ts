import type { Endpoint } from './endpoints';

/** An encoded field: text, the entries of an indexed array, or nothing to send. */
export type FormValue = string | string[] | undefined;

/** Encoded fields by their API names. */
export type Fields = Record<string, FormValue>;

/** Array entries get indexed keys: `strIds[0]`, `strIds[1]`, … */
export function toForm(fields: Fields): Record<string, string> {
	const form: Record<string, string> = {};
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined) continue;
		if (Array.isArray(value)) value.forEach((entry, index) => (form[`${name}[${index}]`] = entry));
		else form[name] = value;
	}
	return form;
}

/** A form as the body of a request. */
interface EncodedForm {
	body: string;
	contentType: string;
}

/**
 * Encodes a form as text. n8n's HTTP client can do it too, but makes a stream of the form, which took about a quarter of
 * the time of a create.
 */
export function encodeForm(
	encoding: NonNullable<Endpoint['encoding']>,
	form: Record<string, string>,
): EncodedForm {
	if (encoding === 'application/x-www-form-urlencoded') {
		return { body: new URLSearchParams(form).toString(), contentType: encoding };
	}
	const boundary = `EmailMarketingFormBoundary${Math.random().toString(36).slice(2)}`;
	const parts = Object.entries(form).map(
		([name, value]) =>
			`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
	);
	return {
		body: `${parts.join('')}--${boundary}--\r\n`,
		contentType: `${encoding}; boundary=${boundary}`,
	};
}

/** A file to upload. */
export interface FilePart {
	name: string;
	type: string;
	/** Bytes, or NaN if unknown; the form is then sent without a content length. */
	size: number;
	stream(): AsyncIterable<Uint8Array>;
}

/**
 * A form that n8n's HTTP client sends as multipart while it reads the file, so that a large upload does not have to fit
 * into memory. The global FormData accepts only a Blob, which has to.
 */
export class StreamedForm {
	readonly [Symbol.toStringTag] = 'FormData';

	private readonly parts: Array<[string, string | FilePart]>;

	constructor(fields: Fields, fileField: string, file: FilePart) {
		this.parts = [...Object.entries(toForm(fields)), [fileField, file]];
	}

	append(name: string, value: string | FilePart): void {
		this.parts.push([name, value]);
	}

	entries(): Array<[string, string | FilePart]> {
		return this.parts;
	}

	[Symbol.iterator](): IterableIterator<[string, string | FilePart]> {
		return this.parts[Symbol.iterator]();
	}
}

export function csvPart(name: string, bytes: Buffer): FilePart {
	return {
		name,
		type: 'text/csv',
		size: bytes.length,
		async *stream() {
			yield bytes;
		},
	};
}

/** Quotes and line breaks of a file name would end the header that carries it. */
export function safeFileName(name: string): string {
	return (name.split(/[\\/]/).pop() ?? name).replace(/["\r\n\0]/g, '_');
}
