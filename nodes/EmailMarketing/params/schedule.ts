import type { Fields } from '../service/form';
import { isScheduled } from '../records/records';
import { coerceText, isEmpty } from '../util/coerce';
import type { Keep } from './currentValue';
import { choiceOf, choiceParam, optionalText } from './givenOption';
import { InvalidInput, valueRequired } from './invalidInput';
import type { Item } from './item';
import { accountZoneLabel, dateRemedy, wallClock } from './time';
import type { WallClock } from './time';
import type { Input } from './validators';
import { isBlank, locatorValue } from './values';

/**
 * The time zone that the user states for the schedule, or else that of the workflow.
 *
 * @param prefix of the parameters, such as `updateFields.`
 * @throws InvalidInput for an object, such as `$now.zone`, and for an expression that returned nothing
 */
export function zoneOf(item: Item, prefix: string): string {
	const meaning = 'use the time zone of the workflow';
	return optionalText(item, `${prefix}timezone`, accountZoneLabel, meaning) || item.timezone;
}

/** A time with or without its seconds, as "Time Format" says. */
function formatted(time: string, item: Item): string {
	const label = 'Compatibility: Time Format';
	const format = choiceParam(item, 'options.timeFormat', label, ['HH:mm:ss', 'HH:mm']);
	if (format === 'HH:mm') return time.slice(0, 5);
	return time.length === 5 ? `${time}:00` : time;
}

/** A date with its full year: the reference does not say how many digits the year of `y-m-d` has. */
export const fullDate = (date: unknown): string =>
	coerceText(date).replace(/^(?=\d{2}-\d{2}-\d{2}$)/, '20');

/**
 * A date with two or four digits for the year, as "Date Format" says.
 *
 * @throws InvalidInput for a year that two digits would move to this century
 */
function formattedDate(date: string, item: Item): string {
	const label = 'Compatibility: Date Format';
	const format = choiceParam(item, 'options.dateFormat', label, ['yyyy-MM-dd', 'yy-MM-dd']);
	const full = fullDate(date);
	if (format === 'yyyy-MM-dd') return full;
	if (full.startsWith('20')) return full.slice(2);
	throw new InvalidInput(
		'date-invalid',
		`"Send At" cannot be sent with a two-digit year: ${date}`,
		`Choose a year from 2000 to 2099, or remove "${label}".`,
	);
}

/** `schedule_type` (38, 41): 0 sends immediately, 1 at the scheduled date and time. */
export function scheduleType(prefix: string): Input {
	return {
		parameter: `${prefix}scheduleType`,
		required: true,
		encode(value, label, item) {
			const hasTime = !isEmpty(item.param(`${prefix}scheduleAt`, ''));
			if (isEmpty(value)) return hasTime ? '1' : undefined;
			if (choiceOf(value, label, ['immediately', 'scheduled']) === 'immediately') {
				// The editor hides a leftover time of a new single send, so it is ignored. For an update, it is visible.
				if (prefix === '' || !hasTime) return '0';
				const labels = ['"Send Immediately"', '"Send At"'];
				throw new InvalidInput(
					'fields-conflict',
					`${labels.join(' and ')} cannot be set together`,
					'Remove "Send At" to send the campaign immediately, or choose "Send at a Set Time".',
				);
			}
			return '1';
		},
	};
}

/** Whether the user states the time zone of the schedule. */
export const hasChosenZone = (item: Item, prefix: string): boolean =>
	!isBlank(locatorValue(item.param(`${prefix}timezone`, '')));

/** Whether an update names a time zone, which only means something with a new time. */
const hasOwnZone = (item: Item, prefix: string): boolean => zoneOf(item, prefix) !== item.timezone;

/** The value of "Send At" for each item. */
const sendTimes = new WeakMap<Item, { value: unknown }>();

/** Evaluated once: the date of one evaluation and the time of another one could be a day apart. */
function sendTimeOf(item: Item, evaluated: unknown): unknown {
	const { value } = sendTimes.get(item) ?? { value: evaluated };
	sendTimes.set(item, { value });
	return value;
}

function scheduled(
	prefix: string,
	option: string,
	part: (clock: WallClock, item: Item) => string,
): Input {
	return {
		parameter: `${prefix}scheduleAt`,
		cleared: false,
		ifRejected: `If the time itself is right, add "Compatibility: ${option}" in Options and choose another format.`,
		encode(evaluated, label, item) {
			const type = item.param(`${prefix}scheduleType`, '');
			if (type === 'immediately') return undefined;
			const value = sendTimeOf(item, evaluated);
			if (isEmpty(value)) {
				if (prefix !== '' && hasOwnZone(item, prefix)) {
					throw new InvalidInput(
						'value-required',
						`"${accountZoneLabel}" is set, but "${label}" is not`,
						`Add "${label}" and enter the time: the time zone only applies to a time that is set with it.`,
					);
				}
				if (prefix !== '' || type !== 'scheduled') return undefined;
				throw valueRequired(label, dateRemedy);
			}
			return part(wallClock(value, zoneOf(item, prefix), label), item);
		},
	};
}

export function scheduleDate(prefix: string): Input {
	return scheduled(prefix, 'Date Format', ({ date }, item) => formattedDate(date, item));
}

export function scheduleTime(prefix: string): Input {
	return scheduled(prefix, 'Time Format', ({ time }, item) => formatted(time, item));
}

/** Keeps the schedule of a single send, unless the update sends it immediately. */
export function keepSchedule(field: 'schedule_date' | 'schedule_time'): Keep {
	return (record, given, item) => {
		const hasTime = given.schedule_type === '1' || isScheduled(record);
		if (given.schedule_type === '0' || !hasTime) return undefined;
		const value = record[field];
		if (typeof value !== 'string' || value === '' || value === '0000-00-00') return undefined;
		if (/^\d{2}:\d{2}(:\d{2})?$/.test(value)) return formatted(value, item);
		return /^(\d{2}){1,2}-\d{2}-\d{2}$/.test(value) ? formattedDate(value, item) : value;
	};
}

/**
 * Refuses a schedule without a time if the single send has none to keep, since the reference does not say what happens
 * then.
 *
 * @throws InvalidInput
 */
export function requireSchedule({ schedule_type, schedule_date, schedule_time }: Fields): void {
	if (schedule_type !== '1' || (schedule_date !== undefined && schedule_time !== undefined)) return;
	throw valueRequired('Send At', dateRemedy);
}
