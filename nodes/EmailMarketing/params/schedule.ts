import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { InvalidInput, isEmpty } from './validators';
import type { Fields, Input } from './validators';
import { coerceText } from '../util/coerce';
import { quote } from '../util/text';
import { dateRemedy, wallClock } from './time';
import type { WallClock } from './time';

/** The time zone that the user states for the schedule, or else that of the workflow. */
export function zoneOf(context: IExecuteSingleFunctions): string {
	const chosen = coerceText(context.getNodeParameter('options.timezone', '')).trim();
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
				throw new InvalidInput(`"${label}" is required but empty`, dateRemedy);
			}
			const timeFormat = coerceText(context.getNodeParameter('options.timeFormat', 'HH:mm:ss'));
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
		const isScheduled = given.schedule_type === '1' || coerceText(record.schedule_type) === '1';
		if (given.schedule_type === '0' || !isScheduled) return undefined;
		const value = record[field];
		return typeof value === 'string' && value !== '' && value !== '0000-00-00' ? value : undefined;
	};
}
