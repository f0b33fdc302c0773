import { addressKey, isAddress, spellingKey, visibleAddress } from './email';

/** An @ in any width: no other character becomes one in the key of an address. */
export const AT = /[@\ufe6b\uff20]/;

/** The characters around addresses in a cell, as in `Ada <ada@example.com>; mailto:bob@example.com`. */
const SEPARATORS = /[\s,;<>()[\]{}"|]+/;
/** Characters that may belong to an address, but usually do not, such as the quotes of word processors. */
const EDGES = /[:/?&='`\p{Pi}\p{Pf}\u201a\u201e]+/u;
// What ends in $ begins only where nothing like it stands before: tried everywhere, a long text would take hours.
const LINK = /^mailto:|(?<!\?.*?)\?.*$/gi;
const DOTS = /^[.]+|(?<![.])[.]+$/g;
const INVISIBLE = /\p{Cf}+/gu;

const wordsOf = (text: string) => text.normalize('NFKC').replace(INVISIBLE, '').split(SEPARATORS);

/**
 * Everything in a text that may be an address, in several readings where it could be read in more than one way. Used to
 * find known addresses, so a wrong reading does no harm.
 */
export function addressesIn(text: string): string[] {
	if (!AT.test(text)) return [];
	const readings = wordsOf(text)
		.flatMap((word) => [word, word.replace(LINK, ''), ...word.split(EDGES)])
		.flatMap((word) => [word, word.replace(DOTS, '')]);
	return [...new Set(readings)].filter(isAddress);
}

/** Whether a text may name somebody whom `addressesIn` cannot read; "n/a" and "none" name nobody. */
export function isPartlyUnread(text: string): boolean {
	const words = wordsOf(text).filter((word) => word.includes('@'));
	if (words.length === 0) return /\S\.\S/.test(text);
	return words.some((word) => addressesIn(word).length === 0);
}

/** A text that is one address and nothing else, as almost all are; o'brien@example.com is nobody named brien. */
const ONE_ADDRESS = /^[\w+-][\w.+'&-]*@[\w.-]*[\w-]$/;

/** An address alone, with nothing that usually stands around one. */
const PLAIN =
	/^[^\s<>(),;:"|@'`=?&/.][^\s<>(),;:"|@]*@(?:\[[^\s@\]]+\]|[^\s<>()[\],;:"|@'`=?&/]+)$/;
/** The part before the @ is in quotes, which spaces and some other characters in it require. */
const QUOTED = /^"[^"]+"@[^\s@<>,;]+$/;
const IN_BRACKETS = /^([^<>]*)<([^<>]*)>[\s,;.]*$/;
const WRAPPING =
	/^[\s'"`(,;\p{Pi}\p{Pf}\u201a\u201e]+|(?<![\s'"`),;.\p{Pi}\p{Pf}])[\s'"`),;.\p{Pi}\p{Pf}]+$/gu;

/**
 * The one address that a text is, without what usually stands around it: `Ada <ada@example.com>` is ada@example.com.
 *
 * @returns undefined if there is none, or possibly more than one
 */
export function clearAddress(text: string): string | undefined {
	const visible = visibleAddress(text);
	const [, name = '', inner = visible] = IN_BRACKETS.exec(visible) ?? [];
	const address = QUOTED.test(inner)
		? inner
		: inner.replace(WRAPPING, '').replace(LINK, '').replace(WRAPPING, '');
	if (!(PLAIN.test(address) || QUOTED.test(address)) || !isAddress(address)) return undefined;
	const isNamed = addressesIn(name).every((other) => addressKey(other) === addressKey(address));
	return isNamed ? address : undefined;
}

/** The address to send for a contact, without what stands around it. */
export const addressToSend = (text: string): string => clearAddress(text) ?? text.trim();

/** Whether a text is an address alone: a service may match nobody by an entry with more than that. */
export const isAddressAlone = (text: string): boolean =>
	spellingKey(clearAddress(text) ?? '') === spellingKey(text);

/** The keys of all addresses that a text may stand for: `Ada <ada@example.com>` may mean ada@example.com. */
export const keysIn = (text: string): string[] => readingsOf(text).map(addressKey);

/** Everything that a text which should be an address may stand for: itself, and all addresses in it. */
export function readingsOf(text: string): string[] {
	const trimmed = text.trim();
	return ONE_ADDRESS.test(trimmed) ? [trimmed] : [trimmed, ...addressesIn(trimmed)];
}
