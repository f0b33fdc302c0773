import { coerceText } from '../util/coerce';
import type { Country, CountryLookup } from './country';
import { FIELD_LABELS, TEXT_FIELDS, type ContactField, type ContactInput } from './fields';
import type { Changes, ContactBody, ListedContact, PlanOptions } from './types';
import { sameText, toText } from '../util/values';

/** A row that cannot be written: the field's label, and a problem that completes the sentence "<Field> …". */
export interface Refusal {
	field: string;
	problem: string;
}

const refuse = (field: ContactField, problem: string): Refusal => ({
	field: FIELD_LABELS[field],
	problem,
});

export interface WantedValues {
	/** New values by field; '' only where the field is to be blanked. */
	texts: Array<[(typeof TEXT_FIELDS)[number], string]>;
	country?: Country;
}

/**
 * Reads the values of an item: what is not mapped, and what is empty unless empty means blank, is left out.
 *
 * @param values the mapped values
 * @param countries the lookup
 * @param emptyValues what an empty value means; undefined is never on purpose, and the API lets no country be blank
 * @returns the values to have, or the first field that cannot be understood
 */
export function readValues(
	values: ContactInput['values'],
	countries: CountryLookup,
	emptyValues: PlanOptions['emptyValues'],
): WantedValues | Refusal {
	const wanted: WantedValues = { texts: [] };
	for (const field of TEXT_FIELDS) {
		const value = values[field];
		if (value === undefined) continue;
		const text = toText(value);
		if (typeof text !== 'string') return refuse(field, text.problem);
		if (text !== '' || emptyValues === 'clear') wanted.texts.push([field, text]);
	}
	const country = toText(values.country);
	if (typeof country !== 'string') return refuse('country', country.problem);
	if (country !== '') {
		const found = countries.find(country);
		if ('problem' in found) return refuse('country', found.problem);
		wanted.country = found;
	}
	return wanted;
}

const showCountry = ({ id, name }: Country): string => name ?? id;

/**
 * @param email the address
 * @param wanted the values that the item gives
 * @param countries the lookup
 * @param options contact type and default country
 * @returns the body of #19 with the changes, or why it cannot be made
 */
export function createBody(
	email: string,
	wanted: WantedValues,
	countries: CountryLookup,
	options: PlanOptions,
): { body: ContactBody; changes: Changes } | Refusal {
	let { country } = wanted;
	if (!country) {
		if (!options.defaultCountry) {
			return refuse(
				'country',
				'is missing: the service wants one for a new contact. Map it or set a default',
			);
		}
		const found = countries.find(options.defaultCountry);
		if ('problem' in found) return refuse('country', `${found.problem} (default country)`);
		country = found;
	}
	const body: ContactBody = { contact_type_id: options.contactTypeId, email, country: country.id };
	const changes: Changes = {
		email: { from: null, to: email },
		country: { from: null, to: showCountry(country) },
	};
	for (const [field, text] of wanted.texts) {
		if (text === '') continue;
		body[field] = text;
		changes[field] = { from: null, to: text };
	}
	return { body, changes };
}

/**
 * The changes to the text fields of a contact.
 *
 * @param contact the contact as listed
 * @param email the address that it shall have
 * @param wanted the values that the item gives
 * @returns old and new value of each field that differs
 */
export function textChanges(contact: ListedContact, email: string, wanted: WantedValues): Changes {
	const changes: Changes = {};
	if (email !== contact.email) changes.email = { from: contact.email, to: email };
	for (const [field, text] of wanted.texts) {
		const current = coerceText(contact[field]);
		if (!sameText(current, text)) changes[field] = { from: current, to: text };
	}
	return changes;
}

/**
 * The body of #23 without `contact_id`. Whether the service keeps a field that is not sent is not shown, so all
 * known values go along with the changed ones; a field that is empty and stays so is left out.
 *
 * @param contact the contact as listed
 * @param email the address that it shall have
 * @param countryId the id of the country that it shall have
 * @param changes what changes
 * @param contactTypeId the contact type
 * @returns the body
 */
export function updateBody(
	contact: ListedContact,
	email: string,
	countryId: string,
	changes: Changes,
	contactTypeId: number,
): ContactBody {
	const body: ContactBody = { contact_type_id: contactTypeId, email, country: countryId };
	for (const field of TEXT_FIELDS) {
		const change = changes[field];
		const current = coerceText(contact[field]);
		if (change) body[field] = change.to;
		else if (current.trim() !== '') body[field] = current;
	}
	return body;
}
