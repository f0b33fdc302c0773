import { quote } from '../../../util/text';
import { toText } from '../../../util/values';
import type { FieldProblem } from '../../contacts/changes';
import type { Country } from '../../locations/country';
import { FIELD_LABELS } from '../../contacts/fields';
import type { ListedContact } from '../../contacts/types';
import type { PlanInput } from '../types';

/** The country that an existing contact has, and the one that a write of it sends. */
export interface ResolvedCountry {
	current?: Country;
	next: Country;
}

/**
 * Finds out the country of existing contacts: each write of a contact requires the ID (23), and the list shows a name
 * (18). The ones that only the details show (22) are collected.
 */
export class ContactCountries {
	private readonly needed = new Set<number>();
	/** Names of countries that the details of one contact are to be read for. */
	private readonly namesToLearn = new Set<string>();
	private readonly input: PlanInput;

	constructor(input: PlanInput) {
		this.input = input;
	}

	/** Contacts whose details must be read before the plan is complete. */
	get detailsNeeded(): number[] {
		return [...this.needed];
	}

	/**
	 * @param wanted the country that the contact is to get, if it is to get one
	 * @param remedy what else than the options can give it a country, as the beginning of a sentence
	 */
	resolve(
		contact: ListedContact,
		wanted: Country | undefined,
		remedy: string,
	): ResolvedCountry | FieldProblem | 'detailsNeeded' {
		const found = this.currentOf(contact);
		if (found === 'detailsNeeded') return found;
		const current = typeof found === 'string' ? undefined : found;
		const next = wanted ?? current ?? (found === 'none' ? this.defaultCountry() : undefined);
		return next ? { current, next } : noCountry(contact, remedy);
	}

	private defaultCountry(): Country | undefined {
		const { defaultCountry } = this.input.options;
		if (!defaultCountry) return undefined;
		const found = this.input.countries.find(defaultCountry);
		return 'problem' in found ? undefined : found;
	}

	private currentOf(contact: ListedContact): Country | 'none' | 'unresolved' | 'detailsNeeded' {
		const { countries, countryIds } = this.input;
		const read = countryIds?.get(contact.id);
		const shown = toText(read === undefined || read === '' ? contact.country : read);
		const found = typeof shown === 'string' && shown !== '' ? countries.find(shown) : undefined;
		if (found && 'id' in found) return found;
		if (read && /^\d+$/.test(read)) return { id: read };
		if (countryIds) return found ? 'unresolved' : 'none';
		// One contact's details show the id of an unknown name for all contacts that have it.
		const shared =
			found !== undefined && found.code !== 'country-ambiguous' ? String(shown) : undefined;
		if (shared === undefined || !this.namesToLearn.has(shared)) this.needed.add(contact.id);
		if (shared !== undefined) this.namesToLearn.add(shared);
		return 'detailsNeeded';
	}
}

function noCountry({ country }: ListedContact, remedy: string): FieldProblem {
	const problem = country
		? `${quote(country)} of the contact is not in the country list of the service. ${remedy}`
		: `is missing: the contact has none, but the service requires one. ${remedy}, or choose a "Country for New Contacts"`;
	const code = country ? 'contact-country-unknown' : 'contact-without-country';
	return { code, field: FIELD_LABELS.country, problem };
}
