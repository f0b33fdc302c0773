import { setTimeout } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import {
	actions,
	address,
	people,
	removed,
	ScheduledSync,
	type How,
	type Shape,
} from './scheduledSync';
import { keys, type Outcome } from '../engine';
import { json, TYPE, useAccount, type Account } from './support';

const given = useAccount();
const second = useAccount();
const emails = () => given.account.emails().sort();

const left = people('a', 'b', 'c', 'd', 'e', 'f');
const right = people('g', 'h', 'i', 'j');

describe.each<Shape>(['branches', 'loop', 'calls'])(
	'a node that runs several times: %s',
	(shape) => {
		test.each([
			['by default', {}],
			['after one execution', removal({ removeAfter: 1 })],
			['whoever added the contacts', removal({ onlyAddedBySync: false })],
			['after one, whoever added them', removal({ removeAfter: 1, onlyAddedBySync: false })],
		])('nobody whom the execution names is removed, %s', async (_, options) => {
			const sync = new ScheduledSync(given, { options });
			for (let execution = 0; execution < 4; execution++) {
				const runs = await sync.runEach(shape, [left, right]);
				expect(runs.flatMap((run) => json(run).map(({ action }) => action))).toEqual(
					Array<string>(10).fill(execution === 0 ? 'created' : 'unchanged'),
				);
			}
		});

		test('a person who returns in one of its runs is not removed by another', async () => {
			const sync = new ScheduledSync(given);
			await sync.runEach(shape, [left, right]);
			await sync.runEach(shape, [left.slice(1), right.slice(1)]);
			await sync.runEach(shape, [left, right.slice(1)]);
			await sync.runEach(shape, [left.slice(1), right]);
			expect(emails()).toHaveLength(10);
		});
	},
);

test('branches: the last run removes whom no run of the last two executions names', async () => {
	const sync = new ScheduledSync(given);
	await sync.runEach('branches', [left, right]);
	const shorter = [left.slice(1), right.slice(1)];
	const first = await sync.runEach('branches', shorter);
	expect(first.map((run) => json(run).length)).toEqual([3, 5 + 2]);
	expect(removed(...first)).toEqual([]);
	const second = await sync.runEach('branches', shorter);
	expect(second.map((run) => removed(run).sort())).toEqual([[], [address('a'), address('g')]]);
});

/** Runs a sync as part of an execution of another workflow. */
const calledBy = (sync: ScheduledSync) => (id: number, items: IDataObject[]) =>
	sync.run(items, { parent: { executionId: String(id) }, mode: 'integrated' });

const unchanged = (why: string, count: number) =>
	`Missing contacts left unchanged, because ${why}: ${count}`;

test('loop: nobody is removed, and the output says why', async () => {
	const sync = new ScheduledSync(given);
	await sync.runEach('loop', [left, right]);
	for (let execution = 0; execution < 3; execution++) {
		const runs = await sync.runEach('loop', [left.slice(1), right]);
		const again = 'n8n may run this node again in this execution';
		expect(runs.map(({ notes }) => notes)).toEqual([
			['5 unchanged', unchanged(again, 5)],
			['4 unchanged', unchanged(again, 1)],
		]);
	}
	expect(emails()).toHaveLength(10);
});

test('calls: nobody is removed, and the output says why; a week after the last second call, somebody is', async () => {
	const sync = new ScheduledSync(given);
	const shorter = [...left, ...right].slice(1);
	const aWeekAgo = Date.now() - 7 * 24 * 60 * 60 * 1000;
	const clock = jest.spyOn(Date, 'now').mockReturnValue(aWeekAgo);
	await sync.runEach('calls', [left, right]);
	const several = 'another workflow calls this one several times in one execution';
	for (let execution = 0; execution < 4; execution++) {
		const [run] = await sync.runEach('calls', [shorter]);
		expect(run?.notes).toEqual(['9 unchanged', unchanged(several, 1)]);
	}
	clock.mockRestore();
	await sync.runEach('calls', [shorter]);
	await sync.runEach('calls', [shorter]);
	const runs = await sync.runEach('calls', [shorter]);
	expect(removed(...runs)).toEqual([address('a')]);
});

test('calls: nobody is removed, however many executions make their first call before one makes its second', async () => {
	const sync = new ScheduledSync(given, { options: removal({ removeAfter: 1 }) });
	const call = calledBy(sync);
	const overlapping = Array.from({ length: 15 }, (_, index) => 101 + index);
	await call(100, left);
	await call(100, right);
	const runs = [];
	for (const id of overlapping) runs.push(await call(id, left));
	for (const id of overlapping) runs.push(await call(id, right));
	expect(removed(...runs)).toEqual([]);
});

test('executions that overlap count as one, since the first one may not have named everybody yet', async () => {
	const options = removal({ removeAfter: 1, onlyAddedBySync: false });
	const sync = new ScheduledSync(given, { options });
	const call = calledBy(sync);
	await call(100, [...left, ...right]);
	const overlapping = [101, 102];
	const first = await Promise.all(overlapping.map((id) => call(id, left)));
	expect(first.map((run) => actions(run).at(-1)?.[2])).toEqual(
		overlapping.map(() => 'not removed yet: missing from 1 of 2 executions'),
	);
	const last = await call(103, left);
	expect(removed(last).sort()).toEqual(right.map(({ email }) => email));
});

test('also if the clock is set back while they run', async () => {
	const options = removal({ removeAfter: 1, onlyAddedBySync: false });
	const sync = new ScheduledSync(given, { options });
	const call = calledBy(sync);
	await call(100, [...left, ...right]);
	const { faults } = given.account.state;
	const match = { path: '/contacts/list' };
	faults.add({ kind: 'slow', ms: 500, match, times: 2 });
	const overlapping = Promise.all([101, 102].map(async (id) => await call(id, left)));
	await setTimeout(250);
	const { now } = Date;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - 60 * 60 * 1000);
	const runs = await overlapping;
	clock.mockRestore();
	expect(runs.map((run) => actions(run).at(-1)?.[2])).toEqual(
		runs.map(() => 'not removed yet: missing from 1 of 2 executions'),
	);
});

test.each([
	['one of six', left.slice(1), {}, [address('a')]],
	['but not if none may', left.slice(1), limits({ maxRemovalPercent: 0 }), []],
	['nor two of them', left.slice(2), {}, []],
])('the preset limit lets a sync remove %s', async (_, items, more, expected) => {
	const options = { limits: undefined, ...removal({ removeAfter: 1 }), ...more };
	const sync = new ScheduledSync(given, { options });
	await sync.run(left);
	const outcome = await sync.attempt(items);
	expect(removed(outcome)).toEqual(expected);
	expect(outcome.error === undefined).toBe(expected.length > 0);
});

test('the first of several calls removes nobody, even after executions with one, and with "Remove After" 1', async () => {
	const sync = new ScheduledSync(given, { options: removal({ removeAfter: 1 }) });
	for (let execution = 0; execution < 2; execution++) {
		await sync.runEach('calls', [[...left, ...right]]);
	}
	const [run] = await sync.runEach('calls', [left]);
	expect(removed(run as Outcome)).toEqual([]);
	expect(actions(run as Outcome).at(-1)?.[2]).toBe(
		'not removed yet: missing from 1 of 2 executions',
	);
});

test('nor one of whom only earlier executions know that somebody was missing', async () => {
	const sync = new ScheduledSync(given);
	await sync.runEach('calls', [left]);
	await sync.runEach('calls', [left.slice(1)]);
	const runs = await sync.runEach('calls', [left.slice(1), left.slice(0, 1)]);
	expect(removed(...runs)).toEqual([]);
	expect(emails()).toHaveLength(6);
});

test('a call that cannot read a list is a part of its execution, so the next one counts nobody as missing', async () => {
	const sync = new ScheduledSync(given, { options: removal({ removeAfter: 1 }) });
	for (let execution = 0; execution < 2; execution++) {
		await sync.runEach('calls', [[...left, ...right]]);
	}
	const call = { mode: 'integrated' as const, parent: { executionId: 'failing' } };
	await failToRead(sync, left, call);
	expect(removed(await sync.run(right, call))).toEqual([]);
	// It fails before its second call.
	const [run] = await sync.runEach('calls', [right]);
	expect(removed(run as Outcome)).toEqual([]);
});

test('a call that a limit stops is a part of its execution, so the next one counts nobody as missing', async () => {
	const sync = new ScheduledSync(given, { options: removal({ removeAfter: 1 }) });
	for (let execution = 0; execution < 2; execution++) {
		await sync.runEach('calls', [[...left, ...right]]);
	}
	const call = { mode: 'integrated' as const, parent: { executionId: 'stopped' } };
	const parameters = { options: limits({ maxAdditions: 1 }) };
	const { error } = await sync.attempt([...left, ...people('k', 'l')], { ...call, parameters });
	expect(error?.context.code).toBe('too-many-additions');
	expect(removed(await sync.run(right, call))).toEqual([]);
	const [run] = await sync.runEach('calls', [right]);
	expect(removed(run as Outcome)).toEqual([]);
});

test('calls by a workflow that another one called may belong together, so they remove nobody', async () => {
	const sync = new ScheduledSync(given);
	await sync.run([...left, ...right]);
	for (let execution = 0; execution < 2; execution++) {
		for (const items of [left, right]) {
			const parent = { executionId: `${execution} ${items.length}`, calledBy: String(execution) };
			const { notes } = await sync.run(items, { mode: 'integrated', parent });
			expect(notes).toContain(
				unchanged(
					'the workflow that calls this one was itself called, and may belong to a larger execution',
					10 - items.length,
				),
			);
		}
	}
	// Nor do they count.
	expect(removed(await sync.run(right))).toEqual([]);
	expect(removed(await sync.run(right)).sort()).toEqual(left.map(({ email }) => email));
});

test('the first execution only says whom the next one removes', async () => {
	const sync = new ScheduledSync(given);
	await sync.run(left);
	const first = await sync.run(left.slice(2), { parameters: { options: { report: 'summary' } } });
	expect(json(first)).toMatchObject([
		{
			...{ deleted: 0, skipped: 2, missingFromInput: 2, wouldBeRemovedNext: 2 },
			skippedReasons: { 'not removed yet': 2 },
			notes: [
				'Contacts that the next execution will remove, unless they are back in the input or a limit stops it: 2',
			],
		},
	]);
	const dry = await sync.run(left.slice(2), { mode: 'manual', parameters: { dryRun: true } });
	expect(
		actions(dry)
			.slice(-2)
			.map(([action]) => action),
	).toEqual(['wouldDelete', 'wouldDelete']);
	expect(removed(await sync.run(left.slice(2)))).toEqual([address('a'), address('b')]);
});

test.each([
	[1, 1],
	[2, 2],
	[3, 3],
])('"Remove After" %d', async (removeAfter, count) => {
	const sync = new ScheduledSync(given, { options: removal({ removeAfter }) });
	await sync.run(left);
	for (let execution = 1; execution <= count; execution++) {
		const outcome = await sync.run(left.slice(1));
		expect(removed(outcome)).toEqual(execution === count ? [address('a')] : []);
	}
});

test('an execution that fails between two branches does not count for those whom the second one has', async () => {
	const sync = new ScheduledSync(given);
	await sync.run(left);
	const ofItem = { contactTypeId: { __rl: true, mode: 'id', value: '={{ $json.type }}' } };
	const first = left.slice(1).map((item) => ({ ...item, type: TYPE }));
	await sync.failInBranches([[{ type: '' }], first], { parameters: ofItem });
	const halves = [left.slice(1, 2), left.slice(2)];
	expect(removed(...(await sync.runEach('branches', halves)))).toEqual([]);
	expect(removed(...(await sync.runEach('branches', halves)))).toEqual([address('a')]);
});

test('another "Remove After" is refused before any request', async () => {
	const sync = new ScheduledSync(given, { options: { ...removal({ removeAfter: '={{ 0 }}' }) } });
	const { error } = await sync.attempt(left);
	expect(error?.message).toBe('"Remove After" cannot be "0"');
	expect(given.account.reads()).toEqual([]);
});

const short = left.slice(1);

/** An execution that fails, since it can't read the contacts. */
async function failToRead(sync: ScheduledSync, items: IDataObject[], how: How = {}): Promise<void> {
	const match = { method: 'GET', path: '/contacts/list' };
	given.account.state.faults.add({ kind: 'status', status: 500, match });
	const options = { retryTemporaryFailures: false };
	const { error } = await sync.attempt(items, { parameters: { options }, ...how });
	expect(error?.context.code).toBe('service-unavailable');
	given.account.state.faults.clear();
}

/** What comes between two executions that lack the same person, and names that person. */
test.each<[string, (sync: ScheduledSync) => Promise<unknown>]>([
	['a retry', async (sync) => await sync.run(left, { mode: 'retry' })],
	['a manual execution', async (sync) => await sync.run(left, { mode: 'manual' })],
	[
		'an execution that a limit stops',
		async (sync) => {
			const more = { city: 'Bonn' };
			const items = left.map((one) => ({ ...one, ...more }));
			const { error } = await sync.attempt(items, {
				parameters: { options: { ...limits({ maxUpdates: 1 }) } },
			});
			expect(error?.context.code).toBe('too-many-updates');
		},
	],
	['an execution that could not read the contacts', async (sync) => await failToRead(sync, left)],
	[
		'an execution that ignores who is missing',
		async (sync) => await sync.run(left, { parameters: { missing: 'ignore' } }),
	],
	[
		'an execution of Create or Update',
		async (sync) => await sync.run(left, { parameters: { operation: 'upsert' } }),
	],
	[
		'a manual execution of Create or Update',
		async (sync) => await sync.run(left, { mode: 'manual', parameters: { operation: 'upsert' } }),
	],
	[
		'a dry run of the published workflow',
		async (sync) => await sync.run(left, { parameters: { dryRun: true } }),
	],
	[
		'an execution whose credential is incomplete',
		async (sync) => {
			const { error } = await sync.attempt(left, { credential: { ...keys, baseUrl: '' } });
			expect(error?.context.code).toBe('base-url-missing');
		},
	],
	[
		'an execution that is canceled while it waits for another sync',
		async (sync) => {
			const { faults } = given.account.state;
			const canceling = new AbortController();
			faults.add({ kind: 'slow', ms: 400, match: { path: '/contacts/list' } });
			const other = new ScheduledSync(given).run([], { parameters: { missing: 'ignore' } });
			const waiting = sync.attempt(left, { signal: canceling.signal });
			await setTimeout(100);
			canceling.abort();
			await Promise.allSettled([waiting, other]);
			faults.clear();
		},
	],
	[
		'an execution whose parameters are refused',
		async (sync) => {
			const { error } = await sync.attempt(left, { parameters: { missing: '={{ "none" }}' } });
			expect(error?.context.code).toBe('choice-invalid');
		},
	],
	[
		'an execution with an item that cannot be read',
		async (sync) => await sync.run([...short, { email: { of: 'whom' } }]),
	],
])('a removal needs its person missing from every run in between: %s', async (_, between) => {
	const sync = new ScheduledSync(given);
	await sync.run(left);
	await sync.run(short);
	await between(sync);
	expect(removed(await sync.run(short))).toEqual([]);
	expect(removed(await sync.run(short))).toEqual([address('a')]);
});

test.each(['manual', 'evaluation'] as const)(
	'a dry run of mode %s in between changes nothing',
	async (mode) => {
		const sync = new ScheduledSync(given);
		await sync.run(left);
		await sync.run(short);
		await sync.run(left, { mode, parameters: { dryRun: true } });
		expect(removed(await sync.run(short))).toEqual([address('a')]);
	},
);

test('an execution that is refused while an earlier one runs starts its counts again', async () => {
	const sync = new ScheduledSync(given);
	await sync.run(left);
	given.account.state.faults.add({ kind: 'slow', ms: 400, match: { path: '/contacts/list' } });
	const first = sync.run(short);
	await setTimeout(100);
	const { error } = await sync.attempt(left, { parameters: { missing: '={{ "none" }}' } });
	expect(error?.context.code).toBe('choice-invalid');
	await first;
	expect(removed(await sync.run(short))).toEqual([]);
	expect(removed(await sync.run(short))).toEqual([address('a')]);
});

describe('after a restart of n8n', () => {
	test('the counts start again, since n8n may provide an older state than it had saved', async () => {
		const sync = new ScheduledSync(given);
		await sync.run(left);
		await sync.run(short);
		const old = structuredClone(sync.staticData);
		await sync.run(left);
		const again = sync.restarted();
		again.staticData = again.own(old);
		expect(removed(await again.run(short))).toEqual([]);
		expect(removed(await again.run(short))).toEqual([address('a')]);
	});

	test('an older execution removes nobody whom a later one names', async () => {
		const sync = new ScheduledSync(given, { options: removal({ removeAfter: 1 }) });
		await sync.run(short, { executionId: '920001' });
		await sync.run(left, { executionId: '920003' });
		const again = sync.restarted();
		expect(removed(await again.run(short, { executionId: '920002' }))).toEqual([]);
		expect(removed(await again.run(short, { executionId: '920004' }))).toEqual([address('a')]);
	});

	test('executions that n8n numbers from 1 again remove nobody in the first of them only', async () => {
		const sync = new ScheduledSync(given, { options: removal({ removeAfter: 1 }) });
		await sync.run(left, { executionId: '930003' });
		await sync.run(left, { executionId: '930004' });
		const again = sync.restarted();
		expect(removed(await again.run(short, { executionId: '1' }))).toEqual([]);
		expect(removed(await again.run(short, { executionId: '2' }))).toEqual([address('a')]);
	});

	test('a retry starts the counts of all lists again', async () => {
		const type = (id: number) => ({
			contactTypeId: { __rl: true, mode: 'id', value: String(id) },
		});
		const sync = new ScheduledSync(given);
		await sync.run(left);
		await sync.run(people('q'), { parameters: type(22) });
		await sync.run(short);
		const again = sync.restarted();
		await again.run(left, { mode: 'retry' });
		await again.run(people('q'), { parameters: type(22) });
		expect(removed(await again.run(short))).toEqual([]);
		expect(removed(await again.run(short))).toEqual([address('a')]);
	});
});

test('executions whose input identifies nobody do not count', async () => {
	const sync = new ScheduledSync(given);
	await sync.run(left);
	const empty = await sync.run([{}]);
	expect(removed(empty)).toEqual([]);
	expect(empty.notes.join()).not.toContain('the next execution will remove');
	expect(removed(await sync.run(short))).toEqual([]);
	expect(removed(await sync.run(short))).toEqual([address('a')]);
});

test('evaluations, which run one row of a dataset each, remove nobody and count for nothing', async () => {
	const sync = new ScheduledSync(given);
	await sync.run(left);
	for (const row of left.slice(1)) {
		expect(removed(await sync.run([row], { mode: 'evaluation' }))).toEqual([]);
	}
	expect(removed(await sync.run(short))).toEqual([]);
	const evaluated = await sync.run(left.slice(1, 2), { mode: 'evaluation' });
	expect(removed(evaluated)).toEqual([]);
	expect(evaluated.notes.join()).toContain(
		'because an evaluation runs one row of a dataset at a time',
	);
	expect(removed(await sync.run(short))).toEqual([address('a')]);
});

test.each(['evaluation', 'manual', 'retry'] as const)(
	'a workflow that an execution of the kind "%s" calls removes nobody, and counts for nothing',
	async (source) => {
		const sync = new ScheduledSync(given);
		const calledBy = (executionId: string) => ({
			mode: 'integrated' as const,
			parent: { executionId, source },
		});
		await sync.run(left);
		for (const [call, row] of left.entries()) {
			expect(removed(await sync.run([row], calledBy(`c${call}`)))).toEqual([]);
		}
		expect(removed(await sync.run(short))).toEqual([]);
		expect(removed(await sync.run(short))).toEqual([address('a')]);
	},
);

test('a retry of a call is a retry', async () => {
	const sync = new ScheduledSync(given);
	const calledBy = (mode: 'integrated' | 'retry', executionId: string) => ({
		...{ mode, executionId },
		parent: { executionId: `parent of ${executionId}`, source: 'trigger' as const },
	});
	await sync.run(left, calledBy('integrated', '201'));
	await sync.run(short, calledBy('integrated', '202'));
	await sync.run(short, calledBy('integrated', '203'));
	const retry = await sync.run(short, calledBy('retry', '204'));
	expect(removed(retry)).toEqual([]);
	expect(retry.notes.join()).toContain('This execution is a retry');
	expect(removed(await sync.run(short, calledBy('integrated', '205')))).toEqual([address('a')]);
});

test('a dry run shows what the next call of the workflow would do, and counts for nothing', async () => {
	const sync = new ScheduledSync(given);
	let calls = 0;
	const call = (source: 'trigger' | 'evaluation') => ({
		mode: 'integrated' as const,
		parent: { executionId: `c${++calls}`, source },
	});
	const dryRun = { parameters: { dryRun: true } };
	await sync.run(left, call('trigger'));
	await sync.run(short, call('trigger'));
	const dry = await sync.run(short, { mode: 'manual', ...dryRun });
	expect(actions(dry).at(-1)?.[2]).toBe('not removed yet: missing from 2 of 3 executions');
	await sync.run(short, { ...call('evaluation'), ...dryRun });
	expect(removed(await sync.run(short, call('trigger')))).toEqual([]);
	expect(removed(await sync.run(short, call('trigger')))).toEqual([address('a')]);
});

test('whom a manual execution adds by calling the workflow does not count as added', async () => {
	const sync = new ScheduledSync(given);
	await sync.run(short);
	const parent = { executionId: 'manual', mode: 'manual' as const };
	await sync.run(left, { mode: 'integrated', parent });
	for (let execution = 0; execution < 3; execution++) {
		expect(removed(await sync.run(short))).toEqual([]);
	}
	expect(emails()).toContain(address('a'));
});

test('a contact whose alternative email is in the input is not missing', async () => {
	const sync = new ScheduledSync(given);
	await sync.run(left);
	const { contacts } = given.account.state.tables;
	const contact = contacts.all().find(({ email }) => email === address('a'));
	contacts.change(contact as NonNullable<typeof contact>, { alt_email: address('new') });
	for (let execution = 0; execution < 3; execution++) {
		expect(removed(await sync.run([...short, ...people('new')]))).toEqual([]);
	}
});

test.each([
	['an invisible character', '\u200b', null],
	['a text that is also the alternative email of contacts', 'n/a', 'n/a'],
])('an item whose email is %s names none of the contacts', async (_, email, other) => {
	const sync = new ScheduledSync(given, { options: removal({ removeAfter: 1 }) });
	await sync.run(left);
	const { contacts } = given.account.state.tables;
	for (const contact of contacts.all()) contacts.change(contact, { alt_email: other });
	const outcome = await sync.run([...short, { ...left[1], email }], {
		node: { onError: 'continueErrorOutput' },
	});
	expect(removed(outcome)).toEqual([address('a')]);
});

test('a node that takes over the name of another one does not know whom that added', async () => {
	const sync = new ScheduledSync(given);
	await sync.run(left);
	await sync.run(left);
	const other = new ScheduledSync(given);
	other.staticData = sync.staticData;
	for (let execution = 0; execution < 3; execution++) {
		expect(removed(await other.run(short))).toEqual([]);
	}
});

test('after an execution that failed, a further try of the node removes no more people than the first', async () => {
	const sync = new ScheduledSync(given);
	await sync.run(left);
	await sync.run(short);
	await failToRead(sync, left);
	const match = { method: 'GET', path: '/contacts/list' };
	given.account.state.faults.add({ kind: 'status', status: 500, match, times: 1 });
	const outcome = await sync.run(short, {
		parameters: { options: { retryTemporaryFailures: false } },
		node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});
	expect(removed(outcome)).toEqual([]);
	expect(removed(await sync.run(short))).toEqual([address('a')]);
});

test('nor does a try after one that had no credential yet', async () => {
	const sync = new ScheduledSync(given);
	await sync.run(left);
	await sync.run(short);
	await failToRead(sync, left);
	let reads = 0;
	const { baseUrl } = given.account.sandbox;
	const credential = {
		...keys,
		get baseUrl() {
			return reads++ === 0 ? '' : baseUrl;
		},
	};
	const outcome = await sync.run(short, {
		credential,
		node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});
	expect(removed(outcome)).toEqual([]);
	expect(removed(await sync.run(short))).toEqual([address('a')]);
});

test('what the first try of the node did is told if the second one cannot read a list', async () => {
	const { account } = given;
	const match = { method: 'GET', path: '/contacts/list' };
	// The first try reads it before and after its writes.
	account.state.faults.add({ kind: 'status', status: 403, match, skip: 2, times: 9 });
	const outcome = await account.run(
		{ operation: 'sync' },
		[{ email: 'nobody' }, { email: address('a'), country: 'Germany' }],
		{ onError: 'continueErrorOutput', retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	);
	expect(actions(outcome).map(([action]) => action)).toEqual(['created']);
	expect(outcome.failed).toHaveLength(1);
	expect(outcome.notes.join()).toContain(
		'n8n ran this node again, and that run failed: The service denied access (HTTP 403). The output is from the earlier run.',
	);
});

test('an execution whose second try succeeds counts', async () => {
	const sync = new ScheduledSync(given);
	await sync.run(left);
	await sync.run(short);
	const match = { method: 'GET', path: '/contacts/list' };
	given.account.state.faults.add({ kind: 'status', status: 400, match });
	const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	expect(removed(await sync.run(short, { node }))).toEqual([address('a')]);
});

test('executions that n8n does not save do not count', async () => {
	const sync = new ScheduledSync(given);
	await sync.run(left);
	for (const mode of ['manual', 'retry', 'manual'] as const) {
		const outcome = await sync.run(short, { mode });
		expect(removed(outcome)).toEqual([]);
		expect(outcome.notes.join()).toMatch(
			/because (manual executions remove nobody|this execution is a retry)/,
		);
	}
	const dry = await sync.run(short, { mode: 'manual', parameters: { dryRun: true } });
	expect(actions(dry).at(-1)?.[2]).toMatch(/^not removed yet/);
	const called = { executionId: 'c', parent: { executionId: 'p', mode: 'manual' as const } };
	expect(removed(await sync.run(short, { mode: 'integrated', ...called }))).toEqual([]);
	expect(removed(await sync.run(short))).toEqual([]);
	expect(removed(await sync.run(short))).toEqual([address('a')]);
});

test('an execution that others have overtaken removes nobody', async () => {
	const sync = new ScheduledSync(given);
	await sync.run(left);
	await sync.run(left, { executionId: 'slow' });
	await sync.run(left);
	const late = await sync.run(short, { executionId: 'slow' });
	expect(removed(late)).toEqual([]);
	expect(removed(await sync.run(left))).toEqual([]);
});

test('an execution that n8n tries again after a later one removes nobody', async () => {
	const sync = new ScheduledSync(given, { options: removal({ removeAfter: 1 }) });
	await sync.run(short, { executionId: '900001' });
	await sync.run(left, { executionId: '900003' });
	expect(removed(await sync.run(short, { executionId: '900002' }))).toEqual([]);
	expect(removed(await sync.run(short, { executionId: '900004' }))).toEqual([address('a')]);
});

test.each(['is stopped by a limit', 'cannot read the list'])(
	'an execution that n8n tries again removes nobody, even if the later one %s',
	async (how) => {
		const sync = new ScheduledSync(given, { options: removal({ removeAfter: 1 }) });
		const isRead = how === 'is stopped by a limit';
		await sync.run(left, { executionId: '910001' });
		if (!isRead) {
			const match = { path: '/contacts/list' };
			given.account.state.faults.add({ kind: 'failed', errors: 'No', times: 9, match });
		}
		const options = { ...removal({ removeAfter: 1 }), ...limits({ maxFailurePercent: 1 }) };
		const later = [...left, { email: 'nobody' }];
		const { error } = await sync.attempt(later, { executionId: '910003', parameters: { options } });
		expect(error?.context.code).toBe(isRead ? 'too-many-failures' : 'request-rejected');
		given.account.state.faults.clear();
		expect(removed(await sync.run(short, { executionId: '910002' }))).toEqual([]);
	},
);

test.each<[string, IDataObject]>([
	['Delete', { missing: 'delete' }],
	['a move', { missing: 'moveToContactType', missingContactTypeId: 22 }],
])('"Execute Once" is refused with %s, before any request', async (_, parameters) => {
	const sync = new ScheduledSync(given, parameters);
	const { error } = await sync.attempt(left, { node: { executeOnce: true } });
	expect(error).toMatchObject({
		message:
			'"Execute Once" passes only the first item to this node, so everyone else would be missing from the input',
		description:
			'Turn off "Execute Once" in the settings of the node, or choose "Ignore" for "Missing From Input". Nothing was changed.',
	});
	expect(given.account.reads()).toEqual([]);
	const ignoring = await sync.run(left, {
		node: { executeOnce: true },
		parameters: { missing: 'ignore' },
	});
	expect(json(ignoring)).toHaveLength(1);
});

test('with several accounts, whoever is named is known only once all have been read', async () => {
	const credential = { ...keys, baseUrl: '={{ $json.account }}' };
	const sync = new ScheduledSync(given, {
		fields: { mappingMode: 'defineBelow', value: { email: '={{ $json.email }}', country: 'DE' } },
		options: { retryTemporaryFailures: false },
	});
	const of = ({ account }: { account: Account }, items: IDataObject[]) =>
		items.map((item) => ({ ...item, account: account.sandbox.baseUrl }));
	const both = (items: IDataObject[]) => [...of(second, people('x')), ...of(given, items)];
	second.account.state.tables.contacts.nextId = 3_000_000;
	await sync.run(both(left), { credential });
	await sync.run(both(short), { credential });
	const { faults } = second.account.state;
	faults.add({ kind: 'status', status: 500, match: { path: '/contacts/list' } });
	const { error } = await sync.attempt(both(left), { credential });
	expect(error?.context.code).toBe('service-unavailable');
	expect(removed(await sync.run(both(short), { credential }))).toEqual([]);
	expect(removed(await sync.run(both(short), { credential }))).toEqual([address('a')]);
});
