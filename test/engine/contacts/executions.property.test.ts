import fc from 'fast-check';

import { address, people, removed, ScheduledSync } from './scheduledSync';
import type { Outcome } from '../engine';
import { useAccount } from './support';

const given = useAccount();

const names = ['ann', 'bob', 'cid', 'dan'];
const input = fc.subarray(names);

/** An execution in which the node runs once or several times, with the people that each of its inputs names. */
const execution = fc.record({
	kind: fc.constantFrom('once', 'branches', 'loop', 'call', 'manual', 'retry'),
	inputs: fc.array(input, { minLength: 1, maxLength: 3 }),
});
type OneExecution = typeof execution extends fc.Arbitrary<infer T> ? T : never;

async function start(sync: ScheduledSync, { kind, inputs }: OneExecution): Promise<Outcome[]> {
	// A run in which no item identifies anybody is refused.
	const items = inputs.map((one) => people(...one, 'eve'));
	switch (kind) {
		case 'once':
			return [await sync.run(items[0] ?? [])];
		case 'manual':
		case 'retry':
			return [await sync.run(items[0] ?? [], { mode: kind })];
		case 'call':
			return await sync.runEach('calls', items.slice(0, 1));
		default:
			return await sync.runEach(kind as 'branches' | 'loop', items);
	}
}

const namedIn = ({ kind, inputs }: OneExecution) =>
	['branches', 'loop'].includes(kind) ? inputs.flat() : (inputs[0] ?? []);

it('a removal needs its person missing from every run since the execution before the last one', async () => {
	let removals = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(execution, { minLength: 2, maxLength: 6 }), async (executions) => {
			given.account.reset();
			const sync = new ScheduledSync(given);
			await sync.run(people(...names, 'eve'));
			let before = new Set(names);
			for (const one of executions) {
				const outcomes = await start(sync, one);
				const gone = removed(...outcomes).map(String);
				removals += gone.length;
				const now = new Set(namedIn(one));
				const mayRemove = ['once', 'branches', 'call'].includes(one.kind);
				if (!mayRemove) expect([one.kind, gone]).toEqual([one.kind, []]);
				const mayGo = names.filter((name) => !before.has(name) && !now.has(name)).map(address);
				expect(gone.filter((email) => !mayGo.includes(email))).toEqual([]);
				if (one.kind !== 'manual' && one.kind !== 'retry') before = now;
			}
		}),
		{ numRuns: 14 },
	);
	expect(removals).toBeGreaterThan(0);
});
