import type { CustomValues } from '../../records/customFields';
import type { ErrorCode } from '../../service/errorCode';
import { coerceText, isGarbled, sameText, toText, withoutHalves } from '../../util/coerce';
import type { Country, CountryLookup } from '../locations/country';
import {
	FIELD_LABELS,
	TEXT_FIELDS,
	type ContactField,
	type ContactInput,
	type TextField,
} from './fields';
import type { ClearedAddress } from '../consent/guard';
import type { Changes, ClearedBody, ContactRules, ListedContact } from './types';

/** Why a row cannot be written: the label of the field, and a problem that completes the sentence "<Field> …". */
export interface FieldProblem {
	code: ErrorCode;
	field: string;
	problem: string;
	/** The text that is not accepted. */
	value?: string;
}

/** The outcome of a row with a problem. */
export const failedFor = ({ code, field, problem, value }: FieldProblem) => ({
	action: 'failed' as const,
	code,
	field,
	reason: `${field} ${problem}`,
	...(value !== undefined && { value }),
});

const problemWith = (
	code: ErrorCode,
	field: ContactField,
	problem: string,
	value?: string,
): FieldProblem => ({ code, field: FIELD_LABELS[field], problem, value });

/** What is wrong with "Country for New Contacts". */
export const presetProblem = (problem: string, preset: string): FieldProblem =>
	problemWith(
		'default-country-invalid',
		'country',
		`${problem} (from "Country for New Contacts")`,
		preset,
	);

export interface WantedValues {
	/** New values by field; '' only where the field is to be blanked. */
	texts: Array<[(typeof TEXT_FIELDS)[number], string]>;
	country?: Country;
	customFields: CustomValues;
	/** Custom fields whose values are no text. */
	unreadable: string[];
}

/** The custom fields of an item that have a value. */
export function readCustomFields(
	given: NonNullable<ContactInput['customFields']>,
): Pick<WantedValues, 'customFields' | 'unreadable'> {
	const customFields: Array<[string, string]> = [];
	const unreadable: string[] = [];
	for (const [field, value] of given) {
		const isEmptyList = Array.isArray(value) && value.length === 0;
		const own = value instanceof Date ? value.toISOString() : isEmptyList ? '' : value;
		const text = toText(withoutHalves(own));
		if (typeof text !== 'string') unreadable.push(field);
		else if (text !== '') customFields.push([field, text]);
	}
	return { customFields, unreadable };
}

/**
 * Reads the mapped values of an item, up to the first invalid field. Empty values are left out unless they should clear
 * a field. `undefined` never clears one, and neither can the country be cleared.
 */
export function readValues(
	{ values, customFields = [] }: Pick<ContactInput, 'values' | 'customFields'>,
	countries: CountryLookup,
	emptyValues: ContactRules['emptyValues'],
): WantedValues | FieldProblem {
	const wanted: WantedValues = { texts: [], ...readCustomFields(customFields) };
	for (const field of TEXT_FIELDS) {
		const value = values[field];
		if (value === undefined) continue;
		const text = toText(withoutHalves(value));
		if (typeof text !== 'string') return problemWith('single-value-expected', field, text.problem);
		// Half a character alone is no text, and no empty one either.
		const isNothing = text === '' && toText(value) !== '';
		if (isNothing) continue;
		if (text !== '' || emptyValues === 'clear') wanted.texts.push([field, text]);
	}
	const country = toText(values.country);
	if (typeof country !== 'string')
		return problemWith('single-value-expected', 'country', country.problem);
	if (country !== '') {
		const found = countries.find(country);
		if ('problem' in found) return problemWith(found.code, 'country', found.problem, country);
		wanted.country = found;
	}
	return wanted;
}

export const GARBLED = {
	problem: 'contains "�", which stands for a letter that could not be read',
	remedy:
		'In the node that reads the file, choose its encoding, such as Windows-1252. If it is like that in the source, correct it there',
};

/**
 * A text that was read with another encoding would replace one that is right.
 *
 * @param written texts, by the names of fields
 */
export function garbledIn(
	written: ReadonlyArray<readonly [field: string, text: string]>,
): FieldProblem | undefined {
	const [field] = written.find(([, text]) => isGarbled(text)) ?? [];
	if (field === undefined) return undefined;
	const labels: Readonly<Record<string, string>> = FIELD_LABELS;
	const problem = `${GARBLED.problem}. ${GARBLED.remedy}`;
	return { code: 'text-garbled', field: labels[field] ?? field, problem };
}

const showCountry = ({ id, name }: Country): string => name ?? id;

/** The body of a create (19) with the changes, or why there can be none. */
export function createBody(
	email: ClearedAddress,
	wanted: WantedValues,
	countries: CountryLookup,
	options: ContactRules,
): { body: ClearedBody; changes: Changes } | FieldProblem {
	let { country } = wanted;
	if (!country) {
		if (!options.defaultCountry) {
			return problemWith(
				'country-missing',
				'country',
				'is missing, but the service requires it for new contacts. Map it, or choose a "Country for New Contacts"',
			);
		}
		const found = countries.find(options.defaultCountry);
		if ('problem' in found) return presetProblem(found.problem, options.defaultCountry);
		country = found;
	}
	const garbled = garbledIn(wanted.texts);
	if (garbled) return garbled;
	const body: ClearedBody = { contact_type_id: options.contactTypeId, email, country: country.id };
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

/** The label of the option with the value of a field that an item does not have. */
export const nameForThoseWithout = (label: string): string => `${label} for Recipients Without One`;

/**
 * A new entry of a list other than contacts, or the required field that it lacks.
 *
 * @param needsOne whether one of the fields is enough
 * @param fallbacks the values of fields that the item does not have; undefined if the list takes none
 */
export function entryBody(
	email: ClearedAddress,
	{ texts }: WantedValues,
	fields: readonly TextField[],
	{
		contactTypeId: contact_type_id,
		needsOne = false,
		fallbacks,
	}: {
		contactTypeId: number;
		needsOne?: boolean;
		fallbacks?: Partial<Record<TextField, string>>;
	},
): { body: ClearedBody; changes: Changes } | FieldProblem {
	const body: ClearedBody = { contact_type_id, email, country: '' };
	const changes: Changes = { email: { from: null, to: email } };
	const given = new Map(texts.filter(([, text]) => text !== ''));
	const garbled = garbledIn(texts.filter(([field]) => fields.includes(field)));
	if (garbled) return garbled;
	const isEnough = needsOne && fields.some((field) => given.has(field));
	for (const field of fields) {
		const text = given.get(field) ?? fallbacks?.[field] ?? '';
		if (text === '') {
			if (isEnough) continue;
			const remedy = fallbacks
				? `fill it in the source, or set "${nameForThoseWithout(FIELD_LABELS[field])}" in Options`
				: 'or fill it in the source';
			const problem = `is missing, but the service requires it. Map the column that contains it, ${remedy}`;
			const missing = needsOne ? fields : [field];
			const labels = missing.map((name) => FIELD_LABELS[name]).join(' or ');
			return { code: 'value-missing', field: labels, problem };
		}
		body[field] = text;
		changes[field] = { from: null, to: text };
	}
	return { body, changes };
}

/** Old and new value of the address and of each text field that differs. */
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
 * The body of an update (23) without `contact_id`. The reference does not say whether the service keeps a field that is
 * not sent, so all known values are sent with the changed ones. A field that is and stays empty is left out.
 */
export function updateBody(
	contact: ListedContact,
	email: ClearedAddress,
	countryId: string,
	changes: Changes,
	contactTypeId: number,
): ClearedBody {
	const body: ClearedBody = { contact_type_id: contactTypeId, email, country: countryId };
	for (const field of TEXT_FIELDS) {
		const change = changes[field];
		const current = coerceText(contact[field]);
		if (change) body[field] = change.to;
		else if (current.trim() !== '') body[field] = current;
	}
	return body;
}
