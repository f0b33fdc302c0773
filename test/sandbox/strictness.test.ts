import { request } from 'node:http';
import {
	DEMO,
	failed,
	SEND_FIELDS,
	SENDER_FIELDS,
	useSandbox,
	type Answer,
	type Form,
} from './support.ts';

const context = useSandbox();

const contact = { contact_type_id: DEMO.type, email: 'new@example.com', country: DEMO.india };
const withFile = (file: File) => ({ contact_type_id: DEMO.type, file });
const send = (change: Form) =>
	context.api.post('/single/send/create', { ...SEND_FIELDS, ...change });
const bulk = (body: string) => context.api.urlencoded('/contacts/bulk-delete', body);

/** A path as it is: fetch would encode it first. */
const bare = (path: string): Promise<Answer> =>
	new Promise((resolve, reject) => {
		const { port } = context.api.sandbox;
		const call = request({ host: '127.0.0.1', port, path }, (response) => {
			response.resume().on('end', () => resolve({ status: response.statusCode } as Answer));
		});
		call.on('error', reject).end();
	});

const raw = (type: string, body: string) =>
	context.api.send('/contacts/add', { method: 'POST', body, headers: { 'content-type': type } });

const CASES: Array<[string, string, () => Promise<Answer>]> = [
	['unknown path', 'path', () => context.api.get('/contacts')],
	['trailing slash', 'path', () => context.api.get('/contacts/list/')],
	['path outside of the base path', 'path', () => bare('/ipa/contacts/list')],
	['wrong method', 'method', () => context.api.post('/contacts/list')],
	['path that is not encoded', 'path-encoding', () => bare('/api/contacts|list')],
	['path with a broken escape', 'path-encoding', () => bare('/api/contacts/%zz')],
	['JSON instead of a form', 'encoding', () => raw('application/json', JSON.stringify(contact))],
	[
		'urlencoded instead of multipart',
		'encoding',
		() => context.api.urlencoded('/contacts/add', 'email=a'),
	],
	[
		'multipart instead of urlencoded',
		'encoding',
		() => context.api.post('/contacts/bulk-delete', { 'strIds[0]': 1 }),
	],
	[
		'multipart without its end',
		'body-encoding',
		() =>
			raw(
				'multipart/form-data; boundary=x',
				'--x\r\nContent-Disposition: form-data; name="email"\r\n\r\na',
			),
	],
	[
		'body on DELETE',
		'body',
		() => context.api.send('/contacts/delete?contact_id=1000001', { method: 'DELETE', body: 'x' }),
	],
	['unknown query field', 'unknown-field', () => context.api.get('/contacts/list?page=1')],
	[
		'unknown body field',
		'unknown-field',
		() => context.api.post('/contacts/add', { ...contact, alt_email: 'x@y.z' }),
	],
	[
		'query sent twice',
		'duplicate-field',
		() => context.api.get('/contacts/details?contact_id=1000001&contact_id=1000001'),
	],
	[
		'query that is no pair',
		'query-encoding',
		() => context.api.get('/contacts/details?contact_id'),
	],
	[
		'broken escape in the query',
		'query-encoding',
		() => context.api.get('/contacts/details?contact_id=%zz'),
	],
	[
		'broken UTF-8 in the query',
		'query-encoding',
		() => context.api.get('/single-send/details?utr=%ff'),
	],
	[
		'query field in the body',
		'wrong-place',
		() =>
			context.api.post('/unsubscribes-groups/update', {
				id: DEMO.group,
				group_name: 'A',
				description: 'B',
				is_display: 1,
			}),
	],
	[
		'body field in the query',
		'wrong-place',
		() => context.api.post(`/contacts-type/update?id=${DEMO.type}`, { name: 'Buyers' }),
	],
	['strIds without index', 'array-key', () => bulk('strIds=1000001')],
	['strIds with empty index', 'array-key', () => bulk('strIds[]=1000001')],
	['strIds not from 0', 'array-key', () => bulk('strIds[1]=1000001')],
	['strIds with a gap', 'array-key', () => bulk('strIds[0]=1000001&strIds[2]=1000002')],
	['strIds with an index twice', 'array-key', () => bulk('strIds[0]=1000001&strIds[0]=1000002')],
	[
		'index on a single value',
		'array-key',
		() => context.api.post('/contacts/add', { ...contact, 'city[0]': 'Pune' }),
	],
	[
		'id that is no integer',
		'integer',
		() => context.api.get('/contacts/details?contact_id=1000001.0'),
	],
	[
		'integer with a leading zero',
		'integer',
		() => context.api.post('/contacts/add', { ...contact, country: '0104' }),
	],
	['bulk id that is no integer', 'integer', () => bulk('strIds[0]=abc')],
	['boolean as a word', 'boolean', () => send({ schedule_type: 'true' })],
	[
		'both templates',
		'two-templates',
		() => send({ template_id: 1, template_json: '{}', template_html: '<p></p>' }),
	],
	['template that is no JSON', 'json', () => send({ template_id: 1, template_json: '{a}' })],
	[
		'date in another order',
		'date',
		() => send({ schedule_type: 1, schedule_date: '28-02-2031', schedule_time: '10:00' }),
	],
	[
		'date that does not exist',
		'date',
		() => send({ schedule_type: 1, schedule_date: '2031-02-29', schedule_time: '10:00' }),
	],
	[
		'date with a time',
		'date',
		() => send({ schedule_type: 1, schedule_date: '2031-02-28T00:00:00', schedule_time: '10:00' }),
	],
	[
		'time that does not exist',
		'time',
		() => send({ schedule_type: 1, schedule_date: '2031-02-28', schedule_time: '25:00' }),
	],
	['recipient of another form', 'recipient', () => send({ 'recipient_id[0]': '21' })],
	[
		'excluded recipient of another form',
		'recipient',
		() => send({ 'exclude_specific_recipient_id[0]': 'contact_21' }),
	],
	[
		'empty value for an integer',
		'integer',
		() => context.api.post('/sender/save', { ...SENDER_FIELDS, state_id: '' }),
	],
	[
		'file that is a field',
		'file-without-name',
		() => context.api.post('/contacts/upload-csv', { contact_type_id: DEMO.type, file: 'email\n' }),
	],
	[
		'file without a name',
		'file-without-name',
		() => context.api.post('/contacts/upload-csv', withFile(new File(['email\n'], ''))),
	],
	[
		'file of another type',
		'file-type',
		() => context.api.post('/contacts/upload-csv', withFile(new File(['email\n'], 'people.txt'))),
	],
	[
		'file in place of a field',
		'file',
		() => context.api.post('/contacts/add', { ...contact, city: new File(['x'], 'x.csv') }),
	],
];

describe('strictness', () => {
	it.each(CASES)('%s: rule %s', async (_name, rule, call) => {
		const { api } = context;
		const before = await api
			.control('GET', '/summary')
			.then((data) => (data as { counts: unknown }).counts);
		const { status, json } = await call();
		expect(await api.rules()).toEqual([rule]);
		if (json) expect(json).toEqual(failed(expect.any(Object)));
		expect(status).toBe(rule.startsWith('path') ? 404 : rule === 'method' ? 405 : 200);
		const after = await api.control<{ counts: unknown; requests: Array<{ outcome: string }> }>(
			'GET',
			'/summary',
		);
		expect(after.counts).toEqual(before);
		expect(after.requests[0]?.outcome).toBe('violation');
	});

	it('tells which request it was, and names the parameter', async () => {
		const { api } = context;
		await api.get('/contacts/list');
		const { json } = await api.post('/contacts/add', { ...contact, country: 'India', page: 2 });
		expect(json).toEqual(
			failed({
				country: ['The country must be an integer.'],
				page: ['The body field page is unknown.'],
			}),
		);
		const [first, second] = await api.control<unknown[]>('GET', '/violations');
		const { entries } = await api.control<{ entries: Array<{ n: number }> }>('GET', '/journal');
		expect(first).toEqual({
			n: entries[1]?.n,
			time: expect.any(String),
			method: 'POST',
			path: '/contacts/add',
			rule: 'unknown-field',
			detail: 'page: The body field page is unknown.',
		});
		expect(second).toMatchObject({ n: entries[1]?.n, rule: 'integer' });
		await api.control('DELETE', '/violations');
		expect(await api.rules()).toEqual([]);
	});

	it('takes keys of arrays encoded or not, and the blank templates of the reference', async () => {
		const { api } = context;
		expect((await bulk('strIds[0]=1000001&strIds%5B1%5D=1000002')).json.status).toBe('success');
		expect((await send({ template_json: '', template_html: '' })).json.status).toBe('success');
		expect(await api.rules()).toEqual([]);
	});
});
