import type { IDataObject } from 'n8n-workflow';

import type { Fields, FormValue } from '../api/form';
import { coerceText, isEmpty, isObject } from '../util/coerce';
import { isTarget } from './values';

/** Marks a value of the record that cannot be sent back. */
export const unusable = Symbol('unusable');

/** The value to send for a field that the user left out, or undefined to leave it out as well. */
export type Keep = (record: IDataObject, given: Fields) => FormValue | typeof unusable;

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
export function keepId(field: string): Keep {
	const keepDigits = keep(field, /^\d{1,15}$/);
	return (record, given) => {
		const id = keepDigits(record, given);
		return typeof id === 'string' && Number(id) === 0 ? undefined : id;
	};
}

/** Targets of a single send as the update wants them: `{ id: '3', table: 'contacts_' }` → `contacts_3`. */
export function keepTargets(field: string): Keep {
	return (record) => {
		const value = record[field];
		if (isEmpty(value)) return undefined;
		if (!Array.isArray(value)) return unusable;
		const targets = value.map((entry: unknown) =>
			isObject(entry) ? `${coerceText(entry.table)}${coerceText(entry.id)}` : coerceText(entry),
		);
		if (!targets.every(isTarget)) return unusable;
		return targets.length === 0 ? undefined : targets;
	};
}
