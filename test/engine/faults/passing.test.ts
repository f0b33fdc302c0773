import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../../sandbox/faults.ts';
import { useService } from '../sandbox';
import { Poller } from '../trigger/poller';
import { TRIES } from './inflict';
import { pauses } from './pauses';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('./pauses').withoutPauses(),
);

const test = useService();
beforeEach(() => pauses.reset());

const list = { resource: 'contactType', operation: 'getAll', returnAll: true };
const create = { resource: 'contactType', operation: 'create', name: 'Wholesale' };

it.each([
	['seconds', '20', 20],
	['a date', 'Mon, 02 Mar 2026 10:00:45 GMT', 30],
])('a pause that is named in %s is kept', async (_what, pause, seconds) => {
	const { service } = test;
	const headers = { 'retry-after': pause, date: 'Mon, 02 Mar 2026 10:00:15 GMT' };
	service.fault({ kind: 'status', status: 429, headers });
	await service.run(list);
	const [ms = 0, ...others] = pauses.taken;
	expect(others).toEqual([]);
	// It begins when the response arrives, so a busy machine has less of it left.
	expect(ms).toBeGreaterThan((seconds - 5) * 1000);
	expect(ms).toBeLessThan((seconds + 1) * 1000);
});

it.each([
	['181', 'Retry after 181 seconds.'],
	['999999999', 'Retry after 999999999 seconds.'],
	['Fri, 31 Dec 9999 23:59:59 GMT', /Retry after \d+ seconds\./],
])('a pause of %s is not waited for', async (pause, told) => {
	const { service } = test;
	service.fault({ kind: 'status', status: 429, headers: { 'retry-after': pause } });
	const { error } = await service.run(list);
	expect(error?.description).toMatch(told);
	expect(pauses.taken).toEqual([]);
	expect(service.calls()).toHaveLength(1);
});

it.each(['soon', '-5', '99999999999999', '1.5', 'later 3'])(
	'a pause of %j is none',
	async (pause) => {
		const { service } = test;
		service.fault({ kind: 'status', status: 503, headers: { 'retry-after': pause } });
		const { error } = await service.run(create);
		expect(error?.description).toBe(
			'The request may have succeeded. Check the service before running it again.',
		);
		expect(service.calls()).toHaveLength(1);
	},
);

describe('a file', () => {
	const emails = ['new@example.com', 'other@example.com'];
	const csv = `email,country\n${emails[0]},85\n`;
	const binary = {
		data: { data: Buffer.from(csv).toString('base64'), fileName: 'c.csv', mimeType: 'text/csv' },
	};
	const contactTypeId = { __rl: true, mode: 'id', value: '21' };

	it.each<[string, string[], IDataObject]>([
		[
			'of an item',
			emails.slice(0, 1),
			{ operation: 'importCsv', contactTypeId, binaryPropertyName: 'data' },
		],
		[
			'of a sync',
			emails,
			{
				operation: 'sync',
				contactTypeId,
				fields: { mappingMode: 'autoMapInputData', value: null },
				options: { importAbove: 1 },
			},
		],
	])('%s is sent whole again', async (_what, given, parameters) => {
		const { service } = test;
		const path = '/contacts/upload-csv';
		service.fault({ kind: 'status', status: 429, match: { path } });
		const items = given.map((email) => ({ json: { email, country: '85' }, binary }));
		const { error } = await service.run({ resource: 'contact', ...parameters }, { items });
		expect(error).toBeUndefined();
		const uploads = service.sent().filter((request) => request.path === path);
		expect(uploads[1]).toEqual(uploads[0]);
		const { contacts } = service.state.tables;
		const created = contacts.all().map(({ email }) => email);
		expect(created.filter((email) => emails.includes(email)).sort()).toEqual(given);
	});
});

it('an update reads the record again, and is sent once', async () => {
	const { service } = test;
	service.fault({ kind: 'status', status: 500, times: 2 });
	const { error } = await service.run({
		resource: 'sender',
		operation: 'update',
		senderId: { __rl: true, mode: 'id', value: '81' },
		updateFields: { nickname: 'New' },
	});
	expect(error).toBeUndefined();
	expect(service.calls()).toEqual([
		...Array<string>(3).fill('GET /sender/details'),
		'POST /sender/update',
	]);
});

describe('a poll', () => {
	const broken: Fault = { kind: 'status', status: 500, times: 9 };
	const poller = () => new Poller(test.service, { events: ['singleSendCreated'] });

	it(`is tried ${TRIES} times within the time that n8n gives it`, async () => {
		test.service.fault(broken);
		await expect(poller().poll()).rejects.toMatchObject({ httpCode: '500' });
		expect(test.service.calls()).toHaveLength(TRIES);
	});

	it('is tried five times where n8n sets it none', async () => {
		test.service.fault(broken);
		await expect(poller().pollWithoutBudget()).rejects.toMatchObject({ httpCode: '500' });
		expect(test.service.calls()).toHaveLength(5);
	});

	it('is out of time when its signal says so, whatever another clock says', async () => {
		test.service.fault({ kind: 'timeout' });
		const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
		const polling = poller().poll({ budgetMs: 100 });
		await expect(polling).rejects.toThrow('took longer than the 0.1 seconds');
		clock.mockRestore();
	});

	it('fails at once for a pause that is longer than its time, and tells n8n of it', async () => {
		const headers = { 'retry-after': '60' };
		test.service.fault({ kind: 'status', status: 503, headers });
		await expect(poller().poll({ budgetMs: 45_000 })).rejects.toMatchObject({
			message: 'The service is temporarily unavailable (HTTP 503)',
			description: 'Retry after 60 seconds.',
			failure: { cause: 'temporarily-unavailable', retryAfterMs: 60_000 },
		});
		expect(pauses.taken).toEqual([]);
	});
});
