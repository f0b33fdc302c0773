import { exclusively } from '../../../nodes/EmailMarketing/run/exclusively';
import type { RunContext } from '../../../nodes/EmailMarketing/run/runContext';

const runOf = (...baseUrls: string[]) => ({ baseUrls, signal: undefined }) as unknown as RunContext;

/** Starts two runs at once, and says what happens in which order. */
async function orderOf(first: RunContext, second: RunContext, lists = ['contacts', 'types']) {
	const log: string[] = [];
	const work = (name: string) => async () => {
		log.push(`${name} begins`);
		await new Promise((resolve) => setImmediate(resolve));
		log.push(`${name} ends`);
	};
	await Promise.all([
		exclusively(first, lists, work('first')),
		exclusively(second, [...lists].reverse(), work('second')),
	]);
	return log;
}

const inTurn = ['first begins', 'first ends', 'second begins', 'second ends'];

it.each([
	['one account', runOf('a'), runOf('a'), true],
	['different accounts', runOf('a'), runOf('b'), false],
	['accounts of which they share one', runOf('a', 'b'), runOf('c', 'b'), true],
	['the same accounts in another order', runOf('a', 'b'), runOf('b', 'a'), true],
])('runs of %s', async (_what, first, second, isInTurn) => {
	const log = await orderOf(first, second);
	expect([...log].sort()).toEqual([...inTurn].sort());
	expect(log.join() === inTurn.join()).toBe(isInTurn);
});
