import { isObject } from '../util/coerce';

/** A shorter key would also be part of ordinary words. */
const shortestKey = 8;

const htmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const withEntities = (text: string, quotes: Record<string, string>): string =>
	text.replace(/[&<>"']/g, (char) => ({ ...htmlEntities, ...quotes })[char] ?? char);

/** A text as a service may repeat it: as it is, in a web address, in JSON, in a web page, and in base64. */
function formsOf(text: string): string[] {
	const json = JSON.stringify(text).slice(1, -1);
	return [
		...[text, json, json.replaceAll('/', '\\/'), encodeURIComponent(text.toWellFormed())],
		withEntities(text, { '"': '&quot;', "'": '&#39;' }),
		withEntities(text, { '"': '&#34;', "'": '&#039;' }),
		Buffer.from(text).toString('base64').replace(/=+$/, ''),
	];
}

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** Replaces texts within all texts of a value, in any form and case. */
export function withoutTexts(value: unknown, hidden: readonly string[]): unknown {
	const forms = hidden.filter((text) => text !== '').flatMap(formsOf);
	if (forms.length === 0) return value;
	const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
	const pattern = new RegExp(longestFirst.map(escaped).join('|'), 'gi');
	const hide = (text: string) => text.replace(pattern, '***');
	const hideIn = (inner: unknown): unknown => {
		if (typeof inner === 'string') return hide(inner);
		if (Array.isArray(inner)) return inner.map(hideIn);
		if (!isObject(inner)) return inner;
		return Object.fromEntries(
			Object.entries(inner).map(([name, one]) => [hide(name), hideIn(one)]),
		);
	};
	return hideIn(value);
}

/** Replaces the keys of the credential. */
export const withoutKeys = (value: unknown, keys: readonly string[] = []): unknown =>
	withoutTexts(
		value,
		keys.filter(({ length }) => length >= shortestKey),
	);
