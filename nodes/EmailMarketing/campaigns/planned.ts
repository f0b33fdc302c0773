import type { Fields } from '../api/form';
import type { Item } from '../params/item';
import { zoneOf } from '../params/schedule';
import { instant } from '../params/time';
import { coerceText } from '../util/coerce';

/** A single send as it is checked: one that exists, or one that is to be created. */
export interface CheckedSend {
	fields: Fields;
	/** Absent for one that is to be created. */
	utr?: string;
}

const isDate = /^(?!0000)\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/**
 * When a single send would be sent, in milliseconds since 1970. In which time zone the time of one that exists is meant
 * is not known: that of the workflow counts.
 *
 * @returns undefined if it is scheduled for a time that cannot be read
 */
export function plannedAt({ fields, utr }: CheckedSend, item: Item): number | undefined {
	if (fields.schedule_type !== '1') return Date.now();
	const text = `${coerceText(fields.schedule_date)}T${coerceText(fields.schedule_time)}`;
	if (!isDate.test(text)) return undefined;
	return instant(text, utr === undefined ? zoneOf(item, '') : item.timezone, 'Send At');
}
