import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { InvalidInput, isEmpty, quote } from '../transport/inputs';
import type { Input } from '../transport/inputs';
import type { Fields } from '../transport/inputs';
import type { IDataObject } from 'n8n-workflow';

interface WallClock {
	/** `YYYY-MM-DD` */
	date: string;
	/** `HH:mm:ss` */
	time: string;
}

const remedy = 'Pick a date and a time, or give an ISO date such as 2026-05-04T09:30:00.';

/**
 * Date and time as they are read off a clock in `timezone`. A value without an offset is such a
 * reading already; one with an offset is converted.
 *
 * @throws InvalidInput for anything that is no date with a time
 */
export function wallClock(value: unknown, timezone: string, label: string): WallClock {
	const text = isoText(value);
	const match =
		/^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?(?:\[.+\])?$/.exec(
			text,
		);
	const moment = new Date(text.replace(' ', 'T').replace(/\[.+\]$/, ''));
	if (match === null || Number.isNaN(moment.getTime()) || !isRealDate(match[1] ?? '')) {
		throw new InvalidInput(`"${label}" is not a date with a time: ${quote(value)}`, remedy);
	}
	const [, date = '', hoursMinutes = '', seconds = ':00', offset] = match;
	if (offset === undefined) return { date, time: hoursMinutes + seconds };
	return inZone(moment, timezone);
}

function isoText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	// Expressions give a Luxon DateTime or a Date.
	const { toISO, toISOString } = (value ?? {}) as Record<string, unknown>;
	if (typeof toISO === 'function') return String(toISO.call(value));
	if (typeof toISOString === 'function') return String(toISOString.call(value));
	return '';
}

/** JavaScript takes the 31st of February for a day in March. */
function isRealDate(date: string): boolean {
	const moment = new Date(`${date}T00:00:00Z`);
	return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date);
}

function inZone(moment: Date, timezone: string): WallClock {
	const formatter = formatterIn(timezone);
	if (formatter === undefined) {
		throw new InvalidInput(
			`"Time Zone" is not a known time zone: ${quote(timezone)}`,
			'Write it as region and city, such as Europe/Berlin, or leave it empty.',
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

function zoneOf(context: IExecuteSingleFunctions): string {
	const chosen = String(context.getNodeParameter('options.timezone', '') ?? '').trim();
	return chosen === '' ? context.getTimezone() : chosen;
}

/** `schedule_type` (38, 41): 0 sends immediately, 1 at the scheduled date and time. */
export function scheduleType(prefix: string): Input {
	return {
		parameter: `${prefix}scheduleType`,
		required: true,
		identifies: false,
		encode(value, label, context) {
			if (isEmpty(value)) {
				const sendAt = context.getNodeParameter(`${prefix}scheduleAt`, '');
				return isEmpty(sendAt) ? undefined : '1';
			}
			if (value === 'immediately') return '0';
			if (value === 'scheduled') return '1';
			throw new InvalidInput(
				`"${label}" cannot be ${quote(value)}`,
				'Choose one of: immediately, scheduled.',
			);
		},
	};
}

function scheduled(prefix: string, part: (clock: WallClock, timeFormat: string) => string): Input {
	return {
		parameter: `${prefix}scheduleAt`,
		required: false,
		identifies: false,
		encode(value, label, context) {
			const type = context.getNodeParameter(`${prefix}scheduleType`, '');
			if (type === 'immediately') return undefined;
			if (isEmpty(value)) {
				if (type !== 'scheduled' || prefix !== '') return undefined;
				throw new InvalidInput(`"${label}" is required but empty`, remedy);
			}
			const timeFormat = String(context.getNodeParameter('options.timeFormat', 'HH:mm:ss'));
			return part(wallClock(value, zoneOf(context), label), timeFormat);
		},
	};
}

export function scheduleDate(prefix: string): Input {
	return scheduled(prefix, ({ date }) => date);
}

export function scheduleTime(prefix: string): Input {
	return scheduled(prefix, ({ time }, format) => (format === 'HH:mm' ? time.slice(0, 5) : time));
}

/** Keeps the schedule of a single send, unless the update sends it immediately. */
export function keepSchedule(
	field: 'schedule_date' | 'schedule_time',
): (record: IDataObject, given: Fields) => string | undefined {
	return (record, given) => {
		const isScheduled = given.schedule_type === '1' || String(record.schedule_type) === '1';
		if (given.schedule_type === '0' || !isScheduled) return undefined;
		const value = record[field];
		return typeof value === 'string' && value !== '' && value !== '0000-00-00' ? value : undefined;
	};
}
