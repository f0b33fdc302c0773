import type { IDataObject } from 'n8n-workflow';

import type { KeyedEndpoint } from '../api/endpoints';
import { readRecord, unexpectedShape } from '../api/envelope';
import type { Fields } from '../api/form';
import { unusable } from '../params/currentValue';
import type { Keep } from '../params/currentValue';
import type { Item } from '../params/item';
import { labelOf } from '../util/labels';
import type { DraftStep } from './operation';

interface CurrentRecord {
	/** The endpoint with the details of the record. */
	details: KeyedEndpoint;
	/** The field of the update that holds the ID; the details endpoint takes it under the same name. */
	id: string;
	fields: Record<string, Keep>;
	/** Refuses an update that the record, as it is now, does not allow. */
	check?: (record: IDataObject, item: Item) => void;
}

/**
 * The updates 8, 23, 41 and 54 require every required field again, and what they do to optional fields that are not
 * sent is not shown. So whatever the user leaves out is sent as it is now. The record is read only if something is left
 * out.
 */
export function mergeCurrent({ details, id, fields, check }: CurrentRecord): DraftStep {
	return async ({ item, client, query, body }) => {
		const missing = Object.keys(fields).filter((field) => body[field] === undefined);
		const recordId = body[id] ?? query[id];
		if (missing.length === 0 || recordId === undefined) return;
		const { record, values } = await client.send(
			{ endpoint: details, query: { [id]: recordId } },
			(response, info) => {
				const record = readRecord(response, details.key, info);
				const values: Fields = {};
				for (const field of missing) {
					const value = fields[field]?.(record, body, item);
					if (value === unusable) {
						throw unexpectedShape(`a "${labelOf(field)}" that can be kept`, response, info);
					}
					values[field] = value;
				}
				return { record, values };
			},
		);
		check?.(record, item);
		Object.assign(body, values);
	};
}
