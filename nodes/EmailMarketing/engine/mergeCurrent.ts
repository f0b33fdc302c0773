import type { IDataObject } from 'n8n-workflow';

import type { KeyedEndpoint } from '../api/endpoints';
import { readRecord, unexpectedShape } from '../api/envelope';
import type { Fields } from '../api/form';
import { unusable } from '../params/currentValue';
import type { Keep } from '../params/currentValue';
import { labelOf } from '../util/labels';
import type { DraftStep } from './operation';

interface CurrentRecord {
	/** The endpoint with the details of the record. */
	details: KeyedEndpoint;
	/** The field of the update that holds the ID; the details endpoint takes it under the same name. */
	id: string;
	fields: Record<string, Keep>;
}

/**
 * The values of a record for the fields that are not given.
 *
 * @throws what `refuse` makes for a field whose value cannot be sent back
 */
export function currentValues(
	fields: Record<string, Keep>,
	record: IDataObject,
	given: Fields,
	refuse: (field: string) => Error,
): Fields {
	const values: Fields = {};
	for (const [field, keep] of Object.entries(fields)) {
		if (given[field] !== undefined) continue;
		const value = keep(record, given);
		if (value === unusable) throw refuse(field);
		values[field] = value;
	}
	return values;
}

/**
 * The updates 8, 23, 41 and 54 require every required field again, and what they do to optional fields that are not
 * sent is not shown. So whatever the user leaves out is sent as it is now. The record is read only if something is left
 * out.
 */
export function mergeCurrent({ details, id, fields }: CurrentRecord): DraftStep {
	return async ({ client, query, body }) => {
		const missing = Object.keys(fields).filter((field) => body[field] === undefined);
		const recordId = body[id] ?? query[id];
		if (missing.length === 0 || recordId === undefined) return;
		const kept = await client.send(
			{ endpoint: details, query: { [id]: recordId } },
			(response, info) => {
				const record = readRecord(response, details.key, info);
				return currentValues(fields, record, body, (field) =>
					unexpectedShape(`a usable "${labelOf(field)}"`, response, info),
				);
			},
		);
		Object.assign(body, kept);
	};
}
