import { failed, useSandbox } from './support.ts';
import type { Fault } from '../../sandbox/faults.ts';

const context = useSandbox();

const ADD = '/contacts-type/add';
const inject = (fault: Fault) => context.api.control('POST', '/faults', fault);
const add = () => context.api.post(ADD, { name: 'Friends' });
const types = async (): Promise<number> =>
	(await context.api.control<unknown[]>('GET', '/data/contactTypes')).length;
/** Whether the type was added to the demo's three. */
const effect = async () => (await types()) === 4;
const lastEntry = async () => {
	const { entries } = await context.api.control<{ entries: unknown[] }>('GET', '/journal');
	return entries.at(-1);
};

describe('faults', () => {
	it('status: any status, headers and body, nothing carried out', async () => {
		const headers = { 'retry-after': '2' };
		await inject({ kind: 'status', status: 429, headers, body: { message: 'Slow down' } });
		const answer = await add();
		expect(answer.status).toBe(429);
		expect(answer.headers.get('retry-after')).toBe('2');
		expect(answer.headers.get('content-type')).toBe('application/json');
		expect(answer.json).toEqual({ message: 'Slow down' });
		expect(await effect()).toBe(false);
		expect(await lastEntry()).toMatchObject({ fault: 'status', status: 429, outcome: 'fault' });
	});

	it('status: carried out when asked for', async () => {
		await inject({ kind: 'status', status: 502, effect: true, body: '<h1>Bad Gateway</h1>' });
		const answer = await add();
		expect([answer.status, answer.text]).toEqual([502, '<h1>Bad Gateway</h1>']);
		expect(answer.headers.get('content-type')).toContain('text/html');
		expect(await effect()).toBe(true);
		expect(await lastEntry()).toMatchObject({ status: 502, outcome: 'success' });
	});

	it('failed', async () => {
		await inject({ kind: 'failed', errors: { name: ['No.'] } });
		const answer = await add();
		expect([answer.status, answer.json]).toEqual([200, failed({ name: ['No.'] })]);
		expect(await effect()).toBe(false);
	});

	it('shape', async () => {
		await inject({ kind: 'shape', body: { status: 'success', message: [] } });
		expect((await add()).text).toBe('{"status":"success","message":[]}');
	});

	it('html', async () => {
		await inject({ kind: 'html' });
		const answer = await add();
		expect(answer.status).toBe(200);
		expect(answer.headers.get('content-type')).toContain('text/html');
		expect(answer.text).toContain('<html>');
	});

	it('redirect', async () => {
		await inject({ kind: 'redirect', url: 'http://127.0.0.1:1/elsewhere' });
		const answer = await add();
		expect(answer.status).toBe(302);
		expect(answer.headers.get('location')).toBe('http://127.0.0.1:1/elsewhere');
	});

	it('empty', async () => {
		await inject({ kind: 'empty' });
		const answer = await add();
		expect([answer.status, answer.text]).toEqual([200, '']);
		expect(await effect()).toBe(true);
	});

	it('truncated: the connection ends before the announced length', async () => {
		await inject({ kind: 'truncated' });
		await expect(add()).rejects.toThrow();
		expect(await effect()).toBe(true);
	});

	it('truncated: half of the text announced as the whole', async () => {
		await inject({ kind: 'truncated', contentLength: 'cut' });
		const answer = await add();
		expect(answer.text).toMatch(/^\{"status"/);
		expect(answer.json.status).toBe('not json');
	});

	it('slow', async () => {
		await inject({ kind: 'slow', ms: 200 });
		const started = performance.now();
		expect((await add()).json.status).toBe('success');
		expect(performance.now() - started).toBeGreaterThan(150);
	});

	it.each([
		['reset-before', false],
		['reset-after', true],
	] as const)('%s', async (kind, expected) => {
		await inject({ kind });
		await expect(add()).rejects.toThrow('fetch failed');
		expect(await effect()).toBe(expected);
		expect(await lastEntry()).toMatchObject({ fault: kind, status: null });
	});

	it.each([
		['timeout', false],
		['timeout-after', true],
	] as const)('%s', async (kind, expected) => {
		await inject({ kind });
		const { api } = context;
		const body = new FormData();
		body.set('name', 'Friends');
		const signal = AbortSignal.timeout(150);
		await expect(api.send(ADD, { method: 'POST', body, signal })).rejects.toThrow('timeout');
		expect(await effect()).toBe(expected);
	});

	it('meets only what matches, after those to skip, as often as asked for', async () => {
		const { api } = context;
		const match = { method: 'GET', path: '/contacts-type' };
		await inject({ kind: 'status', status: 503, match, skip: 1, times: 2 });
		const seen = [];
		for (let turn = 0; turn < 4; turn++) seen.push((await api.get('/contacts-type')).status);
		expect(seen).toEqual([200, 503, 503, 200]);
		await inject({ kind: 'status', status: 503, match });
		expect((await add()).status).toBe(200);
		expect(await api.control('GET', '/faults')).toMatchObject([
			{ kind: 'status', times: 1, match },
		]);
		await api.control('DELETE', '/faults');
		expect((await api.get('/contacts-type')).status).toBe(200);
	});

	it('refuses a fault that it does not know', async () => {
		await expect(inject({ kind: 'flood' } as never)).rejects.toThrow('400');
		await expect(inject({ kind: 'empty', often: 2 } as never)).rejects.toThrow('400');
	});
});
