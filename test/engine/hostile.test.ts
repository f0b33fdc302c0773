import type { IDataObject } from 'n8n-workflow';

import { automation, NOW } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();

/** An object that cannot be made a text or a number. */
const odd = { toString: 1, valueOf: 1 };

async function failure(parameters: IDataObject, item: IDataObject = {}): Promise<string> {
	const { error } = await test.service.run(parameters, { items: [{ json: item }] });
	expect(error?.name).toMatch(/^Node(?:Api|Operation)Error$/);
	return error?.message ?? '';
}

describe('parameters', () => {
	const senders: IDataObject = { resource: 'sender', operation: 'getAll' };
	const contactType: IDataObject = { resource: 'contactType', operation: 'create' };

	it.each<[string, IDataObject, unknown, message: string]>([
		[
			'a number that is none',
			{ ...contactType, name: '={{ $json.v }}' },
			NaN,
			'"Name" must be text, but it is "NaN"',
		],
		[
			'a text of several lines',
			{ resource: 'sender', operation: 'get', senderId: chosen('={{ $json.v }}', 'id') },
			'1\r\nX: 1\u0000\u202e\ud800',
			'"Sender" must be a whole number, but it is "1\\r\\nX: 1\\u0000\\u202e\\ud800"',
		],
		[
			'an ID that is too long to be one',
			{
				...{ resource: 'singleSend', operation: 'update', singleSendUtr: chosen('x', 'utr') },
				updateFields: { recipientId: '={{ $json.v }}' },
			},
			['contacts_99999999999999999999'],
			'"Recipient Names or IDs" accepts only contact types and segments, but it has "contacts_99999999999999999999"',
		],
		[
			'an audience that is not there',
			{
				...{ resource: 'automation', operation: 'create', automationName: 'Birthday' },
				...{ type: 'welcome', unsubscribeGroupId: chosen('51') },
				automationFor: chosen('={{ $json.v }}', 'id'),
			},
			undefined,
			'"Audience" contains an expression that returned nothing',
		],
		[
			'an object as the limit',
			{ ...senders, returnAll: false, limit: '={{ $json.v }}' },
			odd,
			'"Limit" must be a whole number above 0',
		],
		[
			'a list of places that there is not',
			{ resource: 'location', operation: 'getAll', locationType: '={{ $json.v }}' },
			'__proto__',
			'"Location Type" cannot be "__proto__"',
		],
	])('%s is refused in words, before anything is sent', async (_what, parameters, v, message) => {
		expect(await failure(parameters, { v: v as IDataObject })).toBe(message);
		expect(test.service.calls()).toEqual([]);
	});

	it('an object counts as no number of parallel requests, and as no field to sort by', async () => {
		const items = [{ json: { v: odd } }];
		const options = { parallelRequests: '={{ $json.v }}' };
		const { error } = await test.service.run({ ...senders, options }, { items });
		expect(error).toBeUndefined();
		const sort = { field: '={{ $json.v }}' };
		const { error: refusal } = await test.service.run({ ...senders, sort }, { items });
		expect(refusal?.message).toMatch(/^"Sort: Field Name or ID" must be text, but it is "/);
		expect(test.service.calls()).toEqual(['GET /senders']);
	});

	it('zeros before a number are left out', async () => {
		const { error } = await test.service.run({
			resource: 'sender',
			operation: 'get',
			senderId: chosen("={{ '0081' }}", 'id'),
		});
		expect(error).toBeUndefined();
		expect(test.service.sent()).toMatchObject([{ query: { sender_id: '81' } }]);
	});

	it('a file whose name is no text has no name', async () => {
		const file = { data: '', mimeType: 'text/csv', fileName: 5 as unknown as string };
		const { error } = await test.service.run(
			{
				...{ resource: 'contact', operation: 'importCsv', contactTypeId: chosen('22') },
				binaryPropertyName: 'data',
			},
			{ items: [{ json: {}, binary: { data: file } }] },
		);
		expect(error?.message).toBe('The file "5" is not a .csv file');
		expect(test.service.calls()).toEqual([]);
	});
});

describe('request options', () => {
	const exported: IDataObject = { resource: 'contact', operation: 'exportCsv' };

	it('an expression that cannot be worked out is told as such', async () => {
		const requestOptions = { timeout: '={{ $("Nowhere").item.json.x }}' };
		expect(await failure({ ...exported, requestOptions })).toBe("Referenced node doesn't exist");
		expect(test.service.calls()).toEqual([]);
	});

	it('a timeout longer than timers can be is not over at once', async () => {
		const requestOptions = { timeout: 3_000_000_000 };
		const { error } = await test.service.run({ ...exported, requestOptions });
		expect(error).toBeUndefined();
	});

	it.each(['%zz', '%ff'])(
		'a proxy with a name that cannot be decoded is refused: %s',
		async (user) => {
			const requestOptions = { proxy: `http://${user}:x@127.0.0.1:9` };
			expect(await failure({ ...exported, requestOptions })).toBe(
				'"Proxy" in Request Options is not valid',
			);
			expect(test.service.calls()).toEqual([]);
		},
	);

	it('a proxy that is wrong for one item alone is told with that item, and nothing is sent', async () => {
		const requestOptions = { proxy: '={{ $json.proxy }}' };
		const { error } = await test.service.run(
			{ resource: 'sender', operation: 'get', senderId: chosen('81'), requestOptions },
			{ items: [{ json: { proxy: '' } }, { json: { proxy: 'x' } }] },
		);
		expect(error?.message).toBe('"Proxy" in Request Options is not valid [item 1]');
		expect(test.service.calls()).toEqual([]);
	});
});

it('an ID of blanks alone is none', async () => {
	const get = { resource: 'sender', operation: 'get', senderId: chosen('={{ " " }}', 'id') };
	expect(await failure(get)).toBe('"Sender" is required but empty');
});

it('an audience of blanks alone is none', async () => {
	const { error } = await test.service.run({
		...{ resource: 'automation', operation: 'create', automationName: 'Birthday', type: 'custom' },
		unsubscribeGroupId: chosen('51'),
		automationFor: ' \r\n',
	});
	expect(error).toBeUndefined();
	expect(test.service.sent().map(({ body }) => Object.keys(body ?? {}))).toEqual([
		expect.not.arrayContaining(['automation_for']),
	]);
});

describe('"Batching" in the request options', () => {
	const two = [{ json: { senderId: 81 } }, { json: { senderId: 81 } }];
	const get = {
		...{ resource: 'sender', operation: 'get' },
		senderId: chosen('={{ $json.senderId }}', 'id'),
	};

	it.each([{ batchSize: 'x', batchInterval: {} }, { batchSize: '={{ null }}' }])(
		'counts as not set where it is no number: %j',
		async (batch) => {
			const requestOptions = { batching: { batch } };
			const { items, error } = await test.service.run({ ...get, requestOptions }, { items: two });
			expect(error).toBeUndefined();
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		},
	);

	it('lets no item out as done where it cannot be worked out', async () => {
		const batchInterval = '={{ $("Nowhere").item.json.ms }}';
		const requestOptions = { batching: { batch: { batchSize: 1, batchInterval } } };
		const { items, failed } = await test.service.run(
			{ ...get, requestOptions },
			{ items: two, node: { onError: 'continueErrorOutput' } },
		);
		expect(items).toEqual([]);
		expect(failed).toMatchObject(
			[0, 1].map((item) => ({
				json: {
					error: { message: expect.stringContaining("Referenced node doesn't exist") as string },
				},
				pairedItem: { item },
			})),
		);
		expect(test.service.calls()).toEqual([]);
	});
});

it('an expression for the answer is worked out before anything is sent', async () => {
	const { error } = await test.service.run({
		...{ resource: 'contact', operation: 'getCsvSample' },
		binaryPropertyName: '={{ $("Nowhere").item.json.x }}',
	});
	expect(error?.description).toBe('Correct the expression.');
	expect(test.service.calls()).toEqual([]);
});

describe('words of the service', () => {
	it('are shown on one line, and not without end', async () => {
		const errors = `No\r\nX: 1\u0000${'y'.repeat(2_000)}`;
		test.service.fault({ kind: 'shape', body: { status: 'failed', errors } });
		expect(await failure({ resource: 'sender', operation: 'getAll' })).toBe(
			`The service rejected the request: No X: 1\\u0000${'y'.repeat(486)}…`,
		);
	});
});

describe('the checks before sending', () => {
	const options = { preflight: true };
	const setLive: IDataObject = {
		...{ resource: 'automation', operation: 'setLive', options },
		automationUtr: chosen(automation.utr),
	};

	beforeEach(() => {
		test.service.state.tables.automations.put({ ...automation, status: 0 });
	});

	it('take records that are not in order for what they show', async () => {
		const message = { senders: [{ id: odd }, { id: 81, nickname: odd, is_verified: odd }] };
		const body = { status: 'success', message };
		test.service.fault({ kind: 'shape', match: { path: '/senders' }, body });
		expect(await failure(setLive)).toBe('"Sender" of the email "Welcome" is not verified: "81"');
	});

	it('name the first of many findings, and how many more there are', async () => {
		const { settings, tables } = test.service.state;
		Object.assign(settings, { listOrder: 'oldest' });
		for (let number = 1; number <= 9; number++) {
			const email = { automation_id: 30001, sender_id: 9, subject: `No. ${number}` };
			tables.automationSchedules.add({ ...email, template_html: '<p>Hi</p>' }, NOW);
		}
		const { error } = await test.service.run(setLive);
		expect(error?.message).toBe('9 problems found; nothing was sent');
		const lines = error?.description?.split('<br>') ?? [];
		expect(lines).toHaveLength(8);
		expect(lines[0]).toMatch(/^1\. "Sender" of the email "No. 1" does not exist: 9\. /);
		expect(lines[5]).toMatch(/^6\. "Sender" of the email "No. 6" /);
		expect(lines[6]).toBe('And 3 more.');
	});
});
