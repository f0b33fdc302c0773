import {
	addressKey,
	hasDottedDomain,
	isAddress,
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
const LINK = /^mailto:|(?<!\?.*?)\?.*$/gi;
const DOTS = /^[.]+|(?<![.])[.]+$/g;

/**
 * A text in which symbols stay symbols: alone, `¹` and `™` would be read as letters and digits, which may belong to an
 * address, and `…`, with which a text has been cut, as the end of a sentence.
 */
const readable = (text: string): string =>
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
const ONE_ADDRESS = /^[\w+-][\w.+'&-]*@[A-Za-z\d.-]*[A-Za-z\d]$/;

/** The numbers of a computer. */
const LITERAL = String.raw`\[(?:[\d.]+|IPv6:[\dA-Fa-f:.]+)\]`;
const DOMAIN = String.raw`(?:[\p{L}\p{M}\p{N}.。-]*[\p{L}\p{M}\p{N}]|${LITERAL})`;
/**
 * An address alone. It has letters and digits of any script, and the symbols of RFC 5322, with which none begins in
 * practice: bullets and the like belong to the text around it.
 */
const PLAIN = new RegExp(
	String.raw`^[\p{L}\p{N}_+-][\p{L}\p{M}\p{N}.!#$%&'*+/=?^_\x60{}~-]*@${DOMAIN}$`,
	'u',
);
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
	const isNamed = addressesIn(name).every((other) => addressKey(other) === addressKey(address));
	return isNamed ? address : undefined;
}

/** An address that may have an apostrophe of word processors, or a middle dot, between letters. */
const WORD = new RegExp(
	String.raw`^[\p{L}\p{N}_+-](?:[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_\x60{}~-]|(?<=[\p{L}\p{N}])[’‘ʼ·](?=[\p{L}\p{N}]))*@(?:${NAME}|${LITERAL})$`,
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
	return WORD.test(word) && isAddress(word) ? word : undefined;
}

/** What people and programs write where there is no address, in lower case, with spaces for dots, dashes and slashes. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
	...['none', 'no', 'n a', 'na', 'nan', 'nil', 'null', 'undefined', 'false', '0', 'x', 'xx', 'xxx'],
	...['nobody', 'unknown', 'missing', 'empty', 'blank', 'tba', 'tbc', 'tbd', 'pending'],
	...['available', 'applicable', 'provided', 'given', 'known', 'on file'].flatMap((why) => [
		`not ${why}`,
		`none ${why}`,
	]),
	...['k a', 'kein', 'keine', 'keiner', 'keine angabe', 'nein', 'leer', 'unbekannt'],
	...['nicht vorhanden', 'nicht bekannt', 'nicht angegeben'],
	...['aucun', 'aucune', 'inconnu', 'non renseigné', 'néant'],
	...['ninguno', 'ninguna', 'desconocido', 'no tiene', 'nessuno', 'nessuna', 'sconosciuto'],
	...['nenhum', 'nenhuma', 'desconhecido', 'geen', 'onbekend'],
	...[
		'no',
		'without',
		'kein',
		'keine',
		'ohne',
		'sans',
		'aucun',
		'sin',
		'senza',
		'sem',
		'geen',
	].flatMap((no) =>
		['email', 'e mail', 'mail'].flatMap((email) =>
			['', ' address', ' given', ' provided', ' available', ' on file', ' adresse', 'adresse'].map(
				(rest) => `${no} ${email}${rest}`,
			),
		),
	),
]);

/**
 * Whether a text stands for nobody: "none", "n/a", "(unknown)" and "-" do. An @ or a dot alone does not: the
 * parts around it, as in `{{ user }}@{{ domain }}`, may be missing.
 */
function isPlaceholder(text: string): boolean {
	if (!/[\p{L}\p{N}]/u.test(text)) return !/[@.。]/.test(text);
	// No placeholder is longer, so longer texts are not searched.
	if (text.length > 50) return false;
	const words = text.toLowerCase().replace(/^[\s"'()<>[\]{}-]+|[\s"'()<>[\]{}.-]+$/g, '');
	return PLACEHOLDERS.has(words.replace(/[\s./-]+/g, ' '));
}

/**
 * Words as in a name or a label, such as `email:`, and numbers. "at" and "dot" are part of an address:
 * `ada at example dot com`; and "object" is what a program makes of one.
 */
const isName = (word: string): boolean =>
	/^\d{1,3}[.)]?$/.test(word) ||
	(/^[\p{L}\p{M}'’-]+[.:]{0,2}$/u.test(word) && !/^(?:at|dot|punkt|object)$/i.test(word));

/**
 * What an entry of a cell has: nobody, words without an address, addresses that all are those of known people, an
 * address that can be read in one way only, or anything else.
 */
type EntryKind = 'nobody' | 'words' | 'known' | 'clear' | 'unread';

function kindOf(entry: string, isKnown: (address: string) => boolean): EntryKind {
	if (isPlaceholder(entry)) return 'nobody';
	const isClear = (text: string) => {
		const address = clearAddress(text);
		return address !== undefined && hasDottedDomain(address);
	};
	if (isClear(entry) && isKnown(clearAddress(entry) ?? '')) return 'known';
	const isOwn = (word: string) => word.split('@').length === 2 && addressesIn(word).some(isKnown);
	const words = entry
		.split(SEPARATORS)
		.flatMap((word) => (isClear(word) || !word.includes('@') ? word : word.split(EDGES)))
		.filter((word) => /[\p{L}\p{N}@]/u.test(word));
	const addresses = words.filter((word) => word.includes('@'));
	const others = words.filter((word) => !word.includes('@'));
	if (others.every(isName)) {
		if (addresses.length === 0) return 'words';
		if (addresses.every(isOwn)) return 'known';
	}
	const isCertain =
		isClear(entry) || (others.length === 0 && addresses.every((one) => isOwn(one) || isClear(one)));
	return isCertain ? 'clear' : 'unread';
}

/**
 * Whether a text that is no clear address may be anyone's. It is nobody's only if it is a placeholder, and that of known
 * people only if each of its entries is an address that cannot be read in another way. Words before a comma, as in `Okafor,
 * Ada <ada@example.com>`, are the name of the known person after it; any others may be what is left of an address.
 *
 * @param isKnown whether somebody has an address: the words around it are their name, and not its lost parts
 */
export function mayBeAnyones(text: string, isKnown: (address: string) => boolean): boolean {
	// A name in quotes may have a comma.
	const entries = readable(text)
		.replace(/<a\s+href=|<\/a>/gi, ' ')
		.replace(/"[^"@]*"\s*(?=<)/g, '')
		.split(/([,;|\n]|\s\/\s)/);
	/** Whether a known person follows, whose name words before a comma are. */
	let isNamed = false;
	for (let position = entries.length - 1; position >= 0; position -= 2) {
		const kind = kindOf(entries[position] ?? '', isKnown);
		if (kind === 'unread') return true;
		if (kind === 'words' && !(isNamed && entries[position + 1] === ',')) return true;
		if (kind === 'known' || kind === 'clear') isNamed = kind === 'known';
	}
	return false;
}

/** The address to send for a contact, without what stands around it. */
export const addressToSend = (text: string): string => knownAddress(text) ?? text.trim();

/**
 * The same, to keep a contact off lists: its address as the service has it as well, if it is spelled in another way. A
 * service that compares exact texts would email the contact despite an unsubscribe in the usual form.
 */
export function spellingsToSend(stored: string): string[] {
	const [usual, text] = [addressToSend(stored), stored.trim()];
	const isOther =
		spellingKey(text) !== spellingKey(usual) && addressKey(text) === addressKey(usual);
	return isOther && isAddress(text) ? [usual, text] : [usual];
}

/** Whether a text is an address alone: a service may match nobody by an entry with more than that. */
export const isAddressAlone = (text: string): boolean =>
	spellingKey(knownAddress(text) ?? '') === spellingKey(text);

/** The keys of all addresses that a text may stand for: `Ada <ada@example.com>` may mean ada@example.com. */
export const keysIn = (text: string): string[] => readingsOf(text).map(addressKey);

/** Everything that a text which should be an address may stand for: itself, and all addresses in it. */
export function readingsOf(text: string): string[] {
	const trimmed = text.trim();
	return ONE_ADDRESS.test(trimmed) ? [trimmed] : [trimmed, ...addressesIn(trimmed)];
}
