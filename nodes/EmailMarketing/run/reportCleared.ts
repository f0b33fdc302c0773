import type { IDataObject } from 'n8n-workflow';

import { readRecordOf } from '../service/envelope';
import { ServiceError } from '../service/failure';
import type { FormValue } from '../service/form';
import { coerceText, isEmpty } from '../util/coerce';
import { labelOf } from '../util/labels';
import { settleAll } from '../util/settleAll';
import { recordOf } from './mergeCurrent';
import type { RecordDetails } from './mergeCurrent';
import type { Draft, RequestPlan, Written } from './operation';
import { namesToClear, pooledClient } from './prepare';
import type { RunContext } from './runContext';

/** For the ID of another record, 0 means none. */
const isGone = (value: unknown): boolean =>
	Array.isArray(value) ? value.length === 0 : isEmpty(value) || coerceText(value) === '0';

const isBlank = (value: FormValue): boolean =>
	value !== undefined && [value].flat().every((entry) => entry === '');

const clearedFields = ({ item, body }: Draft): string[] =>
	namesToClear(item).filter((name) => isBlank(body[name]));

/**
 * The reference does not say whether an empty value clears a field. So a record with cleared fields is read again after
 * its last update, and the output names the values that are still there.
 */
export function reportCleared({ details, id }: RecordDetails): RequestPlan['complete'] {
	return async (run, written) => {
		const last = new Map<string, Written>();
		for (const one of written) {
			last.set(recordOf(one.draft, id), one);
		}
		await settleAll(
			[...last.values()].map(async ({ draft, items }) => {
				const fields = clearedFields(draft);
				if (fields.length === 0) return;
				const note = await noteOn(run, draft, fields, { details, id }).catch(unknownNote);
				if (note === undefined) return;
				for (const { json } of items) json.note = note;
				run.showHint(note);
			}),
		);
	};
}

/** @returns undefined if the fields are empty */
async function noteOn(
	run: RunContext,
	draft: Draft,
	fields: string[],
	{ details, id }: Pick<RecordDetails, 'details' | 'id'>,
): Promise<string | undefined> {
	const wanted = recordOf(draft, id);
	const client = pooledClient(run, run.clientFor(draft.item));
	const record = await client.send(
		{ endpoint: details, query: { [id]: wanted } },
		(response, info): IDataObject => readRecordOf(response, details.key, info, wanted),
	);
	const kept = fields.filter((field) => !isGone(record[field])).map(labelOf);
	if (kept.length === 0) return undefined;
	return `The service did not clear ${kept.join(', ')}: it ignored the empty value. Clear it in the service.`;
}

/** @throws any error other than a failure of the service */
function unknownNote(error: unknown): string {
	if (!(error instanceof ServiceError)) throw error;
	return `The fields may not have been cleared, because the record could not be read again. Check it in the service. ${error.message}`;
}
