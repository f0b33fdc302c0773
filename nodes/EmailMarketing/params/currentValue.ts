import type { IDataObject } from 'n8n-workflow';

import type { Fields, FormValue } from '../service/form';
import { coerceText, isEmpty, isObject } from '../util/coerce';
import type { Item } from './item';

/** Marks a value of the record that cannot be sent back. */
export const unusable = Symbol('unusable');

/** The value to send for a field that the user left out, or undefined to leave it out as well. */
export type Keep = (record: IDataObject, given: Fields, item: Item) => FormValue | typeof unusable;

/** Sends a field of the record as it is; null and '' are left out. */
export function keep(field: string, form = /^/): Keep {
	return (record) => {
		const value = record[field];
		if (isEmpty(value)) return undefined;
		const text = typeof value === 'boolean' ? String(Number(value)) : coerceText(value);
		return text !== '' && form.test(text) ? text : unusable;
	};
}

/** Sends a field that is 0 or 1. */
export function keepFlag(field: string): Keep {
	return keep(field, /^[01]$/);
}

/** Sends the id of another record as it is; the service has 0 where none was chosen, which is left out. */
export function keepId(field: string, form = /^\d{1,15}$/): Keep {
	const keepForm = keep(field, form);
	return (record, given, item) => {
		const id = keepForm(record, given, item);
		return typeof id === 'string' && Number(id) === 0 ? undefined : id;
	};
}

/** An entry that names nothing, as the service may store it when a list is cleared. */
export const isNoTarget = (entry: unknown): boolean =>
	isObject(entry)
		? ['id', 'table'].every((field) => Object.hasOwn(entry, field) && isEmpty(entry[field]))
		: isEmpty(entry);

/**
 * Targets of a single send in the form of requests: `{ id: '3', table: 'contacts_' }` → `contacts_3`. Unknown kinds are
 * treated alike.
 *
 * @returns undefined for any other form
 */
export function targetNames(value: unknown): string[] | undefined {
	if (isEmpty(value)) return [];
	if (!Array.isArray(value)) return undefined;
	const names = value
		.filter((entry: unknown) => !isNoTarget(entry))
		.map((entry: unknown) => {
			if (!isObject(entry)) return coerceText(entry);
			const [table, id] = [coerceText(entry.table), coerceText(entry.id)];
			return table === '' || id === '' ? '' : table + id;
		});
	return names.every((name) => /^[A-Za-z][\w-]*_\d+$/.test(name)) ? names : undefined;
}

/** Sends targets back. Without its exclusions, a single send would reach more people than it should. */
export function keepTargets(field: string): Keep {
	return (record) => {
		const names = targetNames(record[field]);
		if (names === undefined) return unusable;
		return names.length === 0 ? undefined : names;
	};
}
