import type { IDataObject } from 'n8n-workflow';

import type { KeyedEndpoint } from '../service/endpoints';
import { readRecord, unexpectedShape } from '../service/envelope';
import type { Fields, FormValue } from '../service/form';
import { unusable } from '../params/currentValue';
import type { Keep } from '../params/currentValue';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import { isDeleted } from '../records/recordKind';
import { labelOf } from '../util/labels';
import type { CurrentRecord, Draft, DraftStep, Stage } from './operation';

/** Where to read the record of an update. */
export interface RecordDetails {
	/** The endpoint with the details of the record. */
	details: KeyedEndpoint;
	/** The field of the update that holds the ID; the details endpoint takes it under the same name. */
	id: string;
	/** Of the parameter with the ID. */
	label: string;
}

interface Merge extends RecordDetails {
	fields: Record<string, Keep>;
	/** Refuses an update that the current record does not allow. */
	check?: (record: IDataObject, item: Item) => void;
	/** The fields that are emptied, since the item gives other content. */
	replaced?: (record: IDataObject, body: Fields, kept: Fields) => string[];
	/** Refuses an update with these kept values. */
	checkKept?: (draft: Draft, kept: Fields, record: IDataObject) => void;
}

/**
 * The values of a record for the fields that are not given.
 *
 * @throws the error of `refuse` for a field whose value cannot be sent back
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

const idIn = ({ query, body }: Draft, id: string): FormValue => body[id] ?? query[id];

/** The ID of the record that a request is about, as it was entered. */
export const recordOf = (draft: Draft, field: string): string => String(idIn(draft, field));

/** Identifies a record. The service may ignore the case of its ID. */
export const recordKey = (id: string): string => id.toLowerCase();

/**
 * The current record of an update; read once per item.
 *
 * @throws InvalidInput if it is deleted, since the reference does not say what an update would do to it
 * @throws ServiceError
 */
export async function currentRecord(
	draft: Draft,
	{ details, id, label }: RecordDetails,
): Promise<CurrentRecord> {
	const wanted = idIn(draft, id);
	draft.current ??= draft.client.read(
		{ endpoint: details, query: { [id]: wanted } },
		(response, info) => ({
			record: readRecord(response, details.key, info),
			refuse: (field) =>
				unexpectedShape(`"${labelOf(field)}" is missing or not valid`, response, info),
		}),
	);
	const current = await draft.current;
	if (isDeleted(current.record)) {
		throw new InvalidInput(
			'record-deleted',
			`"${label}" is deleted in the service: ${String(wanted)}`,
			'Choose another record. If this one was deleted by mistake, create it again.',
		);
	}
	return current;
}

/** The output of an update that sets nothing. */
const unchanged = ({ identity }: Draft): IDataObject => ({
	updated: false,
	...identity,
	message: 'No field has a value; nothing was written',
});

/**
 * The updates 8, 23, 41 and 54 require every required field again, and the reference does not say what they do to
 * optional fields that are not sent. So fields that the user leaves out are sent with their current values. The record
 * is read only if a field is left out, and an update without any field is not sent.
 */
export function mergeCurrent({ fields, check, replaced, checkKept, ...source }: Merge): Stage {
	const step: DraftStep = async (draft) => {
		const { item, body } = draft;
		const missing = Object.keys(fields).filter((field) => body[field] === undefined);
		if (idIn(draft, source.id) === undefined) return undefined;
		if (missing.length === Object.keys(fields).length) return unchanged(draft);
		if (missing.length === 0 && check === undefined) return undefined;
		const { record, refuse } = await currentRecord(draft, source);
		check?.(record, item);
		const kept = currentValues(fields, record, draft, refuse);
		checkKept?.(draft, kept, record);
		const emptied = replaced?.(record, body, kept) ?? [];
		draft.emptied = new Map(emptied.map((field) => [field, record[field]]));
		draft.kept = new Set(Object.keys(kept).filter((field) => !emptied.includes(field)));
		Object.assign(body, kept);
		return undefined;
	};
	return { fills: Object.keys(fields), step };
}
