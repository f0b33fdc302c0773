import { failed, KEYS, useSandbox } from './support.ts';

const context = useSandbox({ publicKey: 'p', secretKey: 's' });

const PUBLIC = { PublicKey: ['The public key field is required.'] };
const SECRET = { SecretKey: ['The secret key field is required.'] };

const ask = async (headers: Record<string, string>, path = '/contacts/list') => {
	const response = await fetch(context.api.sandbox.baseUrl + path, { headers });
	return { status: response.status, json: (await response.json()) as unknown };
};

describe('keys', () => {
	it.each([
		[{}, { ...PUBLIC, ...SECRET }],
		[{ PublicKey: 'p' }, SECRET],
		[{ SecretKey: 's' }, PUBLIC],
		[{ PublicKey: '', SecretKey: 's' }, PUBLIC],
		[{ PublicKey: 'p', SecretKey: 'S' }, 'Invalid credentials'],
		[KEYS, 'Invalid credentials'],
	])('with %j', async (headers, errors) => {
		expect(await ask(headers as Record<string, string>)).toEqual({
			status: 200,
			json: failed(errors),
		});
		expect(await context.api.rules()).toEqual([]);
	});

	it('lets the right ones in, whatever the case of their names', async () => {
		const { json } = await ask({ publickey: 'p', SECRETKEY: 's' });
		expect(json).toMatchObject({ status: 'success' });
	});

	it('asks for them at every endpoint before anything else', async () => {
		const { api } = context;
		type Row = { path: string; methods: string[] };
		for (const { path, methods } of await api.control<Row[]>('GET', '/endpoints')) {
			for (const method of methods) {
				const response = await fetch(api.sandbox.baseUrl + path, { method });
				expect(await response.json()).toEqual(failed({ ...PUBLIC, ...SECRET }));
			}
		}
	});

	it.each([
		[200, 200, 200, 200],
		[422, 401, 404, 422],
	])('status %i: %i, %i and %i', async (failureStatus, keys, lookup, validation) => {
		const { api } = context;
		await api.control('PATCH', '/settings', { failureStatus });
		const headers = { PublicKey: 'p', SecretKey: 's' };
		expect((await ask({})).status).toBe(keys);
		expect((await ask(headers, '/contacts/details?contact_id=9')).status).toBe(lookup);
		expect((await ask(headers, '/contacts/details')).status).toBe(validation);
	});

	it('keeps them out of the journal', async () => {
		const { api } = context;
		await ask({ PublicKey: 'p', SecretKey: 'guess' });
		await ask({});
		const text = JSON.stringify(await api.control('GET', '/journal'));
		expect(text).not.toContain('guess');
		expect(JSON.parse(text)).toMatchObject({
			entries: [
				{ keys: { publicKey: 'correct', secretKey: 'wrong' }, outcome: 'credentials' },
				{ keys: { publicKey: 'absent', secretKey: 'absent' } },
			],
		});
	});
});
