import type { IDataObject } from 'n8n-workflow';

import type { Fields } from '../api/form';
import { coerceText, isEmpty } from '../util/coerce';
import { quote } from '../util/text';
import { InvalidInput } from './invalidInput';
import type { Item } from './item';
import { dateRemedy, wallClock } from './time';
import type { WallClock } from './time';
import type { Input } from './validators';

/** The time zone that the user states for the schedule, or else that of the workflow. */
export function zoneOf(item: Item): string {
	const chosen = coerceText(item.param('options.timezone', '')).trim();
	return chosen === '' ? item.timezone : chosen;
}

/** `schedule_type` (38, 41): 0 sends immediately, 1 at the scheduled date and time. */
export function scheduleType(prefix: string): Input {
	return {
		parameter: `${prefix}scheduleType`,
		required: true,
		identifies: false,
		encode(value, label, item) {
			if (isEmpty(value)) {
				const sendAt = item.param(`${prefix}scheduleAt`, '');
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
		encode(value, label, item) {
			const type = item.param(`${prefix}scheduleType`, '');
			if (type === 'immediately') return undefined;
			if (isEmpty(value)) {
				if (type !== 'scheduled' || prefix !== '') return undefined;
				throw new InvalidInput(`"${label}" is required but empty`, dateRemedy);
			}
			const timeFormat = coerceText(item.param('compatibility.timeFormat', 'HH:mm:ss'));
			return part(wallClock(value, zoneOf(item), label), timeFormat);
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
		const isScheduled = given.schedule_type === '1' || coerceText(record.schedule_type) === '1';
		if (given.schedule_type === '0' || !isScheduled) return undefined;
		const value = record[field];
		return typeof value === 'string' && value !== '' && value !== '0000-00-00' ? value : undefined;
	};
}
