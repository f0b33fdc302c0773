import type { IBinaryData } from 'n8n-workflow';
import { fileOf, type BinaryReader } from '../../../nodes/EmailMarketing/params/file';
import { InvalidInput } from '../../../nodes/EmailMarketing/params/invalidInput';
import { itemWith } from './support';

const input = { field: 'file', parameter: 'binaryField', extension: 'csv' };
const lost = new Error('ENOENT');
const lostFile = {
	message: 'The file in the binary field "data" cannot be read',
	remedy: 'n8n no longer has the file. Run the node that reads or creates it again.',
};

const reader = (rest: Partial<BinaryReader['helpers']> = {}): BinaryReader => ({
	helpers: {
		getBinaryMetadata: async () => ({ fileSize: 3 }),
		getBinaryStream: async () => [Buffer.from('a,b')] as never,
		...rest,
	},
	readBinary: async () => Buffer.from('email\n'),
});

const itemOf = (file: Partial<IBinaryData> | undefined, field = ' data ') =>
	itemWith({ binaryField: field }, { binary: file && { data: file as IBinaryData } });
const inMemory = (fileName?: string) => itemOf({ fileName });
const stored = itemOf({ fileName: 'contacts.csv', id: 'filesystem:1' });

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of stream) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

async function refusal(work: Promise<unknown>) {
	const error = (await work.then(
		() => new Error('It was accepted'),
		(reason: unknown) => reason,
	)) as InvalidInput;
	expect(error).toBeInstanceOf(InvalidInput);
	return { message: error.message, remedy: error.remedy };
}

it('reads a file that is in memory', async () => {
	const file = await fileOf(inMemory('people.CSV'), input, reader());
	expect(file).toMatchObject({ name: 'people.CSV', type: 'text/csv', size: 6 });
	expect(await bytesOf(file.stream())).toBe('email\n');
});

it('streams a file that n8n has stored', async () => {
	const file = await fileOf(stored, input, reader());
	expect(file).toMatchObject({ name: 'contacts.csv', type: 'text/csv', size: 3 });
	expect(await bytesOf(file.stream())).toBe('a,b');
});

it.each([
	[itemOf(undefined), 'data'],
	[itemOf({ fileName: 'a.csv' }, 'other'), 'other'],
	[itemWith({}, { binary: { data: { fileName: 'a.csv' } as IBinaryData } }), ''],
])('names a binary field without a file: %#', async (item, field) => {
	expect(await refusal(fileOf(item, input, reader()))).toEqual({
		message: `There is no file in the binary field "${field}" of this item`,
		remedy:
			'Add a node before this one that reads or creates a file, and enter the name of its output field in "Input Data Field Name".',
	});
});

it.each([
	['people.txt', 'The file "people.txt" is not a .csv file'],
	['csv', 'The file "csv" is not a .csv file'],
	['.csv', 'The file ".csv" is not a .csv file'],
	['', 'The file in "data" has no name'],
	[undefined, 'The file in "data" has no name'],
])('takes no file named %j', async (name, message) => {
	expect(await refusal(fileOf(inMemory(name), input, reader()))).toEqual({
		message,
		remedy:
			'The service accepts only files whose name ends with .csv. Rename the file in the node that creates it.',
	});
});

it('takes a name of one letter before the extension', async () => {
	expect(await fileOf(inMemory('a.csv'), input, reader())).toMatchObject({ name: 'a.csv' });
});

it('says that n8n has lost the file: in memory, before and while it is read', async () => {
	const fails = async () => await Promise.reject(lost);
	const unread = { ...reader(), readBinary: fails };
	expect(await refusal(fileOf(inMemory('a.csv'), input, unread))).toEqual(lostFile);
	expect(await refusal(fileOf(stored, input, reader({ getBinaryMetadata: fails })))).toEqual(
		lostFile,
	);
	const file = await fileOf(stored, input, reader({ getBinaryStream: fails }));
	expect(await refusal(bytesOf(file.stream()))).toEqual(lostFile);
});
