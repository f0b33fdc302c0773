import {
	keepSchedule,
	scheduleDate,
	scheduleTime,
	scheduleType,
	zoneOf,
} from '../../../nodes/EmailMarketing/params/schedule';
import { waitingPeriod } from '../../../nodes/EmailMarketing/params/validators';
import { itemWith, refusal } from './support';

const at = '2026-05-04T09:30:15';

describe('the time zone', () => {
	it('is the chosen one, or that of the workflow', () => {
		expect(zoneOf(itemWith({ timezone: ' Asia/Tokyo ' }), '')).toBe('Asia/Tokyo');
		expect(zoneOf(itemWith({ timezone: '  ' }), '')).toBe('Europe/Berlin');
		expect(zoneOf(itemWith(), '')).toBe('Europe/Berlin');
		const update = itemWith({ timezone: 'Asia/Tokyo', 'updateFields.timezone': 'UTC' });
		expect(zoneOf(update, 'updateFields.')).toBe('UTC');
	});

	it.each([{ zoneName: 'Asia/Tokyo' }, ['Asia/Tokyo'], true])(
		'is not that of the workflow where %j is given',
		(timezone) => {
			expect(refusal(() => zoneOf(itemWith({ timezone }), ''))[0]).toMatch(
				/^"Account Time Zone" must be text, but it is /,
			);
		},
	);

	it('decides which date and time are sent', () => {
		const item = itemWith({ timezone: 'Asia/Tokyo' });
		expect(scheduleDate('').encode('2026-05-04T22:30:00Z', 'Send At', item)).toBe('2026-05-05');
		expect(scheduleTime('').encode('2026-05-04T22:30:00Z', 'Send At', item)).toBe('07:30:00');
	});
});

describe('when to send', () => {
	const type = (value: unknown, parameters = {}, prefix = '') =>
		scheduleType(prefix).encode(value, 'Send', itemWith(parameters));

	it.each([
		['immediately', '0'],
		['scheduled', '1'],
	])('%s is %s', (value, sent) => {
		expect(type(value)).toBe(sent);
	});

	it('is later if only the time is given', () => {
		expect(type('', { scheduleAt: at })).toBe('1');
		expect(type(undefined)).toBeUndefined();
		expect(type('', { scheduleAt: at }, 'updateFields.')).toBeUndefined();
		expect(type('', { 'updateFields.scheduleAt': at }, 'updateFields.')).toBe('1');
	});

	it('is nothing else', () => {
		expect(refusal(() => type('soon'))).toEqual([
			'"Send" cannot be "soon"',
			'Choose one of: immediately, scheduled.',
		]);
	});

	it('is asked for in the parameter of the same name', () => {
		expect(scheduleType('updateFields.')).toMatchObject({
			parameter: 'updateFields.scheduleType',
			required: true,
		});
		expect(scheduleDate('updateFields.')).toMatchObject({
			parameter: 'updateFields.scheduleAt',
			cleared: false,
		});
	});
});

describe('the date and the time', () => {
	const date = (value: unknown, parameters = {}, prefix = '') =>
		scheduleDate(prefix).encode(value, 'Send At', itemWith(parameters));

	it('are not sent for what is sent immediately', () => {
		expect(date(at, { scheduleType: 'immediately' })).toBeUndefined();
		expect(date(at, { 'updateFields.scheduleType': 'immediately' })).toBe('2026-05-04');
	});

	it('are required for what is sent later', () => {
		expect(refusal(() => date('', { scheduleType: 'scheduled' }))).toEqual([
			'"Send At" is required but empty',
			'Pick a date and a time, or enter them with the year first, such as 2026-05-04 09:30 or 2026-05-04 9:30 AM.',
		]);
		expect(date('', {})).toBeUndefined();
	});

	it('may be left out of an update, which keeps them', () => {
		const later = { 'updateFields.scheduleType': 'scheduled' };
		expect(date('', later, 'updateFields.')).toBeUndefined();
		expect(date(at, later, 'updateFields.')).toBe('2026-05-04');
	});

	it.each([
		[undefined, '09:30:15'],
		['HH:mm:ss', '09:30:15'],
		['HH:mm', '09:30'],
	])('with the time format %s, the time is %s', (format, time) => {
		const item = itemWith({ 'options.timeFormat': format });
		expect(scheduleTime('').encode(at, 'Send At', item)).toBe(time);
	});
});

describe('the schedule that an update keeps', () => {
	const scheduled = { schedule_type: '1', schedule_date: '2026-05-04', schedule_time: '09:30' };
	const kept = (
		record: object,
		given: Record<string, string> = {},
		field: 'schedule_date' | 'schedule_time' = 'schedule_date',
		format?: string,
	) => keepSchedule(field)({ ...record }, given, itemWith({ 'options.timeFormat': format }));

	it('is that of the record', () => {
		expect(kept(scheduled)).toBe('2026-05-04');
		expect(kept({ ...scheduled, schedule_type: 1 })).toBe('2026-05-04');
	});

	it('has the time in the chosen format', () => {
		expect(kept(scheduled, {}, 'schedule_time')).toBe('09:30:00');
		expect(kept(scheduled, {}, 'schedule_time', 'HH:mm')).toBe('09:30');
		const seconds = { ...scheduled, schedule_time: '09:30:15' };
		expect(kept(seconds, {}, 'schedule_time')).toBe('09:30:15');
		expect(kept(seconds, {}, 'schedule_time', 'HH:mm')).toBe('09:30');
	});

	it.each(['at 09:30', '09:30 CET', '9:30', '09:3'])('leaves the time %j as it is', (time) => {
		const odd = { ...scheduled, schedule_time: time };
		expect(kept(odd, {}, 'schedule_time', 'HH:mm')).toBe(time);
	});

	it('is none where the record is sent immediately, or will be', () => {
		expect(kept({ ...scheduled, schedule_type: '0' })).toBeUndefined();
		expect(kept({ ...scheduled, schedule_type: '0' }, { schedule_type: '1' })).toBe('2026-05-04');
		expect(kept(scheduled, { schedule_type: '0' })).toBeUndefined();
		expect(kept(scheduled, { schedule_type: '1' })).toBe('2026-05-04');
	});

	it.each(['', '0000-00-00', null, 20260504])('is none where the record has %j', (date) => {
		expect(kept({ ...scheduled, schedule_date: date })).toBeUndefined();
	});
});

describe('the waiting period', () => {
	const period = (value: unknown, type: string) =>
		waitingPeriod('period', 'unit').encode(value, 'Wait', itemWith({ unit: type }));

	it('is 1 for an instant email, whatever the field says', () => {
		expect(period(9, 'instantly')).toBe('1');
		expect(period('', ' instantly ')).toBe('1');
	});

	it('is the number otherwise', () => {
		expect(period(9, 'days')).toBe('9');
		expect(period(' 9 ', '')).toBe('9');
		expect(refusal(() => period('nine', 'days'))).toEqual([
			'"Wait" must be a whole number, but it is "nine"',
			'Enter a whole number, such as 3.',
		]);
	});

	it('is a required field', () => {
		expect(waitingPeriod('period', 'unit')).toMatchObject({ parameter: 'period', required: true });
	});
});
