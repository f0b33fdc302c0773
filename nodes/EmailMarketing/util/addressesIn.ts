import { isAddress } from './email';

/** What stands around addresses in a cell, as in `Ada <ada@example.com>; mailto:bob@example.com`. */
const SEPARATORS = /[\s,;<>()[\]{}"|]+/;
/** Characters that may belong to an address, but usually do not. */
const EDGES = /[:/?&='`]+/;
const LINK = /^mailto:|\?.*$/gi;
const INVISIBLE = /\p{Cf}+/gu;

/**
 * Everything in a text that may be an address, in several readings where it could be read in more than one way. For
 * finding known addresses: a reading that is no address of anybody does no harm.
 */
export function addressesIn(text: string): string[] {
	if (!text.includes('@')) return [];
	const words = text.replace(INVISIBLE, '').split(SEPARATORS);
	const readings = words
		.flatMap((word) => [word, word.replace(LINK, ''), ...word.split(EDGES)])
		.flatMap((word) => [word, word.replace(/^[.]+|[.]+$/g, '')]);
	return [...new Set(readings)].filter(isAddress);
}

/** One address and nothing else, which is what almost all texts are that should be one. */
const ONE_ADDRESS = /^[\w+-][\w.+-]*@[\w.-]*[\w-]$/;

/** Everything that a text which should be an address may stand for: itself, and all addresses in it. */
export function readingsOf(text: string): string[] {
	const trimmed = text.trim();
	return ONE_ADDRESS.test(trimmed) ? [trimmed] : [trimmed, ...addressesIn(trimmed)];
}
