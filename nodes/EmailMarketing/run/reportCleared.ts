import type { IDataObject } from 'n8n-workflow';

import { readRecord } from '../service/envelope';
import { serviceErrorOf } from '../service/failure';
import type { FormValue } from '../service/form';
import { isNoTarget } from '../params/currentValue';
import { isEmptyBody } from '../params/template';
import { coerceText, isEmpty, textOrJson } from '../util/coerce';
import { labelOf } from '../util/labels';
import { settleAll } from '../util/promises';
import { recordKey, recordOf } from './mergeCurrent';
import type { RecordDetails } from './mergeCurrent';
import type { Draft, RequestPlan, Written } from './operation';
import type { RunContext } from './runContext';

/** For the ID of another record, 0 means none. */
const isGone = (value: unknown): boolean =>
	isEmpty(value) ||
	coerceText(value) === '0' ||
	isEmptyBody(value) ||
	(Array.isArray(value) && value.every(isNoTarget));

const isCleared = (value: FormValue): boolean =>
	value !== undefined && [value].flat().every((entry) => entry === '');

const givenFields = ({ body, kept }: Draft): string[] =>
	Object.keys(body).filter((field) => !kept?.has(field));

const clearedFields = (draft: Draft): string[] =>
	givenFields(draft).filter((field) => isCleared(draft.body[field]));

/** What the writes of a run have cleared of one record, and no later one of them has set. */
interface Cleared {
	draft: Draft;
	/** The write that cleared each field. */
	by: Map<string, Written>;
}

function clearedIn(written: readonly Written[], id: string): Cleared[] {
	const records = new Map<string, Cleared>();
	for (const one of written) {
		const { draft } = one;
		const record = recordKey(recordOf(draft, id));
		const { by } = records.get(record) ?? { by: new Map<string, Written>() };
		for (const field of givenFields(draft)) by.delete(field);
		for (const field of clearedFields(draft)) by.set(field, one);
		records.set(record, { draft, by });
	}
	return [...records.values()].filter(({ by }) => by.size > 0);
}

/**
 * The reference does not say whether an empty value clears a field. So a record with cleared fields is read again after
 * its last update, and the output names the values that are still there.
 */
export function reportCleared({ details, id }: RecordDetails): RequestPlan['complete'] {
	return async (run, written) => {
		await settleAll(
			clearedIn(written, id).map(async ({ draft, by }) => {
				const noteOn = await readNotes(run, draft, { details, id });
				for (const one of new Set(by.values())) {
					const fields = [...by].flatMap(([field, writer]) => (writer === one ? [field] : []));
					const note = noteOn(fields, one.draft.emptied);
					if (note === undefined) continue;
					for (const { json } of one.items) json.note = note;
					run.showHint(note);
				}
			}),
		);
	};
}

/** @returns the note about fields that were to be cleared; undefined if they are empty */
async function readNotes(
	run: RunContext,
	draft: Draft,
	{ details, id }: Pick<RecordDetails, 'details' | 'id'>,
): Promise<(fields: string[], before: Draft['emptied']) => string | undefined> {
	const wanted = recordOf(draft, id);
	const client = run.pooled(run.clientAfterwards(draft.item));
	try {
		const record = await client.read(
			{ endpoint: details, query: { [id]: wanted } },
			(response, info): IDataObject => readRecord(response, details.key, info),
		);
		return (fields, before) => {
			// The service may show what it has made of the new content.
			const isOther = (field: string) =>
				before?.has(field) === true && textOrJson(record[field]) !== textOrJson(before.get(field));
			const isLeft = (field: string) => !isGone(record[field]) && !isOther(field);
			const kept = fields.filter(isLeft).map(labelOf);
			return kept.length === 0
				? undefined
				: `The service did not clear ${kept.join(', ')}: it ignored the empty value. Clear it in the service.`;
		};
	} catch (error) {
		const note = unknownNote(error);
		return () => note;
	}
}

/** @throws any error other than a failure of the service */
const unknownNote = (error: unknown): string =>
	`The fields may not have been cleared, because the record could not be read again. Check it in the service. ${serviceErrorOf(error).message}`;
