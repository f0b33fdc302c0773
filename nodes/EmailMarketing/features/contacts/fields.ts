import type { IDataObject } from 'n8n-workflow';
import { customFieldName } from '../../records/customFields';
import type { ErrorCode } from '../../service/errorCode';
import { isBlank } from '../../params/values';
import { addTo } from '../../util/groups';
import { labelOf } from '../../util/labels';
import { normalizeKey } from '../../util/normalize';

export const TEXT_FIELDS = [
	'first_name',
	'last_name',
	'state',
	'city',
	'address_line1',
	'address_line2',
	'state_province_region',
	'postal_code',
] as const;

/** The fields that creates (19) and updates (23) take besides the contact type; `alt_email` and `custom_field` are not among them. */
export const CONTACT_FIELDS = ['email', 'country', ...TEXT_FIELDS] as const;

export type TextField = (typeof TEXT_FIELDS)[number];
export type ContactField = (typeof CONTACT_FIELDS)[number];

/** What a key of an item can mean: a field, or which contact and contact type the item is about. */
type Target = ContactField | 'contact_id' | 'contact_type_id';

const contactLabels = Object.fromEntries(
	CONTACT_FIELDS.map((field) => [field, labelOf(field)]),
) as Record<ContactField, string>;

export const FIELD_LABELS: Record<Target | 'external_id', string> = {
	...contactLabels,
	contact_id: 'Contact ID',
	contact_type_id: labelOf('contact_type_id'),
	external_id: 'External ID',
};

/** The values of one input item for one contact. An absent field was not mapped. */
export interface MappedContact {
	contactId?: unknown;
	contactTypeId?: unknown;
	/** What identifies the contact in the source, from the field that the options name. */
	externalId?: unknown;
	values: Partial<Record<ContactField, unknown>>;
	/** What further fields of the item have that may be emails; they are not used. */
	otherEmails?: unknown[];
	/** By the names of custom fields. */
	customFields?: Array<[name: string, value: unknown]>;
	/** Why the item could not be read; `field` is the label. */
	unreadable?: { code: ErrorCode; field: string; problem: string };
}

export interface ContactInput extends MappedContact {
	/** The index of the item. It differs from its position if other items belong to other accounts. */
	item: number;
}

// Earlier synonyms take precedence; the API's own name always comes first.
const SYNONYMS: Record<Target, readonly string[]> = {
	contact_id: ['email marketing id', 'email marketing contact id'],
	// A key named "contact type" contains a name, as in an export.
	contact_type_id: [],
	email: [
		...['email address', 'mail', 'mail address', 'primary email', 'contact email', 'email 1'],
		...['e-mail adresse', 'mailadresse', 'courriel', 'correo electronico', 'correo'],
	],
	country: [
		...['country id', 'country name', 'country code', 'country iso', 'iso country', 'country iso2'],
		...['country/region', 'nation', 'land', 'pays', 'pais', 'paese'],
	],
	first_name: [
		...['given name', 'forename', 'fname', 'first', 'christian name', 'vorname', 'prenom'],
		...['nombre', 'nome'],
	],
	last_name: [
		...['surname', 'family name', 'lname', 'last', 'second name', 'nachname', 'familienname'],
		...['nom de famille', 'apellido', 'apellidos', 'cognome'],
	],
	state: ['state name', 'state code', 'bundesland', 'us state'],
	city: ['town', 'city name', 'locality', 'stadt', 'ort', 'wohnort', 'ville', 'ciudad', 'citta'],
	address_line1: [
		...['address 1', 'address line', 'address', 'street', 'street address', 'street 1'],
		...['street line 1', 'mailing street', 'strasse', 'adresse', 'rue', 'direccion', 'indirizzo'],
	],
	address_line2: [
		...['address 2', 'street 2', 'street line 2', 'street address 2', 'address additional'],
		...['apartment', 'suite', 'unit', 'adresszusatz'],
	],
	state_province_region: [
		...[
			'state/province',
			'province',
			'region',
			'province/region',
			'county',
			'provinz',
			'provincia',
		],
	],
	postal_code: [
		...['zip', 'zip code', 'post code', 'zip/postal code', 'postal', 'postal/zip code', 'plz'],
		...['postleitzahl', 'code postal', 'codigo postal', 'cp', 'cap'],
	],
};

interface Meaning {
	target: Target;
	rank: number;
}

function readSynonyms(): Map<string, Meaning> {
	const read = new Map<string, Meaning>();
	for (const [target, synonyms] of Object.entries(SYNONYMS) as Array<[Target, readonly string[]]>) {
		[target, ...synonyms].forEach((name, index) =>
			read.set(normalizeKey(name), { target, rank: index + 1 }),
		);
	}
	return read;
}

/** Computed when first needed, since n8n waits for a module to load when it starts. */
let meanings: Map<string, Meaning> | undefined;

function meaningOf(key: string): Meaning | undefined {
	return Object.hasOwn(SYNONYMS, key)
		? { target: key as Target, rank: 0 }
		: (meanings ??= readSynonyms()).get(normalizeKey(key));
}

/**
 * Finds the contact field of each key of an item. If several keys mean one field, the API's own name comes first, then
 * the closest synonym, then the first key.
 */
export function mapKeys(keys: readonly string[]): Array<[Target, string[]]> {
	const found = new Map<Target, Array<{ key: string; rank: number }>>();
	for (const key of keys) {
		const meaning = meaningOf(key);
		if (!meaning) continue;
		const { target, rank } = meaning;
		addTo(found, target, { key, rank });
	}
	// On its own, "state" is often that of an account, such as "active".
	if (isStateAlone(found)) found.delete('state');
	return [...found].map(([target, own]) => [
		target,
		own.sort((a, b) => a.rank - b.rank).map(({ key }) => key),
	]);
}

const PLACES: readonly Target[] = ['city', 'country', 'postal_code', 'address_line1'];

const isStateAlone = (found: ReadonlyMap<Target, Array<{ key: string }>>): boolean =>
	found.get('state')?.some(({ key }) => normalizeKey(key) === 'state') === true &&
	!PLACES.some((target) => found.has(target));

/** A number in a column such as "Country Code" is a calling code rather than the ID of a country. */
const isCallingCode = (key: string, value: unknown): boolean =>
	/code|iso/i.test(key) && /^[+\d\s]+$/.test(String(value));

/** Odoo returns `false` for an empty field, and a spreadsheet formula 0. In custom fields, both can be real values. */
export const falseOrZeroAsEmpty = (value: unknown): unknown =>
	value === false || value === 0 ? '' : value;

/** The first key with a value: another column must not blank a field, or hide whom the item names. */
function keyWithValue(json: IDataObject, target: Target, keys: string[]): string | undefined {
	const usable = target === 'country' ? keys.filter((key) => !isCallingCode(key, json[key])) : keys;
	return usable.find((key) => !isBlank(falseOrZeroAsEmpty(json[key]))) ?? usable[0];
}

/** The names of custom fields, with the keys that have their values. */
const customFieldsIn = (keys: readonly string[]): Array<[name: string, key: string]> =>
	keys.flatMap((key) => {
		const name = customFieldName(key);
		return name === undefined ? [] : [[name, key]];
	});

/** Names of columns with further emails of a person, which map to no field. */
const ALTERNATIVE: ReadonlySet<string> = new Set(
	[
		...['alt_email', 'alternative email', 'alternate email', 'secondary email', 'second email'],
		...['third email', 'other email', 'additional email'],
		// The last two as Outlook and Google export them.
		...[2, 3, 4].flatMap((n) => [
			...[`email ${n}`, `email address ${n}`, `e-mail ${n} address`, `e-mail ${n} - value`],
		]),
	].map(normalizeKey),
);

interface Mapping {
	targets: Array<[Target, string[]]>;
	/** The keys of all emails. */
	emails: string[];
	customFields: Array<[name: string, key: string]>;
}

const CACHED_KEY_SETS = 1000;

/**
 * Makes the function that reads contacts from items in automatic mapping. It evaluates no expression, and works out
 * the mapping once per distinct set of keys.
 */
export function createAutomaticMapping(): (json: IDataObject) => MappedContact {
	const mappings = new Map<string, Mapping>();
	return (json) => {
		const keys = Object.keys(json);
		const keySet = JSON.stringify(keys);
		let mapping = mappings.get(keySet);
		if (!mapping) {
			const targets = mapKeys(keys);
			mapping = {
				targets,
				emails: [
					...targets.flatMap(([target, own]) => (target === 'email' ? own : [])),
					...keys.filter((name) => ALTERNATIVE.has(normalizeKey(name))),
				],
				customFields: customFieldsIn(keys),
			};
			if (mappings.size < CACHED_KEY_SETS) mappings.set(keySet, mapping);
		}
		const input: MappedContact = { values: {} };
		let emailKey: string | undefined;
		for (const [target, ownKeys] of mapping.targets) {
			const key = keyWithValue(json, target, ownKeys);
			if (key === undefined) continue;
			const value = falseOrZeroAsEmpty(json[key]);
			if (target === 'contact_id') input.contactId = value;
			else if (target === 'contact_type_id') input.contactTypeId = value;
			else input.values[target] = value;
			if (target === 'email') emailKey = key;
		}
		const others = mapping.emails.filter((key) => key !== emailKey);
		if (others.length > 0) input.otherEmails = others.map((key) => json[key]);
		if (mapping.customFields.length > 0) {
			input.customFields = mapping.customFields.map(([name, key]) => [name, json[key]]);
		}
		return input;
	};
}
