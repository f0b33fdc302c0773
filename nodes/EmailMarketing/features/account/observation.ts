import type { IDataObject } from 'n8n-workflow';

import { isEmptyBody } from '../../params/template';
import { sentAtReader } from '../../params/time';
import { groupOf } from '../../records/unsubscribes';
import { isDeleted } from '../../records/recordKind';
import { coerceNumber, coerceText, isEmpty, isKeyOf } from '../../util/coerce';

/** Forms that records may have where the reference does not say which. */
export type Trait =
	| 'idAsText'
	| 'isDeleted'
	| 'isOfGroup'
	| 'hasBothBodies'
	| 'hasPlaceholderBody'
	| 'hasShortYear'
	| 'isSentBeforeItsTime';

const readSentAt = sentAtReader('UTC');

/** Whether its time is not the one in UTC that it is taken for unless an option says otherwise. */
function isSentBeforeItsTime({ created_at: created, sent_at: sentAt }: IDataObject): boolean {
	const sent = readSentAt(sentAt);
	if (sent === undefined) return false;
	const minute = 60_000;
	return sent > Date.now() + minute || sent < Date.parse(coerceText(created)) - minute;
}

const bodiesOf = (record: IDataObject): unknown[] =>
	[record.template_json, record.template_html].filter((body) => !isEmpty(body));

function traitsOf(record: IDataObject): Trait[] {
	const bodies = bodiesOf(record);
	const traits: Record<Trait, boolean> = {
		idAsText: typeof record.id === 'string',
		isDeleted: isDeleted(record),
		isOfGroup: 'email_address' in record && groupOf(record) !== undefined,
		hasBothBodies: bodies.length === 2,
		hasPlaceholderBody: bodies.some(isEmptyBody),
		hasShortYear: /^\d{2}-\d{2}-\d{2}$/.test(coerceText(record.schedule_date)),
		isSentBeforeItsTime: isSentBeforeItsTime(record),
	};
	return (Object.keys(traits) as Trait[]).filter((trait) => traits[trait]);
}

/** What is noted of one record. */
interface Glimpse {
	fields: readonly string[];
	traits: readonly Trait[];
	isDeleted: boolean;
	id: IDataObject[string];
	utr: IDataObject[string];
	/** How many entries it has. */
	entries: number;
}

/**
 * Makes the function that looks at one record. It has no effect, since a response may be read more than once.
 *
 * @param countField the field with the number of a record's entries, if it has any
 */
export function glimpser(countField = ''): (record: IDataObject) => Glimpse {
	// Records of one list have the same few sets of fields.
	const known = new Map<string, readonly string[]>();
	return (record) => {
		const fields = Object.keys(record);
		const key = fields.join();
		const shared = known.get(key) ?? fields;
		known.set(key, shared);
		return {
			fields: shared,
			traits: traitsOf(record),
			isDeleted: isDeleted(record),
			...{ id: record.id, utr: record.utr },
			entries: coerceNumber(record[countField]) || 0,
		};
	};
}

/** What the records of a response have in common. The key of one record is the only value it keeps. */
export class Observation {
	records = 0;
	readonly traits = new Set<Trait>();
	private readonly fields = new Map<string, number>();
	private example: { record: IDataObject; entries: number } | undefined;

	add({ fields, traits, isDeleted, id, utr, entries }: Glimpse): void {
		this.records++;
		for (const field of fields) this.fields.set(field, (this.fields.get(field) ?? 0) + 1);
		for (const trait of traits) this.traits.add(trait);
		const isBetter = this.example === undefined || entries > this.example.entries;
		if (!isDeleted && isBetter) this.example = { record: { id, utr }, entries };
	}

	/** The highest number of entries that a record has. */
	get mostEntries(): number {
		return this.example?.entries ?? 0;
	}

	/** The key of that record; '' if there is none that can be sent. */
	keyOf(field: string): string {
		const key = coerceText(this.example?.record[field]).trim();
		return isKeyOf(field, key) ? key : '';
	}

	/** Fields of the records that the reference does not name. */
	unknownFields(known: readonly string[]): string[] {
		return [...this.fields.keys()].filter((field) => !known.includes(field));
	}

	/** Fields that at least one of the records lacks. */
	lacking(wanted: readonly string[]): string[] {
		if (this.records === 0) return [];
		return wanted.filter((field) => this.fields.get(field) !== this.records);
	}

	/** Fields that none of the records has. */
	missingFields(known: readonly string[]): string[] {
		return this.records === 0 ? [] : known.filter((field) => !this.fields.has(field));
	}
}
