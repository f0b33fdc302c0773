import { ISO_CODES, OTHER_NAMES, PARTS_OF_COUNTRIES, SHARED_NAMES } from './countryNames';
import { readCountries, type CountryEntry } from './countryShape';
import type { Locations } from '../../service/lists';
import { closestOf } from '../../util/closest';
import { withoutLeadingZeros } from '../../util/coerce';
import { groupBy } from '../../util/groups';
import { normalize } from '../../util/normalize';
import { sanitize, quote } from '../../util/text';

/**
 * A country that was found. `name` is the service's own name; it is absent if unknown, or if several countries share
 * it.
 */
export interface Country {
	id: string;
	name?: string;
	isNameShared?: true;
}

/** A country that was not found; `problem` completes the sentence "Country …". */
interface NoCountry {
	/** Of an ambiguous one, several countries of the service have the name: more names would not help. */
	code: 'country-unknown' | 'country-ambiguous' | 'country-list-unreadable';
	problem: string;
	/** Of an ambiguous one. */
	ids?: readonly string[];
}

// Names in these languages are recognized in addition to English.
const LANGUAGES: readonly string[] = [
	...['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da', 'nb', 'fi', 'cs', 'ja', 'zh'],
];
const SMALL_WORDS = new Set(['the', 'of', 'and', 'la', 'le']);

/** The name in `Korea, Republic of` and `Iran (Islamic Republic of)`, and the part that belongs before it. */
const INVERTED = [/^([^,]*),(.*)$/s, /^([^()]*)\(([^()]*\bof(?: the)?)\)\s*$/is];

/** `Korea, Republic of`, `Republic of Korea` and `REPUBLIC OF KOREA` have one key; `St.` is `Saint`. */
function nameKey(text: string): string {
	const inverted = INVERTED.map((form) => form.exec(text)).find((parts) => parts !== null);
	const inOrder = inverted ? `${inverted[2]} ${inverted[1]}` : text;
	return normalize(inOrder)
		.split(/[^\p{L}\p{N}]+/u)
		.map((word) => (word === 'st' ? 'saint' : word))
		.filter((word) => !SMALL_WORDS.has(word))
		.join('');
}

/** A name, and in parentheses behind it another one: `United Kingdom (UK)`. */
const TWO_NAMES = /^([^()]+)\(([^()]+)\)\s*$/;

/** No country name is longer, so longer texts are not searched for. */
const LONGEST_NAME = 200;

type Index = Map<string, CountryEntry[]>;

const codesOfLists: ReadonlyMap<string, string> = new Map(
	Object.entries(SHARED_NAMES).map(([iso2, name]) => [nameKey(name), iso2]),
);

/** Two-letter codes by the key of a name; '' if the name means several countries. */
type Codes = ReadonlyMap<string, string>;

/** The codes of every name of every country in the given languages. */
function codesByName(languages: readonly string[]): Codes {
	const codes = new Map([...codesOfLists.keys()].map((key) => [key, '']));
	for (const language of languages) {
		const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
		for (const [iso2] of ISO_CODES) {
			const others = language === 'en' ? (OTHER_NAMES[iso2] ?? []) : [];
			for (const name of [names.of(iso2) ?? '', ...others]) {
				const key = nameKey(name);
				codes.set(key, [undefined, iso2].includes(codes.get(key)) ? iso2 : '');
			}
		}
	}
	return codes;
}

let englishCodes: Codes | undefined;
let allCodes: Codes | undefined;

/** Shared by all runs, because computing it takes longer than most runs. */
const codesByEnglishName = (): Codes => (englishCodes ??= codesByName(['en']));
const codesByAnyName = (): Codes =>
	(allCodes ??= new Map([
		...PARTS_OF_COUNTRIES.map(([part, iso2]) => [nameKey(part), iso2] as const),
		...codesByName(['en', ...LANGUAGES]),
	]));

const isoCodes = new Map(
	ISO_CODES.flatMap(([iso2, iso3]) => [iso2, iso3].map((code) => [code, iso2])),
);

/** The two-letter code of a country by a code, its whole name, or two of these that say the same. */
function codeOf(text: string, codes: () => Codes): string | undefined {
	const code = isoCodes.get(text.trim().toUpperCase()) ?? codes().get(nameKey(text));
	if (code !== undefined) return code;
	const [, ...names] = TWO_NAMES.exec(text) ?? [];
	const [one, other] = names.map((name) => codeOf(name, codes));
	return one === other ? one : undefined;
}

/** An old code, or one that only the service uses, stays as it is. */
function codeOfEntry({ name, iso2, iso3 }: CountryEntry): string | undefined {
	const code = iso2 ?? iso3;
	if (code === undefined)
		return codesOfLists.get(nameKey(name)) ?? codeOf(name, codesByEnglishName);
	return codeOf(code, codesByEnglishName) ?? code;
}

/** Turns a country as people write it into the id that creates (19) and updates (23) require. */
export class CountryLookup {
	private readonly found = new Map<string, Country | NoCountry>();
	private readonly byId: Map<string, CountryEntry>;
	private readonly byName: Index;
	private byCode?: Index;
	private closest?: (text: string) => string[];

	private readonly entries: CountryEntry[];

	/** If the lookup (50) has no recognizable countries, ids are accepted unchecked, and no names. */
	constructor({ countries }: Pick<Locations, 'countries'>) {
		this.entries = readCountries(countries);
		this.byId = new Map(this.entries.map((entry) => [entry.id, entry]));
		this.byName = groupBy(this.entries, ({ name }) => nameKey(name) || undefined);
	}

	/** Takes an id, a name, or an ISO code of two or three letters. */
	find(text: string): Country | NoCountry {
		let result = this.found.get(text);
		if (!result) {
			result = this.search(text);
			this.found.set(text, result);
		}
		return result;
	}

	private search(text: string): Country | NoCountry {
		if (/^\d{1,15}$/.test(text)) return this.findId(text);
		if (text.length > LONGEST_NAME) return { code: 'country-unknown', problem: this.unknown(text) };
		if (this.entries.length === 0) {
			return {
				code: 'country-list-unreadable',
				problem: `is ${quote(text)}, but the country list of the service cannot be read. Enter the ID of the country`,
			};
		}
		const [entry, ...others] = this.findAll(text);
		if (entry === undefined) return { code: 'country-unknown', problem: this.unknown(text) };
		if (others.length === 0) return this.foundAs(entry);
		const ids = [entry, ...others].map(({ id }) => id);
		return {
			code: 'country-ambiguous',
			problem: `is ${quote(text)}, which matches several countries of the service (IDs ${sanitize(ids.join(', '), 60)}). Enter one of these IDs`,
			ids,
		};
	}

	private findId(text: string): Country | NoCountry {
		const id = withoutLeadingZeros(text);
		const entry = this.byId.get(id);
		if (entry) return this.foundAs(entry);
		if (this.entries.length === 0 && id !== '0') return { id };
		return {
			code: 'country-unknown',
			problem: `has the ID ${sanitize(text, 20)}, which is not in the country list of the service. Enter an ID from that list`,
		};
	}

	/** Without its name if several countries have it. */
	private foundAs({ id, name }: CountryEntry): Country {
		const isShared = (this.byName.get(nameKey(name))?.length ?? 0) > 1;
		return isShared ? { id, isNameShared: true } : { id, name };
	}

	/** Names of the service take precedence over codes, and codes over other names of a country. */
	private findAll(text: string): CountryEntry[] {
		const named = this.byName.get(nameKey(text));
		if (named) return named;
		this.byCode ??= groupBy(this.entries, (entry) => codeOfEntry(entry) || undefined);
		return this.byCode.get(codeOf(text, codesByAnyName) ?? text.toUpperCase()) ?? [];
	}

	private unknown(text: string): string {
		this.closest ??= closestOf(this.entries.map(({ name }) => name));
		const close = text.length > LONGEST_NAME ? [] : this.closest(text);
		const hint =
			close.length > 0
				? `Closest: ${close.map((name) => sanitize(name, 60)).join(', ')}`
				: 'Enter an ID, a name or an ISO code from that list';
		return `is ${quote(text)}, which is not in the country list of the service. ${hint}`;
	}
}
