import { isObject, withoutLeadingZeros } from '../../util/coerce';
import { addTo } from '../../util/groups';
import { normalizeKey } from '../../util/normalize';

/** One country of the service. Ids are decimal digits. */
export interface CountryEntry {
	id: string;
	name: string;
	iso2?: string;
	iso3?: string;
}

/** The texts and numbers of one entry by path, such as `attributes.name`. */
type Row = Map<string, string>;

const MAX_DEPTH = 3;
/** The part of the rows that must have a field. */
const MIN_FILLED = 0.8;

function flatten(entry: object, prefix: string, row: Row, depth = 1): void {
	for (const [key, value] of Object.entries(entry)) {
		if (typeof value === 'string' || typeof value === 'number') {
			row.set(prefix + key, String(value).trim());
		} else if (isObject(value) && depth < MAX_DEPTH) {
			flatten(value, `${prefix}${key}.`, row, depth + 1);
		}
	}
}

/** An object, or a pair of id and name in either order. A text alone has no id, so it has no fields here. */
function toRow(entry: unknown): Row {
	const row: Row = new Map();
	if (typeof entry === 'object' && entry !== null) flatten(entry, '', row);
	return row;
}

interface Column {
	path: string;
	values: string[];
}

function columnsOf(rows: Row[]): Column[] {
	const columns = new Map<string, string[]>();
	for (const row of rows) {
		for (const [path, value] of row) {
			if (value !== '') addTo(columns, path, value);
		}
	}
	return [...columns]
		.filter(([, values]) => values.length >= rows.length * MIN_FILLED)
		.map(([path, values]) => ({ path, values }));
}

/** How a column is recognized. */
interface ColumnRule {
	fits: (value: string) => boolean;
	/** The part of the values that must fit; all by default. */
	fitting?: number;
	/** The part of the values that must differ from each other. */
	unique: number;
	/** Normalized names from the most to the least specific. */
	names: readonly string[];
	/** Also accept meaningless names that do not match this. */
	unlessNamed?: RegExp;
}

const ID: ColumnRule = {
	fits: (value) => /^\d+$/.test(value),
	unique: 1,
	names: ['id', 'countryid', 'value', 'key', '0', 'code', 'countrycode', '1'],
	unlessNamed: /phone|dial|numeric|sort|order|position|popul|area|region|continent|currency|user/,
};
const NAME: ColumnRule = {
	fits: (value) => /\p{L}{2}/u.test(value) || /^\p{L}+$/u.test(value),
	// A town may be called 1770.
	fitting: MIN_FILLED,
	// Two countries may share a name; a type or a flag is shared by most.
	unique: 0.5,
	names: [
		...['name', 'countryname', 'country', 'label', 'title', 'text', 'displayname', 'en', 'nameen'],
		...['nameenglish', '1', 'value', '0'],
	],
	unlessNamed:
		/capital|currenc|native|region|continent|emoji|tld|zone|lang|code|iso|_at$|slug|flag/,
};
const iso = (letters: 2 | 3, names: readonly string[]): ColumnRule => ({
	fits: (value) => /^[A-Za-z]+$/.test(value) && value.length === letters,
	unique: 1,
	names: [...names, 'iso', 'isocode', 'code', 'countrycode', 'sortname', 'shortname', 'abbr'],
});
const ISO2 = iso(2, ['iso2', 'alpha2', 'iso31661alpha2', 'isocode2', 'isoalpha2', 'cca2']);
const ISO3 = iso(3, ['iso3', 'alpha3', 'iso31661alpha3', 'isocode3', 'isoalpha3', 'cca3']);

function findColumn(columns: Column[], rule: ColumnRule, taken?: string): string | undefined {
	let best: { path: string; score: number } | undefined;
	for (const { path, values } of columns) {
		const { fits, fitting = 1 } = rule;
		if (path === taken || values.filter(fits).length < values.length * fitting) continue;
		if (new Set(values).size < values.length * rule.unique) continue;
		const position = rule.names.indexOf(normalizeKey(path.slice(path.lastIndexOf('.') + 1)));
		const isUnnamed = rule.unlessNamed && !rule.unlessNamed.test(path.toLowerCase());
		if (position < 0 && !isUnnamed) continue;
		// Top-level fields take precedence over nested ones: `id` before `region.id`.
		const nesting = path.split('.').length - 1;
		const score = (position < 0 ? rule.names.length : position) + nesting * 0.5;
		if (!best || score < best.score) best = { path, score };
	}
	return best?.path;
}

/**
 * Finds id, name and ISO codes in a list of the lookup. The reference does not show the fields of its entries (50), so
 * they are recognized by their values and names, in objects (also nested) and in pairs.
 *
 * @returns an empty list when no id with a name can be made out
 */
export function readCountries(list: readonly unknown[]): CountryEntry[] {
	return readRows(list).filter((entry) => entry !== undefined);
}

/** A row for each entry; undefined for one that is listed again. */
function rowsOf(list: readonly unknown[]): Array<Row | undefined> {
	const known = new Set<string>();
	return list.map((entry) => {
		const row = toRow(entry);
		const content = JSON.stringify([...row]);
		if (row.size > 0 && known.has(content)) return undefined;
		known.add(content);
		return row;
	});
}

/** JSON loses the last digits of longer numbers. */
const SAFE_ID = /^\d{1,15}$/;

/** The same for each entry of the list; undefined for one without an id or a name, or that is listed again. */
export function readRows(list: readonly unknown[]): Array<CountryEntry | undefined> {
	const rows = rowsOf(list);
	const columns = columnsOf(rows.filter((row) => row !== undefined));
	const id = findColumn(columns, ID);
	const name = findColumn(columns, NAME, id);
	if (id === undefined || name === undefined) return rows.map(() => undefined);
	const iso2 = findColumn(columns, ISO2, name);
	const iso3 = findColumn(columns, ISO3, name);
	return rows.map((row) => {
		if (row === undefined) return undefined;
		const entry: CountryEntry = {
			id: withoutLeadingZeros(row.get(id) ?? ''),
			name: row.get(name) ?? '',
		};
		if (!SAFE_ID.test(entry.id) || !entry.name) return undefined;
		if (iso2 !== undefined) entry.iso2 = row.get(iso2)?.toUpperCase();
		if (iso3 !== undefined) entry.iso3 = row.get(iso3)?.toUpperCase();
		return entry;
	});
}
