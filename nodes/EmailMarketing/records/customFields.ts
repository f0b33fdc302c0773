import type { IDataObject } from 'n8n-workflow';

import { coerceText, isObject } from '../util/coerce';

export interface CustomField {
	name: string;
	value: IDataObject[string];
}

/** The custom fields of a contact, by their names in the service. */
export function customFieldsOf({ custom_field: fields }: IDataObject): CustomField[] {
	if (!isObject(fields)) return [];
	return Object.entries(fields).flatMap(([key, field]) =>
		isObject(field)
			? [{ name: coerceText(field.field_name).trim() || key, value: field.field_value ?? null }]
			: [],
	);
}

/** What begins the names under which custom fields are returned. */
const prefix = 'custom_field_';

/**
 * The custom fields of a contact as fields of its own: `custom_field_plan: "gold"`. Other characters than letters,
 * digits and underscores become underscores; a name that is taken gets a number.
 */
export function flatCustomFields(contact: IDataObject): IDataObject {
	const flat: IDataObject = {};
	for (const { name, value } of customFieldsOf(contact)) {
		const key = prefix + name.replace(/[^\p{L}\p{N}_]+/gu, '_');
		let unique = key;
		for (let number = 2; Object.hasOwn(flat, unique); number++) unique = `${key}_${number}`;
		flat[unique] = value;
	}
	return flat;
}
