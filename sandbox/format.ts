import { createHash } from 'node:crypto';

export const NO_DATE = '0000-00-00';
export const NO_TIME = '00:00:00';

/** `2025-03-04T05:06:07.000000Z`: whole seconds, so records made in one second share their time. */
export const isoMicros = (ms: number): string =>
	`${new Date(ms).toISOString().slice(0, 19)}.000000Z`;

/** `2025-03-04 05:06:07`, the form of sent_at, live_at and send_at. */
export const dateTime = (ms: number): string =>
	new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The same text always gives the same UUID. */
export function uuidFrom(text: string): string {
	const hex = hash(text);
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		`4${hex.slice(13, 16)}`,
		`a${hex.slice(17, 20)}`,
		hex.slice(20, 32),
	].join('-');
}

export const shortToken = (text: string, length = 14): string =>
	BigInt(`0x${hash(text)}`)
		.toString(36)
		.slice(0, length);

export const digits = (text: string, length = 10): string =>
	`1${BigInt(`0x${hash(text)}`)
		.toString()
		.slice(0, length - 1)}`;

/** A repeatable source of numbers from 0 up to 1. */
export function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}
