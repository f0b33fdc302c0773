import { Cancelled } from '../../nodes/EmailMarketing/util/pool';
import { withLock } from '../../nodes/EmailMarketing/util/mutex';

/** Work that ends when it is told to. */
function work() {
	let end = () => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	const begun = jest.fn(async () => await ended);
	return { begun, end: () => end() };
}

/** Until nothing is left to be done. */
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

test('each run begins when the one before has ended, well or not', async () => {
	const [first, second, third] = [work(), work(), work()];
	const order: number[] = [];
	const runs = [first, second, third].map(
		async (one, index) =>
			await withLock('a', undefined, async () => {
				await one.begun();
				order.push(index);
				if (index === 0) throw new Error('broken');
				return index;
			}),
	);
	const outcomes = Promise.allSettled(runs);
	third.end();
	second.end();
	await settled();
	expect([first, second, third].map(({ begun }) => begun.mock.calls.length)).toEqual([1, 0, 0]);
	first.end();
	expect(await outcomes).toEqual([
		{ status: 'rejected', reason: new Error('broken') },
		{ status: 'fulfilled', value: 1 },
		{ status: 'fulfilled', value: 2 },
	]);
	expect(order).toEqual([0, 1, 2]);
});

test('other queues, and a queue that has emptied, are free', async () => {
	const first = work();
	const running = withLock('a', undefined, first.begun);
	await expect(withLock('b', undefined, async () => 'b')).resolves.toBe('b');
	first.end();
	await running;
	await expect(withLock('a', undefined, async () => 'a')).resolves.toBe('a');
});

test.each(['while it waits', 'before'])('a run cancelled %s leaves the queue', async (when) => {
	const first = work();
	const running = withLock('a', undefined, first.begun);
	const cancelling = new AbortController();
	if (when === 'before') cancelling.abort();
	const second = work();
	const cancelled = withLock('a', cancelling.signal, second.begun);
	const third = work();
	const last = withLock('a', new AbortController().signal, third.begun);
	cancelling.abort();
	await expect(cancelled).rejects.toThrow(Cancelled);
	await settled();
	expect(third.begun).not.toHaveBeenCalled();
	first.end();
	third.end();
	await Promise.all([running, last]);
	expect(second.begun).not.toHaveBeenCalled();
	expect(third.begun).toHaveBeenCalledTimes(1);
});

test('a run that comes after a canceled one still waits for the first', async () => {
	const [first, third] = [work(), work()];
	const running = withLock('a', undefined, first.begun);
	const canceling = new AbortController();
	const canceled = withLock('a', canceling.signal, async () => undefined);
	canceling.abort();
	await expect(canceled).rejects.toThrow(Cancelled);
	const last = withLock('a', undefined, third.begun);
	await settled();
	expect(third.begun).not.toHaveBeenCalled();
	first.end();
	third.end();
	await Promise.all([running, last]);
});
