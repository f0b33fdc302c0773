import {
	inZone,
	instant,
	momentReader,
	sentAtReader,
	wallClock,
} from '../../../nodes/EmailMarketing/params/time';
import { refusal } from './support';

const utc = (text: string) => Date.parse(`${text}Z`);

describe('the moment of a date', () => {
	it.each([
		['2026-05-04', 'Europe/Berlin', '2026-05-03T22:00:00'],
		[' 2026-05-04 ', 'America/New_York', '2026-05-04T04:00:00'],
		['2026-05-04T09:30:00', 'Europe/Berlin', '2026-05-04T07:30:00'],
		['2026-05-04T09:30:00Z', 'Europe/Berlin', '2026-05-04T09:30:00'],
		// A clock shows 02:30 twice when clocks go back.
		['2026-05-04T09:30:00[Asia/Tokyo]', 'Europe/Berlin', '2026-05-04T00:30:00'],
		['2026-10-25T02:30:00+02:00', 'Europe/Berlin', '2026-10-25T00:30:00'],
		['2026-10-25T02:30:00+01:00', 'Europe/Berlin', '2026-10-25T01:30:00'],
		['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25T01:30:00'],
		// A minute behind the change of the clocks, and one before it.
		['2026-03-29T03:01:00', 'Europe/Berlin', '2026-03-29T01:01:00'],
		['2026-03-29T01:59:00', 'Europe/Berlin', '2026-03-29T00:59:00'],
		['2026-03-08T03:01:00', 'America/New_York', '2026-03-08T07:01:00'],
	])('%j in %s is %s UTC', (value, zone, moment) => {
		expect(instant(value, zone, 'Since')).toBe(utc(moment));
	});

	it('is none of what is no date', () => {
		expect(refusal(() => instant('2026-05-04x', 'UTC', 'Since'))).toEqual([
			'"Since" is not a date with a time: "2026-05-04x"',
			'Pick a date and a time, or enter them with the year first, such as 2026-05-04 09:30 or 2026-05-04 9:30 AM.',
		]);
		expect(() => instant('x2026-05-04', 'UTC', 'Since')).toThrow(
			'"Since" is not a date with a time: "x2026-05-04"',
		);
	});
});

describe('a clock', () => {
	it('shows what it is in its time zone', () => {
		const moment = new Date('2026-05-04T22:30:15Z');
		const shown = { date: '2026-05-05', time: '07:30:15' };
		expect(inZone(moment, 'Asia/Tokyo')).toEqual(shown);
	});

	it('says which field has the time zone that is unknown', () => {
		const remedy = 'Enter it as region and city, such as Europe/Berlin, or leave it empty.';
		expect(refusal(() => momentReader('Mars', 'Zone'))).toEqual([
			'"Zone" is not a known time zone: "Mars"',
			remedy,
		]);
		expect(refusal(() => instant('2026-05-04', 'Mars', 'Since'))).toEqual([
			'"Time Zone" is not a known time zone: "Mars"',
			remedy,
		]);
		for (const work of [
			() => inZone(new Date(0), 'Mars'),
			() => wallClock('2026-05-04T09:30:00', 'Mars', 'At'),
		]) {
			expect(refusal(work)).toEqual([
				'"Account Time Zone" is not a known time zone: "Mars"',
				remedy,
			]);
		}
	});

	it.each([
		'a2026-05-04T09:30:00',
		'2026-05-04T09:30:00a',
		'2026-05-04T09:30:00Z[]',
		'2026-05-04 21:30 PM',
		'2026-05-04 0:30 AM',
		'2026-02-31 9:30 AM',
		'2026-05-04 9:30 AM Z',
	])('takes nothing around the date: %s', (value) => {
		expect(() => wallClock(value, 'UTC', 'At')).toThrow('"At" is not a date');
	});
});

describe('a time that clocks skip when they go forward', () => {
	const remedy = 'Enter a time before or after the skipped hour.';

	it.each(['2027-03-28T02:30:00', '2027-03-28 2:30 AM', '2027-03-28T02:30:00[Europe/Berlin]'])(
		'is refused: %s',
		(value) => {
			expect(refusal(() => wallClock(value, 'Europe/Berlin', 'At'))).toEqual([
				'"At" is a time that clocks in Europe/Berlin skip when they go forward: 2027-03-28 02:30',
				remedy,
			]);
		},
	);

	it.each([
		['2027-03-28T02:30:00', 'UTC', '02:30:00'],
		['2027-03-28T02:30:00+01:00', 'Europe/Berlin', '03:30:00'],
	])('is none in another time zone, or with an offset: %s in %s', (value, zone, time) => {
		expect(wallClock(value, zone, 'At')).toEqual({ date: '2027-03-28', time });
	});
});

describe('a moment that clocks show twice when they go back', () => {
	it.each([
		'2099-10-25T00:30:00Z',
		'2099-10-25T01:30:00Z',
		'2099-10-25T02:30:00+01:00',
		'2099-10-25T02:30:00[Europe/Berlin]',
	])('is refused: %s', (value) => {
		expect(refusal(() => wallClock(value, 'Europe/Berlin', 'At'))).toEqual([
			'"At" is a time that clocks in Europe/Berlin show twice when they go back: 2099-10-25 02:30',
			'Enter a time before or after the repeated hour.',
		]);
	});

	it('is refused where it names the time zone, whatever that of the account is', () => {
		const read = (value: string) => wallClock(value, 'UTC', 'At');
		expect(() => read('2099-10-25T02:30:00[Europe/Berlin]')).toThrow(
			'"At" is a time that clocks in Europe/Berlin show twice when they go back: 2099-10-25 02:30',
		);
		const shown = { date: '2099-10-25', time: '01:30:00' };
		expect(read('2099-10-25T02:30:00+01:00[Europe/Berlin]')).toEqual(shown);
	});

	it.each([
		['2099-10-25T00:30:00Z', 'UTC', '00:30:00'],
		['2099-10-25T02:30:00', 'Europe/Berlin', '02:30:00'],
	])(
		'is none in another time zone, or in what a clock is to show: %s in %s',
		(value, zone, time) => {
			expect(wallClock(value, zone, 'At')).toEqual({ date: '2099-10-25', time });
		},
	);
});

describe('a time with AM or PM', () => {
	it.each([
		['2026-11-29 9:00 AM', '09:00:00'],
		['2026-11-29T09:00 pm', '21:00:00'],
		['2026-11-29 9:00:15PM', '21:00:15'],
		['2026-11-29 12:05 AM', '00:05:00'],
		['2026-11-29 12:05 PM', '12:05:00'],
	])('%s is %s', (value, time) => {
		expect(wallClock(value, 'Europe/Berlin', 'At')).toEqual({ date: '2026-11-29', time });
	});

	it.each(['11/12/2026 9:00 AM', '11/29/2026 9:00 AM', '29.11.2026 09:00', '1-2-26'])(
		'is refused with a date whose day and month could be confused: %s',
		(value) => {
			expect(refusal(() => wallClock(value, 'UTC', 'At'))).toEqual([
				`"At" is not a date with a time: "${value}"`,
				'Day and month could be confused. Pick a date and a time, or enter them with the year first, such as 2026-05-04 09:30 or 2026-05-04 9:30 AM.',
			]);
		},
	);
});

describe('a time of the service', () => {
	const read = momentReader('Europe/Berlin', 'Zone');

	it.each([
		['2026-05-04 09:30:15', '2026-05-04T07:30:15'],
		['2026-05-04T09:30:15', '2026-05-04T07:30:15'],
		[' 2026-05-04 09:30:15.250 ', '2026-05-04T07:30:15.250'],
		['2026-05-04 23:59:59', '2026-05-04T21:59:59'],
		['2026-05-04 09:30:15Z', '2026-05-04T09:30:15'],
		['2026-05-04 09:30:15+05:30', '2026-05-04T04:00:15'],
		['2026-05-04 09:30:15.000000Z', '2026-05-04T09:30:15'],
		['2000-01-01 01:00:00', '2000-01-01T00:00:00'],
	])('%j is %s UTC', (value, moment) => {
		expect(read(value)).toBe(utc(moment));
	});

	it.each([
		'0000-00-00 00:00:00',
		'2000-01-01 00:59:59',
		'1999-12-31 00:00:00Z',
		'2026-02-30 09:30:15',
		'2026-05-04 24:30:15',
		'2026-05-04 09:60:15',
		'2026-05-04 09:30:60',
		'2026-05-04 09:30',
		'2026-05-04',
		'x2026-05-04 09:30:15',
		'2026-05-04 09:30:15x',
		'2026-05-04 09:30:15.',
		'',
		null,
		{},
	])('%j is none', (value) => {
		expect(read(value)).toBeUndefined();
	});

	it('is in UTC unless the user says otherwise', () => {
		const at = '2026-05-04 09:30:15';
		for (const zone of ['', 'UTC']) {
			expect(sentAtReader(zone)(at)).toBe(utc('2026-05-04T09:30:15'));
		}
		expect(sentAtReader('Asia/Tokyo')(at)).toBe(utc('2026-05-04T00:30:15'));
		expect(refusal(() => sentAtReader('Mars'))[0]).toBe(
			'"Compatibility: Sent At Time Zone" is not a known time zone: "Mars"',
		);
		expect(refusal(() => momentReader('Mars', 'Zone'))[0]).toContain('"Zone"');
	});
});
