import type { IDataObject } from 'n8n-workflow';

import { coerceText, isObject, textOrJson, sameText } from '../util/coerce';
import { groupBy } from '../util/groups';
import { normalize } from '../util/normalize';

/** Values by the names of custom fields; none is empty. */
export type CustomValues = ReadonlyArray<readonly [name: string, value: string]>;

interface CustomField {
	name: string;
	value: IDataObject[string];
}

const nameOf = (key: string, { field_name: name }: IDataObject): string =>
	coerceText(name).trim() || key;

/** The custom fields of a contact, by their names in the service. */
export function customFieldsOf({ custom_field: fields }: IDataObject): CustomField[] {
	if (!isObject(fields)) return [];
	return Object.entries(fields).flatMap(([key, field]) =>
		isObject(field) ? [{ name: nameOf(key, field), value: field.field_value ?? null }] : [],
	);
}

/** The key under which custom fields are returned and, for new contacts, taken. */
export const customFieldKey = (name: string): string => `custom_field_${name}`;

/** The custom field that a key of an item names; undefined if it names none. Names have letters, digits and underscores (33). */
export const customFieldName = (key: string): string | undefined =>
	/^custom_field_(\w+)$/.exec(key)?.[1];

/** The custom fields of a contact that have a value, as JSON; '' if none has. */
export function customValuesOf(contact: IDataObject): string {
	const filled = customFieldsOf(contact)
		.map(({ name, value }) => [name, textOrJson(value).trim()])
		.filter(([, text]) => text !== '');
	return filled.length === 0 ? '' : JSON.stringify(Object.fromEntries(filled));
}

/** @param stored what `customValuesOf` returns */
export const parseCustomValues = (stored = ''): Map<string, string> =>
	new Map(Object.entries(JSON.parse(stored || '{}') as Record<string, string>));

/** Finds the name of a custom field as it is written, or else the only one that differs in case. */
export function nameFinder(names: Iterable<string>): (name: string) => string | undefined {
	const exact = new Set(names);
	const alike = groupBy(exact, normalize);
	return (name) => {
		if (exact.has(name)) return name;
		const [own, ...others] = alike.get(normalize(name)) ?? [];
		return others.length === 0 ? own : undefined;
	};
}

/**
 * The names of custom fields whose values differ.
 *
 * @param stored what `customValuesOf` returns
 * @param wanted the values by name; none is empty
 * @param isExact whether the names are those of the service. Otherwise, they may differ in case
 */
export function differingCustomFields(
	stored: string | undefined,
	wanted: CustomValues = [],
	isExact = false,
): string[] {
	if (wanted.length === 0) return [];
	const values = parseCustomValues(stored);
	const find = isExact ? () => undefined : nameFinder(values.keys());
	return wanted
		.filter(([name, value]) => !sameText(values.get(find(name) ?? name) ?? '', value))
		.map(([name]) => name);
}

/** The custom fields of a contact as fields of its own: `custom_field_plan: "gold"`. */
export const flatCustomFields = (contact: IDataObject): IDataObject =>
	Object.fromEntries(
		customFieldsOf(contact).map(({ name, value }) => [customFieldKey(name), value]),
	);
