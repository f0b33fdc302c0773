import fc from 'fast-check';
import { DateTime } from 'luxon';

import { wallClock } from '../../nodes/EmailMarketing/params/time';
import { InvalidInput } from '../../nodes/EmailMarketing/params/invalidInput';

const read = (value: unknown, zone = 'Europe/Berlin') => {
	const { date, time } = wallClock(value, zone, 'Send At');
	return `${date} ${time}`;
};

it.each([
	['2026-05-04T09:30:00', '2026-05-04 09:30:00'],
	['2026-05-04 09:30', '2026-05-04 09:30:00'],
	['  2026-05-04T09:30:15.250 ', '2026-05-04 09:30:15'],
	['2028-02-29T00:00:00', '2028-02-29 00:00:00'],
])('takes %p without an offset as it stands', (value, clock) => {
	for (const zone of ['Europe/Berlin', 'America/New_York', 'UTC']) {
		expect(read(value, zone)).toBe(clock);
	}
});

it.each([
	['2026-05-04T09:30:00Z', 'Europe/Berlin', '2026-05-04 11:30:00'],
	['2026-01-04T09:30:00Z', 'Europe/Berlin', '2026-01-04 10:30:00'],
	['2026-05-04T23:30:00+02:00', 'Asia/Kolkata', '2026-05-05 03:00:00'],
	['2026-05-04T23:30:00+0200', 'Asia/Kolkata', '2026-05-05 03:00:00'],
	['2026-05-04T00:15:00+02:00', 'America/New_York', '2026-05-03 18:15:00'],
	['2026-05-04T09:30:00.000+02:00[Europe/Berlin]', 'UTC', '2026-05-04 07:30:00'],
	['2026-05-04T09:30[Asia/Tokyo]', 'Europe/Berlin', '2026-05-04 02:30:00'],
	['2026-05-04 09:30:15[Europe/Berlin]', 'UTC', '2026-05-04 07:30:15'],
	['2026-05-04T09:30Z[Elsewhere]', 'Europe/Berlin', '2026-05-04 11:30:00'],
	// The night in which the clocks of Berlin go forward, and the one in which they go back.
	['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29 01:59:59'],
	['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29 03:00:00'],
	['2026-10-24T23:59:59Z', 'Europe/Berlin', '2026-10-25 01:59:59'],
	['2026-10-25T02:00:00Z', 'Europe/Berlin', '2026-10-25 03:00:00'],
	['2026-05-04T22:00:00Z', 'Europe/Berlin', '2026-05-05 00:00:00'],
])('converts %p to %s', (value, zone, clock) => {
	expect(read(value, zone)).toBe(clock);
});

it('takes the dates that expressions give', () => {
	const moment = DateTime.fromISO('2026-05-04T09:30:00', { zone: 'America/New_York' });
	expect(read(moment)).toBe('2026-05-04 15:30:00');
	expect(read(moment.toJSDate())).toBe('2026-05-04 15:30:00');
});

it.each([
	'2026-02-31T09:00:00',
	'2026-05-04T09:30[Asia/Tokio]',
	'2026-05-04T09:30[Asia/Tokyo][u-ca=buddhist]',
	'2026-02-29T09:00:00Z',
	'2026-13-01T09:00:00',
	'2026-05-04T24:00:00',
	'2026-05-04T09:60:00',
	'2026-05-04T09:30:00+99:00',
	'2026-05-04',
	'09:30',
	'04.05.2026 09:30',
	'tomorrow',
	'   ',
	1_777_887_000_000,
	true,
	{},
	[],
	new Date(NaN),
	DateTime.invalid('for this test'),
])('refuses %p', (value) => {
	expect(() => read(value)).toThrow(InvalidInput);
	expect(() => read(value)).toThrow('"Send At" is not a date with a time: ');
});

it('refuses an unknown time zone, with a moment and with a reading of a clock', () => {
	for (const value of ['2026-05-04T09:30:00Z', '2026-05-04T09:30:00']) {
		expect(() => read(value, 'Mars/Phobos')).toThrow(
			'"Account Time Zone" is not a known time zone: "Mars/Phobos"',
		);
	}
});

it('agrees with Luxon on every moment in every zone whose clock shows it once', () => {
	const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Chatham'];
	const moments = fc.date({
		min: new Date('1990-01-01'),
		max: new Date('2090-01-01'),
		noInvalidDate: true,
	});
	fc.assert(
		fc.property(moments, fc.constantFrom(...zones), fc.constantFrom(...zones), (at, from, to) => {
			const moment = DateTime.fromJSDate(at, { zone: from }).startOf('second');
			fc.pre(moment.setZone(to).getPossibleOffsets().length === 1);
			const wanted = moment.setZone(to).toFormat('yyyy-MM-dd HH:mm:ss');
			expect(read(moment.toISO(), to)).toBe(wanted);
			expect(read(moment.toUTC().toISO(), to)).toBe(wanted);
		}),
	);
});

it('answers any value with a date or with what is wrong', () => {
	fc.assert(
		fc.property(fc.anything({ withDate: true, withBigInt: true }), (value) => {
			try {
				expect(read(value)).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
			} catch (error) {
				expect(error).toBeInstanceOf(InvalidInput);
			}
		}),
	);
});
