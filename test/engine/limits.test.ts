import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { runNode, useBinaryData } from './engine';
import { chosen } from './rows';
import { useService } from './sandbox';

const list = { resource: 'contact', operation: 'getAll', returnAll: true, output: 'raw' };

describe('long lists', () => {
	const test = useService();
	const plantContacts = (count: number) => {
		const { contacts } = test.service.state.tables;
		const now = test.service.state.clock.now();
		for (let index = 0; index < count; index++) {
			contacts.add({ email: `many${index}@example.com`, contact_type_id: 22 }, now);
		}
		return contacts.size;
	};

	it('of 150,000 records come out whole, by one request', async () => {
		Object.assign(test.service.state.settings, { listOrder: 'oldest' });
		const count = plantContacts(150_000);
		const { items, error } = await test.service.run(list);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(count);
		expect(items.at(-1)).toMatchObject({
			json: { email: 'many149999@example.com' },
			pairedItem: { item: 0 },
		});
		expect(test.service.calls()).toEqual(['GET /contacts/list']);
	});
});

describe('a file of 20 MB', () => {
	const folder = mkdtempSync(join(tmpdir(), 'email-marketing-limits-'));
	const file = join(folder, 'people.csv');
	const heading = 'email,text\n';
	const gone = `gone@example.com,${'x'.repeat(1006)}\n`;
	const line = `stays@example.com,"${'\n""'.repeat(334)}"  \n`;
	const kept = 768;
	const block = line.repeat(kept) + gone.repeat(1024 - kept);
	const blocks = 20;
	const size = blocks * block.length;
	const measureEvery = size / 4;
	let server: Server;
	/** The most memory that was in use while the file was received, in bytes. */
	let peak = 0;
	let received = 0;

	/** Memory in use, in bytes: without the garbage, which a busy machine leaves lying around. */
	function memoryInUse(): number {
		setFlagsFromString('--expose-gc');
		const collectGarbage = runInNewContext('gc') as () => void;
		// The memory of buffers is freed in the background; the second call waits for that.
		collectGarbage();
		collectGarbage();
		const { heapUsed, external } = process.memoryUsage();
		return heapUsed + external;
	}

	beforeAll(async () => {
		await pipeline(
			Readable.from(
				(function* () {
					yield heading;
					for (let written = 0; written < size; written += block.length) yield block;
				})(),
			),
			createWriteStream(file),
		);
		server = createServer((request, response) => {
			response.setHeader('content-type', 'application/json');
			if (request.method === 'GET') {
				response.end(
					'{"status":"success","message":{"unSubscribers":[{"id":1,"email_address":"gone@example.com"}]}}',
				);
				return;
			}
			request.on('data', (part: Buffer) => {
				const isDue = received % measureEvery > (received + part.length) % measureEvery;
				received += part.length;
				if (isDue) peak = Math.max(peak, memoryInUse());
			});
			request.on('end', () => {
				response.end('{"status":"success","message":"Imported Successfully"}');
			});
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	afterAll(async () => {
		await new Promise((resolve) => server.close(resolve));
		// The other files of this worker share n8n's settings.
		await useBinaryData('default', folder);
		rmSync(folder, { recursive: true });
	});

	it.each([
		['as a whole', false, size],
		['without the rows of people who unsubscribed', true, blocks * kept * line.length],
	])('is uploaded %s as it is read, and never in memory', async (_what, respects, expected) => {
		peak = 0;
		received = 0;
		const binaryData = await useBinaryData('filesystem', folder);
		const binary = await binaryData.copyBinaryFile(
			{ type: 'execution', workflowId: 'test', executionId: 'test' },
			{ mimeType: 'text/csv', fileName: 'people.csv', data: '' },
			file,
		);
		const before = memoryInUse();
		const { items, error } = await runNode({
			baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
			parameters: {
				resource: 'contact',
				operation: 'importCsv',
				contactTypeId: chosen('22'),
				binaryPropertyName: 'data',
				options: { globalUnsubscribes: respects },
			},
			items: [{ json: {}, binary: { data: binary } }],
		});
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { imported: true } }]);
		expect(received).toBeGreaterThan(expected);
		expect(received).toBeLessThan(expected + 2_000);
		expect(peak).toBeGreaterThan(0);
		expect(peak - before).toBeLessThan(size / 4);
	});
});
