import { coerceText } from '../util/coerce';
import { quote } from '../util/text';
import { InvalidInput } from './invalidInput';

export interface WallClock {
	/** `YYYY-MM-DD` */
	date: string;
	/** `HH:mm:ss` */
	time: string;
}

/** Longer than any date with its time zone. */
const longestDate = 100;

export const dateRemedy =
	'Pick a date and a time, or enter an ISO date such as 2026-05-04T09:30:00.';

/**
 * Date and time as they are read off a clock in `timezone`. A value without an offset is such a
 * reading already; one with an offset, or with a time zone in brackets, is converted.
 *
 * @throws InvalidInput for anything that is no date with a time
 */
export function wallClock(value: unknown, timezone: string, label: string): WallClock {
	const given = isoText(value);
	const text = given.length > longestDate ? '' : given;
	const match =
		/^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):\d{2})(:\d{2})?(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?(?:\[(.+)\])?$/.exec(
			text,
		);
	const moment = new Date(text.replace(' ', 'T').replace(/\[.+\]$/, ''));
	const [, date = '', hoursMinutes = '', seconds = ':00', offset, zone] = match ?? [];
	const formatter = zone === undefined ? undefined : knownFormatter(zone);
	const isUnknownZone = zone !== undefined && offset === undefined && formatter === undefined;
	if (Number.isNaN(moment.getTime()) || !isRealDate(date) || isUnknownZone) {
		throw new InvalidInput(
			'date-invalid',
			`"${label}" is not a date with a time: ${quote(value)}`,
			dateRemedy,
		);
	}
	const converted = inZone(moment, timezone);
	if (offset !== undefined) return converted;
	const shown = { date, time: hoursMinutes + seconds };
	return formatter ? inZone(new Date(momentOf(shown, formatter)), timezone) : shown;
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

/** JavaScript takes the 31st of February for a day in March. */
function isRealDate(date: string): boolean {
	const moment = new Date(`${date}T00:00:00Z`);
	return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date);
}

/**
 * What a clock in `timezone` shows at `moment`.
 *
 * @throws InvalidInput for an unknown time zone
 */
export function inZone(moment: Date, timezone: string): WallClock {
	return clockIn(timezone, 'Time Zone')(moment);
}

/**
 * A clock in a time zone: says what it shows at a moment.
 *
 * @param label of the field with the time zone
 * @throws InvalidInput for an unknown time zone
 */
export function clockIn(timezone: string, label: string): (moment: Date) => WallClock {
	const formatter = formatterIn(timezone, label);
	return (moment) => shownBy(formatter, moment);
}

function shownBy(formatter: Intl.DateTimeFormat, moment: Date): WallClock {
	const [date = '', time = ''] = formatter.format(moment).split(' ');
	return { date, time };
}

/** By time zone. To make one takes longer than all that is done with it for an item. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function knownFormatter(timeZone: string): Intl.DateTimeFormat | undefined {
	const known = formatters.get(timeZone);
	if (known !== undefined) return known;
	try {
		const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const;
		const formatter = new Intl.DateTimeFormat('sv-SE', options);
		formatters.set(timeZone, formatter);
		return formatter;
	} catch {
		return undefined;
	}
}

/** @throws InvalidInput for an unknown time zone */
function formatterIn(timezone: string, label = 'Time Zone'): Intl.DateTimeFormat {
	const formatter = knownFormatter(timezone);
	if (formatter !== undefined) return formatter;
	throw new InvalidInput(
		'time-zone-unknown',
		`"${label}" is not a known time zone: ${quote(timezone)}`,
		'Enter it as region and city, such as Europe/Berlin, or leave it empty.',
	);
}

/** The moment at which a clock shows this date and time, in milliseconds since 1970. */
function momentOf({ date, time }: WallClock, formatter: Intl.DateTimeFormat): number {
	const wanted = Date.parse(`${date}T${time}Z`);
	let moment = wanted;
	// The offset of the time zone depends on the moment that is looked for: the second step settles it.
	for (let step = 0; step < 2; step++) {
		const shown = shownBy(formatter, new Date(moment));
		moment += wanted - Date.parse(`${shown.date}T${shown.time}Z`);
	}
	return moment;
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
	const { date, time } = wallClock(
		/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : value,
		timezone,
		label,
	);
	return momentOf({ date, time }, formatterIn(timezone));
}

/** Earlier than anything that the service can have sent. */
const firstMoment = Date.UTC(2000, 0);

/**
 * Reads times of the service that have no offset, such as `2026-05-04 09:30:00`.
 *
 * @param timezone in which they are meant
 * @returns what reads one of them: milliseconds since 1970, or undefined for what is no time, such as
 *   `0000-00-00 00:00:00`
 * @throws InvalidInput for an unknown time zone
 */
export function momentReader(
	timezone: string,
	label: string,
): (value: unknown) => number | undefined {
	const formatter = formatterIn(timezone, label);
	return (value) => {
		const [, date = '', time = '', offset] =
			/^(\d{4}-\d\d-\d\d)[ T]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(
				coerceText(value).trim(),
			) ?? [];
		if (!isRealDate(date)) return undefined;
		const moment =
			offset === undefined
				? momentOf({ date, time }, formatter)
				: Date.parse(`${date}T${time}${offset}`);
		return moment < firstMoment ? undefined : moment;
	};
}

export const sentAtLabel = 'Sent At Time Zone';

/**
 * Reads `sent_at` of single sends. Its time zone is not shown: UTC, as for the other times of the service, unless the
 * user says otherwise.
 *
 * @throws InvalidInput for an unknown time zone
 */
export const sentAtReader = (timezone: string): ReturnType<typeof momentReader> =>
	momentReader(timezone || 'UTC', sentAtLabel);
