import type { IDataObject } from 'n8n-workflow';

import { uuidFrom } from '../../sandbox/format.ts';
import { NOW, singleSend } from './records';
import { chosen, newSend } from './rows';
import { once, useService } from './sandbox';

const test = useService();

const create = (ifNameExists: string, parameters: IDataObject = {}): IDataObject => ({
	...newSend,
	singleSendName: '={{ $json.name }}',
	subject: 'Hello',
	ifNameExists,
	options: once,
	...parameters,
});
const itemsOf = (...names: string[]) => names.map((name) => ({ json: { name } }));
const goOn = { node: { onError: 'continueErrorOutput' as const } };
const list = 'GET /single-send/list';
const sent = 'POST /single/send/create';
const taken = singleSend.single_send_name;
const made = (id: number, name = 'Spring') => ({
	created: true,
	sender_id: 81,
	unsubscribe_group_id: 51,
	utr: uuidFrom(`single send ${id}`),
	single_send_name: name,
	subject: 'Hello',
	recipient_id: ['contacts_21'],
	exclude_specific_recipient_id: [],
	schedule_type: 0,
	scheduleLabel: 'Immediately',
});
const message = 'A campaign with this name already exists; nothing was created';
/** For an item whose name an earlier one has. */
const again = (id: number, name?: string) => ({ ...made(id, name), created: false, message });
/** For the single send that is there already. */
const existing = {
	created: false,
	utr: singleSend.utr,
	sender_id: 81,
	unsubscribe_group_id: 51,
	single_send_name: taken,
	subject: singleSend.subject,
	recipient_id: ['contacts_21', 'segments_301'],
	exclude_specific_recipient_id: ['contacts_22'],
	schedule_type: 1,
	schedule_date: '2099-03-20',
	schedule_time: '09:30:00',
	scheduleLabel: '2099-03-20 09:30:00',
	message,
};

/** JSON of the output with the item that each belongs to. */
async function run(ifNameExists: string, names: string[], rest = {}) {
	const { items, failed, error } = await test.service.run(create(ifNameExists), {
		items: itemsOf(...names),
		...rest,
	});
	expect(test.service.violations()).toEqual([]);
	const paired = (given: typeof items) =>
		given.map(({ json, pairedItem }) => [(pairedItem as { item: number }).item, json]);
	return {
		items: paired(items),
		failed: paired(failed).map(([index, json]) => [
			index,
			((json as IDataObject).error as IDataObject).message,
		]),
		error: error?.message,
		calls: test.service.calls(),
	};
}

it('creates another one without a look at the list', async () => {
	expect(await run('create', [taken, 'Spring', 'Spring'])).toEqual({
		items: [
			[0, made(502, taken)],
			[1, made(503)],
			[2, made(504)],
		],
		failed: [],
		error: undefined,
		calls: [sent, sent, sent],
	});
});

it('returns the existing one, also that of an earlier item', async () => {
	expect(await run('return', ['Spring', taken, ' Spring ', 'Spring'])).toEqual({
		items: [
			[0, made(502)],
			[1, existing],
			[2, again(502)],
			[3, again(502)],
		],
		failed: [],
		error: undefined,
		calls: [list, sent],
	});
});

it('returns the one that an earlier item creates whether it exists or not', async () => {
	const items = ['create', 'return', 'create', 'return'].map((choice) => ({ json: { choice } }));
	const outcome = await test.service.run(
		create('={{ $json.choice }}', { singleSendName: 'Spring' }),
		{ items },
	);
	expect(outcome.error).toBeUndefined();
	expect(outcome.items.map(({ json }) => json)).toEqual([
		made(502),
		again(502),
		made(503),
		again(502),
	]);
	expect(test.service.calls()).toEqual([list, sent, sent]);
});

it('fails for a name that an earlier item creates whether it exists or not', async () => {
	const items = ['create', 'fail'].map((choice) => ({ json: { choice } }));
	const outcome = await test.service.run(
		create('={{ $json.choice }}', { singleSendName: 'Spring' }),
		{ items },
	);
	expect(outcome.error?.message).toMatch(/^A campaign named "Spring" is also created/);
	expect(test.service.calls()).toEqual([list]);
});

it('returns the newest one of several', async () => {
	const { id: _id, utr: _utr, ...copy } = singleSend;
	test.service.state.tables.singleSends.add(copy, NOW);
	const { items } = await run('return', [taken]);
	expect(items).toEqual([[0, { ...existing, utr: made(502).utr }]]);
});

it('makes no checks before sending for one that is not sent', async () => {
	const { error } = await test.service.run({
		...create('return', { singleSendName: taken, senderId: chosen('99') }),
		options: { preflight: true },
	});
	expect(error).toBeUndefined();
	expect(test.service.calls()).toEqual([list]);
});

it.each([
	['that exists', ['Spring', taken], `A campaign named "${taken}" already exists [item 1]`],
	[
		'of an earlier item',
		['Spring', 'Summer', 'Spring'],
		'A campaign named "Spring" is also created by an earlier item [item 2]',
	],
])('fails for a name %s before anything is sent', async (_case, names, error) => {
	expect(await run('fail', names)).toEqual({ items: [], failed: [], error, calls: [list] });
});

it('fails only for the items whose name is taken when the node goes on past failures', async () => {
	expect(await run('fail', ['Spring', taken, 'Spring', 'Summer'], goOn)).toEqual({
		items: [
			[0, made(502)],
			[3, made(503, 'Summer')],
		],
		failed: [
			[1, `A campaign named "${taken}" already exists [item 1]`],
			[2, 'A campaign named "Spring" was already created by an earlier item [item 2]'],
		],
		error: undefined,
		calls: [list, sent, sent],
	});
});

it.each(['return', 'fail'])(
	'%s: the next item of the name has its turn when one was refused',
	async (choice) => {
		test.service.fault({
			kind: 'failed',
			errors: { subject: ['Too dull.'] },
			match: { path: '/single/send/create' },
		});
		const { items, failed } = await run(choice, ['Spring', 'Spring'], goOn);
		expect(items).toEqual([[1, made(502)]]);
		expect(failed).toEqual([[0, 'The service rejected "Subject": Too dull. [item 0]']]);
	},
);

it.each([
	['return', [81, 99, 81], [true, false, false]],
	['fail', [81, 99, 81], [true]],
	['return', [99, 81, 81], [true, false]],
	['fail', [99, 81, 81], [true]],
])(
	'%s: sends one of the name when the checks before sending refuse an item, from the senders %j',
	async (choice, senders, created) => {
		const senderId = chosen('={{ $json.sender }}');
		const { items } = await test.service.run(
			create(choice, { senderId, options: { preflight: true } }),
			{ ...goOn, items: senders.map((sender) => ({ json: { name: 'Spring', sender } })) },
		);
		expect(items.map(({ json }) => json.created)).toEqual(created);
		expect(test.service.calls().filter((call) => call === sent)).toHaveLength(1);
	},
);

it.each(['return', 'fail'])(
	'%s: sends no second one when it is not known whether the first was made',
	async (choice) => {
		test.service.fault({ kind: 'reset-after', match: { path: '/single/send/create' } });
		const { items, failed, calls } = await run(choice, ['Spring', 'Spring'], goOn);
		expect(items).toEqual([]);
		expect(failed).toEqual([
			[0, 'The connection to the service was lost before the response was complete [item 0]'],
			[
				1,
				'An earlier item may have saved the campaign named "Spring", but its response was lost [item 1]',
			],
		]);
		expect(calls).toEqual([list, sent]);
	},
);

it.each(['return', 'fail'])(
	'%s: sends no second one when n8n runs the node again, while the list does not have the first',
	async (choice) => {
		test.service.fault({ kind: 'reset-before', match: { path: '/single/send/create' } });
		const again = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { items, failed, calls } = await run(choice, ['Spring', 'Spring', 'Summer'], {
			node: { ...goOn.node, ...again },
		});
		expect(items).toEqual([[2, made(502, 'Summer')]]);
		expect(failed.map(([index]) => index)).toEqual([0, 1]);
		expect(calls).toEqual([list, sent, sent]);
	},
);

it('takes no campaign that the service lists as deleted for one of the name', async () => {
	const row = test.service.state.tables.singleSends.get(singleSend.id) as object;
	Object.assign(row, { deleted_at: '2026-03-02T10:00:00.000000Z' });
	const { items, error } = await test.service.run({ ...create('fail'), singleSendName: taken });
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.created)).toEqual([true]);
});

it('fails as preset', async () => {
	const { ifNameExists: _preset, ...preset } = create('');
	const { error } = await test.service.run({ ...preset, singleSendName: taken });
	expect(error?.message).toBe(`A campaign named "${taken}" already exists`);
	expect(error?.description).toBe(
		'Change "Campaign Name", or set "If Name Exists" to "Return Existing" or "Create Another". To change the existing campaign, use "Campaign: Update". Nothing was changed for this item.',
	);
	expect(test.service.calls()).toEqual([list]);
});

it('is refused with a choice that there is not', async () => {
	const { error } = await test.service.run({
		...create('={{ "skip" }}'),
		singleSendName: 'Spring',
	});
	expect([error?.message, error?.description]).toEqual([
		'"If Name Exists" cannot be "skip"',
		'Choose one of: create, fail, return. Nothing was changed for this item.',
	]);
	expect(test.service.calls()).toEqual([]);
});

it('sends nothing when the list cannot be read', async () => {
	test.service.fault({ kind: 'status', status: 500, match: { path: '/single-send/list' } });
	expect(await run('return', ['Spring'])).toEqual({
		items: [],
		failed: [],
		error: 'The service is temporarily unavailable (HTTP 500)',
		calls: [list],
	});
});

it('makes one of each name for many items at once', async () => {
	const names = Array.from({ length: 60 }, (_value, index) => `Campaign ${index % 7}`);
	const { items, error } = await run('return', names);
	expect(error).toBeUndefined();
	const campaigns = items.map(
		([index, json]) => `${names[Number(index)]} ${(json as IDataObject).utr}`,
	);
	expect(campaigns).toHaveLength(60);
	expect(new Set(campaigns).size).toBe(7);
	expect(test.service.calls().filter((call) => call === sent)).toHaveLength(7);
});

describe('three items of one name', () => {
	const names = ['Spring', 'Spring', 'Spring'];

	it.each(['fail', 'return'])('send once where the first one is made: %s', async (ifNameExists) => {
		const { calls } = await run(ifNameExists, names, goOn);
		expect(calls).toEqual([list, sent]);
	});

	it.each(['fail', 'return'])(
		'send nothing more where the answer of the first one was lost: %s',
		async (ifNameExists) => {
			test.service.fault({ kind: 'reset-after', match: { path: '/single/send/create' } });
			const { calls, failed } = await run(ifNameExists, names, goOn);
			expect(calls).toEqual([list, sent]);
			expect(failed.map(([index]) => index)).toEqual([0, 1, 2]);
		},
	);

	it('send nothing more where the first one is refused and the node stops', async () => {
		test.service.fault({
			kind: 'failed',
			errors: 'Locked',
			match: { path: '/single/send/create' },
		});
		const { calls, error } = await run('return', names);
		expect(calls).toEqual([list, sent]);
		expect(error).toBe('The service rejected the request: Locked [item 0]');
	});
});
