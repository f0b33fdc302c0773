import { ISO_CODES, OTHER_NAMES } from './countryNames';
import { readCountries, type CountryEntry } from './countryShape';
import { isObject, withoutLeadingZeros } from '../util/coerce';
import { normalize } from '../util/normalize';
import { sanitize, quote } from '../util/text';

/** A country that was found. `name` is the service's own; it is missing when only an id was given. */
export interface Country {
	id: string;
	name?: string;
}

/** A country that was not found; `problem` completes the sentence "Country …". */
export interface NoCountry {
	problem: string;
	/** Several countries of the service have this name: more names would not help. */
	ambiguous?: true;
}

export interface CountryLookup {
	/** Takes an id, a name, or an ISO code of two or three letters. */
	find(text: string): Country | NoCountry;
}

// Names in these languages are understood besides English.
const LANGUAGES: readonly string[] = [
	...['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da', 'nb', 'fi', 'cs', 'ja', 'zh'],
];
const SMALL_WORDS = new Set(['the', 'of', 'and', 'la', 'le']);

/** `Korea, Republic of`, `Republic of Korea` and `REPUBLIC OF KOREA` have one key; `St.` is `Saint`. */
function nameKey(text: string): string {
	const comma = text.indexOf(',');
	const inOrder = comma < 0 ? text : `${text.slice(comma + 1)} ${text.slice(0, comma)}`;
	return normalize(inOrder)
		.split(/[^\p{L}\p{N}]+/u)
		.map((word) => (word === 'st' ? 'saint' : word))
		.filter((word) => !SMALL_WORDS.has(word))
		.join('');
}

const withoutParentheses = (text: string): string => text.replace(/\([^()]*\)/g, ' ').trim();

/** Longer than any name of a country; what is longer is not searched for. */
const LONGEST_NAME = 200;

type Index = Map<string, CountryEntry[]>;

function indexBy(entries: CountryEntry[], key: (entry: CountryEntry) => string | undefined): Index {
	const index: Index = new Map();
	for (const entry of entries) {
		const value = key(entry);
		if (!value) continue;
		const others = index.get(value);
		if (others) others.push(entry);
		else index.set(value, [entry]);
	}
	return index;
}

type Codes = ReadonlyMap<string, string>;

/** The two-letter code of every name of every country in the given languages. */
function codesByName(languages: readonly string[]): Codes {
	const codes = new Map<string, string>();
	for (const language of languages) {
		const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
		for (const [iso2] of ISO_CODES) {
			const name = names.of(iso2);
			const all = language === 'en' ? [name, ...(OTHER_NAMES[iso2] ?? [])] : [name];
			for (const each of all) {
				const key = each && nameKey(each);
				if (key && !codes.has(key)) codes.set(key, iso2);
			}
		}
	}
	return codes;
}

let englishCodes: Codes | undefined;
let allCodes: Codes | undefined;

/** The same for all runs: to find it out takes longer than most runs. */
const codesByEnglishName = (): Codes => (englishCodes ??= codesByName(['en']));
const codesByAnyName = (): Codes => (allCodes ??= codesByName(['en', ...LANGUAGES]));

/** Pairs of neighboring letters, and the first letter. */
function bigramsOf(text: string): Set<string> {
	const key = nameKey(text);
	const bigrams = new Set<string>([key.slice(0, 1)]);
	for (let i = 0; i < key.length - 1; i++) bigrams.add(key.slice(i, i + 2));
	return bigrams;
}

const SUGGESTIONS = 3;

/** Finds the names that share most bigrams with a text (Dice's coefficient), by an index from bigrams to names. */
function createSuggestions(names: string[]): (text: string) => string[] {
	const sizes: number[] = [];
	const byBigram = new Map<string, number[]>();
	names.forEach((name, index) => {
		const bigrams = bigramsOf(name);
		sizes.push(bigrams.size);
		for (const bigram of bigrams) byBigram.set(bigram, [...(byBigram.get(bigram) ?? []), index]);
	});
	return (text) => {
		const bigrams = bigramsOf(text);
		const shared = new Map<number, number>();
		for (const bigram of bigrams) {
			for (const index of byBigram.get(bigram) ?? []) {
				shared.set(index, (shared.get(index) ?? 0) + 1);
			}
		}
		return [...shared]
			.map(([index, count]) => ({
				name: names[index] ?? '',
				score: (2 * count) / (bigrams.size + (sizes[index] ?? 0)),
			}))
			.filter(({ score }) => score > 0.25)
			.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
			.slice(0, SUGGESTIONS)
			.map(({ name }) => name);
	};
}

class Countries implements CountryLookup {
	private readonly found = new Map<string, Country | NoCountry>();
	private readonly byId: Map<string, CountryEntry>;
	private readonly byName: Index;
	private readonly byShortName: Index;
	private byCode?: Map<string, CountryEntry>;
	private suggestions?: (text: string) => string[];

	private readonly entries: CountryEntry[];
	private readonly learned: ReadonlyMap<string, string>;

	constructor(entries: CountryEntry[], learned: ReadonlyMap<string, string>) {
		this.entries = entries;
		this.learned = learned;
		this.byId = new Map(entries.map((entry) => [entry.id, entry]));
		this.byName = indexBy(entries, ({ name }) => nameKey(name));
		this.byShortName = indexBy(entries, ({ name }) => nameKey(withoutParentheses(name)));
	}

	find(text: string): Country | NoCountry {
		let result = this.found.get(text);
		if (!result) {
			result = this.search(text);
			this.found.set(text, result);
		}
		return result;
	}

	private search(text: string): Country | NoCountry {
		const learned = this.learned.get(text);
		if (learned !== undefined) return { id: learned, name: text };
		if (/^\d{1,15}$/.test(text)) return this.findId(text);
		if (text.length > LONGEST_NAME) return { problem: this.unknown(text) };
		if (this.entries.length === 0) {
			return {
				problem: `is ${quote(text)}, but the country list of the service cannot be read. Enter the ID of the country`,
			};
		}
		const named = this.findName(text);
		if (named.length > 1) {
			const ids = sanitize(named.map(({ id }) => id).join(', '), 60);
			return {
				problem: `is ${quote(text)}, which matches several countries of the service (IDs ${ids}). Enter one of these IDs`,
				ambiguous: true,
			};
		}
		const entry = named[0] ?? this.findCode(text) ?? this.findForeignName(text);
		return entry ? { id: entry.id, name: entry.name } : { problem: this.unknown(text) };
	}

	private findId(text: string): Country | NoCountry {
		const id = withoutLeadingZeros(text);
		const entry = this.byId.get(id);
		if (entry) return { id: entry.id, name: entry.name };
		if (this.entries.length === 0 && id !== '0') return { id };
		return {
			problem: `has the ID ${sanitize(text, 20)}, which is not in the country list of the service. Enter an ID from that list`,
		};
	}

	private findName(text: string): CountryEntry[] {
		return (
			this.byName.get(nameKey(text)) ??
			this.byShortName.get(nameKey(withoutParentheses(text))) ??
			[]
		);
	}

	private findCode(text: string): CountryEntry | undefined {
		if (!/^[A-Za-z]{2,3}$/.test(text)) return undefined;
		this.byCode ??= this.indexCodes();
		return this.byCode.get(text.toUpperCase());
	}

	private indexCodes(): Map<string, CountryEntry> {
		const codes = new Map<string, CountryEntry>();
		for (const [name, iso2] of codesByEnglishName()) {
			const entries = this.byName.get(name) ?? this.byShortName.get(name) ?? [];
			if (entries.length === 1 && entries[0] && !codes.has(iso2)) codes.set(iso2, entries[0]);
		}
		for (const entry of this.entries) if (entry.iso2) codes.set(entry.iso2, entry);
		for (const [iso2, iso3] of ISO_CODES) {
			const entry = codes.get(iso2);
			if (entry) codes.set(iso3, entry);
		}
		for (const entry of this.entries) if (entry.iso3) codes.set(entry.iso3, entry);
		return codes;
	}

	private findForeignName(text: string): CountryEntry | undefined {
		const codes = codesByAnyName();
		const code = codes.get(nameKey(text)) ?? codes.get(nameKey(withoutParentheses(text)));
		return code === undefined ? undefined : this.findCode(code);
	}

	private unknown(text: string): string {
		this.suggestions ??= createSuggestions(this.entries.map(({ name }) => name));
		const close = text.length > LONGEST_NAME ? [] : this.suggestions(text);
		const hint =
			close.length > 0
				? `Closest: ${close.map((name) => sanitize(name, 60)).join(', ')}`
				: 'Enter an ID, a name or an ISO code from that list';
		return `is ${quote(text)}, which is not in the country list of the service. ${hint}`;
	}
}

/**
 * Makes the lookup that turns what people write for a country into the id that #19 and #23 require. When the message
 * has no recognizable countries, it takes ids unchecked and knows no names.
 *
 * @param message the `message` of #50
 * @param learned ids of names that are not in the lookup, found out from contact details (#22)
 */
export function createCountryLookup(
	message: unknown,
	learned: ReadonlyMap<string, string> = new Map(),
): CountryLookup {
	const countries = isObject(message) ? message.countries : undefined;
	return new Countries(readCountries(Array.isArray(countries) ? countries : []), learned);
}
