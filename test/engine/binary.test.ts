import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

import { useBinaryData } from './engine';
import { NOW } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService({ csvContactType: 'sent', csvBadRow: 'skip' });
let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'binary-'));
});
afterAll(async () => {
	// Further files of this worker have the same n8n-core.
	await useBinaryData('default', folder);
	await rm(folder, { recursive: true });
});

const csv = 'email,country,first_name\nnew@example.com,104,Zoë\n';
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

const upload = {
	resource: 'contact',
	operation: 'importCsv',
	contactTypeId: chosen('22'),
	binaryPropertyName: 'data',
	options: { globalUnsubscribes: false },
};

describe.each(['default', 'filesystem'] as const)('files in mode %s', (mode) => {
	let binaryData: BinaryDataService;
	beforeAll(async () => {
		binaryData = await useBinaryData(mode, folder);
	});

	/** An item with a file, as a node before ours would make it. */
	async function itemWith(content: Buffer, fileName: string | undefined, property = 'data') {
		const binary: IBinaryData = { mimeType: 'text/csv', fileName, data: '' };
		const location = { type: 'execution', workflowId: 'test', executionId: 'test' } as const;
		const stored = await binaryData.store(location, content, binary);
		return { json: {}, binary: { [property]: stored } };
	}

	it('uploads a file with its name and content', async () => {
		const { service } = test;
		const content = Buffer.from(csv);

		const { items, error } = await service.run(upload, {
			items: [await itemWith(content, 'people.csv')],
		});

		expect(error).toBeUndefined();
		expect(service.sent()).toEqual([
			{
				method: 'POST',
				path: '/contacts/upload-csv',
				query: {},
				contentType: 'multipart/form-data',
				body: {
					contact_type_id: '22',
					file: {
						filename: 'people.csv',
						contentType: 'text/csv',
						size: content.length,
						sha256: sha256(content),
					},
				},
			},
		]);
		expect(items).toEqual([
			{
				json: { imported: true, contact_type_id: 22, message: 'Imported Successfully' },
				pairedItem: { item: 0 },
			},
		]);
		expect(service.violations()).toEqual([]);
		expect(service.state.tables.contacts.all().at(-1)).toMatchObject({
			email: 'new@example.com',
			first_name: 'Zoë',
			contact_type_id: 22,
		});
	});

	it('uploads 5 MB', async () => {
		const { service } = test;
		const content = Buffer.from(csv + 'x'.repeat(9_999).concat('\n').repeat(525));

		const { error } = await service.run(upload, { items: [await itemWith(content, 'big.csv')] });

		expect(error).toBeUndefined();
		expect(service.sent().map(({ body }) => body?.file)).toEqual([
			{
				filename: 'big.csv',
				contentType: 'text/csv',
				size: content.length,
				sha256: sha256(content),
			},
		]);
	});

	it('uploads 1 MB without the rows of people who unsubscribed', async () => {
		const { service } = test;
		service.state.tables.globalUnsubscribes.add({ email_address: 'gone@example.com' }, NOW);
		const row = (email: string) => `${email},104,"${'ö,\n'.repeat(500)}"\n`;
		const file = (people: string[]) => Buffer.from('email,country,x\n' + people.map(row).join(''));
		const people = Array.from({ length: 500 }, (_, index) => `p${index}@example.com`);
		const some = people.flatMap((email, at) => (at % 3 ? [email] : [email, 'gone@example.com']));
		const rest = file(people);

		const { items, error } = await service.run(
			{ ...upload, options: {} },
			{ items: [await itemWith(file(some), 'big.csv')] },
		);

		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { heldBack: 167, rows: 500 } }]);
		expect(service.sent().map(({ body }) => body?.file)).toEqual([
			undefined,
			{
				filename: 'big.csv',
				contentType: 'text/csv',
				size: rest.length,
				sha256: sha256(rest),
			},
		]);
	});

	it('takes another binary field, and one file of each item', async () => {
		const { service } = test;
		const files = ['one.csv', 'two.CSV', 'three.csv'];

		const { items } = await service.run(
			{ ...upload, binaryPropertyName: 'sheet' },
			{
				items: await Promise.all(
					files.map(async (name) => await itemWith(Buffer.from(csv), name, 'sheet')),
				),
			},
		);

		expect(service.sent().map(({ body }) => body?.file)).toEqual(
			expect.arrayContaining(files.map((filename) => expect.objectContaining({ filename }))),
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	it.each([
		['umlauts', 'Kontakte für März.csv', 'Kontakte für März.csv'],
		['other scripts', '連絡先.csv', '連絡先.csv'],
		['quotes', 'the "new" ones.csv', 'the _new_ ones.csv'],
		['line breaks', 'a\r\nX-Injected: 1\r\n\r\n.csv', 'a__X-Injected: 1____.csv'],
		['a path', '../../etc/people.csv', 'people.csv'],
		['a path of Windows', 'C:\\Users\\me\\people.csv', 'people.csv'],
	])('sends a file name with %s', async (_what, fileName, sentName) => {
		const { service } = test;

		const { error } = await service.run(upload, {
			items: [await itemWith(Buffer.from(csv), fileName)],
		});

		expect(error).toBeUndefined();
		expect(service.sent().map(({ body }) => body?.file)).toEqual([
			expect.objectContaining({ filename: sentName }),
		]);
		expect(service.violations()).toEqual([]);
	});

	it.each([
		['people.xlsx', 'The file "people.xlsx" is not a .csv file'],
		['people.csv.exe', 'The file "people.csv.exe" is not a .csv file'],
		['.csv', 'The file ".csv" is not a .csv file'],
		['csv', 'The file "csv" is not a .csv file'],
		['', 'The file in "data" has no name'],
		[undefined, 'The file in "data" has no name'],
	])('refuses the file name %p before it sends anything', async (fileName, message) => {
		const { service } = test;

		const { error } = await service.run(upload, {
			items: [await itemWith(Buffer.from(csv), fileName)],
		});

		expect(error?.message).toBe(message);
		expect(error?.description).toBe(
			'The service accepts only files whose name ends with .csv. Rename the file in the node that creates it. Nothing was changed for this item.',
		);
		expect(service.calls()).toEqual([]);
	});

	it('says which binary field is missing', async () => {
		const { service } = test;

		const { error } = await service.run(
			{ ...upload, binaryPropertyName: 'attachment' },
			{ items: [await itemWith(Buffer.from(csv), 'people.csv')] },
		);

		expect(error?.message).toBe('There is no file in the binary field "attachment" of this item');
		expect(service.calls()).toEqual([]);
	});
});
