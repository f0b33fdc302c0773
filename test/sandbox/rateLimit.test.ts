import { RateLimit } from '../../sandbox/rateLimit.ts';

test('a window lasts for a second from its first request', () => {
	const limit = new RateLimit();
	const at = (...times: number[]) => times.map((now) => limit.secondsToWait(2, now));
	expect(at(0, 300, 400, 999.5)).toEqual([undefined, undefined, 1, 1]);
	expect(at(1700, 2000, 2600, 2699)).toEqual([undefined, undefined, 1, 1]);
	expect(at(2700)).toEqual([undefined]);
});
