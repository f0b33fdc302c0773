import { DEMO, failed, ok, useSandbox } from './support.ts';

const context = useSandbox();

type Row = { id: number; utr: string } & Record<string, unknown>;
const automations = async (): Promise<Row[]> => {
	const { json } = await context.api.get('/automations');
	return (json.message as { automations: Row[] }).automations;
};
const details = async (utr: string): Promise<Row> => {
	const { json } = await context.api.get(`/automations/details?utr=${utr}`);
	return (json.message as { automation: Row }).automation;
};
const schedules = async (utr: string): Promise<Row[]> => {
	const { json } = await context.api.get(`/automations/schedule?utr=${utr}`);
	return (json.message as { automation_schedules: Row[] }).automation_schedules;
};
/** The demo's: live, draft, and draft without a group. */
const demo = async (): Promise<[live: string, draft: string, groupless: string]> => {
	const [live, draft, groupless] = await automations();
	return [live?.utr ?? '', draft?.utr ?? '', groupless?.utr ?? ''];
};

const fields = {
	type: 'welcome',
	automation_for: `contacts_${DEMO.type}`,
	automation_name: 'Hello',
	unsubscribe_group_id: DEMO.group,
};

describe('automations', () => {
	it('#44 counts the emails, #47 does not', async () => {
		const [live] = await automations();
		expect(live).toMatchObject({
			status: 1,
			live_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
			unsubscribe_group_id: '52',
			automation_schedule_count: 3,
		});
		const { automation_schedule_count: _count, ...rest } = live as Row;
		expect(await details(live?.utr ?? '')).toEqual(rest);
	});

	it('#45 creates a draft', async () => {
		const { json } = await context.api.post('/automations/create', fields);
		const { utr } = json.message as { utr: string };
		expect(json).toEqual(ok({ utr: expect.stringMatching(/^[\da-f-]{36}$/) }));
		expect(await details(utr)).toMatchObject({
			automation_for: DEMO.type,
			automation_for_table: 'contacts_',
			automation_name: 'Hello',
			unsubscribe_group_id: '51',
			status: 0,
			live_at: null,
			deleted_at: null,
		});
	});

	it.each([
		[
			{},
			{
				type: ['The type field is required.'],
				automation_name: ['The automation name field is required.'],
				unsubscribe_group_id: ['The unsubscribe group id field is required.'],
			},
		],
		[{ ...fields, type: 'other' }, { type: ['The selected type is invalid.'] }],
		[
			{ ...fields, unsubscribe_group_id: 9 },
			{ unsubscribe_group_id: ['The selected unsubscribe group id is invalid.'] },
		],
		[
			{ ...fields, automation_for: 'segments_9' },
			{ automation_for: ['The selected automation for is invalid.'] },
		],
	])('#45 refuses %j', async (sent, errors) => {
		const { json } = await context.api.post('/automations/create', sent);
		expect(json).toEqual(failed(errors));
		expect(await context.api.rules()).toEqual([]);
	});

	it('#46 copies the automation and its emails as a draft', async () => {
		const [live] = await demo();
		const { json } = await context.api.get(`/automations/duplicate?utr=${live}`);
		const { utr } = json.message as { utr: string };
		expect(await details(utr)).toMatchObject({
			automation_name: 'Welcome series (copy)',
			status: 0,
			live_at: null,
			total_triggered: 0,
		});
		const copies = await schedules(utr);
		const originals = await schedules(live);
		expect(copies.map(({ subject }) => subject)).toEqual(originals.map(({ subject }) => subject));
		expect(copies[0]?.utr).not.toBe(originals[0]?.utr);
	});

	it('#48 pauses only live ones', async () => {
		const { api } = context;
		const [live, draft] = await demo();
		expect((await api.get(`/automations/pause?utr=${draft}`)).json).toEqual(
			failed('Record not found'),
		);
		expect((await api.get(`/automations/pause?utr=${live}`)).json).toEqual(
			ok('Automation Paused Successfully'),
		);
		expect(await details(live)).toMatchObject({ status: 2 });
	});

	it('#48 leads to the status that the settings name', async () => {
		const { api } = context;
		const [live] = await demo();
		await api.control('PATCH', '/settings', { pauseStatus: 0 });
		await api.get(`/automations/pause?utr=${live}`);
		expect(await details(live)).toMatchObject({ status: 0 });
	});

	it('#49 sets live what has an unsubscribe group', async () => {
		const { api } = context;
		const [, draft, groupless] = await demo();
		await api.control('POST', '/clock', { freeze: true, at: '2030-01-01T10:00:00Z' });
		expect((await api.get(`/automations/set-live?utr=${draft}`)).json).toEqual(
			ok('Automation has been set live'),
		);
		expect(await details(draft)).toMatchObject({ status: 1, live_at: '2030-01-01 10:00:00' });
		expect((await api.get(`/automations/set-live?utr=${groupless}`)).json).toEqual(
			failed('Unsubscribe group require to live automation'),
		);
		expect(await details(groupless)).toMatchObject({ status: 0 });
	});

	it('fails each in its own words for an unknown utr', async () => {
		const { api } = context;
		const capital = ['duplicate', 'details', 'set-live'].map((name) => `/automations/${name}`);
		for (const path of capital) {
			expect((await api.get(`${path}?utr=none`)).json).toEqual(failed('Record Not Found'));
		}
		const answers = [
			await api.get('/automations/pause?utr=none'),
			await api.get('/automations/schedule?utr=none'),
			await api.delete('/automations/delete?utr=none'),
			await api.delete('/automations/schedule/delete?utr=none'),
			await api.bulk('/automations/bulk-delete', ['none']),
		];
		for (const { json } of answers) expect(json).toEqual(failed('Record not found'));
	});

	it('#49a and #49b delete with the emails', async () => {
		const { api } = context;
		const [live, draft, groupless] = await automations();
		const one = await api.delete(`/automations/delete?utr=${live?.utr}`);
		expect(one.json).toEqual(ok('Deleted Successfully'));
		expect(await api.control('GET', '/data/automationSchedules')).toHaveLength(1);
		const ids = [draft?.id ?? 0, groupless?.utr ?? ''];
		expect((await api.bulk('/automations/bulk-delete', ids)).json).toEqual(
			ok('Deleted Successfully'),
		);
		expect(await automations()).toEqual([]);
		expect(await api.control('GET', '/data/automationSchedules')).toEqual([]);
	});
});

describe('automation schedules', () => {
	const email = {
		sender_id: DEMO.sender,
		subject: 'Day two',
		waiting_period: 2,
		waiting_type: 'days',
		template_id: 2,
		preview_img: 'newsletter.png',
	};

	it('#49d adds one that #49c lists, with the template it names', async () => {
		const { api } = context;
		const [, draft] = await demo();
		expect((await api.post('/automations/schedule/create', { ...email, utr: draft })).json).toEqual(
			ok('Schedule Added'),
		);
		const added = (await schedules(draft)).at(-1);
		expect(added).toMatchObject({
			...email,
			utr: expect.stringMatching(/^[\da-f-]{36}$/),
			template_html: expect.stringContaining('News from the roastery'),
			design_url: expect.stringContaining('https://'),
			image: expect.stringContaining('newsletter.png'),
		});
	});

	it('#49d takes a custom template', async () => {
		const [, draft] = await demo();
		const custom = { ...email, utr: draft, template_html: '<p>Hi</p>', template_json: '' };
		await context.api.post('/automations/schedule/create', custom);
		expect((await schedules(draft)).at(-1)).toMatchObject({
			template_html: '<p>Hi</p>',
			template_json: '',
		});
		expect(await context.api.rules()).toEqual([]);
	});

	it.each([
		['instantly', 1, 'Schedule Added', []],
		['instantly', 0, undefined, ['instant-period']],
		['instantly', 3, undefined, ['instant-period']],
		['hours', 0, 'Schedule Added', []],
		['days', 0, 'Schedule Added', []],
		['days', 30, 'Schedule Added', []],
	])('#49d %s with a period of %i', async (waiting_type, waiting_period, message, rules) => {
		const { api } = context;
		const [, draft] = await demo();
		const fields = { ...email, utr: draft, waiting_type, waiting_period };
		const { json } = await api.post('/automations/schedule/create', fields);
		const words = 'The waiting period must be 1 for an instant email.';
		expect(json).toEqual(message ? ok(message) : failed({ waiting_period: [words] }));
		expect(await api.rules()).toEqual(rules);
		expect(await schedules(draft)).toHaveLength(message ? 2 : 1);
	});

	it('#49d takes one form of a custom template', async () => {
		const { api } = context;
		const [, draft] = await demo();
		const both = { template_html: '<p>Hi</p>', template_json: '{}' };
		const { json } = await api.post('/automations/schedule/create', {
			...email,
			utr: draft,
			...both,
		});
		expect(json).toEqual(
			failed({ template_html: ['The template html must be empty when template json is given.'] }),
		);
		expect(await api.rules()).toEqual(['two-templates']);
	});

	it('#49d names what is wrong', async () => {
		const { api } = context;
		const [, draft] = await demo();
		const path = '/automations/schedule/create';
		expect((await api.post(path)).json.errors).toMatchObject({
			utr: ['The utr field is required.'],
			sender_id: ['The sender id field is required.'],
			subject: ['The subject field is required.'],
			waiting_type: ['The waiting type field is required.'],
			preview_img: ['The preview img field is required.'],
		});
		const wrong = { ...email, utr: draft, waiting_type: 'weeks' };
		expect((await api.post(path, wrong)).json).toEqual(
			failed({ waiting_type: ['The selected waiting type is invalid.'] }),
		);
		expect((await api.post(path, { ...email, utr: 'none' })).json).toEqual(
			failed('Record not found'),
		);
	});

	it('#49e deletes by the utr of the schedule', async () => {
		const { api } = context;
		const [live] = await demo();
		const [first] = await schedules(live);
		const path = `/automations/schedule/delete?utr=${first?.utr}`;
		expect((await api.delete(path)).json).toEqual(ok('Deleted Successfully'));
		expect(await schedules(live)).toHaveLength(2);
		expect((await api.delete(path)).json).toEqual(failed('Record not found'));
	});
});
