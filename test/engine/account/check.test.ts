import type { IDataObject } from 'n8n-workflow';

import { readings } from '../../../sandbox/readings.ts';
import type { Settings } from '../../../sandbox/settings.ts';
import { keys } from '../engine';
import { segment } from '../records';
import { useService } from '../sandbox';
import { asShown } from '../readings/underReading';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('../faults/pauses').withoutPauses(),
);

const test = useService(asShown);
const check = { resource: 'account', operation: 'check' };

interface Checked {
	requests: IDataObject[];
	conclusion: IDataObject;
}

/** Also expects the conclusion above the output, where nobody has to look for it. */
async function run(parameters: IDataObject = {}): Promise<Checked> {
	const { items, failed, error, notes } = await test.service.run({ ...check, ...parameters });
	expect([failed, error]).toEqual([[], undefined]);
	const rows = items.map(({ json }) => json);
	expect(notes).toEqual([rows.at(-1)?.message]);
	return {
		requests: rows.filter(({ type }) => type === 'request'),
		conclusion: rows.at(-1) ?? {},
	};
}

const reads = [
	...['/contacts-type', '/contacts/list', '/global-unsubscribes', '/unsubscribes-groups'],
	...['/segment/list', '/single-send/list', '/automations', '/senders', '/get-design/template'],
	...['/get-dynamic/content', '/custom-fields', '/reserve-fields', '/notification-recipients'],
	...['/get/country-state-city', '/contacts/csv-sample/download', '/contacts-type/view'],
	...['/contacts/details', '/unsubscribes-groups/details', '/single-send/details'],
	...['/automations/details', '/sender/details', '/unsubscribes-groups/recipients-list'],
	...['/segment/email/list', '/automations/schedule'],
];

const resultsOf = ({ requests }: Checked) => requests.map(({ result }) => result);

it('reads everything once, in one run for all items, and says that the account fits', async () => {
	const checked = await run();
	expect(test.service.sent().map(({ method, path }) => `${method} ${path}`)).toEqual(
		reads.map((path) => `GET ${path}`),
	);
	expect(test.service.violations()).toEqual([]);
	expect(resultsOf(checked)).toEqual(reads.map(() => 'works'));
	expect(checked.requests[1]).toEqual({
		type: 'request',
		name: 'Contacts',
		endpoint: 'GET /contacts/list',
		result: 'works',
		message: 'Works: 2 records.',
		records: 2,
		bytes: expect.any(Number),
		milliseconds: expect.any(Number),
		unknownFields: [],
		missingFields: [],
	});
	expect(checked.requests.every(({ bytes }) => Number(bytes) > 1)).toBe(true);
	expect(checked.conclusion).toMatchObject({
		type: 'conclusion',
		result: 'fits',
		message:
			'The node works with this account: all 24 requests were answered as expected. Only reads were tried. Nothing was changed.',
		readings: [],
		settings: [],
	});
});

it('follows the record with most entries, and none that is deleted', async () => {
	const { tables } = test.service.state;
	tables.segments.put({ ...segment, id: 1, segment_name: 'Empty' });
	await run();
	const sent = test.service.sent().find(({ path }) => path === '/segment/email/list');
	expect(sent?.query).toEqual({ segment_id: String(segment.id) });
});

it('says what cannot be tried on an account without records', async () => {
	for (const table of Object.values(test.service.state.tables)) {
		for (const { id } of table.all()) table.remove(id);
	}
	const checked = await run();
	expect(checked.conclusion.result).toBe('fits');
	expect(checked.requests[0]).toMatchObject({
		result: 'empty',
		message: 'Works. The list is empty, so no fields were compared.',
	});
	expect(checked.requests.at(-1)).toMatchObject({
		result: 'notTested',
		message: 'Not tried: there are no automations to try it with.',
	});
});

describe('it tells which reading of the reference holds', () => {
	const cases: Array<[reading: string, name: string]> = [
		['group-entries-in-global-list', 'groupEntriesAmongGlobal'],
		['group-entries-in-global-list-as-text', 'groupEntriesAmongGlobal'],
		['unused-json-as-placeholder', 'unclearContentStored'],
	];
	it.each(cases)('%s', async (reading, name) => {
		const { state } = test.service;
		Object.assign(state.settings, readings[reading] satisfies Partial<Settings> | undefined);
		const { conclusion } = await run();
		expect(conclusion.result).toBe('fits');
		expect((conclusion.readings as IDataObject[]).map((one) => one.name)).toEqual([name]);
	});

	it.each([
		...['ids-as-text', 'methods-as-listed', 'segments-not-counted', 'deleted-records-listed'],
		...['empty-lists-not-found', 'empty-lists-null'],
	])('%s: nobody has to act on it', async (reading) => {
		const { state } = test.service;
		Object.assign(state.settings, readings[reading]);
		for (const { id } of state.tables.senders.all()) state.tables.senders.remove(id);
		const { conclusion } = await run();
		expect(conclusion).toMatchObject({ result: 'fits', readings: [], settings: [] });
	});

	it.each([
		[
			'sentAtNotUtc',
			{ status: 3, sent_at: '2999-01-01 00:00:00' },
			'Compatibility: Sent At Time Zone',
			'Email Marketing Trigger, Campaign: Check and Get Many',
		],
		[
			'twoDigitYears',
			{ schedule_date: '99-03-20' },
			'Compatibility: Date Format',
			'Campaign: Create, Update',
		],
		[
			'unclearContentStored',
			{ template_json: '{}' },
			'Compatibility: Stored Content',
			'Campaign: Check, Send Test and Update',
		],
	])('%s names the option that helps', async (name, values, option, where) => {
		const { singleSends } = test.service.state.tables;
		for (const send of singleSends.all()) singleSends.change(send, values);
		const { conclusion } = await run();
		expect(conclusion).toMatchObject({ readings: [{ name }], settings: [{ option, where }] });
	});
});

describe('another service is told apart', () => {
	it('one with other names', async () => {
		const body = { status: 'success', message: { data: [], 'ada@example.com': 1 } };
		test.service.fault({ kind: 'shape', body, times: 100 });
		const { requests, conclusion } = await run();
		expect(requests[0]).toMatchObject({
			result: 'differs',
			message:
				'Expected a list named "contactTypes". Received: status, message; "message" has: data (HTTP 200).',
		});
		expect(conclusion).toMatchObject({
			result: 'doesNotFit',
			message:
				'No list was as expected. Either "Base URL" in the credential is wrong, or this is not the service that the node was built for.',
		});
	});

	it('a website', async () => {
		test.service.fault({ kind: 'html', times: 100 });
		const { requests, conclusion } = await run();
		expect(requests[0]).toMatchObject({
			result: 'differs',
			message: 'Expected a list named "contactTypes". Received a web page (HTTP 200).',
		});
		expect(conclusion.result).toBe('doesNotFit');
	});

	it('one list that has changed, in a service that fits otherwise', async () => {
		// The ID is that of no sender.
		const body = { status: 'success', message: { senders: [{ id: 1, mail: 'a@example.com' }] } };
		test.service.fault({ kind: 'shape', body, match: { path: '/senders' } });
		const { requests, conclusion } = await run();
		expect(requests[7]).toMatchObject({
			result: 'differs',
			message: 'Expected is_verified in every record. Some records do not have all of these.',
			unknownFields: ['mail'],
		});
		expect(conclusion).toMatchObject({
			result: 'fitsInPart',
			message:
				'The node works with part of this account: 22 of 24 requests were answered as expected. Not as expected: Senders, One sender.',
		});
	});
});

it('reads long responses like others', async () => {
	const { tables } = test.service.state;
	const html = 'x'.repeat(1_100_000);
	for (const send of tables.singleSends.all())
		tables.singleSends.change(send, { template_html: html });
	const message = {
		countries: [{ id: 1, name: 'Germany' }],
		states: [],
		cities: Array.from({ length: 30_000 }, (_, id) => ({ id, name: `City ${id}`, state_id: 1 })),
	};
	const body = { status: 'success', message };
	test.service.fault({ kind: 'shape', body, match: { path: '/get/country-state-city' } });
	const { requests, conclusion } = await run();
	const long = requests.filter(({ bytes }) => Number(bytes) > 1_000_000);
	expect(long.map(({ name, result }) => [name, result])).toEqual([
		['Campaigns', 'works'],
		['Countries, states and cities', 'works'],
		['One campaign', 'works'],
	]);
	expect(conclusion.result).toBe('fits');
});

it('says why it did not try what depends on a list that it could not read', async () => {
	test.service.fault({ kind: 'status', status: 500, match: { path: '/segment/list' }, times: 10 });
	const { requests } = await run({ retryTemporaryFailures: false });
	expect(requests.filter(({ result }) => result === 'notTested')).toMatchObject([
		{
			name: 'Recipients of a segment',
			message: 'Not tried, because the list of segments was not as expected.',
		},
	]);
});

describe('what stops every request stops the check', () => {
	it.each([
		['is required.', 'The keys did not arrive: a proxy may be removing these headers.'],
		['is invalid.', 'The keys are wrong.'],
	])('keys of which the service says that the public one %s', async (what, says) => {
		const errors = { PublicKey: [`The public key ${what}`] };
		test.service.fault({ kind: 'failed', status: 422, errors, times: 100 });
		const { requests } = await run();
		expect(requests[0]?.message).toContain(says);
	});

	it('keys that are refused', async () => {
		test.service.fault({ kind: 'failed', status: 401, errors: 'Unknown key of ada@example.com' });
		const checked = await run();
		expect(test.service.calls()).toEqual(['GET /contacts-type']);
		expect(checked.requests[0]).toMatchObject({
			result: 'refused',
			message: 'The service refused the request (HTTP 401).',
		});
		expect(new Set(resultsOf(checked).slice(1))).toEqual(new Set(['notTested']));
		expect(checked.conclusion).toMatchObject({
			result: 'unknown',
			message:
				'The service refused the first request, so the others were not tried. Check the keys in the credential, then run the check again.',
		});
	});

	it.each([
		['without words', { kind: 'status' as const }],
		['in words', { kind: 'failed' as const, errors: 'Under maintenance' }],
	])('a service that is down: it says so %s', async (_how, fault) => {
		test.service.fault({ ...fault, status: 503, times: 100 });
		const { conclusion } = await run({ retryTemporaryFailures: false });
		expect(conclusion).toMatchObject({
			result: 'unknown',
			message:
				'The account could not be checked: The service is temporarily unavailable (HTTP 503). Run the check again later.',
		});
	});
});

/** Every text and number of a record, which the output must not repeat. */
function valuesOf(record: object): string[] {
	return Object.values(record)
		.flatMap((value) => (typeof value === 'object' && value ? valuesOf(value) : [String(value)]))
		.filter((value) => value.length > 4);
}

it('returns nothing of the account: no value of a record, no key and no host', async () => {
	const { service } = test;
	const { tables } = service.state;
	const fields = tables.reservedFields.all().map(({ field_name }) => field_name);
	const secrets = [
		...Object.values(tables).flatMap((table) => table.all().flatMap(valuesOf)),
		...[keys.publicKey, keys.secretKey, new URL(service.baseUrl).host],
	].filter((value) => !fields.includes(value));
	const { requests, conclusion } = await run();
	const output = JSON.stringify([requests, conclusion]);
	expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
});

describe('counts each record once', () => {
	const contacts = async () => (await run()).requests[1];

	it('if a long response is cut off, and read again', async () => {
		test.service.holdsOddRecords = true;
		const { tables, clock } = test.service.state;
		for (let n = 0; n < 3_000; n++) {
			tables.contacts.add({ email: `p${n}@example.com`, contact_type_id: 21 }, clock.now());
		}
		const match = { path: '/contacts/list' };
		test.service.fault({ kind: 'truncated', contentLength: 'cut', match });
		expect(await contacts()).toMatchObject({ result: 'works', records: 3_002 });
	});

	it('if a text after the list has quotes', async () => {
		test.service.holdsOddRecords = true;
		const message = { contacts: [1, 2].map((id) => ({ id, email: `p${id}@example.com` })) };
		const body = { status: 'success', message, note: 'a "quote"' };
		test.service.fault({ kind: 'shape', match: { path: '/contacts/list' }, body });
		expect((await contacts())?.records).toBe(2);
	});
});
