import { addressesIn, clearAddress, EDGES, readable, SEPARATORS } from './addressesIn';
import { hasDottedDomain } from './email';

/** What people and programs write where there is no address, in lower case, with spaces for dots, dashes and slashes. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
	...['none', 'no', 'n a', 'na', 'nan', 'nil', 'null', 'undefined', 'false', '0', 'x', 'xx', 'xxx'],
	...['nobody', 'unknown', 'missing', 'empty', 'blank', 'tba', 'tbc', 'tbd', 'pending'],
	...['k a', 'kein', 'keine', 'keiner', 'keine angabe', 'nein', 'leer', 'unbekannt'],
	...['nicht vorhanden', 'nicht bekannt', 'nicht angegeben'],
	...['aucun', 'aucune', 'inconnu', 'non renseigné', 'néant'],
	...['ninguno', 'ninguna', 'desconocido', 'no tiene', 'nessuno', 'nessuna', 'sconosciuto'],
	...['nenhum', 'nenhuma', 'desconhecido', 'geen', 'onbekend'],
]);
const NOT_GIVEN = /^(?:not|none) (?:available|applicable|provided|given|known|on file)$/;
const NO_EMAIL =
	/^(?:no|without|keine?|ohne|sans|aucun|sin|senza|sem|geen) (?:e ?)?mail(?: address| given| provided| available| on file| ?adresse)?$/;

/**
 * Whether a text stands for nobody: "none", "n/a", "(unknown)" and "-" do. An @ or a dot alone does not: the parts around
 * it, as in `{{ user }}@{{ domain }}`, may be missing.
 */
function isPlaceholder(text: string): boolean {
	if (!/[\p{L}\p{N}]/u.test(text)) return !/[@.。]/.test(text);
	// No placeholder is longer, so longer texts are not searched.
	if (text.length > 50) return false;
	const words = text
		.toLowerCase()
		.replace(/^[\s"'()<>[\]{}-]+|[\s"'()<>[\]{}.-]+$/g, '')
		.replace(/[\s./-]+/g, ' ');
	return PLACEHOLDERS.has(words) || NOT_GIVEN.test(words) || NO_EMAIL.test(words);
}

/**
 * Words as in a name or a label, such as `email:`, and numbers. "at" and "dot" are part of an address:
 * `ada at example dot com`; and "object" is what a program makes of one.
 */
const isName = (word: string): boolean =>
	/^\d{1,3}[.)]?$/.test(word) ||
	(/^[\p{L}\p{M}'’-]+[.:]{0,2}$/u.test(word) && !/^(?:at|dot|punkt|object)$/i.test(word));

/** The address that a text is, if that can be read in one way only. */
function dottedAddress(text: string): string | undefined {
	const address = clearAddress(text);
	return address !== undefined && hasDottedDomain(address) ? address : undefined;
}

/**
 * What an entry of a cell has: nobody, words without an address, addresses that all are those of known people, an
 * address that can be read in one way only, or anything else.
 */
type EntryKind = 'nobody' | 'words' | 'known' | 'clear' | 'unread';

function kindOf(entry: string, isKnown: (address: string) => boolean): EntryKind {
	if (isPlaceholder(entry)) return 'nobody';
	const address = dottedAddress(entry);
	if (address !== undefined && isKnown(address)) return 'known';
	const isClear = (word: string) => dottedAddress(word) !== undefined;
	const isOwn = (word: string) => word.split('@').length === 2 && addressesIn(word).some(isKnown);
	const words = entry
		.split(SEPARATORS)
		.flatMap((word) => (!word.includes('@') || isClear(word) ? word : word.split(EDGES)))
		.filter((word) => /[\p{L}\p{N}@]/u.test(word));
	const addresses = words.filter((word) => word.includes('@'));
	const others = words.filter((word) => !word.includes('@'));
	if (others.every(isName)) {
		if (addresses.length === 0) return 'words';
		if (addresses.every(isOwn)) return 'known';
	}
	if (address !== undefined) return 'clear';
	const isCertain = others.length === 0 && addresses.every((one) => isOwn(one) || isClear(one));
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
