import { isObject } from '../util/coerce';

/** A shorter key would also be part of ordinary words. */
const shortestKey = 8;

const htmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const withEntities = (text: string, quotes: Record<string, string>): string =>
	text.replace(/[&<>"']/g, (char) => ({ ...htmlEntities, ...quotes })[char] ?? char);

/** A key as a service may repeat it: as it is, in a web address, in JSON, in a web page, and in base64. */
function formsOf(key: string): string[] {
	const json = JSON.stringify(key).slice(1, -1);
	return [
		...[key, json, json.replaceAll('/', '\\/'), encodeURIComponent(key.toWellFormed())],
		withEntities(key, { '"': '&quot;', "'": '&#39;' }),
		withEntities(key, { '"': '&#34;', "'": '&#039;' }),
		Buffer.from(key).toString('base64').replace(/=+$/, ''),
	];
}

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** Replaces the keys in all texts of a value, in any form and case. */
export function withoutKeys(value: unknown, keys: readonly string[] = []): unknown {
	const forms = keys.filter(({ length }) => length >= shortestKey).flatMap(formsOf);
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
