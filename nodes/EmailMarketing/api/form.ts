import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { InvalidInput } from '../params/validators';
import { coerceText } from '../util/coerce';
import { quote } from '../util/text';

interface FilePart {
	name: string;
	type: string;
	/** Bytes, or NaN where unknown; the form is then sent without a content length. */
	size: number;
	stream(): AsyncIterable<Uint8Array>;
}

/**
 * A form that n8n's HTTP client sends as multipart while it reads the file, so that a large upload
 * does not have to fit into memory. A global FormData would take a Blob only, which does.
 */
class StreamedForm {
	readonly [Symbol.toStringTag] = 'FormData';

	private readonly parts: Array<[string, string | FilePart]>;

	constructor(parts: Array<[string, string | FilePart]>) {
		this.parts = parts;
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

/** Quotes and line breaks of a file name would end the header that carries it. */
export function safeFileName(name: string): string {
	return (name.split(/[\\/]/).pop() ?? name).replace(/["\r\n\0]/g, '_');
}

/**
 * A multipart form of `fields` and the file in the binary field that the parameter names.
 *
 * @throws InvalidInput when there is no such binary field, or its file has another extension (21).
 */
export async function formWithFile(
	context: IExecuteSingleFunctions,
	fields: Record<string, string>,
	file: { field: string; parameter: string; extension: string },
): Promise<IDataObject> {
	const property = coerceText(context.getNodeParameter(file.parameter, '')).trim();
	const binary = context.getInputData().binary?.[property];
	if (binary === undefined) {
		throw new InvalidInput(
			`There is no file in the binary field ${quote(property)} of this item`,
			'Put a node before this one that reads or makes a file, and enter the name of its output field in "Input Data Field Name".',
		);
	}
	const name = safeFileName(coerceText(binary.fileName));
	if (
		!name.toLowerCase().endsWith(`.${file.extension}`) ||
		name.length <= file.extension.length + 1
	) {
		throw new InvalidInput(
			name === ''
				? `The file in ${quote(property)} has no name`
				: `The file ${quote(name)} is not a .${file.extension} file`,
			`The service takes files only whose name ends with .${file.extension}: give the file such a name where it is made.`,
		);
	}
	const part = await filePart(context, property, name, binary.id);
	const form = new StreamedForm([...Object.entries(fields), [file.field, part]]);
	return form as unknown as IDataObject;
}

/** A multipart form of `fields` and a CSV file made here. */
export function formWithCsv(
	fields: Record<string, string>,
	file: { field: string; name: string; text: string },
): object {
	const part = bufferPart(file.name, Buffer.from(file.text));
	return new StreamedForm([...Object.entries(fields), [file.field, part]]);
}

function bufferPart(name: string, bytes: Buffer): FilePart {
	return {
		name,
		type: 'text/csv',
		size: bytes.length,
		async *stream() {
			yield bytes;
		},
	};
}

async function filePart(
	context: IExecuteSingleFunctions,
	property: string,
	name: string,
	id: string | undefined,
): Promise<FilePart> {
	if (id === undefined) {
		return bufferPart(name, await context.helpers.getBinaryDataBuffer(property));
	}
	const { fileSize } = await context.helpers.getBinaryMetadata(id);
	return {
		name,
		type: 'text/csv',
		size: fileSize,
		async *stream() {
			yield* (await context.helpers.getBinaryStream(id)) as AsyncIterable<Uint8Array>;
		},
	};
}
