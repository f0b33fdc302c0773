import type { IDataObject } from 'n8n-workflow';

import { storedContent } from '../../params/template';
import { sentAtReader } from '../../params/time';
import { groupOf } from '../../records/unsubscribes';
import { isDeleted, isUnsent } from '../../records/recordKind';
import { coerceNumber, coerceText, isKeyOf } from '../../util/coerce';
import { countFields } from './probes';
import type { Probe } from './probes';

const readSentAt = sentAtReader('UTC');

/** Whether its time is not the one in UTC that it is taken for unless an option says otherwise. */
function isSentBeforeItsTime(record: IDataObject): boolean {
	const { created_at: created, sent_at: sentAt } = record;
	const sent = readSentAt(sentAt);
	if (sent === undefined || isUnsent(record)) return false;
	const minute = 60_000;
	return sent > Date.now() + minute || sent < Date.parse(coerceText(created)) - minute;
}

/** Whether "Stored Content" has to say what an update keeps. */
const hasUnclearContent = (record: IDataObject): boolean => storedContent(record).isUnclear;

/** Forms that records may have where the reference does not say which, and that need a decision of the user. */
const traits = {
	isOfGroup: (record) => 'email_address' in record && groupOf(record) !== undefined,
	hasUnclearContent,
	hasShortYear: (record) => /^\d{2}-\d{2}-\d{2}$/.test(coerceText(record.schedule_date)),
	isSentBeforeItsTime,
} satisfies Record<string, (record: IDataObject) => boolean>;

export type Trait = keyof typeof traits;

/** What the records of a response have in common. The keys of one record are the only values it keeps. */
export interface Observation {
	records: number;
	/** What at least one of the records has. */
	traits: Trait[];
	/** Fields of the records that the reference does not name. */
	unknownFields: string[];
	/** Fields that none of the records has. */
	missingFields: string[];
	/** Needed fields that at least one of the records lacks. */
	lacking: string[];
	/** The record with the most entries. */
	example: IDataObject;
}

/** If there are no fields to compare. */
export const countOnly = (records: number): Observation => ({
	...{ records, traits: [], unknownFields: [], missingFields: [], lacking: [], example: {} },
});

/** @param countField the field with the number of a record's entries, if it has any */
function exampleOf(records: readonly IDataObject[], countField = ''): IDataObject {
	const entries = (record: IDataObject) => coerceNumber(record[countField]) || 0;
	let best: IDataObject | undefined;
	for (const record of records) {
		if (!isDeleted(record) && (!best || entries(record) > entries(best))) best = record;
	}
	return { id: best?.id, utr: best?.utr };
}

export function observe(records: readonly IDataObject[], probe: Probe): Observation {
	const found = new Set<string>();
	for (const record of records) for (const field of Object.keys(record)) found.add(field);
	return {
		records: records.length,
		traits: (Object.keys(traits) as Trait[]).filter((trait) => records.some(traits[trait])),
		unknownFields: [...found].filter((field) => !probe.fields.includes(field)),
		missingFields: records.length === 0 ? [] : probe.fields.filter((field) => !found.has(field)),
		lacking: probe.needed.filter((field) => !records.every((record) => field in record)),
		example: exampleOf(records, countFields[probe.kind ?? '']),
	};
}

/** The key of the example; '' if there is none that can be sent. */
export function keyOf({ example }: Observation, field: string): string {
	const key = coerceText(example[field]).trim();
	return isKeyOf(field, key) ? key : '';
}
