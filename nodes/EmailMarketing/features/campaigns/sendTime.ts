import type { Fields } from '../../service/form';
import type { Item } from '../../params/item';
import { fullDate, zoneOf } from '../../params/schedule';
import { accountZoneLabel, momentReader } from '../../params/time';
import { isScheduled } from '../../records/records';
import { coerceText } from '../../util/coerce';
import { invalidInputOf } from './readSingleSend';

/** A single send as it is checked: one that exists, or one that is to be created. */
export interface CheckedSend {
	fields: Fields;
	/** Absent for one that is to be created. */
	utr?: string;
}

/** When a single send is to be sent, as a request or a record has it. */
interface Schedule {
	schedule_type?: unknown;
	schedule_date?: unknown;
	schedule_time?: unknown;
}

/** The scheduled time in milliseconds since 1970; undefined if it cannot be read. */
export function scheduledAt(
	{ schedule_date: date, schedule_time: time }: Schedule,
	timezone: string,
): number | undefined {
	const clock = coerceText(time);
	const withSeconds = clock.length === 5 ? `${clock}:00` : clock;
	return momentReader(timezone, accountZoneLabel)(`${fullDate(date)} ${withSeconds}`);
}

/** The time zones in which a date and time is reached first and last. */
const firstZone = 'Etc/GMT-14';
const lastZone = 'Etc/GMT+12';

/** Whether a scheduled time is still to come in every time zone, since its own is unknown. */
export const isYetToCome = (schedule: Schedule): boolean =>
	isScheduled(schedule) && (scheduledAt(schedule, firstZone) ?? 0) > Date.now();

/** Whether a scheduled time has passed: in its time zone if that is known, otherwise in every one. */
export const hasPassed = (schedule: Schedule, timezone = lastZone): boolean =>
	isScheduled(schedule) && (scheduledAt(schedule, timezone) ?? Infinity) <= Date.now();

/**
 * The time zone of scheduled times. That of the account is only known where an item states it for a new single send;
 * otherwise, that of the workflow is used.
 *
 * @throws InvalidInput for anything but a time zone
 */
export const scheduleZone = ({ fields, utr }: CheckedSend, item: Item): string =>
	utr === undefined && isScheduled(fields) ? zoneOf(item, '') : item.timezone;

/**
 * When a single send would be sent, in milliseconds since 1970.
 *
 * @returns undefined if it is scheduled for a time that cannot be read
 */
export function plannedAt(send: CheckedSend, item: Item): number | undefined {
	if (!isScheduled(send.fields)) return Date.now();
	try {
		return scheduledAt(send.fields, scheduleZone(send, item));
	} catch (error) {
		// A time zone that is not known.
		invalidInputOf(error);
		return undefined;
	}
}
