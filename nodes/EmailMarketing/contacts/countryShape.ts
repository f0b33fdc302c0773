import { isRecord } from '../util/values';
import { fold } from '../util/normalize';

/** One country of the service. Ids are decimal digits. */
export interface CountryEntry {
	id: string;
	name: string;
	iso2?: string;
	iso3?: string;
}

type Row = Map<string, string>;

const MAP_KEY = '$key';
const MAP_VALUE = '$value';
const MAX_DEPTH = 3;
const ENOUGH = 0.8;

function flatten(value: unknown, path: string, depth: number, row: Row): void {
	if (typeof value === 'string' || typeof value === 'number') {
		row.set(path, String(value).trim());
	} else if (isRecord(value) && depth < MAX_DEPTH) {
		for (const [key, child] of Object.entries(value)) {
			flatten(child, path ? `${path}.${key}` : key, depth + 1, row);
		}
	}
}

function toRow(item: unknown, key?: string): Row {
	const row: Row = new Map();
	if (key !== undefined) row.set(MAP_KEY, key);
	if (Array.isArray(item)) item.forEach((value, index) => flatten(value, String(index), 1, row));
	else flatten(item, isRecord(item) ? '' : MAP_VALUE, 0, row);
	return row;
}

function toRows(list: unknown): Row[] {
	if (Array.isArray(list)) return list.map((item) => toRow(item));
	if (!isRecord(list)) return [];
	const inner = Object.values(list).filter((value) => Array.isArray(value));
	if (inner.length === 1 && Object.keys(list).length <= 3) return toRows(inner[0]);
	return Object.entries(list).map(([key, item]) => toRow(item, key));
}

interface Column {
	path: string;
	values: string[];
}

function columnsOf(rows: Row[]): Column[] {
	const columns = new Map<string, string[]>();
	for (const row of rows) {
		for (const [path, value] of row) {
			if (value === '') continue;
			const values = columns.get(path);
			if (values) values.push(value);
			else columns.set(path, [value]);
		}
	}
	return [...columns]
		.filter(([, values]) => values.length >= rows.length * ENOUGH)
		.map(([path, values]) => ({ path, values }));
}

interface Wanted {
	fits: (value: string) => boolean;
	unique: number;
	/** Folded names from the most to the least telling. */
	names: readonly string[];
	/** Also accept names that say nothing, as long as they do not match this. */
	unlessNamed?: RegExp;
}

const ID: Wanted = {
	fits: (value) => /^\d+$/.test(value),
	unique: 1,
	names: ['id', 'countryid', 'value', 'key', MAP_KEY, '0', MAP_VALUE, 'code', 'countrycode', '1'],
	unlessNamed: /phone|dial|numeric|sort|order|position|popul|area|region|continent|currency|user/,
};
const NAME: Wanted = {
	fits: (value) => /\p{L}{2}/u.test(value) || /^\p{L}+$/u.test(value),
	// Two countries may share a name; a type or a flag is shared by most.
	unique: 0.5,
	names: [
		...['name', 'countryname', 'country', 'label', 'title', 'text', 'displayname', 'en', 'nameen'],
		...['nameenglish', '1', MAP_VALUE, 'value', MAP_KEY, '0'],
	],
	unlessNamed:
		/capital|currenc|native|region|continent|emoji|tld|zone|lang|code|iso|_at$|slug|flag/,
};
const iso = (letters: 2 | 3, names: readonly string[]): Wanted => ({
	fits: (value) => /^[A-Za-z]+$/.test(value) && value.length === letters,
	unique: 1,
	names: [
		...names,
		'iso',
		'isocode',
		'code',
		'countrycode',
		'sortname',
		'shortname',
		'abbr',
		MAP_KEY,
	],
});
const ISO2 = iso(2, ['iso2', 'alpha2', 'iso31661alpha2', 'isocode2', 'isoalpha2', 'cca2']);
const ISO3 = iso(3, ['iso3', 'alpha3', 'iso31661alpha3', 'isocode3', 'isoalpha3', 'cca3']);

function lastName(path: string): string {
	if (path.startsWith('$')) return path;
	return fold(path.slice(path.lastIndexOf('.') + 1));
}

function pick(columns: Column[], wanted: Wanted, taken?: string): string | undefined {
	let best: { path: string; score: number } | undefined;
	for (const { path, values } of columns) {
		if (path === taken || !values.every(wanted.fits)) continue;
		if (new Set(values).size < values.length * wanted.unique) continue;
		const position = wanted.names.indexOf(lastName(path));
		const unnamed = wanted.unlessNamed && !wanted.unlessNamed.test(path.toLowerCase());
		if (position < 0 && !unnamed) continue;
		// A nested field says less than one at the top: `id` before `region.id`.
		const nesting = path.split('.').length - 1;
		const score = (position < 0 ? wanted.names.length : position) + nesting * 0.5;
		if (!best || score < best.score) best = { path, score };
	}
	return best?.path;
}

/**
 * Finds id, name and ISO codes in the countries of the lookup. The reference does not show the fields of the items
 * (#50), so they are found by what they hold and how they are called: objects (also nested), pairs, and maps from
 * one to the other are understood.
 *
 * @param countries the value under `countries` in the answer of #50
 * @returns the countries; an empty list when no id with a name can be made out
 */
export function readCountries(countries: unknown): CountryEntry[] {
	const rows = toRows(countries);
	const columns = columnsOf(rows);
	const id = pick(columns, ID);
	const name = pick(columns, NAME, id);
	if (id === undefined || name === undefined) return [];
	const iso2 = pick(columns, ISO2, name);
	const iso3 = pick(columns, ISO3, name);
	const entries: CountryEntry[] = [];
	for (const row of rows) {
		const entry: CountryEntry = { id: row.get(id) ?? '', name: row.get(name) ?? '' };
		if (!entry.id || !entry.name) continue;
		if (iso2 !== undefined) entry.iso2 = row.get(iso2)?.toUpperCase();
		if (iso3 !== undefined) entry.iso3 = row.get(iso3)?.toUpperCase();
		entries.push(entry);
	}
	return entries;
}
