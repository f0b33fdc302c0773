import { clearAddress, readable } from './addressesIn';

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

/** What stands for nothing, alone or between addresses. Any other symbol may be what is left of one, or of a list that was cut. */
const NOTHING = /^[\s\u2010-\u2015\u2212/&-]*$/;

/** One symbol hides nothing: a cross in a column means that there is no email. */
const ONE_SYMBOL = /^\s*(?!…)[^\p{L}\p{N}]\ufe0f?\s*$/u;

export const isOfSymbols = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);

/**
 * Whether a text stands for nobody: "none", "n/a", "(unknown)" and "-" do. An @ or a dot alone does not: the parts around
 * it, as in `{{ user }}@{{ domain }}`, may be missing. Nor does what hides or cuts a text, such as `########`, `***` and `…`.
 */
export function isPlaceholder(text: string): boolean {
	const shown = readable(text);
	if (isOfSymbols(text)) {
		if (/[@.。]/.test(shown)) return false;
		return NOTHING.test(text) || ONE_SYMBOL.test(text) || !/[#*•…]/.test(shown);
	}
	// No placeholder is longer, so longer texts are not searched.
	if (shown.length > 50) return false;
	const words = shown
		.toLowerCase()
		.replace(/^[\s"'()<>[\]{}-]+|[\s"'()<>[\]{}.-]+$/g, '')
		.replace(/[\s./-]+/g, ' ');
	return PLACEHOLDERS.has(words) || NOT_GIVEN.test(words) || NO_EMAIL.test(words);
}

/** What separates the addresses in a cell, and a name in quotes before one of them, which may have a comma. */
const SEPARATOR = /[,;|\n]/;
const QUOTED_NAME = /"[^"@]*"\s*(?=<)/g;

/** A single word may be what is left of an address: `na` in `na,dine@example.com`. */
const isNobody = (part: string) =>
	NOTHING.test(part) ||
	(/[\p{L}\p{N}]/u.test(part) && isPlaceholder(part) && !/^\s*[\p{L}\p{N}]+\s*$/u.test(part));

const isClear = (part: string) => clearAddress(part) !== undefined;

/**
 * Whether a text that is no clear address may be anyone's. It is nobody's only if it is a placeholder, and that of certain
 * people only if each of its parts, or each of its words, is a clear address: whatever else it has may be what is left of
 * one.
 */
export function mayBeAnyones(text: string): boolean {
	const whole = readable(text);
	if (isPlaceholder(text)) return false;
	const words = whole.split(/[\s,;|<>]+/).filter((word) => !NOTHING.test(word));
	if (words.every(isClear)) return false;
	const parts = whole.replace(QUOTED_NAME, '').split(SEPARATOR);
	return !parts.every((part) => isNobody(part) || isClear(part));
}
