import type { IDataObject } from 'n8n-workflow';

import { outcomeOf, runWorkflow, type Step } from '../engine';
import { automation, NOW, otherAutomation, singleSend } from '../records';
import { chosen, newSend } from '../rows';
import { useService } from '../sandbox';

const test = useService();

const update = (updateFields: IDataObject, options: IDataObject = {}): IDataObject => ({
	resource: 'singleSend',
	operation: 'update',
	singleSendUtr: chosen(singleSend.utr, 'utr'),
	updateFields,
	options,
});

const byUtr = chosen('={{ $json.utr }}', 'utr');
const setLive = { resource: 'automation', operation: 'setLive', automationUtr: byUtr };

const store = (values: object) =>
	Object.assign(test.service.state.tables.singleSends.get(singleSend.id) ?? {}, values);

const immediate = { schedule_type: 0, schedule_date: '0000-00-00', schedule_time: '00:00:00' };

const anHourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19);

const updates = () => test.service.calls().filter((call) => call === 'POST /single/send/update');

describe('a campaign that starts running while others are updated', () => {
	it('is not updated', async () => {
		const { service } = test;
		const utr = '55555555-5555-4555-8555-555555555555';
		service.state.tables.singleSends.add({ ...singleSend, id: 502, utr }, NOW);
		const { journal } = service.state;
		const { observe } = journal;
		journal.observe = (entry, answer) => {
			observe?.(entry, answer);
			if (entry.path !== '/single/send/update') return;
			Object.assign(service.state.tables.singleSends.get(502) ?? {}, { status: 2 });
		};
		const { error } = await service.run(
			{
				...update({ subject: 'New' }, { parallelRequests: 1 }),
				singleSendUtr: byUtr,
			},
			{ items: [{ json: { utr: singleSend.utr } }, { json: { utr } }] },
		);
		journal.observe = observe;
		expect(error?.message).toBe('The campaign is running: updating it may send it again [item 1]');
		expect(updates()).toHaveLength(1);
	});
});

describe('items of which one has a problem', () => {
	const unknown = '55555555-5555-4555-8555-555555555555';

	it.each<[string, IDataObject, string]>([
		[
			'/single/send/update',
			{ ...update({ subject: 'New' }), singleSendUtr: byUtr },
			singleSend.utr,
		],
		['/automations/set-live', setLive, otherAutomation.utr],
	])('are not sent at all: %s', async (path, parameters, utr) => {
		const items = [utr, unknown].map((one) => ({ json: { utr: one } }));
		const { error } = await test.service.run(parameters, { items });
		expect(error?.context.itemIndex).toBe(1);
		expect(test.service.calls().filter((call) => call.endsWith(path))).toEqual([]);
		await test.service.run(parameters, { items, node: { onError: 'continueRegularOutput' } });
		expect(test.service.calls().filter((call) => call.endsWith(path))).toHaveLength(1);
	});
});

describe('a campaign that is set to be sent immediately', () => {
	it.each([0, 1, 3])('is not updated without a schedule, with the status %d', async (status) => {
		store({ ...immediate, status });
		const { error } = await test.service.run(
			update({ subject: 'New' }, { allowSendingAgain: status === 3 }),
		);
		expect([error?.message, error?.description]).toEqual([
			'The campaign is set to be sent immediately: updating it may send it to everyone',
			'Add "Schedule" to "Update Fields": choose "Send at a Set Time" and add "Send At", or choose "Send Immediately" to send it now. Nothing was changed for this item.',
		]);
		expect(test.service.calls()).toEqual(['GET /single-send/details']);
	});

	it.each<[IDataObject, IDataObject]>([
		[{ scheduleType: 'immediately' }, { schedule_type: '0' }],
		[{ scheduleAt: '2099-07-01T06:00:00' }, { schedule_type: '1', schedule_date: '2099-07-01' }],
	])('is updated with %j', async (schedule, sent) => {
		store(immediate);
		const { error } = await test.service.run(update({ subject: 'New', ...schedule }));
		expect(error).toBeUndefined();
		expect(test.service.sent().at(-1)?.body).toMatchObject({ subject: 'New', ...sent });
	});

	it.each<IDataObject>([
		{ scheduleType: 'immediately' },
		{ scheduleAt: `${anHourAgo}Z`, timezone: 'Europe/Berlin' },
	])('is sent by one item only: %j', async (schedule) => {
		const items = ['One', 'Two'].map((subject) => ({ json: { subject } }));
		const parameters = { subject: '={{ $json.subject }}', ...schedule };
		const node = { onError: 'continueRegularOutput' } as const;
		const { items: output } = await test.service.run(update(parameters), { items, node });
		expect(output.map(({ json }) => json.updated)).toEqual([true, undefined]);
		expect(output[1]?.json.error).toMatchObject({
			message:
				'The campaign may have been sent by item 0: updating it once more may send it again [item 1]',
		});
		expect(updates()).toHaveLength(1);
		await test.service.run(update(parameters, { allowSendingAgain: true }), { items, node });
		expect(updates()).toHaveLength(3);
	});
});

describe('what an earlier run of the node in a loop has started', () => {
	const inLoop = async (parameters: IDataObject, batches: IDataObject[][]) => {
		const run = await runWorkflow({
			...{ baseUrl: test.service.baseUrl, mode: 'trigger' },
			steps: [
				{ name: 'Loop', type: 'loop', parameters: { batches }, to: ['Node'] },
				{ name: 'Node', parameters, to: ['Loop'], node: { onError: 'continueRegularOutput' } },
			],
		});
		return batches.map((_, index) => outcomeOf(run, 'Node', index).items[0]?.json);
	};
	const sendNow = { subject: '={{ $json.subject }}', scheduleType: 'immediately' };
	const subjects = [[{ subject: 'One' }], [{ subject: 'Two' }]];

	it('is not sent again', async () => {
		const [first, second] = await inLoop(update(sendNow), subjects);
		expect(first?.updated).toBe(true);
		expect(second?.error).toMatchObject({
			message:
				'The campaign may have been sent by an earlier node or run: updating it once more may send it again',
		});
		expect(updates()).toHaveLength(1);
	});

	it('is sent by a later run if the earlier one certainly sent nothing', async () => {
		const errors = 'Limit reached';
		test.service.fault({ kind: 'failed', errors, match: { path: '/single/send/update' } });
		const [first, second] = await inLoop(update(sendNow), subjects);
		expect([first?.updated, second?.updated]).toEqual([undefined, true]);
		expect(updates()).toHaveLength(2);
	});

	it('is not set live again, even if the automation does not show it', async () => {
		const { id, utr } = otherAutomation;
		const { journal, tables } = test.service.state;
		const { observe } = journal;
		journal.observe = (...args) => {
			observe?.(...args);
			Object.assign(tables.automations.get(id) ?? {}, { status: 0 });
		};
		const [first, second] = await inLoop({ ...setLive, options: { preflight: false } }, [
			[{ utr }],
			[{ utr }],
		]);
		journal.observe = observe;
		expect(first?.live).toBe(true);
		expect(second?.error).toMatchObject({
			message:
				'The automation may have been set live by an earlier node or run: setting it live once more may send its emails again',
		});
	});
});

describe('what another node of the execution has started', () => {
	const inTurn = async (steps: Step[]) => {
		const { baseUrl } = test.service;
		const node = { onError: 'continueErrorOutput' } as const;
		const run = await runWorkflow({ baseUrl, steps: steps.map((step) => ({ ...step, node })) });
		return steps.map(({ name }) => outcomeOf(run, name));
	};
	const sendNow = update({ scheduleType: 'immediately' }, { preflight: false });
	const { utr } = otherAutomation;
	const ofAutomation = (operation: string): IDataObject => ({
		...{ resource: 'automation', operation, options: { preflight: false } },
		automationUtr: chosen(utr, 'utr'),
	});
	const goLive = ofAutomation('setLive');

	it('is not sent again', async () => {
		const steps = [
			{ name: 'A', parameters: sendNow, to: ['B'] },
			{ name: 'B', parameters: sendNow },
		];
		const [first, second] = await inTurn(steps);
		expect(first?.items).toMatchObject([{ json: { updated: true } }]);
		expect(second?.failed[0]?.json.error).toMatchObject({
			message:
				'The campaign may have been sent by an earlier node or run: updating it once more may send it again',
		});
		expect(updates()).toHaveLength(1);
	});

	it.each<[string, IDataObject]>([
		['immediately', { scheduleType: 'immediately' }],
		[
			'at a time',
			{ scheduleType: 'scheduled', scheduleAt: '2099-01-01T09:00:00Z', timezone: 'UTC' },
		],
	])('a new campaign that is sent %s', async (how, schedule) => {
		const { journal, tables } = test.service.state;
		const { observe } = journal;
		journal.observe = (entry, answer) => {
			observe?.(entry, answer);
			for (const send of tables.singleSends.all()) Object.assign(send, { status: 1 });
		};
		const [, second] = await inTurn([
			{
				name: 'A',
				parameters: { ...newSend, ...schedule, options: { preflight: false } },
				to: ['B'],
			},
			{ name: 'B', parameters: { ...sendNow, singleSendUtr: byUtr } },
		]);
		journal.observe = observe;
		expect(updates()).toHaveLength(how === 'immediately' ? 0 : 1);
		if (how === 'immediately') {
			expect(second?.failed[0]?.json.error).toMatchObject({
				message:
					'The campaign may have been sent by an earlier node or run: updating it once more may send it again',
			});
		}
	});

	it.each<[string, IDataObject]>([
		['immediately', { scheduleType: 'immediately' }],
		['later', { scheduleAt: '2099-01-01T09:00:00Z', timezone: 'UTC' }],
	])(
		'a new campaign that is sent %s, and that no list shows, is not created again',
		async (_how, schedule) => {
			const { singleSends } = test.service.state.tables;
			const create = {
				...newSend,
				...schedule,
				ifNameExists: 'fail',
				options: { preflight: false },
			};
			const match = { path: '/single/send/create' };
			test.service.fault({ kind: 'reset-before', match });
			const before = singleSends.all().length;
			const [, second] = await inTurn([
				{ name: 'A', parameters: create, onFailure: ['B'] },
				{ name: 'B', parameters: create },
			]);
			expect(second?.failed[0]?.json.error).toMatchObject({
				message: expect.stringMatching(/may have been saved by an earlier node or run, but its/),
			});
			expect(singleSends.all()).toHaveLength(before);
			expect(test.service.calls().filter((call) => call.endsWith(match.path))).toHaveLength(1);
			const another = { ...create, singleSendName: 'Another' };
			await test.service.run(another);
			expect(singleSends.all()).toHaveLength(before + 1);
		},
	);

	it.each<[string, IDataObject, string]>([
		[
			'a copy',
			{ ...sendNow, operation: 'duplicate', options: { allowSendingAgain: true } },
			'/single/send/duplicate',
		],
		['a copy of an automation', ofAutomation('duplicate'), '/automations/duplicate'],
		[
			'an email of an automation',
			{
				...{ resource: 'automationSchedule', operation: 'create', subject: 'Hello' },
				...{ automationUtr: chosen(utr, 'utr'), senderId: chosen('81'), templateId: chosen('2') },
				...{ waitingType: 'instantly', previewImg: 'cup.png', options: { allowLive: true } },
			},
			'/automations/schedule/create',
		],
	])(
		'%s of which nobody knows whether it was made is not made again',
		async (_what, parameters, path) => {
			test.service.fault({ kind: 'reset-before', match: { path } });
			const [, second] = await inTurn([
				{ name: 'A', parameters, onFailure: ['B'] },
				{ name: 'B', parameters },
			]);
			expect(second?.failed[0]?.json.error).toMatchObject({
				message: expect.stringMatching(/by an earlier node or run, but its response was lost/),
			});
			expect(test.service.calls().filter((call) => call.endsWith(path))).toHaveLength(1);
			await inTurn([
				{ name: 'A', parameters, to: ['B'] },
				{ name: 'B', parameters },
			]);
			expect(test.service.calls().filter((call) => call.endsWith(path))).toHaveLength(3);
		},
	);

	it('a test is not sent to others', async () => {
		const { contactTypes, contacts } = test.service.state.tables;
		const { id } = contactTypes.add({ name: 'Test list' }, NOW);
		contacts.add({ contact_type_id: id, email: 'tess@example.com', country: 85 }, NOW);
		const testing = {
			...{ operation: 'sendTest', campaign: 'new', options: {} },
			...{ testContactTypeId: chosen(String(id)), testListName: 'test', maxTestRecipients: 20 },
		};
		const toAll = { scheduleType: 'immediately', recipientId: ['contacts_21'] };
		const [first, second] = await inTurn([
			{ name: 'A', parameters: { ...newSend, ...testing }, to: ['B'] },
			{
				name: 'B',
				parameters: { ...update(toAll, { preflight: false }), singleSendUtr: byUtr },
			},
		]);
		expect(first?.items).toMatchObject([{ json: { sent: true } }]);
		expect(second?.failed[0]?.json.error).toMatchObject({
			message:
				'The campaign may have been sent by an earlier node or run: updating it once more may send it again',
		});
		expect(updates()).toEqual([]);
	});

	it('is not sent again by a node that takes over after a lost response', async () => {
		test.service.fault({ kind: 'reset-before', match: { path: '/single/send/update' }, times: 1 });
		await inTurn([
			{ name: 'A', parameters: sendNow, onFailure: ['B'] },
			{ name: 'B', parameters: sendNow },
		]);
		expect(updates()).toHaveLength(1);
	});

	it.each([false, true])(
		'is set live again only after it was certainly paused: %p',
		async (isCertain) => {
			const match = { path: '/automations/pause' };
			if (!isCertain) test.service.fault({ kind: 'reset-after', match, times: 1 });
			const [, , last] = await inTurn([
				{ name: 'A', parameters: goLive, to: ['Pause'] },
				{ name: 'Pause', parameters: ofAutomation('pause'), to: ['B'], onFailure: ['B'] },
				{ name: 'B', parameters: goLive },
			]);
			const message =
				'The automation may have been set live by an earlier node or run: setting it live once more may send its emails again';
			if (isCertain) expect(last?.items).toMatchObject([{ json: { live: true, utr } }]);
			else expect(last?.failed[0]?.json.error).toMatchObject({ message });
			const starts = test.service.calls().filter((call) => call.endsWith('/set-live'));
			expect(starts).toHaveLength(isCertain ? 2 : 1);
		},
	);
});

it('takes UTRs in another letter case for the same record', async () => {
	const utr = 'abababab-abab-4bab-8bab-abababababab';
	const send = test.service.state.tables.singleSends;
	send.add({ ...singleSend, id: 502, utr }, NOW);
	const find = send.byUtr.bind(send);
	jest.spyOn(send, 'byUtr').mockImplementation((one) => find(one.toLowerCase()));
	const items = [utr, utr.toUpperCase()].map((one) => ({ json: { utr: one } }));
	const { items: output } = await test.service.run(
		{ ...update({ scheduleType: 'immediately' }), singleSendUtr: byUtr },
		{ items, node: { onError: 'continueRegularOutput' } },
	);
	jest.restoreAllMocks();
	expect(output.map(({ json }) => json.updated)).toEqual([true, undefined]);
	expect(updates()).toHaveLength(1);
});

it.each([{}, { timezone: 'Europe/Berlin' }])(
	'an update that sets nothing is refused: %j',
	async (given) => {
		const { error } = await test.service.run(update(given));
		expect(error?.message).toBe('Nothing to update: no field is set');
		expect(test.service.calls()).toEqual([]);
	},
);

it.each([Boolean, String])('takes flags that are true and false for 1 and 0: %p', async (form) => {
	const { service } = test;
	service.holdsOddRecords = true;
	const { senders, templates } = service.state.tables;
	const isBlank = (flag: boolean) =>
		templates.put({ ...templates.get(2), is_blank: form(flag) } as never);
	senders.put({ ...senders.get(81), is_verified: form(true) } as never);
	isBlank(true);
	const create: IDataObject = {
		...{ resource: 'singleSend', operation: 'create', scheduleType: 'immediately' },
		...{ singleSendName: 'Spring', subject: 'Hello', preheader: 'At last' },
		...{ senderId: chosen('81'), unsubscribeGroupId: chosen('51'), templateId: chosen('2') },
		...{ recipientId: ['contacts_21'], options: { preflight: true } },
	};
	const { error } = await service.run(create);
	expect(error?.message).toMatch(/^The email would be empty: "Template" is the blank template/);
	isBlank(false);
	expect((await service.run(create)).error).toBeUndefined();
});

describe('Set Live', () => {
	const skipped = (utr: string, name: string) => ({
		live: true,
		skipped: 'already live',
		utr,
		message: `The automation "${name}" is already live; nothing was sent`,
	});

	it('skips an automation that is live, and one that an item before has set live', async () => {
		const { utr, automation_name: name } = otherAutomation;
		const { items, notes } = await test.service.run(setLive, {
			items: [automation.utr, utr, utr].map((one) => ({ json: { utr: one } })),
		});
		expect(items.map(({ json }) => json)).toEqual([
			skipped(automation.utr, automation.automation_name),
			{ live: true, utr, message: 'Automation has been set live' },
			skipped(utr, name),
		]);
		expect(notes).toEqual(['2 skipped: already live']);
		expect(test.service.calls().filter((call) => call.endsWith('/set-live'))).toHaveLength(1);
	});

	it.each([true, ' 1 '])('skips an automation whose status is %j', async (status) => {
		const { service } = test;
		service.holdsOddRecords = true;
		const { id, utr, automation_name: name } = automation;
		Object.assign(service.state.tables.automations.get(id) ?? {}, { status });
		const { items } = await service.run(setLive, { items: [{ json: { utr } }] });
		expect(items).toMatchObject([{ json: skipped(utr, name) }]);
		expect(service.calls()).toEqual(['GET /automations/details']);
	});

	it.each([null, '', 'Live', 'active', '01'])(
		'takes an automation with the status %j for one that may be live',
		async (status) => {
			const { service } = test;
			service.holdsOddRecords = true;
			const { id, utr } = otherAutomation;
			Object.assign(service.state.tables.automations.get(id) ?? {}, { status });
			const state = `The automation "Win back" has an unknown status, ${status === null ? 'empty' : `"${status}"`}`;
			const items = [{ json: { utr } }];
			const { error } = await service.run(setLive, { items });
			expect(error?.message).toBe(`${state}: setting it live may send its emails again`);
			const duplicate = { ...setLive, operation: 'duplicate' };
			const copied = await service.run(duplicate, { items });
			expect(copied.error?.message).toContain(`${state}: its copy may be live too`);
			expect(new Set(service.calls())).toEqual(new Set(['GET /automations/details']));
		},
	);

	it('sends nothing more for an automation that an item before may have set live', async () => {
		const { utr } = otherAutomation;
		test.service.fault({
			kind: 'reset-before',
			match: { path: '/automations/set-live' },
			times: 1,
		});
		const { items } = await test.service.run(setLive, {
			items: [utr, utr].map((one) => ({ json: { utr: one } })),
			node: { onError: 'continueRegularOutput' },
		});
		expect(items[1]?.json.error).toMatchObject({
			message:
				'The automation may have been set live by item 0: setting it live once more may send its emails again [item 1]',
		});
		expect(test.service.calls().filter((call) => call.endsWith('/set-live'))).toHaveLength(1);
	});

	it('does nothing where the automation cannot be read', async () => {
		test.service.fault({ kind: 'status', times: 10 });
		const { error } = await test.service.run(
			{ ...setLive, options: { retryTemporaryFailures: false } },
			{ items: [{ json: { utr: otherAutomation.utr } }] },
		);
		expect(error?.context.code).toBe('service-unavailable');
		expect(test.service.calls()).toEqual(['GET /automations/details']);
	});
});
