import { isCounted } from '../../../nodes/EmailMarketing/features/sync/plan/planLimits';
import type { RowAction } from '../../../nodes/EmailMarketing/features/contacts/types';
import type { PlanOptions } from '../../../nodes/EmailMarketing/features/sync/types';
import { contact, item, planOf } from './builders';

const contacts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => contact(id));
const changed = (count: number) =>
	contacts.map(({ email, id }) => item(email, id <= count ? { city: 'Bonn' } : {}));
const failing = (count: number, total: number) =>
	Array.from({ length: total }, (_, n) =>
		n < count ? item('nobody') : item(`new${n}@example.com`, { country: 'DE' }),
	);

test.each<[string, number, Partial<PlanOptions>, string | undefined]>([
	['no limit', 10, {}, undefined],
	['at the number', 4, { maxUpdates: 4 }, undefined],
	[
		'above the number',
		5,
		{ maxUpdates: 4 },
		'5 of 10 contacts would be updated, more than the 4 allowed',
	],
	['at the share', 3, { maxUpdatePercent: 30 }, undefined],
	[
		'above the share',
		4,
		{ maxUpdatePercent: 30 },
		'4 of 10 contacts would be updated, more than the 30% allowed',
	],
	['none', 0, { maxUpdates: 0, maxUpdatePercent: 0 }, undefined],
])('updates: %s', (_, count, limits, reason) => {
	expect(planOf(changed(count), contacts, limits).limit).toEqual(
		reason && expect.objectContaining({ kind: 'updates', code: 'too-many-updates', reason }),
	);
});

test.each<[string, number, number, Partial<PlanOptions>, string | undefined]>([
	['all of a small input', 19, 19, {}, undefined],
	['half of 20 items', 10, 20, {}, undefined],
	['more', 11, 20, {}, '11 of 20 items would fail, more than the 50% allowed'],
	['as many as are allowed', 20, 20, { maxFailurePercent: 100 }, undefined],
	[
		'above a share that is set, of a small input',
		1,
		2,
		{ maxFailurePercent: 10 },
		'1 of 2 items would fail, more than the 10% allowed',
	],
	['at a share with decimals', 123, 1_500, { maxFailurePercent: 8.2 }, undefined],
	[
		'one above it',
		124,
		1_500,
		{ maxFailurePercent: 8.2 },
		'124 of 1500 items would fail, more than the 8.2% allowed',
	],
	['the number', 2, 4, { maxFailures: 2 }, undefined],
	[
		'above the number',
		3,
		4,
		{ maxFailures: 2 },
		'3 of 4 items would fail, more than the 2 allowed',
	],
	[
		'half by default, though the number is far',
		15,
		20,
		{ maxFailures: 100 },
		'15 of 20 items would fail, more than the 50% allowed',
	],
])('failures: %s', (_, count, total, limits, reason) => {
	expect(planOf(failing(count, total), [], limits).limit).toEqual(
		reason && expect.objectContaining({ kind: 'failures', code: 'too-many-failures', reason }),
	);
});

test('a missing contact that cannot be moved is no failure of the input', () => {
	const unknown = contacts.map((one) => ({ ...one, country: 'Terra' }));
	const plan = planOf([item('c1@example.com')], unknown, {
		missing: { kind: 'moveToContactType', contactTypeId: 8 },
		maxFailures: 0,
	});
	expect(plan.rows.filter(({ action }) => action === 'failed')).toHaveLength(9);
	expect(plan.limit).toBeUndefined();
});

test.each<[Parameters<typeof isCounted>[1], RowAction[]]>([
	['removals', ['moved', 'addedToGroup', 'deleted']],
	['additions', ['created']],
	['updates', ['updated']],
	['failures', ['failed']],
])('the limit of %s counts or stops only these rows', (kind, counted) => {
	const actions: RowAction[] = [
		...(['created', 'updated', 'unchanged', 'skipped'] as const),
		...(['moved', 'addedToGroup', 'deleted', 'failed'] as const),
	];
	const row = (action: RowAction) => ({ item: 0, action, email: 'ada@example.com' });
	expect(actions.filter((action) => isCounted(row(action), kind))).toEqual(counted);
	expect(isCounted({ action: 'failed', email: '' }, kind)).toBe(false);
});

test('names each limit that blocks, with the value that would do', () => {
	const limits = { maxUpdates: 3, maxUpdatePercent: 10 };
	const { limit } = planOf(changed(4), contacts, limits);
	expect(limit?.toRaise).toEqual([
		{ limit: 'maxUpdates', value: 4 },
		{ limit: 'maxUpdatePercent', value: 40 },
	]);
	expect(planOf(changed(4), contacts, { maxUpdates: 4, maxUpdatePercent: 40 }).limit).toBe(
		undefined,
	);
});
