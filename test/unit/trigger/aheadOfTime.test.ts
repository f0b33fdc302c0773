import { TimesAhead } from '../../../nodes/EmailMarketing/trigger/aheadOfTime';
import { EMPTY_STATE } from '../../../nodes/EmailMarketing/trigger/state';
import type { TriggerState } from '../../../nodes/EmailMarketing/trigger/state';
import type { Row } from '../../../nodes/EmailMarketing/trigger/types';
import { only, poll } from './arbitraries';

const watch = only(['contactAdded', 'contactUpdated']);
const contact = (id: number, updated_at: string): Row => ({ id, user_id: 7, updated_at });
const day = (number: number, clock = '00:00:00') =>
	`2026-05-${String(number).padStart(2, '0')}T${clock}.000000Z`;

/** Polls at the given days of May at noon; the IDs that each poll reports, and the state after it. */
function polls(...steps: Array<[date: number, rows: Row[]]>) {
	let state: TriggerState = EMPTY_STATE;
	return steps.map(([date, rows]) => {
		const result = poll('contacts', rows, state, watch, Date.parse(day(date, '12:00:00')));
		({ state } = result);
		const { updated } = state.entries.contacts ?? {};
		return { ids: result.events.map(({ record }) => record.id), ...updated };
	});
}

const far = '2099-01-01T00:00:00.000000Z';

it('reports a contact with a change date far in the future once, and all later updates', () => {
	const results = polls(
		[1, [contact(1, day(1)), contact(2, day(1))]],
		[2, [contact(1, far), contact(2, day(1))]],
		[2, [contact(1, far), contact(2, day(1))]],
		[3, [contact(1, far), contact(2, day(3))]],
		[4, [contact(1, day(4)), contact(2, day(3))]],
	);
	expect(results.map(({ ids }) => ids)).toEqual([[], [1], [], [2], [1]]);
	expect(results[3]).toMatchObject({ at: day(3), ahead: [{ at: far, id: 1 }] });
	expect(results[4]).not.toHaveProperty('ahead');
});

it('knows such a contact from the first poll on, and one that is added with such a date', () => {
	const results = polls(
		[1, [contact(1, far)]],
		[2, [contact(1, far), contact(2, far)]],
		[3, [contact(1, far), contact(2, far)]],
		[3, [contact(1, far)]],
		[3, [contact(1, far), contact(2, far)]],
	);
	expect(results.map(({ ids }) => ids)).toEqual([[], [2], [], [], []]);
});

it('does not report it again when its date has come', () => {
	const late = day(5);
	const results = polls(
		[1, [contact(1, day(1)), contact(2, day(1))]],
		[2, [contact(1, late), contact(2, day(1))]],
		[4, [contact(1, late), contact(2, day(4, '11:00:00'))]],
		[5, [contact(1, late), contact(2, day(4, '11:00:00'))]],
		[6, [contact(1, late), contact(2, day(6))]],
	);
	expect(results.map(({ ids }) => ids)).toEqual([[], [1], [2], [], [2]]);
	// Less than a day ahead, it still does not count as the newest date.
	expect(results[2]?.at).toBe(day(4, '11:00:00'));
	expect(results[3]).toMatchObject({ at: late, seen: [[1, 1]] });
	expect(results[3]).not.toHaveProperty('ahead');
});

it('follows dates that are up to a day ahead', () => {
	const [, upTo, over] = polls(
		[1, [contact(1, day(1)), contact(2, day(1))]],
		[2, [contact(1, day(3, '12:00:00')), contact(2, day(1))]],
		[2, [contact(1, day(3, '12:00:00')), contact(2, day(3, '12:00:01'))]],
	);
	expect(upTo).toMatchObject({ ids: [1], at: day(3, '12:00:00') });
	expect(over).toMatchObject({ ids: [2], ahead: [{ at: day(3, '12:00:01'), id: 2 }] });
});

it('joins those that are closest to each other where they are more than 20', () => {
	const second = (number: number) => `2099-01-01T00:00:${String(number).padStart(2, '0')}.000000Z`;
	const rows = Array.from({ length: 30 }, (_, index) => contact(index + 1, second(index)));
	const others = [contact(31, '2040-01-01T00:00:00Z'), contact(32, '2050-05-05T00:00:00Z')];
	const all = [...rows, ...others];
	const normal = contact(40, day(1));
	const [first, again, later] = polls(
		[1, [...all, normal]],
		[2, [...all, normal]],
		[3, [...all, contact(40, '2030-01-01T00:00:00Z')]],
	);
	expect(first?.ahead).toHaveLength(20);
	expect(first?.ahead).toContainEqual({ at: '2040-01-01T00:00:00Z', id: 31 });
	expect(first?.ahead?.filter(({ id }) => id === undefined)).toHaveLength(1);
	expect([again?.ids, later?.ids]).toEqual([[], [40]]);
	expect(later?.ahead).toHaveLength(20);
});

it('comes back to its senses after the clock of n8n was years ahead', () => {
	const inYears = Date.parse(far) + 1;
	const rows = [contact(1, far), contact(2, day(1))];
	const { state } = poll('contacts', rows, EMPTY_STATE, watch, inYears);
	expect(state.entries.contacts?.updated?.at).toBe(far);
	const now = Date.parse(day(2));
	const back = poll('contacts', rows, state, watch, now);
	expect(back.events).toEqual([]);
	expect(back.state.entries.contacts?.updated).toEqual({
		at: '2026-05-02T00:00:00.000Z',
		seen: [],
		ahead: [{ at: far, id: 1 }],
	});
	const updated = [contact(1, far), contact(2, day(2, '00:01:00'))];
	const { events } = poll('contacts', updated, back.state, watch, now + 120_000);
	expect(events.map(({ record }) => record.id)).toEqual([2]);
});

describe('times that had not come', () => {
	const now = Date.parse(day(2, '12:00:00'));
	const nowIso = '2026-05-02T12:00:00.000Z';
	const year = (number: number) => `${number}-01-01T00:00:00Z`;

	it('are known by the record and its time, and those of a span by the time', () => {
		const span = { at: year(2090), to: year(2092) };
		const ahead = new TimesAhead([{ at: year(2080), id: 1 }, span], now);
		expect(ahead.hasSeen(contact(1, year(2080)))).toBe(true);
		expect(ahead.hasSeen(contact(2, year(2080)))).toBe(false);
		expect(ahead.hasSeen(contact(1, year(2081)))).toBe(false);
		expect([2089, 2090, 2091, 2092, 2093].map((at) => ahead.hasSeen(contact(9, year(at))))).toEqual(
			[false, true, true, true, false],
		);
	});

	it('are those after tomorrow, and after that those that were before and have not come yet', () => {
		const before = [
			{ at: nowIso, id: 1 },
			{ at: '2026-05-02T12:00:01Z', id: 2 },
		];
		const ahead = new TimesAhead(before, now);
		expect(ahead.isTooFar('2026-05-03T12:00:00.000Z')).toBe(false);
		expect(ahead.isTooFar('2026-05-03T12:00:01')).toBe(true);
		expect(ahead.isAhead(contact(1, nowIso))).toBe(false);
		expect(ahead.isAhead(contact(2, '2026-05-02T12:00:01Z'))).toBe(true);
		expect(ahead.isAhead(contact(3, '2026-05-02T12:00:01Z'))).toBe(false);
	});

	it('are forgotten when they have come, and when the record has another', () => {
		const before = [
			{ at: nowIso, id: 1 },
			{ at: year(2080), id: 2 },
			{ at: year(2081), id: 3 },
			{ at: year(2082), to: nowIso },
			{ at: year(2020), to: year(2083) },
		];
		const ahead = new TimesAhead(before, now);
		expect(
			ahead.after([contact(3, day(1)), contact(4, year(2082)), contact(5, year(2090))]),
		).toEqual([
			{ at: year(2080), id: 2 },
			{ at: year(2020), to: year(2083) },
			{ at: year(2090), id: 5 },
		]);
	});

	it('are joined where the gaps between them are the narrowest', () => {
		// Twenty times are kept one by one: the widest gaps stay, wherever they are.
		const years = [
			...[2030, 2031, 2040, 2041, 2050, 2060, 2070, 2080, 2090, 2100, 2110, 2120],
			...[2130, 2140, 2150, 2160, 2170, 2180, 2190, 2200, 2210, 2220],
		];
		const rows = years.map((at, index) => contact(index + 1, year(at)));
		const shuffled = [...rows.slice(7), ...rows.slice(0, 7).reverse()];
		const ahead = new TimesAhead([], now);
		expect(ahead.after(rows.slice(0, 20))).toHaveLength(20);
		expect(ahead.after(rows.slice(0, 20))[0]).toEqual({ at: year(2030), id: 1 });
		expect(ahead.after(shuffled)).toEqual([
			{ at: year(2030), to: year(2031) },
			{ at: year(2040), to: year(2041) },
			...years.slice(4).map((at, index) => ({ at: year(at), id: index + 5 })),
		]);
	});

	it('in a span that was joined before are not noted again', () => {
		const span = { at: year(2030), to: year(2031) };
		const ahead = new TimesAhead([span], now);
		expect(ahead.after([contact(1, year(2030)), contact(2, year(2032))])).toEqual([
			span,
			{ at: year(2032), id: 2 },
		]);
	});
});
