import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BinaryDataService } from 'n8n-core';
import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { useBinaryData } from './engine';
import { once, useService } from './sandbox';

const test = useService();
const sample = { resource: 'contact', operation: 'getCsvSample', options: once };
let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'sample-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

describe.each(['default', 'filesystem'] as const)('a file of the sandbox in mode %s', (mode) => {
	let binaryData: BinaryDataService;
	beforeAll(async () => {
		binaryData = await useBinaryData(mode, folder);
	});

	it('is handed on with its name', async () => {
		const { service } = test;
		Object.assign(service.state.settings, { csvSample: 'file' });
		const { items } = await service.run({ ...sample, binaryPropertyName: 'sample' });
		expect(items).toEqual([
			{
				json: { available: true, fileName: 'contacts-sample.csv' },
				binary: { sample: expect.objectContaining({ mimeType: 'text/csv' }) as IBinaryData },
				pairedItem: { item: 0 },
			},
		]);
		const content = await binaryData.getAsBuffer(items[0]?.binary?.sample as IBinaryData);
		expect(content.toString()).toBe(
			'first_name,last_name,email,alt_email,country,state,city,address_line1,address_line2,state_province_region,postal_code\n',
		);
	});
});

describe('the sample', () => {
	let binaryData: BinaryDataService;
	beforeAll(async () => {
		binaryData = await useBinaryData('default', folder);
	});

	/** Answers the request with this, and returns what the node makes of it. */
	async function answered(body: unknown, headers: Record<string, string> = {}, status = 200) {
		test.service.fault({ kind: 'status', status, body, headers });
		const outcome = await test.service.run(sample);
		expect(test.service.calls()).toEqual(['GET /contacts/csv-sample/download']);
		return outcome;
	}
	const type = (name: string) => ({ 'content-type': name });
	it.each<[string, string, Record<string, string>]>([
		['a CSV file', 'email;name\n', type('text/csv; charset=utf-8')],
		['a CSV file of no type', 'email;name\n', type('')],
		['a CSV file sent as HTML', 'email\n', type('text/html')],
		[
			'an attachment with a name of its own',
			'email\n',
			{ 'content-disposition': 'attachment; filename="../List.csv"' },
		],
	])('is handed on as it is: %s', async (_what, content, headers) => {
		const { items, error } = await answered(content, headers);
		expect(error).toBeUndefined();
		const fileName = 'contacts-sample.csv';
		expect(items.map(({ json }) => json)).toEqual([{ available: true, fileName }]);
		const file = items[0]?.binary?.data as IBinaryData;
		expect(file).toMatchObject({ fileName, mimeType: 'text/csv' });
		expect(await binaryData.getAsBuffer(file)).toEqual(Buffer.from(content));
	});

	const url = 'https://files.example.org/sample.csv?signature=1';
	const success = (message: unknown) => ({ status: 'success', message });
	it.each<[string, unknown]>([
		['a link', url],
		['an object', { file: { name: 'sample.csv', link: url } }],
		['a list', [{ path: url }]],
	])(
		'is what the service returns in its place, and is not followed: %s',
		async (_what, message) => {
			const { items, error } = await answered(success(message));
			expect(error).toBeUndefined();
			expect(items).toEqual([
				{ json: { available: true, response: message }, pairedItem: { item: 0 } },
			]);
		},
	);

	const none = { available: false, message: 'The service provides no sample file' };
	it.each<[string, unknown, IDataObject]>([
		['an empty object', {}, none],
		['an empty object, as PHP writes it', [], none],
		['an envelope with an empty object', success({}), none],
		['an envelope with an empty list', success([]), none],
		['an envelope with nothing', success(null), none],
		['"Record Not Found"', { status: 'failed', errors: 'Record Not Found' }, none],
	])('is said to be missing: %s', async (_what, body, json) => {
		const { items, error } = await answered(body);
		expect(error).toBeUndefined();
		expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	it.each<[string, unknown, string, Record<string, string>?, number?]>([
		['JSON that is cut off', '{"status":"fai', 'returned a response that cannot be read'],
		['a JSON text', '"text"', 'returned a response that cannot be read'],
		['a JSON list', '[1,2]', 'returned a response that cannot be read'],
		['nothing', '', 'returned an empty response'],
		['a web page', '<!DOCTYPE html><p>Hi', 'returned a web page instead of data (HTTP 200)'],
		['a failure', { status: 'failed', errors: 'Locked' }, 'rejected the request: Locked'],
		['a file with a status of trouble', 'a,b', 'is temporarily unavailable (HTTP 500)', {}, 500],
		[
			'an empty object with a status of trouble',
			{},
			'is temporarily unavailable (HTTP 500)',
			{},
			500,
		],
		['an object without an envelope', { url }, 'returned a response that cannot be read'],
		[
			'a redirect',
			'',
			'responded with a redirect. To protect your keys, it was not followed',
			{ location: url },
			302,
		],
	])('is not taken for %s', async (_what, body, message, ...rest) => {
		const { items, error } = await answered(body, ...rest);
		expect(items).toEqual([]);
		expect(error?.message).toBe(`The service ${message}`);
	});
});
