import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';

import type { Fault } from '../../sandbox/faults.ts';
import { keys, type Outcome } from './engine';
import { chosen } from './rows';
import { once, useService } from './sandbox';

const test = useService();

const list = { resource: 'contactType', operation: 'getAll', returnAll: true };
const create = { resource: 'contactType', operation: 'create', name: 'Wholesale' };

const unclear =
	'The request may have been carried out all the same: look in the service before running it again.';
const unchanged = 'Nothing was changed.';

/** What a user reads after a fault, for a read and for a write. */
interface Told {
	message: string;
	remedy: string;
	write: typeof unclear | typeof unchanged;
	httpCode?: string;
}

const cutOff: Told = {
	message: 'The connection to the service broke off before its answer was complete',
	remedy: 'Try again.',
	write: unclear,
};
const inTime: Told = {
	message: 'The service did not answer in time',
	remedy: 'Try again later, or raise "Timeout" in Request Options.',
	write: unclear,
};
const problem = (status: number): Told => ({
	message: `The service had a problem of its own (HTTP ${status})`,
	remedy: 'Try again later.',
	write: unclear,
	httpCode: String(status),
});
const access = (status: number): Told => ({
	message: `The service refused access (HTTP ${status})`,
	remedy: 'Check the public key and the secret key of the credential.',
	write: unchanged,
	httpCode: String(status),
});
const cutShort =
	'The answer was cut off on its way, or "Base URL" of the credential does not lead to the API.';
const notUnderstood: Told = {
	message: 'The service gave an answer that cannot be understood',
	remedy: cutShort,
	write: unclear,
	httpCode: '200',
};

const table: Array<[string, Fault, Told]> = [
	[
		'a web page',
		{ kind: 'html' },
		{
			message: 'The service answered with a web page where data was expected (HTTP 200)',
			remedy:
				'"Base URL" of the credential probably points to a website or a login page: it must be the root of the API.',
			write: unclear,
			httpCode: '200',
		},
	],
	['a web page that says 503', { kind: 'html', status: 503 }, problem(503)],
	[
		'an empty answer',
		{ kind: 'empty' },
		{
			message: 'The service gave an empty answer',
			remedy: cutShort,
			write: unclear,
			httpCode: '200',
		},
	],
	['half an answer', { kind: 'truncated' }, cutOff],
	[
		'half an answer that claims to be whole',
		{ kind: 'truncated', contentLength: 'cut' },
		notUnderstood,
	],
	['another JSON', { kind: 'shape', body: { ok: true } }, notUnderstood],
	['a JSON text', { kind: 'shape', body: 'fine' }, notUnderstood],
	['a JSON list', { kind: 'shape', body: [] }, notUnderstood],
	['an unknown status', { kind: 'shape', body: { status: 'pending' } }, notUnderstood],
	['a reset before', { kind: 'reset-before' }, cutOff],
	['a reset after', { kind: 'reset-after' }, cutOff],
	['silence', { kind: 'timeout' }, inTime],
	['silence after carrying it out', { kind: 'timeout-after' }, inTime],
	['500', { kind: 'status', status: 500 }, problem(500)],
	['502', { kind: 'status', status: 502, body: '<html>Bad gateway</html>' }, problem(502)],
	['401', { kind: 'status', status: 401 }, access(401)],
	['403', { kind: 'status', status: 403 }, access(403)],
	[
		'404 without an envelope',
		{ kind: 'status', status: 404, body: 'Not here' },
		{
			message: 'There is no such address in the service (HTTP 404)',
			remedy: 'Check "Base URL" of the credential: it must be the root of the API.',
			write: unchanged,
			httpCode: '404',
		},
	],
	[
		'429',
		{ kind: 'status', status: 429, headers: { 'retry-after': '1' } },
		{
			message: 'The service has had too many requests (HTTP 429)',
			remedy:
				'Run again later. It asks for a pause of 1 second. If it happens often, send less at once: lower "Requests at a Time" in Options, add a pause with Batching in Request Options, or poll less often.',
			write: unchanged,
			httpCode: '429',
		},
	],
	[
		'a redirect, as it may come after a form was taken',
		{ kind: 'redirect', url: '/elsewhere' },
		{
			message: 'The service answered with a redirect, which is never followed with your keys',
			remedy:
				'Put the final address of the service into "Base URL" of the credential, for example with https:// in place of http://.',
			write: unclear,
			httpCode: '302',
		},
	],
	[
		'a redirect that asks for the same request elsewhere',
		{ kind: 'redirect', status: 307, url: '/elsewhere' },
		{
			message: 'The service answered with a redirect, which is never followed with your keys',
			remedy:
				'Put the final address of the service into "Base URL" of the credential, for example with https:// in place of http://.',
			write: unchanged,
			httpCode: '307',
		},
	],
];

/** Neither key may be anywhere in what n8n keeps of a run, not even where only a debugger looks. */
function expectNoKeys({ run, error }: Outcome): void {
	const everything = [
		JSON.stringify(run),
		inspect(run, { depth: 50, showHidden: true }),
		inspect(error, { depth: 50, showHidden: true }),
	].join('\n');
	for (const key of Object.values(keys)) expect(everything).not.toContain(key);
}

describe.each(table)('%s', (_what, fault, { message, remedy, write, httpCode = null }) => {
	const quick = { requestOptions: { timeout: 300 }, options: once };

	it.each([
		['read', list, remedy],
		['write', create, `${remedy} ${write}`],
	])('is told as it is, for a %s', async (_kind, parameters, description) => {
		const { service } = test;
		service.fault(fault);

		const outcome = await service.run({ ...parameters, ...quick });

		const { error, items, failed } = outcome;
		expect({ message: error?.message, description: error?.description }).toEqual({
			message: `${message} [item 0]`,
			description,
		});
		expect(error?.httpCode ?? null).toBe(httpCode);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect([...items, ...failed]).toEqual([]);
		expect(service.calls()).toHaveLength(1);
		expectNoKeys(outcome);
	});

	it('leaves no key on the error output either', async () => {
		const { service } = test;
		service.fault(fault);
		const outcome = await service.run(
			{ ...create, ...quick },
			{ node: { onError: 'continueErrorOutput' } },
		);
		expect(outcome.failed).toEqual([
			{
				json: {
					error: { message: `${message} [item 0]`, description: `${remedy} ${write}` },
				},
				pairedItem: { item: 0 },
			},
		]);
		expectNoKeys(outcome);
	});
});

describe('no service at all', () => {
	it('says that the connection was refused', async () => {
		const { service } = test;
		const baseUrl = 'http://127.0.0.1:9';
		const outcome = await service.run(
			{ ...create, options: once },
			{ credential: { baseUrl, ...keys } },
		);
		expect(outcome.error?.message).toBe(
			'The service cannot be reached: it refused the connection [item 0]',
		);
		expect(outcome.error?.description).toBe(
			`Check "Base URL" of the credential and whether the service is up, then run again. ${unchanged}`,
		);
		expectNoKeys(outcome);
	});

	it('says that the host is not known', async () => {
		const { service } = test;
		const baseUrl = 'http://no-such-host.invalid/api';
		const outcome = await service.run(list, { credential: { baseUrl, ...keys } });
		expect(outcome.error?.message).toBe(
			'The service cannot be reached: its host name is not known [item 0]',
		);
		expectNoKeys(outcome);
	});

	it('says that https is not spoken there', async () => {
		const { service } = test;
		const baseUrl = service.baseUrl.replace('http:', 'https:');
		const outcome = await service.run(list, { credential: { baseUrl, ...keys } });
		expect(outcome.error?.message).toBe(
			'The service does not answer over https at this address [item 0]',
		);
		expectNoKeys(outcome);
	});
});

describe('a redirect to another host', () => {
	let other: Server;
	const got: IncomingMessage[] = [];
	let url: string;
	beforeAll(async () => {
		other = createServer((request, response) => {
			got.push(request);
			response.end('{"status":"success","message":{"contactTypes":[]}}');
		});
		await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
		url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/api/contacts-type`;
	});
	afterAll(async () => await new Promise((resolve) => other.close(resolve)));

	it.each([301, 302, 303, 307, 308])('is not followed at HTTP %i', async (status) => {
		const { service } = test;
		service.fault({ kind: 'redirect', status, url, times: 3 });
		for (const parameters of [list, create]) {
			const outcome = await service.run(parameters);
			expect(outcome.error?.message).toBe(
				'The service answered with a redirect, which is never followed with your keys [item 0]',
			);
			expectNoKeys(outcome);
		}
		expect(got).toEqual([]);
	});

	it('is not followed when a record is read before an update', async () => {
		const { service } = test;
		service.fault({ kind: 'redirect', url, match: { path: '/sender/details' } });
		const outcome = await service.run({
			resource: 'sender',
			operation: 'update',
			senderId: chosen('81'),
			updateFields: { nickname: 'New' },
		});
		expect(outcome.error?.httpCode).toBe('302');
		expect(service.calls()).toEqual(['GET /sender/details']);
		expect(got).toEqual([]);
		expectNoKeys(outcome);
	});
});
