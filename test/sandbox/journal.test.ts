import { createHash } from 'node:crypto';
import { DEMO, type Entry, type Journal, useSandbox } from './support.ts';

const context = useSandbox();

const journal = (query = '') => context.api.control<Journal>('GET', `/journal${query}`);

describe('the journal', () => {
	it('tells the whole request', async () => {
		const { api } = context;
		const file = new File(['email\n'], 'people.csv', { type: 'text/csv' });
		await api.post('/contacts/upload-csv', { contact_type_id: DEMO.type, file });
		await api.bulk('/contacts/bulk-delete', [1, 2]);
		await api.get('/contacts/details?contact_id=9&name=a%20b%26c');
		const { entries } = await journal();
		expect(entries[0]).toEqual({
			n: expect.any(Number),
			time: expect.stringMatching(/Z$/),
			method: 'POST',
			path: '/contacts/upload-csv',
			query: {},
			headers: expect.objectContaining({ host: expect.any(String) }),
			keys: { publicKey: 'correct', secretKey: 'correct' },
			contentType: expect.stringContaining('multipart/form-data; boundary='),
			bodySize: expect.any(Number),
			body: {
				contact_type_id: '21',
				file: {
					filename: 'people.csv',
					contentType: 'text/csv',
					size: 6,
					sha256: createHash('sha256').update('email\n').digest('hex'),
				},
			},
			notes: [],
			fault: null,
			status: 200,
			outcome: 'success',
			durationMs: expect.any(Number),
		});
		expect(entries[1]).toMatchObject({ body: { 'strIds[0]': '1', 'strIds[1]': '2' } });
		expect(entries[2]).toMatchObject({ query: { contact_id: '9', name: 'a b&c' }, body: null });
	});

	it('tells what came since, and forgets', async () => {
		const { api } = context;
		for (let turn = 0; turn < 3; turn++) await api.get('/contacts-type');
		const { entries } = await journal();
		const numbers = entries.map(({ n }) => n);
		expect((await journal(`?since=${numbers[0]}`)).entries.map(({ n }) => n)).toEqual(
			numbers.slice(1),
		);
		await api.control('DELETE', '/journal');
		expect((await journal()).entries).toEqual([]);
		await api.get('/contacts-type');
		expect((await journal(`?since=${numbers[2]}`)).entries).toHaveLength(1);
	});

	it('counts the requests in flight', async () => {
		const { api } = context;
		await api.control('PATCH', '/settings', { latencyMs: 60, jitterMs: 10 });
		await Promise.all(Array.from({ length: 5 }, () => api.get('/contacts-type')));
		expect(await journal()).toMatchObject({ maxInFlight: 5, inFlight: 0 });
	});

	it('tells those above the rate limit when to come back', async () => {
		const { api } = context;
		await api.control('PATCH', '/settings', { rateLimit: 2 });
		const answers = await Promise.all(Array.from({ length: 3 }, () => api.get('/contacts-type')));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
		const refused = answers.find(({ status }) => status === 429);
		expect(refused?.headers.get('retry-after')).toBe('1');
		expect(refused?.json).toEqual({ status: 'failed', errors: 'Too many requests' });
		expect((await journal()).entries.map(({ outcome }) => outcome).sort()).toEqual([
			'rate limit',
			'success',
			'success',
		]);
	});

	it('shows one request with its violations and its answer', async () => {
		const { api } = context;
		await api.get('/contacts-type');
		const { text } = await api.get('/contacts/details?contact_id=x&PublicKey=mine&secret_key=mine');
		const { entries } = await journal();
		const details = await api.control<Entry>('GET', `/journal/${entries[1]?.n}`);
		expect(details).toEqual({
			entry: entries[1],
			violations: await api.control('GET', '/violations'),
			answer: { contentType: 'application/json', size: text.length, text },
		});
		expect(entries[1]?.query).toEqual({
			contact_id: 'x',
			PublicKey: '(hidden)',
			secret_key: '(hidden)',
		});
		await expect(api.control('GET', `/journal/${Number(entries[1]?.n) + 1}`)).rejects.toThrow(
			'404',
		);
	});

	it('keeps the answers of the newest 200 requests, and of each what the caller saw', async () => {
		const { api } = context;
		const answer = async (n: unknown) =>
			(await api.control<{ answer: unknown }>('GET', `/journal/${String(n)}`)).answer;
		await api.control('POST', '/faults', { kind: 'html', status: 503, body: 'Closed' });
		await api.control('POST', '/faults', { kind: 'reset-after' });
		await api.get('/contacts-type');
		await expect(api.get('/contacts-type')).rejects.toThrow();
		const [html, reset] = (await journal()).entries;
		expect(await answer(html?.n)).toEqual({
			contentType: 'text/html; charset=utf-8',
			size: 6,
			text: 'Closed',
		});
		expect([html?.status, reset?.status, await answer(reset?.n)]).toEqual([503, null, null]);
		for (let count = 0; count < 200; count++) await api.get('/contacts-type');
		expect(await answer(html?.n)).toBeNull();
		expect(await answer(Number(html?.n) + 2)).not.toBeNull();
	});

	it('cuts long answers', async () => {
		const { api } = context;
		await api.post('/contacts-type/add', { name: 'x'.repeat(70_000) });
		await api.get('/contacts-type');
		const { entries } = await journal();
		const { answer } = await api.control<{ answer: { size: number; text: string } }>(
			'GET',
			`/journal/${entries[1]?.n}`,
		);
		expect(answer.size).toBeGreaterThan(70_000);
		expect(answer.text).toHaveLength(64 * 1024);
	});

	it('leaves out large bodies', async () => {
		const name = 'x'.repeat(70_000);
		await context.api.post('/contacts-type/add', { name });
		expect((await journal()).entries[0]).toMatchObject({ body: null, status: 200 });
	});
});
