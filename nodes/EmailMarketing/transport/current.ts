import type { IDataObject } from 'n8n-workflow';

import { isObject, readEnvelope, unexpectedShape } from './answer';
import type { Complete } from './endpoint';
import type { Fields, FormValue } from './inputs';

/** Value to send for a field that the user left out, or undefined to leave it out as well. */
type Keep = (record: IDataObject, given: Fields) => FormValue;

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
export function keepCurrent({ path, id, key, fields }: CurrentRecord): Complete {
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
		for (const field of missing) body[field] = fields[field]?.(record, given);
	};
}

/** Sends a field of the record as it is; null and blank are left out. */
export function keep(field: string): Keep {
	return (record) => {
		const value = record[field];
		if (value === undefined || value === null || value === '') return undefined;
		return typeof value === 'object' ? JSON.stringify(value) : String(value);
	};
}

/** Sends the id of another record as it is; the service has 0 where none was chosen, which is left out. */
export function keepId(field: string): Keep {
	return (record) => (Number(record[field]) > 0 ? String(record[field]) : undefined);
}

/** Targets of a single send as the update wants them: `{ id: '3', table: 'contacts_' }` → `contacts_3`. */
export function keepTargets(field: string): Keep {
	return (record) => {
		const value = record[field];
		if (!Array.isArray(value) || value.length === 0) return undefined;
		return value.map((entry: unknown) =>
			isObject(entry) ? `${String(entry.table)}${String(entry.id)}` : String(entry),
		);
	};
}
