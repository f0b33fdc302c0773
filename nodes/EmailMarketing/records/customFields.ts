import type { IDataObject } from 'n8n-workflow';

import { coerceText, isEmpty, isObject, textOrJson, sameText } from '../util/coerce';
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

/** Whether a custom field has the form of the reference (18). */
const isShown = (field: unknown): field is IDataObject =>
	isObject(field) && Object.hasOwn(field, 'field_value');

/** The custom fields of a contact, by their names in the service. */
export function customFieldsOf({ custom_field: fields }: IDataObject): CustomField[] {
	if (!isObject(fields)) return [];
	return Object.entries(fields).flatMap(([key, field]) =>
		isObject(field) ? [{ name: nameOf(key, field), value: field.field_value ?? null }] : [],
	);
}

/** What begins the names under which custom fields are returned and, for new contacts, taken. */
const prefix = 'custom_field_';

/** The key under which an item has a custom field. */
export const customFieldKey = (name: string): string => prefix + name;

/** The custom field that a key of an item names; undefined if it names none. Names have letters, digits and underscores (33). */
export const customFieldName = (key: string): string | undefined =>
	/^custom_field_(\w+)$/.exec(key)?.[1];

/** '' for what is empty; what is no text as JSON. */
function textOf(value: unknown): string {
	if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) return '';
	return textOrJson(value).trim();
}

/**
 * The custom fields of a contact that have a value, as JSON; '' if none has. A form that the reference does not show
 * counts as the value of a field without a name.
 */
export function customValuesOf({ custom_field: fields }: IDataObject): string {
	if (isEmpty(fields)) return '';
	const entries = isObject(fields)
		? Object.entries(fields).map(([key, field]) =>
				isShown(field) ? [nameOf(key, field), textOf(field.field_value)] : [key, textOf(field)],
			)
		: [['', textOf(fields)]];
	const filled = entries.filter(([, text]) => text !== '');
	return filled.length === 0 ? '' : JSON.stringify(Object.fromEntries(filled));
}

/** What the custom fields of a contact have in other forms, and so not under names of their own. */
export function customFieldsInOtherForm({ custom_field: fields }: IDataObject): unknown {
	if (!isObject(fields)) return fields;
	const others = Object.entries(fields).filter(([, field]) => !isShown(field));
	return others.length === 0 ? undefined : Object.fromEntries(others);
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
