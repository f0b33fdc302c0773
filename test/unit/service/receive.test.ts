import type { Deadline } from '../../../nodes/EmailMarketing/service/deadline';
import { isStream, receive, TooLong } from '../../../nodes/EmailMarketing/service/deadline';

/** Counts what is done to it. */
function countingDeadline() {
	const counts = { restarts: 0, ends: 0 };
	const deadline = { restart: () => counts.restarts++, end: () => counts.ends++ };
	return { counts, deadline: deadline as unknown as Deadline };
}

async function* chunksOf(...lengths: number[]): AsyncIterable<Uint8Array> {
	for (const [index, length] of lengths.entries()) yield Buffer.alloc(length, `${index}`);
}

async function received(maxBytes: number, ...lengths: number[]) {
	const { counts, deadline } = countingDeadline();
	const result = await receive(chunksOf(...lengths), maxBytes, deadline).catch(
		(error: unknown) => error,
	);
	return { result, ...counts };
}

it('a body is the chunks one after the other', async () => {
	expect(await received(6, 2, 1, 3)).toEqual({
		result: Buffer.from('001222'),
		restarts: 1,
		ends: 0,
	});
});

it('a body that is longer than it may be is not received to its end', async () => {
	const { result, ...counts } = await received(5, 3, 3, 3);
	expect(result).toBeInstanceOf(TooLong);
	expect(counts).toEqual({ restarts: 1, ends: 1 });
});

it.each([
	['no byte', [], 1],
	['less than a megabyte', [400_000, 599_999], 1],
	['a megabyte', [400_000, 600_000], 2],
	['a megabyte that is complete only with the third chunk', [400_000, 400_000, 400_000], 2],
	['two megabytes', [1_000_000, 999_999, 1], 3],
	['many small chunks after a megabyte', [1_000_000, 10, 10, 10, 10], 2],
])('the time of a body begins with its headers and with each megabyte: %s', async (...given) => {
	const [, lengths, restarts] = given;
	expect((await received(9_000_000, ...lengths)).restarts).toBe(restarts);
});

it.each([
	['chunks that arrive in time', chunksOf(1), true],
	['a text', 'a', false],
	['a list', ['a'], false],
	['an object', { a: 1 }, false],
	['bytes', Buffer.from('a'), false],
	['null', null, false],
	['nothing', undefined, false],
	['a function that has what a stream has', Object.assign(() => 0, chunksOf(1)), false],
])('%s: whether it is a stream', (_what, body, expected) => {
	expect(isStream(body)).toBe(expected);
});
