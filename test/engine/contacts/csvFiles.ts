import { createHash } from 'node:crypto';

import type { IDataObject, INode } from 'n8n-workflow';

import type { Entry } from '../../../sandbox/journal.ts';
import { runNode, type Outcome, type Step } from '../engine';
import { chosen } from '../rows';
import { TYPE, type Account } from './support';

/** A file in the binary data of an item, as it is in memory. */
export const fileItem = (content: string | Buffer, fileName = 'people.csv') => ({
	json: {},
	binary: {
		data: {
			data: Buffer.from(content).toString('base64'),
			mimeType: 'text/csv',
			fileName,
		},
	},
});

export interface Import {
	files: Array<string | Buffer>;
	options?: IDataObject;
	node?: Partial<INode>;
	type?: Step['type'];
}

/** Runs Contact: Import From CSV with one item for each file. */
export async function importCsv(account: Account, given: Import): Promise<Outcome> {
	const { files, options = {}, node, type } = given;
	return await runNode({
		baseUrl: account.sandbox.baseUrl,
		parameters: {
			resource: 'contact',
			operation: 'importCsv',
			contactTypeId: chosen(String(TYPE)),
			binaryPropertyName: 'data',
			options,
		},
		items: files.map((file) => fileItem(file)),
		node,
		type,
	});
}

export const calls = ({ state }: Account): string[] =>
	state.journal.entries.map(({ method, path }: Entry) => `${method} ${path}`);

/** The files that the service received. */
export const uploads = ({ state }: Account): unknown[] =>
	state.journal.entries.flatMap(({ path, body }: Entry) =>
		path === '/contacts/upload-csv' ? [body?.file] : [],
	);

/** How the service's journal shows a file. */
export function uploaded(content: string | Buffer, filename = 'people.csv'): unknown {
	const bytes = Buffer.from(content);
	return {
		filename,
		contentType: 'text/csv',
		size: bytes.length,
		sha256: createHash('sha256').update(bytes).digest('hex'),
	};
}
