import { DateTime, IANAZone } from 'luxon';

import { coerceText } from '../util/coerce';
import { quote } from '../util/text';
import { optionalText } from './givenOption';
import { InvalidInput } from './invalidInput';
import type { Item } from './item';

export interface WallClock {
	/** `YYYY-MM-DD` */
	date: string;
	/** `HH:mm:ss` */
	time: string;
}

/** The label of the time zone in which campaigns are scheduled. */
export const accountZoneLabel = 'Account Time Zone';

export const dateRemedy =
	'Pick a date and a time, or enter them with the year first, such as 2026-05-04 09:30 or 2026-05-04 9:30 AM.';

/** 11/12/2026 is in November or December. The same is refused of 11/29/2026, so that no single item of many is. */
const dayOrMonthFirst = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}/;

const dayOrMonthRemedy = `Day and month could be confused. ${dateRemedy}`;

/** Values that are not a date, and dates without a time, are left to other checks. */
const dateWithTime =
	/^\d{4}-\d{2}-\d{2}[T ](?:[01]\d|2[0-3]):\d{2}(?::\d{2})?(?:\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?(\[.+\])?$/;

const twelveHourTime = /^(\d{4}-\d{2}-\d{2})[T ]((?:0?[1-9]|1[0-2]):[0-5]\d)(:[0-5]\d)? ?([AP]M)$/i;

/**
 * Date and time on a clock in `timezone`. A value without an offset is used as it is; one with an offset, or with a
 * time zone in brackets, is converted.
 *
 * @throws InvalidInput for anything that is no date with a time, and for a time that the clock does not show once
 */
export function wallClock(value: unknown, timezone: string, label: string): WallClock {
	const { moment, isExact } = readDate(value, label);
	const zone = zoneIn(timezone, accountZoneLabel);
	const shown = moment.setZone(zone, { keepLocalTime: !isExact });
	if (isExact) for (const read of [moment, shown]) refuseRepeated(read, label);
	else refuseSkipped(shown, moment, label);
	return clockOf(shown);
}

/** In messages. */
const minute = 'yyyy-MM-dd HH:mm';

/**
 * When clocks go forward, they skip an hour. A time in it would be read as another one.
 *
 * @param moment in its time zone
 * @param given the date and time that the clock should show
 * @throws InvalidInput
 */
function refuseSkipped(moment: DateTime, given: DateTime, label: string): void {
	if (moment.hour === given.hour && moment.minute === given.minute) return;
	throw new InvalidInput(
		'date-invalid',
		`"${label}" is a time that clocks in ${moment.zoneName} skip when they go forward: ${given.toFormat(minute)}`,
		'Enter a time before or after the skipped hour.',
	);
}

/**
 * When clocks go back, they show an hour twice. A time in it may be read as the other moment.
 *
 * @param moment in its time zone
 * @throws InvalidInput
 */
function refuseRepeated(moment: DateTime, label: string): void {
	if (moment.getPossibleOffsets().length === 1) return;
	throw new InvalidInput(
		'date-invalid',
		`"${label}" is a time that clocks in ${moment.zoneName} show twice when they go back: ${moment.toFormat(minute)}`,
		'Enter a time before or after the repeated hour.',
	);
}

/**
 * @returns the moment, in UTC if it has neither an offset nor a time zone and so is not exact
 * @throws InvalidInput for anything that is no date with a time
 */
function readDate(value: unknown, label: string): { moment: DateTime; isExact: boolean } {
	const text = withTwentyFourHours(isoText(value));
	const [match, offset, zone] = dateWithTime.exec(text) ?? [];
	// If there is a zone and an offset, the offset is used: it distinguishes the two hours when clocks go back.
	const iso = (offset === undefined ? text : text.replace(/\[.+$/, '')).replace(' ', 'T');
	const moment = DateTime.fromISO(iso, { zone: 'utc', setZone: true });
	if (match === undefined || !moment.isValid) {
		throw new InvalidInput(
			'date-invalid',
			`"${label}" is not a date with a time: ${quote(value)}`,
			dayOrMonthFirst.test(text) ? dayOrMonthRemedy : dateRemedy,
		);
	}
	if (zone !== undefined && offset === undefined) {
		const given = DateTime.fromISO(iso.replace(/\[.+$/, ''), { zone: 'utc' });
		refuseSkipped(moment, given, label);
	}
	return { moment, isExact: offset !== undefined || zone !== undefined };
}

/** A time such as `9:30 PM` as `21:30:00`; other texts are returned unchanged. */
function withTwentyFourHours(text: string): string {
	const match = twelveHourTime.exec(text);
	if (match === null) return text;
	const [, date, time, seconds = ':00', half] = match;
	const given = `${date} ${time}${seconds} ${half}`;
	const options = { zone: 'utc', locale: 'en-US' };
	const moment = DateTime.fromFormat(given, 'yyyy-MM-dd h:mm:ss a', options);
	return moment.toISO({ includeOffset: false }) ?? text;
}

function isoText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	// Expressions give a Luxon DateTime or a Date.
	const { toISO, toISOString } = (value ?? {}) as Record<string, unknown>;
	if (typeof toISO === 'function') return String(toISO.call(value));
	if (value instanceof Date && Number.isNaN(value.getTime())) return '';
	if (typeof toISOString === 'function') return String(toISOString.call(value));
	return '';
}

const clockOf = (moment: DateTime): WallClock => ({
	date: moment.toISODate() ?? '',
	time:
		moment.startOf('second').toISOTime({ suppressMilliseconds: true, includeOffset: false }) ?? '',
});

/**
 * What a clock in `timezone` shows at `moment`.
 *
 * @throws InvalidInput for an unknown time zone
 */
export const inZone = (moment: Date, timezone: string): WallClock =>
	clockOf(DateTime.fromJSDate(moment, { zone: zoneIn(timezone, accountZoneLabel) }));

/** @throws InvalidInput for an unknown time zone */
function zoneIn(timezone: string, label: string): IANAZone {
	const zone = IANAZone.create(timezone);
	if (zone.isValid) return zone;
	throw new InvalidInput(
		'time-zone-unknown',
		`"${label}" is not a known time zone: ${quote(timezone)}`,
		'Enter it as region and city, such as Europe/Berlin, or leave it empty.',
	);
}

/**
 * The moment at which a clock in `timezone` shows this date and time; a date alone means its first
 * second.
 *
 * @returns milliseconds since 1970
 * @throws InvalidInput for anything that is no date
 */
export function instant(value: unknown, timezone: string, label: string): number {
	const text = isoText(value);
	const withTime = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : value;
	const { moment, isExact } = readDate(withTime, label);
	const zone = zoneIn(timezone, 'Time Zone');
	// A clock shows the same time twice when clocks go back.
	if (isExact) return moment.toMillis();
	const { date, time } = clockOf(moment);
	return DateTime.fromISO(`${date}T${time}`, { zone }).toMillis();
}

/** Earlier than anything that the service can have sent. */
const firstMoment = Date.UTC(2000, 0);

const timeOfService =
	/^\d{4}-\d\d-\d\d[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/;

/**
 * Reads times of the service that have no offset, such as `2026-05-04 09:30:00`.
 *
 * @param timezone of these times
 * @returns a function that reads one of them: milliseconds since 1970, or undefined for other values, such as
 *   `0000-00-00 00:00:00`
 * @throws InvalidInput for an unknown time zone
 */
export function momentReader(
	timezone: string,
	label: string,
): (value: unknown) => number | undefined {
	const zone = zoneIn(timezone, label);
	return (value) => {
		const text = coerceText(value).trim();
		if (!timeOfService.test(text)) return undefined;
		const moment = DateTime.fromISO(text.replace(' ', 'T'), { zone }).toMillis();
		return moment >= firstMoment ? moment : undefined;
	};
}

const sentAtLabel = 'Compatibility: Sent At Time Zone';

/**
 * Reads `sent_at` of single sends. Its time zone is not shown: UTC, as for the other times of the service, unless the
 * user says otherwise.
 *
 * @throws InvalidInput for an unknown time zone
 */
export const sentAtReader = (timezone: string): ReturnType<typeof momentReader> =>
	momentReader(timezone || 'UTC', sentAtLabel);

/**
 * Reads `sent_at` as the option "Compatibility: Sent At Time Zone" says.
 *
 * @throws InvalidInput for anything but a time zone, and for an expression that returned nothing
 */
export const sentAtReaderOf = (
	item: Pick<Item, 'param' | 'raw' | 'isTool'>,
): ReturnType<typeof momentReader> =>
	sentAtReader(optionalText(item, 'options.sentAtTimezone', sentAtLabel, 'use UTC'));
