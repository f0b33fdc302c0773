import {
	DEMO,
	type Entry,
	failed,
	type Journal,
	ok,
	SENDER_FIELDS,
	useSandbox,
} from './support.ts';

const context = useSandbox();

const journal = (query = '') => context.api.control<Journal>('GET', `/journal${query}`);

describe('records', () => {
	it('are added, changed and removed by id or utr, past every rule', async () => {
		const { api } = context;
		const added = await api.control<{ id: number; utr: string }>('POST', '/records/automations', {
			automation_name: 'No group',
		});
		expect((await api.get(`/automations/set-live?utr=${added.utr}`)).json).toEqual(
			failed('Unsubscribe group require to live automation'),
		);
		await api.control('PATCH', `/records/automations/${added.utr}`, { unsubscribe_group_id: '51' });
		expect((await api.get(`/automations/set-live?utr=${added.utr}`)).json.status).toBe('success');
		await api.control('POST', `/records/singleSends/501`, { total_opens: 77 });
		const [send] = await api.control<Entry[]>('GET', '/data/singleSends');
		expect(send?.total_opens).toBe(77);
		await api.control('DELETE', `/records/automations/${added.id}`);
		expect((await api.get(`/automations/details?utr=${added.utr}`)).json.status).toBe('failed');
	});

	it('make segments, which the API cannot', async () => {
		const { api } = context;
		const segment = { segment_name: 'Cold', contact_type_id: DEMO.type };
		const { id } = await api.control<Entry & { id: number }>('POST', '/records/segments', segment);
		const { json } = await api.get(`/segment/email/list?segment_id=${id}`);
		expect(json).toEqual(ok({ contactEmails: [] }));
	});

	it('come in bulk and are listed at once', async () => {
		const { api } = context;
		const contacts = Array.from({ length: 20_000 }, (_row, index) => ({
			contact_type_id: DEMO.type,
			email: `p${index}@example.com`,
			country: DEMO.india,
		}));
		expect(await api.control('POST', '/seed', { contacts })).toEqual({
			inserted: { contacts: { count: 20_000, first: 1000041, last: 1020040 } },
		});
		const { json } = await api.get('/contacts/list');
		expect((json.message as { contacts: unknown[] }).contacts).toHaveLength(20_040);
	});

	it('that make no sense are the sandbox’s own failure, and do not end it', async () => {
		const { api } = context;
		await api.control('PATCH', '/records/contacts/1000001', { email: null });
		const silent = jest.spyOn(console, 'error').mockReturnValue(undefined);
		await api.control('PATCH', '/settings', { duplicateEmail: 'refuse' });
		const fields = { contact_type_id: DEMO.type, email: 'x@example.com', country: DEMO.india };
		expect((await api.post('/contacts/add', fields)).status).toBe(500);
		silent.mockRestore();
		expect((await api.get('/contacts-type')).status).toBe(200);
	});

	it('of unknown tables and keys are refused', async () => {
		const { api } = context;
		await expect(api.control('GET', '/data/people')).rejects.toThrow('404');
		await expect(api.control('POST', '/seed', { people: [] })).rejects.toThrow('404');
		await expect(api.control('PATCH', '/records/contacts/9', {})).rejects.toThrow('404');
	});
});

describe('clock, settings and reset', () => {
	it('stamps records with the virtual clock', async () => {
		const { api } = context;
		await api.control('POST', '/clock', { freeze: true, at: '2031-05-06T07:08:09.500Z' });
		await api.post('/contacts-type/add', { name: 'Later' });
		const rows = await api.control<Entry[]>('GET', '/data/contactTypes');
		expect(rows.at(-1)).toMatchObject({
			created_at: '2031-05-06T07:08:09.000000Z',
			updated_at: '2031-05-06T07:08:09.000000Z',
		});
		expect(await api.control('POST', '/clock', { advanceMs: 1500 })).toEqual({
			now: '2031-05-06T07:08:11.000Z',
			frozen: true,
			tickMs: 0,
		});
		const update = { id: DEMO.type, name: 'Buyers' };
		await api.post('/contacts-type/update', update);
		const [first] = await api.control<Entry[]>('GET', '/data/contactTypes');
		expect(first?.updated_at).toBe('2031-05-06T07:08:11.000000Z');
		expect(first?.created_at).not.toBe(first?.updated_at);
		await expect(api.control('POST', '/clock', { at: 'soon' })).rejects.toThrow('400');
	});

	it('verifies senders after a while when asked to', async () => {
		const { api } = context;
		const last = async () => (await api.control<Entry[]>('GET', '/data/senders')).at(-1);
		await api.control('PATCH', '/settings', { autoVerifyMs: 60_000 });
		await api.post('/sender/save', SENDER_FIELDS);
		await api.control('POST', '/clock', { advanceMs: 59_000 });
		expect(await last()).toMatchObject({ is_verified: 0 });
		await api.control('POST', '/clock', { advanceMs: 2_000 });
		expect(await last()).toMatchObject({ is_verified: 1 });
	});

	it('lists the newest first when the settings say so', async () => {
		const { api } = context;
		await api.control('PATCH', '/settings', { listOrder: 'newest' });
		const { json } = await api.get('/contacts-type');
		const ids = (json.message as { contactTypes: Entry[] }).contactTypes.map(({ id }) => id);
		expect(ids).toEqual([23, 22, 21]);
		await expect(api.control('PATCH', '/settings', { listOrder: 'none' })).rejects.toThrow('400');
		await expect(api.control('PATCH', '/settings', { speed: 1 })).rejects.toThrow('400');
	});

	it('reset brings everything back, except what is to be kept', async () => {
		const { api } = context;
		await api.control('PATCH', '/settings', { pauseStatus: 7 });
		await api.control('POST', '/clock', { advanceMs: 864_000_000 });
		await api.get('/nothing');
		await api.control('POST', '/reset', { seed: 'empty', keep: ['violations', 'settings'] });
		expect(await api.rules()).toEqual(['path']);
		expect((await journal()).entries).toEqual([]);
		expect(await api.control('GET', '/settings')).toMatchObject({ pauseStatus: 7 });
		const { now } = await api.control<{ now: string }>('GET', '/clock');
		expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(5000);
		expect((await api.get('/contacts/list')).json).toEqual(ok({ contacts: [] }));
		expect((await api.get('/get-design/template')).text).toContain('"is_blank":1');
		expect((await api.get('/reserve-fields')).text).toContain('first_name');
		await api.control('POST', '/reset');
		expect(await api.rules()).toEqual([]);
		expect((await api.get('/contacts/list')).text).toContain('ada.okafor@example.com');
	});

	it('plants the same demo every time', async () => {
		const { api } = context;
		const at = { freeze: true, at: '2030-01-01T00:00:00Z' };
		const demo = async () => {
			await api.control('POST', '/clock', at);
			await api.control('POST', '/reset', { seed: 'demo', keep: ['clock'] });
			const paths = ['/contacts/list', '/single-send/list', '/automations', '/senders'];
			return Promise.all(paths.map(async (path) => (await api.get(path)).text));
		};
		expect(await demo()).toEqual(await demo());
	});
});

describe('the summary', () => {
	it('counts what points to a record, names what is named by an id, and shows the newest first', async () => {
		const { api } = context;
		await api.get('/contacts-type');
		const summary = await api.control<Record<string, Entry[]>>('GET', '/summary');
		expect(summary).toMatchObject({
			counts: { contacts: 40, segments: 2 },
			names: { contacts_: { 21: 'Customers' }, segments_: { 301: 'Recent customers' } },
			segments: [
				{ segment_name: 'Spring subscribers', count: 5 },
				{ segment_name: 'Recent customers', count: 8 },
			],
			unsubscribeGroups: [
				{ group_name: 'Product news', count: 1 },
				{ group_name: 'Offers', count: 3 },
			],
			contactTypes: [{ count: 5 }, { count: 15 }, { name: 'Customers', count: 20 }],
			senders: [{ is_verified: 0 }, { is_verified: 1 }],
			requests: [{ method: 'GET', path: '/contacts-type', status: 200, outcome: 'success' }],
			violationCount: 0,
		});
		expect(summary.templates?.at(-1)).toEqual({ id: 1, template_name: 'Blank', is_blank: 1 });
	});
});

describe('the table of endpoints', () => {
	it('has the 65 of the reference', async () => {
		const rows = await context.api.control<Array<{ number: string; methods: string[] }>>(
			'GET',
			'/endpoints',
		);
		expect(rows).toHaveLength(65);
		expect(new Set(rows.map(({ number }) => number)).size).toBe(65);
		const two = rows.filter(({ methods }) => methods.length === 2).map(({ number }) => number);
		expect(two).toEqual(['39', '51']);
	});
});
