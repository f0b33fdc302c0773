import type { IDataObject } from 'n8n-workflow';

import { isObject, readEnvelope, unexpectedShape } from '../api/envelope';
import type { Enrich } from './operation';
import { isEmpty, isTarget } from '../params/validators';
import type { Fields, FormValue } from '../params/validators';
import { labelOf } from '../util/labels';
import { coerceText } from '../util/coerce';

/** What cannot be sent back as it is. */
export const unusable = Symbol('unusable');

/** Value to send for a field that the user left out, or undefined to leave it out as well. */
export type Keep = (record: IDataObject, given: Fields) => FormValue | typeof unusable;

interface CurrentRecord {
	/** Details endpoint of the record. */
	path: string;
	/** Field of the update that holds the id; the details endpoint takes it under the same name. */
	id: string;
	/** Key of the record in the answer. */
	key: string;
	fields: Record<string, Keep>;
}

/**
 * The updates 8, 23, 41 and 54 want every required field again, and what they do to optional fields
 * that are not sent is not shown. So whatever the user leaves out is sent as it is now; the record is
 * read only if something is left out.
 */
export function mergeCurrent({ path, id, key, fields }: CurrentRecord): Enrich {
	return async (_context, body, query, read) => {
		const missing = Object.keys(fields).filter((field) => body[field] === undefined);
		const recordId = body[id] ?? query[id];
		if (missing.length === 0 || recordId === undefined) return;
		const asked = { changesData: false };
		const answer = await read(path, { [id]: recordId });
		const message = readEnvelope(answer, asked);
		const found = isObject(message) ? message[key] : undefined;
		const record: unknown = Array.isArray(found) ? found[0] : found;
		if (!isObject(record)) throw unexpectedShape(`the record "${key}"`, answer, asked);
		const given = { ...body };
		for (const field of missing) {
			const value = fields[field]?.(record, given);
			if (value === unusable) {
				throw unexpectedShape(`a "${labelOf(field)}" that can be kept`, answer, asked);
			}
			body[field] = value;
		}
	};
}

/** Sends a field of the record as it is; null and blank are left out. */
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
