import {
	assignAges,
	MS_PER_MINUTE,
	updateAges,
	type AssignedAge,
} from '../../../nodes/EmailMarketing/trigger/ages';
import { assignBits, newBitsOf } from '../../../nodes/EmailMarketing/trigger/bits';

const named = (...names: string[]) => new Map(names.map((name) => [name, name.toUpperCase()]));

describe('bits', () => {
	it('are assigned in order, and stay', () => {
		expect(assignBits(['a'], named('b', 'a'), 3)).toEqual({
			names: ['a', 'b'],
			assigned: [
				{ value: 'B', bit: 2, isNew: true },
				{ value: 'A', bit: 1, isNew: false },
			],
		});
	});

	it('of values that are no longer configured are used again only when none is free', () => {
		expect(assignBits(['a', 'b'], named('c'), 3).names).toEqual(['a', 'b', 'c']);
		expect(assignBits(['a', 'b'], named('b', 'c'), 2)).toEqual({
			names: ['c', 'b'],
			assigned: [
				{ value: 'B', bit: 2, isNew: false },
				{ value: 'C', bit: 1, isNew: true },
			],
		});
	});

	it('leave what was remembered as it is', () => {
		const before = ['a'];
		assignBits(before, named('b'), 3);
		expect(before).toEqual(['a']);
	});

	it('have a new meaning where they are new', () => {
		const bits = [1, 2, 4].map((bit) => ({ value: '', bit, isNew: bit !== 2 }));
		expect(newBitsOf(bits)).toBe(5);
		expect(newBitsOf([])).toBe(0);
	});
});

describe('ages', () => {
	it('that are no longer configured are remembered', () => {
		expect(assignAges(['60', '5'], [5, 90])).toEqual({
			names: ['60', '5', '90'],
			assigned: [
				{ value: 5, bit: 2, isNew: false, isConfigured: true },
				{ value: 90, bit: 4, isNew: true, isConfigured: true },
				{ value: 60, bit: 1, isNew: false, isConfigured: false },
			],
		});
	});

	const age = (value: number, bit: number, rest: Partial<AssignedAge> = {}) => ({
		...{ value, bit, isNew: false, isConfigured: true },
		...rest,
	});
	const at = (minutes: number) => minutes * MS_PER_MINUTE;
	const sentAt = jest.fn(() => at(100));
	const reached = (before: number, now: number, ...assigned: AssignedAge[]) =>
		updateAges({ id: 1 }, before, assigned, { now, sentAt });
	beforeEach(() => sentAt.mockClear());

	it('are due at their minute, the youngest first', () => {
		const ages = [age(60, 1), age(5, 2), age(90, 4)];
		expect(reached(0, at(160) - 1, ...ages)).toEqual({
			aged: 2,
			due: [{ age: 5, dueAt: at(105) }],
		});
		expect(reached(0, at(160), ...ages)).toEqual({
			aged: 3,
			due: [
				{ age: 5, dueAt: at(105) },
				{ age: 60, dueAt: at(160) },
			],
		});
		expect(reached(2, at(160), ...ages)).toEqual({ aged: 3, due: [{ age: 60, dueAt: at(160) }] });
	});

	it('that are new or only remembered are noted without an event', () => {
		expect(reached(0, at(200), age(5, 1, { isNew: true }))).toEqual({ aged: 1, due: [] });
		expect(reached(0, at(200), age(5, 1, { isConfigured: false }))).toEqual({ aged: 1, due: [] });
	});

	it('are none before it is sent', () => {
		sentAt.mockReturnValueOnce(undefined as never);
		expect(reached(4, at(200), age(5, 1))).toEqual({ aged: 4, due: [] });
	});

	it('are not looked for once all have been reached', () => {
		expect(reached(3, at(200), age(5, 1), age(60, 2))).toEqual({ aged: 3, due: [] });
		expect(sentAt).not.toHaveBeenCalled();
	});
});
