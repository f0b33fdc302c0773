import { DEMO, failed, ok, SEND_FIELDS, useSandbox, type Form } from './support.ts';

const context = useSandbox();

type Send = { id: number; utr: string } & Record<string, unknown>;
const sends = async (): Promise<Send[]> => {
	const { json } = await context.api.get('/single-send/list');
	return (json.message as { singleSends: Send[] }).singleSends;
};
const create = async (change: Form = {}): Promise<Send> => {
	const { json } = await context.api.post('/single/send/create', { ...SEND_FIELDS, ...change });
	const { utr } = json.message as { utr: string };
	return details(utr);
};
const details = async (utr: string): Promise<Send> => {
	const { json } = await context.api.get(`/single-send/details?utr=${utr}`);
	const [send] = (json.message as { singleSend: Send[] }).singleSend;
	if (!send) throw new Error('no single send');
	return send;
};

describe('single sends', () => {
	it('#37 lists one in every state, #40 holds one record in an array', async () => {
		const list = await sends();
		expect(list.map(({ status }) => status)).toEqual([3, 2, 1, 0]);
		expect(list[0]).toMatchObject({
			triggered: 13,
			sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
		});
		const { json } = await context.api.get(`/single-send/details?utr=${list[0]?.utr}`);
		expect(json).toEqual(ok({ singleSend: [list[0]] }));
	});

	it('#38 creates one that is sent at once', async () => {
		const send = await create({ 'exclude_specific_recipient_id[0]': `segments_${DEMO.segment}` });
		expect(send).toMatchObject({
			recipient_id: [{ id: '21', table: 'contacts_' }],
			exclude_specific_recipient_id: [{ id: '301', table: 'segments_' }],
			from_sender: 'hello@roastery.example.com',
			reply_to: 'support@roastery.example.com',
			sender_name: 'Morning Roastery',
			schedule_type: 0,
			schedule_date: '0000-00-00',
			schedule_time: '00:00:00',
			status: 0,
			utr: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/),
			template_json: null,
			template_html: null,
			triggered: 0,
			unique_open_token: {},
			sent_at: '0000-00-00 00:00:00',
		});
	});

	it.each([
		['09:30', '09:30:00', 'HH:MM'],
		['09:30:15', '09:30:15', 'HH:MM:SS'],
	])('#38 takes the time %s and notes its form', async (sent, stored, form) => {
		const { api } = context;
		const send = await create({
			schedule_type: 1,
			schedule_date: '2031-02-28',
			schedule_time: sent,
		});
		expect(send).toMatchObject({ schedule_date: '2031-02-28', schedule_time: stored });
		const { entries } = await api.control<{ entries: Array<{ notes: string[] }> }>(
			'GET',
			'/journal',
		);
		expect(entries[0]?.notes).toEqual([`schedule_time sent as ${form}`]);
	});

	it('#38 names what is missing', async () => {
		const { json } = await context.api.post('/single/send/create', { template_id: 1 });
		expect(json).toEqual(
			failed({
				sender_id: ['The sender id field is required.'],
				unsubscribe_group_id: ['The unsubscribe group id field is required.'],
				single_send_name: ['The single send name field is required.'],
				subject: ['The subject field is required.'],
				preheader: ['The preheader field is required.'],
				recipient_id: ['The recipient id field is required.'],
				schedule_type: ['The schedule type field is required.'],
			}),
		);
	});

	it.each([
		[{ template_id: 99 }, { template_id: ['The selected template id is invalid.'] }],
		[{ sender_id: 9 }, { sender_id: ['The selected sender id is invalid.'] }],
		[
			{ 'recipient_id[0]': 'contacts_9' },
			{ recipient_id: ['The selected recipient id is invalid.'] },
		],
		[{ schedule_type: 1 }, { schedule_date: ['The schedule date field is required.'] }],
		[
			{ schedule_type: 1, schedule_date: '2031-01-01' },
			{ schedule_time: ['The schedule time field is required.'] },
		],
		[
			{ template_html: '<p>Hi</p>' },
			{ template_id: ['The template id must be 1 when a custom template is given.'] },
		],
	])('#38 refuses %j', async (change, errors) => {
		const { api } = context;
		const { json } = await api.post('/single/send/create', { ...SEND_FIELDS, ...change } as Form);
		expect(json).toEqual(failed(errors));
		expect(await api.rules()).toEqual([]);
		expect(await sends()).toHaveLength(4);
	});

	it.each(['POST', 'GET'])('#39 duplicates by %s', async (method) => {
		const { api } = context;
		const [original] = await sends();
		const path = `/single/send/duplicate?utr=${original?.utr}`;
		expect((await api.send(path, { method })).json).toEqual(ok('Duplicated Successfully'));
		const copy = (await sends()).at(-1);
		expect(copy).toMatchObject({
			subject: original?.subject,
			single_send_name: 'October newsletter (copy)',
			status: 0,
			triggered: 0,
			sent_at: '0000-00-00 00:00:00',
		});
		expect(copy?.utr).not.toBe(original?.utr);
	});

	it('#41 keeps what is not sent, and one form of template empties the other', async () => {
		const { api } = context;
		const { utr } = await create({
			template_id: 1,
			template_html: '<p>Hi</p>',
			'exclude_specific_recipient_id[0]': 'contacts_22',
		});
		const change = { ...SEND_FIELDS, utr, template_id: 1 };
		const { json } = await api.post('/single/send/update', { ...change, subject: 'Again' });
		expect(json).toEqual(ok({ utr }));
		expect(await details(utr)).toMatchObject({
			subject: 'Again',
			template_html: '<p>Hi</p>',
			exclude_specific_recipient_id: [{ id: '22', table: 'contacts_' }],
		});
		const blanked = {
			template_json: '{"a":1}',
			template_html: '',
			'exclude_specific_recipient_id[0]': '',
		};
		await api.post('/single/send/update', { ...change, ...blanked });
		expect(await details(utr)).toMatchObject({
			template_json: '{"a":1}',
			template_html: null,
			exclude_specific_recipient_id: [],
		});
		await api.post('/single/send/update', { ...change, template_id: 3, template_json: '' });
		expect(await details(utr)).toMatchObject({ template_id: 3, template_json: null });
	});

	it('#39 to #43 know no other utr', async () => {
		const { api } = context;
		const answers = [
			await api.post('/single/send/duplicate?utr=none'),
			await api.get('/single-send/details?utr=none'),
			await api.post('/single/send/update', { ...SEND_FIELDS, utr: 'none' }),
			await api.delete('/single/send/delete?utr=none'),
			await api.bulk('/single/send/bulk-delete', ['none']),
		];
		for (const { json } of answers) expect(json).toEqual(failed('Record not found'));
	});

	it('#42 and #43 delete', async () => {
		const { api } = context;
		const [first, second, third] = await sends();
		const one = await api.delete(`/single/send/delete?utr=${first?.utr}`);
		expect(one.json).toEqual(ok('Deleted Successfully'));
		const both = await api.bulk('/single/send/bulk-delete', [second?.id ?? 0, third?.utr ?? '']);
		expect(both.json).toEqual(ok('Deleted Successfully'));
		expect(await sends()).toHaveLength(1);
	});

	it.each([
		['id', ['Deleted Successfully', 'Record not found']],
		['utr', ['Record not found', 'Deleted Successfully']],
	])('#43 takes only the %s when the settings say so', async (bulkIds, expected) => {
		const { api } = context;
		await api.control('PATCH', '/settings', { bulkIds });
		const [first, second] = await sends();
		const byId = (await api.bulk('/single/send/bulk-delete', [first?.id ?? 0])).json;
		const byUtr = (await api.bulk('/single/send/bulk-delete', [second?.utr ?? ''])).json;
		expect([byId.message ?? byId.errors, byUtr.message ?? byUtr.errors]).toEqual(expected);
	});
});

describe('the course of a single send', () => {
	const tick = (count: number) => context.api.control('POST', '/clock', { tick: count });

	it('goes one step per tick and gets its statistics from its audience', async () => {
		const { utr } = await create();
		const seen = [];
		for (let step = 0; step < 4; step++) {
			await tick(1);
			const { status, triggered } = await details(utr);
			seen.push([status, triggered]);
		}
		// Of 20 customers two unsubscribed from everything.
		expect(seen).toEqual([
			[1, 0],
			[2, 18],
			[3, 18],
			[3, 18],
		]);
		const done = await details(utr);
		expect(Number(done.delivered) + Number(done.bounces)).toBe(18);
		expect(Object.keys(done.unique_open_token as object)).toHaveLength(Number(done.unique_opens));
		expect(done.sent_at).not.toBe('0000-00-00 00:00:00');
	});

	it('leaves out the excluded', async () => {
		const { utr } = await create({
			'exclude_specific_recipient_id[0]': `segments_${DEMO.segment}`,
		});
		await tick(3);
		expect(await details(utr)).toMatchObject({ status: 3, triggered: 10 });
	});

	it('waits at ready until a scheduled one is due', async () => {
		const { api } = context;
		await api.control('POST', '/clock', { freeze: true, at: '2030-01-01T00:00:00Z' });
		await api.control('PATCH', '/settings', { tickMs: 5000 });
		const schedule = { schedule_type: 1, schedule_date: '2030-01-02', schedule_time: '06:00' };
		const { utr } = await create(schedule);
		await api.control('POST', '/clock', { advanceMs: 29 * 3_600_000 });
		expect(await details(utr)).toMatchObject({ status: 1 });
		await api.control('POST', '/clock', { advanceMs: 3_600_000 });
		expect(await details(utr)).toMatchObject({ status: 2, sent_at: '2030-01-02 06:00:00' });
		await api.control('POST', '/clock', { advanceMs: 5000 });
		expect(await details(utr)).toMatchObject({ status: 3 });
	});

	it('goes by the real clock too', async () => {
		await context.api.control('PATCH', '/settings', { tickMs: 40 });
		const { utr } = await create();
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(await details(utr)).toMatchObject({ status: 3 });
	});
});
