import type { IDataObject } from 'n8n-workflow';

import type { KeyedEndpoint } from '../api/endpoints';
import { readRecord, unexpectedShape } from '../api/envelope';
import type { Fields } from '../api/form';
import { unusable } from '../params/currentValue';
import type { Keep } from '../params/currentValue';
import type { Item } from '../params/item';
import { labelOf } from '../util/labels';
import type { Draft, DraftStep } from './operation';

/**
 * Makes what is kept fit what is given.
 *
 * @param kept values of the record for the fields that were left out
 * @param record undefined if nothing was left out
 * @throws InvalidInput
 */
export type Adjust = (draft: Draft, kept: Fields, record: IDataObject | undefined) => Promise<void>;

interface CurrentRecord {
	/** The endpoint with the details of the record. */
	details: KeyedEndpoint;
	/** The field of the update that holds the ID; the details endpoint takes it under the same name. */
	id: string;
	fields: Record<string, Keep>;
	/** Refuses an update that the record, as it is now, does not allow. */
	check?: (record: IDataObject, item: Item) => void;
	adjust?: Adjust;
}

/**
 * The values of a record for the fields that are not given.
 *
 * @throws what `refuse` makes for a field whose value cannot be sent back
 */
export function currentValues(
	fields: Record<string, Keep>,
	record: IDataObject,
	{ body, item }: Pick<Draft, 'body' | 'item'>,
	refuse: (field: string) => Error,
): Fields {
	const values: Fields = {};
	for (const [field, keep] of Object.entries(fields)) {
		if (body[field] !== undefined) continue;
		const value = keep(record, body, item);
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
export function mergeCurrent({ details, id, fields, check, adjust }: CurrentRecord): DraftStep {
	return async (draft) => {
		const { item, client, query, body } = draft;
		const missing = Object.keys(fields).filter((field) => body[field] === undefined);
		const recordId = body[id] ?? query[id];
		if (recordId === undefined) return;
		if (missing.length === 0 && check === undefined) {
			await adjust?.(draft, {}, undefined);
			return;
		}
		const { record, kept } = await client.send(
			{ endpoint: details, query: { [id]: recordId } },
			(response, info) => {
				const record = readRecord(response, details.key, info);
				const values = currentValues(fields, record, draft, (field) =>
					unexpectedShape(`a usable "${labelOf(field)}"`, response, info),
				);
				return { record, kept: values };
			},
		);
		check?.(record, item);
		await adjust?.(draft, kept, record);
		Object.assign(body, kept);
	};
}
