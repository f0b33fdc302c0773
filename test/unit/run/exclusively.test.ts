import { exclusively } from '../../../nodes/EmailMarketing/run/writer/exclusively';
import type { RunContext } from '../../../nodes/EmailMarketing/run/runContext';

const runOf = (service: string) => ({ service, signal: undefined }) as unknown as RunContext;

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
])('runs of %s', async (_what, first, second, isInTurn) => {
	const log = await orderOf(first, second);
	expect([...log].sort()).toEqual([...inTurn].sort());
	expect(log.join() === inTurn.join()).toBe(isInTurn);
});
