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
 * reading already; one with an offset is converted.
 *
 * @throws InvalidInput for anything that is no date with a time
 */
export function wallClock(value: unknown, timezone: string, label: string): WallClock {
	const given = isoText(value);
	const text = given.length > longestDate ? '' : given;
	const match =
		/^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):\d{2})(:\d{2})?(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?(?:\[.+\])?$/.exec(
			text,
		);
	const moment = new Date(text.replace(' ', 'T').replace(/\[.+\]$/, ''));
	if (match === null || Number.isNaN(moment.getTime()) || !isRealDate(match[1] ?? '')) {
		throw new InvalidInput(`"${label}" is not a date with a time: ${quote(value)}`, dateRemedy);
	}
	const [, date = '', hoursMinutes = '', seconds = ':00', offset] = match;
	const converted = inZone(moment, timezone);
	return offset === undefined ? { date, time: hoursMinutes + seconds } : converted;
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
	const formatter = formatterIn(timezone);
	if (formatter === undefined) {
		throw new InvalidInput(
			`"Time Zone" is not a known time zone: ${quote(timezone)}`,
			'Enter it as region and city, such as Europe/Berlin, or leave it empty.',
		);
	}
	const [date = '', time = ''] = formatter.format(moment).split(' ');
	return { date, time };
}

function formatterIn(timeZone: string): Intl.DateTimeFormat | undefined {
	try {
		return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
	} catch {
		return undefined;
	}
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
	const wanted = Date.parse(`${date}T${time}Z`);
	let moment = wanted;
	// The offset of the time zone depends on the moment that is looked for: the second step settles it.
	for (let step = 0; step < 2; step++) {
		const shown = inZone(new Date(moment), timezone);
		moment += wanted - Date.parse(`${shown.date}T${shown.time}Z`);
	}
	return moment;
}
