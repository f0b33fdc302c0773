import type { IExecuteFunctions } from 'n8n-workflow';

import { csvPart, safeFileName } from '../service/form';
import type { FilePart } from '../service/form';
import { coerceText } from '../util/coerce';
import { quote } from '../util/text';
import { InvalidInput } from './invalidInput';
import type { Item } from './item';

/** A file to upload, in the binary field of the item that a parameter names. */
export interface FileInput {
	/** The API field. */
	field: string;
	parameter: string;
	/** The only extension allowed. */
	extension: string;
}

/** Reads the binary data of items. */
export interface BinaryReader {
	helpers: Pick<IExecuteFunctions['helpers'], 'getBinaryStream' | 'getBinaryMetadata'>;
	readBinary(item: Item, property: string): Promise<Buffer>;
}

/** The binary field of the output item to put a file in. */
export const outputFieldOf = (item: Item): string =>
	coerceText(item.param('binaryPropertyName', 'data')).trim() || 'data';

/** @throws InvalidInput if there is no such binary field, or its file has another extension (21) */
export async function fileOf(
	item: Item,
	{ parameter, extension }: FileInput,
	reader: BinaryReader,
): Promise<FilePart> {
	const property = coerceText(item.param(parameter, '')).trim();
	const binary = item.binary?.[property];
	if (binary === undefined) {
		throw new InvalidInput(
			'file-missing',
			`There is no file in the binary field ${quote(property)} of this item`,
			'Add a node before this one that reads or creates a file, and enter the name of its output field in "Input Data Field Name".',
		);
	}
	const name = safeFileName(coerceText(binary.fileName));
	if (!name.toLowerCase().endsWith(`.${extension}`) || name.length <= extension.length + 1) {
		throw new InvalidInput(
			'file-name-invalid',
			name === ''
				? `The file in ${quote(property)} has no name`
				: `The file ${quote(name)} is not a .${extension} file`,
			`The service accepts only files whose name ends with .${extension}. Rename the file in the node that creates it.`,
		);
	}
	const { id } = binary;
	const unreadable = (): never => {
		throw new InvalidInput(
			'file-unreadable',
			`The file in the binary field ${quote(property)} cannot be read`,
			'n8n no longer has the file. Run the node that reads or creates it again.',
		);
	};
	if (id === undefined) {
		return csvPart(name, await reader.readBinary(item, property).catch(unreadable));
	}
	const { fileSize } = await reader.helpers.getBinaryMetadata(id).catch(unreadable);
	return {
		name,
		type: 'text/csv',
		size: fileSize,
		async *stream() {
			try {
				yield* (await reader.helpers.getBinaryStream(id)) as AsyncIterable<Uint8Array>;
			} catch {
				unreadable();
			}
		},
	};
}
