import { isDeepStrictEqual } from 'node:util';

/** Jest's own comparison costs as much as a request does, and is left to what differs: for its message. */
export function expectEqual(given: unknown, wanted: unknown): void {
	if (!isDeepStrictEqual(given, wanted)) expect(given).toEqual(wanted);
}

/** Fails unless there is none. */
export function expectNone(given: unknown[]): void {
	if (given.length > 0) expect(given).toEqual([]);
}
