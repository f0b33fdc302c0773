import { setTimeout } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { pauses } from '../faults/pauses';
import { options, useChecks } from '../preflight/support';
import { NOW, otherAutomation, singleSend } from '../records';
import { chosen, newSend } from '../rows';
import { onRequest } from '../sendTest/support';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('../faults/pauses').withoutPauses(),
);

const { test } = useChecks();

/** What the pauses of a test would have taken. */
let waitedMs = 0;

beforeEach(() => {
	waitedMs = 0;
	pauses.reset();
	duringPause(() => undefined);
	const now = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => now() + waitedMs);
});
afterEach(() => jest.restoreAllMocks());

/** What happens during the first long pause, or the first one for which that is due. */
function duringPause(
	happens: () => unknown,
	isDue: () => boolean | Promise<boolean> = () => true,
): void {
	let isOver = false;
	pauses.meanwhile = async () => {
		const ms = pauses.taken.at(-1) ?? 0;
		const isNow = !isOver && ms >= 10_000 && (await isDue());
		waitedMs += ms;
		if (!isNow) return;
		isOver = true;
		await happens();
	};
}

const singleSends = () => test.service.state.tables.singleSends;
const automations = () => test.service.state.tables.automations;
const emails = () => test.service.state.tables.automationSchedules;

const change = (values: IDataObject) =>
	Object.assign(singleSends().get(singleSend.id) ?? {}, values);

const update: IDataObject = {
	resource: 'singleSend',
	operation: 'update',
	singleSendUtr: chosen(singleSend.utr, 'utr'),
	updateFields: { subject: 'New' },
};

const ofItem = { singleSendUtr: chosen('={{ $json.utr }}', 'utr') };

function addSecond() {
	const second = { ...singleSend, id: 502, utr: '55555555-5555-4555-8555-555555555555' };
	singleSends().add(second, NOW);
	return second;
}

const create: IDataObject = { ...newSend, options };

const copy: IDataObject = {
	resource: 'singleSend',
	operation: 'duplicate',
	singleSendUtr: chosen(singleSend.utr, 'utr'),
};

const setLive: IDataObject = {
	resource: 'automation',
	operation: 'setLive',
	automationUtr: chosen('={{ $json.utr }}', 'utr'),
	options,
};

const copyAutomation: IDataObject = {
	resource: 'automation',
	operation: 'duplicate',
	automationUtr: chosen(otherAutomation.utr, 'utr'),
};

const addEmail: IDataObject = {
	resource: 'automationSchedule',
	operation: 'create',
	automationUtr: chosen(otherAutomation.utr, 'utr'),
	senderId: chosen('81'),
	subject: 'Hello',
	preheader: 'There',
	templateId: chosen('2'),
	previewImg: 'cup.png',
	waitingType: 'instantly',
};

const unverified = () => {
	const sender = test.service.state.tables.senders.all().find(({ is_verified: one }) => one === 0);
	return Number(sender?.id);
};

const addUnverifiedEmail = (automationId: number) =>
	void emails().add(
		{ automation_id: automationId, sender_id: unverified(), subject: 'Hi', template_id: 2 },
		NOW,
	);

const goLive = () => {
	const { id } = otherAutomation;
	automations().put({ ...automations().get(id), status: 1 } as never);
};

const removeSender = () => void test.service.state.tables.senders.remove(81);

interface Case {
	parameters: IDataObject;
	path: string;
	happens: () => unknown;
	message: string;
	json?: IDataObject;
}

const draft = { utr: otherAutomation.utr };

const cases: Record<string, Case> = {
	'Campaign: Update': {
		parameters: update,
		path: '/single/send/update',
		happens: () => change({ status: 2 }),
		message: 'The campaign is running: updating it may send it again',
	},
	'Campaign: Create': {
		parameters: create,
		path: '/single/send/create',
		happens: removeSender,
		message: '"Sender" does not exist: 81',
	},
	'Campaign: Duplicate': {
		parameters: copy,
		path: '/single/send/duplicate',
		happens: () => change({ schedule_type: 0 }),
		message:
			'A copy of this campaign may be sent to everyone immediately: its send time is not certain to be in the future, or is not set',
	},
	'Automation: Set Live': {
		parameters: setLive,
		path: '/automations/set-live',
		happens: () => addUnverifiedEmail(otherAutomation.id),
		message: '"Sender" of the email "Hi" is not verified: "New"',
		json: draft,
	},
	'Automation: Duplicate': {
		parameters: copyAutomation,
		path: '/automations/duplicate',
		happens: goLive,
		message:
			'The automation "Win back" is live: its copy may be live too, and send emails immediately, without a check',
	},
	'Automation Schedule: Create': {
		parameters: addEmail,
		path: '/automations/schedule/create',
		happens: goLive,
		message:
			'The automation "Win back" is live: another email may be sent immediately, without a check',
	},
};

const calls = (path: string) => test.service.calls().filter((call) => call.endsWith(` ${path}`));

beforeEach(() => {
	emails().add(
		{ automation_id: otherAutomation.id, sender_id: 81, subject: 'Hey', template_id: 2 },
		NOW,
	);
});

describe.each(Object.entries(cases))(
	'%s',
	(_name, { parameters, path, happens, message, json = {} }) => {
		const run = async () => await test.service.run(parameters, { items: [{ json }] });

		const pausesAskedFor: Array<Record<string, string>> = [
			{ 'retry-after': '60' },
			{ 'retry-after': '0' },
			{},
		];

		it.each(pausesAskedFor)('that is refused for now has one try: %j', async (headers) => {
			test.service.fault({ kind: 'status', status: 429, headers, match: { path }, times: 9 });
			const { error } = await run();
			expect(error?.httpCode).toBe('429');
			expect(error?.description).toContain('Nothing was changed');
			expect(calls(path)).toHaveLength(1);
			expect(pauses.taken).toEqual([]);
		});

		const runTwice = async () =>
			await test.service.run(parameters, {
				items: [{ json }],
				node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
			});

		it('is sent by a further try of the node if its check still holds', async () => {
			test.service.fault({ kind: 'status', status: 429, match: { path } });
			const { error } = await runTwice();
			expect(error).toBeUndefined();
			expect(calls(path)).toHaveLength(2);
		});

		it('is not sent by a further try of the node if its check no longer holds', async () => {
			test.service.fault({ kind: 'status', status: 429, match: { path } });
			onRequest(test.service, (_n, _method, asked) => {
				if (asked === path) happens();
			});
			const { error } = await runTwice();
			expect(error?.message).toBe(message);
			expect(calls(path)).toHaveLength(1);
		});

		it.each([
			{ mode: 'evaluation' as const },
			...(['integrated', 'retry'] as const).map((mode) => ({
				...{ mode, parent: { executionId: '1', source: 'evaluation' as const } },
			})),
		])('is not sent in an evaluation: %j', async (how) => {
			const { error } = await test.service.run(parameters, { items: [{ json }], ...how });
			expect(error?.context.code).toBe('not-in-evaluation');
			expect(test.service.calls()).toEqual([]);
		});

		it('that may have succeeded is not sent again', async () => {
			test.service.fault({ kind: 'status', status: 500, match: { path }, times: 9 });
			const { error } = await runTwice();
			expect(error?.httpCode).toBe('500');
			expect(calls(path)).toHaveLength(1);
		});
	},
);

/** Until what was under way has arrived, and nothing has followed it for a while. */
async function untilQuiet(turns = 3): Promise<void> {
	const { journal } = test.service.state;
	for (let quiet = 0; quiet < turns; quiet++) {
		await setTimeout(20);
		if (journal.inFlight > 0) quiet = -1;
	}
}

const details = 'GET /single-send/details';
const updated = 'POST /single/send/update';

it.each([{}, { parallelRequests: 1 }])(
	'what a check reads comes directly before its request, one item after the other, with %j',
	async (more) => {
		const second = addSecond();
		const { error } = await test.service.run(
			{ ...update, ...ofItem, options: { preflight: false, ...more } },
			{ items: [singleSend, second].map(({ utr }) => ({ json: { utr } })) },
		);
		expect(error).toBeUndefined();
		const rehearsal = [details, details];
		expect(test.service.calls()).toEqual([...rehearsal, details, updated, details, updated]);
	},
);

describe('a check that cannot read', () => {
	it.each([429, 503])('for now sends nothing: %d', async (status) => {
		const match = { path: '/single-send/details' };
		test.service.fault({ kind: 'status', status, match });
		const { error } = await test.service.run(update);
		expect(error?.description).toContain(
			'"Campaign" could not be read, so nothing was changed for this item.',
		);
		expect(test.service.calls()).toEqual([details]);
	});

	it('leaves its list to be read for the next item', async () => {
		test.service.fault({ kind: 'status', status: 503, match: { path: '/senders' } });
		const { items, failed } = await test.service.run(
			{ ...create, singleSendName: '={{ $json.name }}' },
			{
				items: ['One', 'Two'].map((name) => ({ json: { name } })),
				node: { onError: 'continueErrorOutput' },
			},
		);
		expect(failed).toHaveLength(1);
		expect(items.map(({ json }) => json.single_send_name)).toEqual(['Two']);
		expect(calls('/senders')).toHaveLength(2);
	});

	it('because the execution is canceled sends nothing', async () => {
		const canceling = new AbortController();
		onRequest(test.service, () => canceling.abort());
		await test.service.run(update, { signal: canceling.signal });
		expect(test.service.calls()).toEqual([details]);
	});
});

describe('a send during the pause that another one was asked for', () => {
	const runBoth = async (seconds: number) => {
		const second = addSecond();
		const headers = { 'retry-after': String(seconds) };
		const match = { path: '/single/send/update' };
		test.service.fault({ kind: 'status', status: 429, headers, match });
		return await test.service.run(
			{ ...update, ...ofItem },
			{
				items: [singleSend, second].map(({ utr }) => ({ json: { utr } })),
				node: { onError: 'continueErrorOutput' },
			},
		);
	};

	it('fails without a request if the pause is longer than checks may be old', async () => {
		const { items, failed } = await runBoth(60);
		expect(items).toEqual([]);
		expect(failed).toHaveLength(2);
		expect(test.service.calls()).toEqual([details, updated]);
		expect(pauses.taken).toEqual([]);
	});

	it('is checked after a short one', async () => {
		const { items, failed } = await runBoth(2);
		expect([items.length, failed.length]).toEqual([1, 1]);
		expect(test.service.calls()).toEqual([details, updated, details, updated]);
		expect(pauses.taken).toEqual([expect.any(Number)]);
	});
});

describe('with Batching, an item is checked when it is its turn', () => {
	const batching = { batching: { batch: { batchSize: 1, batchInterval: 600_000 } } };
	const batched = { requestOptions: batching };
	/** Whether the first write was sent. The reads ahead are spaced out, too. */
	const sentOnce = (path: string) => async () => {
		await untilQuiet(10);
		return calls(path).length > 0;
	};

	it.each<[string, IDataObject, string, () => unknown, IDataObject[]]>([
		[
			'Automation: Set Live',
			setLive,
			'/automations/set-live',
			() => addUnverifiedEmail(30003),
			[draft, { utr: '66666666-6666-4666-8666-666666666666' }],
		],
		[
			'Campaign: Create',
			{ ...create, singleSendName: '={{ $json.name }}' },
			'/single/send/create',
			removeSender,
			[{ name: 'One' }, { name: 'Two' }],
		],
		[
			'Campaign: Duplicate',
			copy,
			'/single/send/duplicate',
			() => change({ schedule_type: 0 }),
			[{}, {}],
		],
		['Automation: Duplicate', copyAutomation, '/automations/duplicate', goLive, [{}, {}]],
		['Automation Schedule: Create', addEmail, '/automations/schedule/create', goLive, [{}, {}]],
	])('%s', async (_name, parameters, path, happens, jsons) => {
		automations().add(
			{ ...otherAutomation, id: 30003, utr: '66666666-6666-4666-8666-666666666666' },
			NOW,
		);
		emails().add({ automation_id: 30003, sender_id: 81, subject: 'Hey', template_id: 2 }, NOW);
		duringPause(happens, sentOnce(path));
		const { error } = await test.service.run(
			{ ...parameters, ...batched },
			{ items: jsons.map((json) => ({ json })) },
		);
		expect(error?.context.itemIndex).toBe(1);
		expect(calls(path)).toHaveLength(1);
	});

	it.each(['fail', 'return'])(
		'Campaign: Create makes none whose name exists by then, with If Name Exists: %s',
		async (ifNameExists) => {
			const path = '/single/send/create';
			const named = { ...singleSend, id: 502, utr: 'other', single_send_name: 'Two' };
			duringPause(() => void singleSends().add(named, NOW), sentOnce(path));
			const { items, error } = await test.service.run(
				{ ...create, ifNameExists, singleSendName: '={{ $json.name }}', ...batched },
				{ items: [{ json: { name: 'One' } }, { json: { name: 'Two' } }] },
			);
			expect(error?.context.code).toBe(ifNameExists === 'fail' ? 'single-send-exists' : undefined);
			expect(items.map(({ json }) => json.created)).toEqual(
				ifNameExists === 'fail' ? [] : [true, false],
			);
			expect(calls(path)).toHaveLength(1);
		},
	);

	it('Campaign: Create does not send at a time that has passed by then', async () => {
		const now = Date.now.bind(Date);
		let laterMs = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => now() + laterMs);
		duringPause(() => (laterMs = 7_200_000), sentOnce('/single/send/create'));
		const soon = '={{ $now.plus({ hours: 1 }).toISO() }}';
		const scheduled = { scheduleType: 'scheduled', scheduleAt: soon, timezone: 'UTC' };
		const { error } = await test.service.run(
			{ ...create, ...scheduled, singleSendName: '={{ $json.name }}', ...batched },
			{ items: [{ json: { name: 'One' } }, { json: { name: 'Two' } }] },
		);
		expect(error?.message).toMatch(/^"Send At" is not in the future: /);
		expect(error?.context.itemIndex).toBe(1);
		expect(calls('/single/send/create')).toHaveLength(1);
	});

	it('items that follow each other closely share what their checks read', async () => {
		const items = ['One', 'Two', 'Three'].map((name) => ({ json: { name } }));
		const parameters = { ...create, singleSendName: '={{ $json.name }}' };
		const { error } = await test.service.run(parameters, { items });
		expect(error).toBeUndefined();
		expect(calls('/senders')).toHaveLength(1);
		expect(calls('/single/send/create')).toHaveLength(3);
	});
});
