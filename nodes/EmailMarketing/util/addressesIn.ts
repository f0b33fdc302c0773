import {
	addressKey,
	isAddress,
	keyboardAddress,
	spellingKey,
	usualAddress,
	visibleAddress,
} from './email';

/** An @ in any width: no other character becomes one in the key of an address. */
export const AT = /[@\ufe6b\uff20]/;

/** The characters around addresses in a cell, as in `Ada <ada@example.com>; mailto:bob@example.com`. */
const SEPARATORS = /[\s,;<>()[\]{}"|]+/;
/** What may belong to an address, but usually does not, such as bullets and the quotes of word processors. */
const EDGES = /(?:[:/?&='`]|%[\dA-Fa-f]{2}|(?![ -~])[\p{P}\p{S}])+/u;
// What ends in $ begins only where nothing like it stands before: tried everywhere, a long text would take hours.
const LINK = /^mailto:|(?<!\?.*?)\?\S*$/gi;
const DOTS = /^[.]+|(?<![.])[.]+$/g;

/**
 * A text in which symbols stay symbols: alone, `¹` and `™` would be read as letters and digits, which may belong to an
 * address, and `…`, with which a text has been cut, as the end of a sentence.
 */
export const readable = (text: string): string =>
	visibleAddress(
		text.replace(/(?![ -~])[…\p{S}\p{No}]/gu, (symbol) =>
			/^[!-/:-@[-`{-~]$/.test(symbol.normalize('NFKC')) ? symbol : '•',
		),
	);

const wordsOf = (text: string) => readable(text).split(SEPARATORS);

/**
 * Letters, digits, dots and hyphens of any script; before a dot, also what a domain may have between letters:
 * `paral·lel.cat`, `日本・語.jp` and `my_host.example.com`.
 */
const NAME = String.raw`(?:(?:[\p{L}\p{M}\p{N}-]|(?<=[\p{L}\p{M}\p{N}])[_·・](?=[\p{L}\p{M}\p{N}]))*[.。])*[\p{L}\p{M}\p{N}-]*(?<=[\p{L}\p{M}\p{N}])`;

/** The letters at the beginning that may be a domain: `_` and the like may be around it, or be a part of it. */
const DOMAIN_AHEAD = /^[\p{L}\p{M}\p{N}.。-]*[\p{L}\p{M}\p{N}]/u;
const NAME_AHEAD = new RegExp(`^${NAME}`, 'u');

/** The addresses in a word, without symbols before or after them: `*ada@example.com!` has ada@example.com. */
function trimmedIn(word: string): string[] {
	const parts = word.split('@');
	return parts.slice(1).flatMap((rest, index) => {
		const domains = [DOMAIN_AHEAD, NAME_AHEAD].flatMap((ahead) => ahead.exec(rest)?.[0] ?? []);
		const before = parts[index] ?? '';
		// Of several addresses, this one begins after the domain of the one before it.
		const locals = [before, index === 0 ? before : before.replace(DOMAIN_AHEAD, '')];
		return [...new Set(domains)].flatMap((domain) =>
			locals.flatMap((local) => [
				`${local.replace(/^[^\p{L}\p{N}_+-]+/u, '')}@${domain}`,
				`${local.replace(/^[^\p{L}\p{N}]+/u, '')}@${domain}`,
			]),
		);
	});
}

/**
 * Everything in a text that may be an address, in several readings where it could be read in more than one way. Used to
 * find known addresses, so a wrong reading does no harm.
 */
export function addressesIn(text: string): string[] {
	if (!AT.test(text)) return [];
	const words = wordsOf(text).filter((word) => word.includes('@'));
	const parts = words.flatMap((word) => [word, word.replace(LINK, ''), ...word.split(EDGES)]);
	const readings = [...new Set(parts)].flatMap((part) => [
		...[part, part.replace(DOTS, '')],
		...trimmedIn(part),
	]);
	return [...new Set(readings)].filter(isAddress);
}

/** A text that is one address and nothing else, as almost all are; o'brien@example.com is nobody named brien. */
const ONE_ADDRESS = /^[A-Za-z\d][\w.+'&-]*@(?:[A-Za-z\d-]+\.)+[A-Za-z\d-]*[A-Za-z\d]$/;

/** The numbers of a computer. */
const LITERAL = String.raw`\[(?:[\d.]+|IPv6:[\dA-Fa-f:.]+)\]`;
/** With a dot, as all domains on the internet have: `ada@example` and `undefined@undefined` are remnants of others. */
const DOMAIN = String.raw`(?:(?:[\p{L}\p{M}\p{N}-]+[.。])+[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}]|${LITERAL})`;
/** Letters and digits of any script, and the symbols of RFC 5322. */
const LOCAL = String.raw`[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_\x60{}~-]`;
/** An address alone. In practice, none begins with a symbol: bullets and the like belong to the text around it. */
const PLAIN = new RegExp(String.raw`^[\p{L}\p{N}_]${LOCAL}*@${DOMAIN}$`, 'u');
/** The part before the @ is in quotes, which spaces and some other characters in it require. */
const QUOTED = new RegExp(`^"[^"]+"@${DOMAIN}$`, 'u');
const IN_BRACKETS = /^([^<>]*)<([^<>]*)>[\s,;.]*$/;
const WRAPPING =
	/^[\s'"`(,;\p{Pi}\p{Pf}\u201a\u201e]+|(?<![\s'"`),;.\p{Pi}\p{Pf}])[\s'"`),;.\p{Pi}\p{Pf}]+$/gu;

/**
 * The one address that a text is, in its usual form and without what usually stands around it: `Ada <ada@example.com>` is
 * ada@example.com, and so is `ａｄａ@example。com`. A service may compare nothing but exact texts, so this form is sent.
 *
 * @returns undefined if there is none, or possibly more than one
 */
export function clearAddress(text: string): string | undefined {
	if (ONE_ADDRESS.test(text)) return isAddress(text) ? text : undefined;
	const visible = readable(text);
	const [, name = '', inner = visible] = IN_BRACKETS.exec(visible) ?? [];
	const address = QUOTED.test(inner)
		? usualAddress(inner)
		: usualAddress(inner.replace(WRAPPING, '').replace(LINK, '')).replace(WRAPPING, '');
	if (!(PLAIN.test(address) || QUOTED.test(address)) || !isAddress(address)) return undefined;
	// The query of a link may have further addresses.
	const query = /\?.*$/s.exec(inner)?.[0] ?? '';
	const others = [...addressesIn(name), ...addressesIn(query)];
	return others.every((other) => addressKey(other) === addressKey(address)) ? address : undefined;
}

/** A domain as it may be stored: possibly without a dot, or with the characters that `NAME` allows between letters. */
const STORED_DOMAIN = `(?:${NAME}|${LITERAL})`;
/** The apostrophes of word processors, and middle dots. */
const BETWEEN_LETTERS = String.raw`(?<=[\p{L}\p{N}])[’‘ʼ′·](?=[\p{L}\p{N}])`;
/** An address that may begin as a phone number does. */
const WORD = new RegExp(
	String.raw`^(?:\+(?=\d))?[\p{L}\p{N}_](?:${LOCAL}|${BETWEEN_LETTERS})*@${STORED_DOMAIN}$`,
	'u',
);

/**
 * The same for somebody whom the service may list already, to find them or to keep them off lists. It has stored
 * addresses with rare characters, such as `o’brien@example.com`: they are no reason to refuse an unsubscribe.
 *
 * @returns undefined for a text that may have more than an address, as `ada@example.com*` has
 */
export function knownAddress(text: string): string | undefined {
	const address = clearAddress(text);
	if (address !== undefined) return address;
	const word = usualAddress(readable(text));
	const domain = word.slice(word.lastIndexOf('@') + 1);
	const [ahead = ''] = DOMAIN_AHEAD.exec(domain) ?? [];
	// Otherwise, the rest may be another text: `ada@example.com_www.example.com`.
	const isOne = ahead === domain || !ahead.includes('.');
	return WORD.test(word) && isOne && isAddress(word) ? word : undefined;
}

/** One word with an @ and a domain, which begins as an address does. */
const STORED = new RegExp(
	String.raw`^[\p{L}\p{N}_+-][^\s,;:<>()[\]{}"|\\@•]*@${STORED_DOMAIN}$`,
	'u',
);

/**
 * The same for the whole text of a field in which the service has an address, or for one that is looked up there: to
 * unsubscribe `Ada–ada@example.com` may be a mistake, but somebody with this address is found and erased.
 */
export function storedAddress(text: string): string | undefined {
	const word = text.trim();
	return (
		knownAddress(text) ??
		(STORED.test(usualAddress(readable(word))) && isAddress(word) ? word : undefined)
	);
}

/** The address to send for a contact, without what stands around it. */
export const addressToSend = (text: string): string => knownAddress(text) ?? text.trim();

/** Without spellings that are certainly one address to the service. */
const distinct = (spellings: readonly string[]): string[] => [
	...new Map(spellings.map((one) => [spellingKey(one), one])).values(),
];

/**
 * The same, to keep somebody off lists: with keyboard characters, in the usual form, and as the service has it. One that
 * compares exact texts would email a contact despite an unsubscribe in another spelling.
 */
export function spellingsToSend(stored: string): string[] {
	const usual = addressToSend(stored);
	const spellings = [keyboardAddress(usual), usual, stored.trim()].filter(
		(one) => one === usual || (isAddress(one) && addressKey(one) === addressKey(usual)),
	);
	return distinct(spellings);
}

/** The same for several addresses, each once: the service may refuse all of them if it gets one twice. */
export const allSpellingsToSend = (stored: readonly string[]): string[] =>
	distinct(stored.flatMap(spellingsToSend));

/** Whether a text is an address alone: a service may match nobody by an entry with more than that. */
export const isAddressAlone = (text: string): boolean =>
	spellingKey(knownAddress(text) ?? '') === spellingKey(text);

/** The keys of all addresses that a text may stand for: `Ada <ada@example.com>` may mean ada@example.com. */
export const keysIn = (text: string): string[] => readingsOf(text).map(addressKey);

/**
 * The addresses of the people that a stored text is about. One that is an address alone is nobody else's, although it may
 * be read as another: `_ada@example.com` is not ada@example.com.
 */
export function addressesOf(text: string): string[] {
	const address = knownAddress(text);
	return address === undefined ? readingsOf(text) : [address];
}

/**
 * Everything that a text which should be an address may stand for: itself, and all addresses in it. For keeping people
 * off lists, or on them, where a wrong reading does no harm.
 */
export function readingsOf(text: string): string[] {
	const trimmed = text.trim();
	return ONE_ADDRESS.test(trimmed) ? [trimmed] : [trimmed, ...addressesIn(trimmed)];
}
