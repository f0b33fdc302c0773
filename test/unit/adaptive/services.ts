import type { Behaviour, Decision } from './simulation';

/** Numbers from 0 to 1 that look random, the same for each seed. */
export function randomOf(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Takes the same time for each request. */
export const constant =
	(ms: number): Behaviour =>
	() => ({ ms, status: 200 });

/** Refuses whatever comes above so many requests at a time. */
export const atMost =
	(capacity: number, ms: number, refused: Omit<Decision, 'ms'> = { status: 503 }): Behaviour =>
	({ inService }) =>
		inService > capacity ? { ms: Math.min(5, ms), ...refused } : { ms, status: 200 };

/** So many servers with one queue, as in M/M/c: what comes above waits. */
export function queueing(servers: number, meanMs: number, seed?: number): Behaviour {
	const next = seed === undefined ? undefined : randomOf(seed);
	const freeAt = new Array<number>(servers).fill(0);
	return ({ now }) => {
		const first = freeAt.indexOf(Math.min(...freeAt));
		const ms = next ? -meanMs * Math.log(1 - next()) : meanMs;
		const end = Math.max(now, freeAt[first] ?? 0) + ms;
		freeAt[first] = end;
		return { ms: end - now, status: 200 };
	};
}

export interface RateLimit {
	/** Requests in the window. */
	count: number;
	windowMs: number;
	ms: number;
	tellsPause: boolean;
}

const refusal = (waitMs: number, { ms, tellsPause }: RateLimit) => ({
	ms: Math.min(5, ms),
	status: 429,
	...(tellsPause && { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) }),
});

/** Windows follow each other; the first begins so long before the first request. */
export function fixedWindows(limit: RateLimit, begunMs = 0): Behaviour {
	let [window, accepted] = [-1, 0];
	let first: number | undefined;
	return ({ now }) => {
		first ??= now - begunMs;
		const current = Math.floor((now - first) / limit.windowMs);
		if (current !== window) [window, accepted] = [current, 0];
		const endsAt = first + (current + 1) * limit.windowMs;
		if (accepted >= limit.count) return refusal(endsAt - now, limit);
		accepted++;
		return { ms: limit.ms, status: 200 };
	};
}

/** A window opens with the first request after the last one ended. */
export function slidingWindow(limit: RateLimit): Behaviour {
	const taken: number[] = [];
	return ({ now }) => {
		while (taken.length > 0 && (taken[0] as number) <= now - limit.windowMs) taken.shift();
		if (taken.length >= limit.count) {
			return refusal((taken[0] as number) + limit.windowMs - now, limit);
		}
		taken.push(now);
		return { ms: limit.ms, status: 200 };
	};
}

/** A service of which some requests, at random, end otherwise. */
export function sometimes(
	share: number,
	other: Decision,
	service: Behaviour,
	seed: number,
): Behaviour {
	const next = randomOf(seed);
	return (arrival) => (next() < share ? other : service(arrival));
}

/** Response times that rise and fall again within so many milliseconds, by up to twice. */
export const drifting =
	(ms: number, periodMs: number): Behaviour =>
	({ now }) => ({ ms: ms * (1.5 + Math.sin((2 * Math.PI * now) / periodMs) / 2), status: 200 });

/** As many tokens as a bucket holds, and so many more in a second. */
export function bucket(size: number, perSecond: number, ms: number): Behaviour {
	let [tokens, at] = [size, 0];
	return ({ now }) => {
		tokens = Math.min(size, tokens + ((now - at) / 1000) * perSecond);
		at = now;
		if (tokens < 1) {
			const waitMs = ((1 - tokens) / perSecond) * 1000;
			return refusal(waitMs, { count: size, windowMs: 1000, ms, tellsPause: true });
		}
		tokens--;
		return { ms, status: 200 };
	};
}
