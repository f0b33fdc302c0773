import { limits } from '../../../scripts/lib/workflow-json.ts';
import { hints, json, useAccount } from './support';

const given = useAccount();

type Values = Parameters<typeof limits>[0];

const people = (count: number, fields: object = {}) =>
	Array.from({ length: count }, (_, n) => ({
		email: `c${n}@example.com`,
		country: 'DE',
		...fields,
	}));
const addPeople = (count: number) => people(count).map(({ email }) => given.account.add(email));

describe.each(['sync', 'upsert'])('limits of %s', (operation) => {
	test.each([
		[
			{ maxUpdates: 3 },
			'4 of 8 contacts would be updated, more than the 3 allowed',
			'"Max Updates" to 4',
		],
		[
			{ maxUpdates: 3, maxUpdatePercent: 30 },
			'4 of 8 contacts would be updated, more than the 3 allowed',
			'"Max Updates" to 4 and "Max Updates (Percent)" to 50',
		],
	])('updates: %j', async (values, message, raised) => {
		addPeople(8);
		const options = limits(values as Values);
		const outcome = await given.account.run({ operation, options }, people(4, { city: 'Bonn' }));
		expect(outcome.error).toMatchObject({
			message,
			description: `Nothing was written. Check that the input has the right values in the right fields. If this is intended, review it with "Dry Run", then raise ${raised} under "Limits" in Options for this run.`,
		});
		expect(given.account.writes()).toEqual([]);
	});

	test.each([
		[
			{ maxAdditions: 3 },
			'4 contacts would be added to the existing 8, more than the 3 allowed',
			'"Max Additions" to 4',
		],
		[
			{ maxAdditionPercent: 40 },
			'4 contacts would be added to the existing 8, more than the 40% allowed',
			'"Max Additions (Percent)" to 50',
		],
	])('additions: %j', async (values, message, raised) => {
		addPeople(8);
		const options = limits(values as Values);
		const outcome = await given.account.run({ operation, options }, people(12));
		expect(outcome.error).toMatchObject({
			message,
			description: `Nothing was written. Check that the input has the right people. If this is intended, review it with "Dry Run", then raise ${raised} under "Limits" in Options for this run.`,
		});
		expect(given.account.writes()).toEqual([]);
	});

	test('additions: a list that is empty may be filled', async () => {
		await given.account.run({ operation, options: limits({ maxAdditionPercent: 1 }) }, people(4));
		expect(given.account.emails()).toHaveLength(4);
	});

	test.each([
		[
			4,
			{ maxFailures: 3 },
			'4 of 5 items would fail, more than the 3 allowed',
			'"Max Failures" to 4',
		],
		[
			4,
			{ maxFailurePercent: 79 },
			'4 of 5 items would fail, more than the 79% allowed',
			'"Max Failures (Percent)" to 80',
		],
		[
			19,
			{},
			'19 of 20 items would fail, more than the 50% allowed',
			'"Max Failures (Percent)" to 95',
		],
	])(
		'failures: the first three of %d are named, with %j',
		async (count, values, message, raised) => {
			const options = limits(values as Values);
			const input = [...people(1), ...people(count, { email: 'nobody' })];
			const outcome = await given.account.run({ operation, options }, input);
			const problem = 'Email "nobody" is not an email address. Correct it.';
			expect(outcome.error).toMatchObject({
				message: `${message}: Email not valid (nobody)`,
				description: `Nothing was written. Item 1: ${problem} Item 2: ${problem} Item 3: ${problem} Correct the input. To sync the other items anyway, raise ${raised} under "Limits" in Options.`,
			});
			expect(given.account.writes()).toEqual([]);
		},
	);
});

test('below 20 items, failures stop nothing without an option', async () => {
	const input = [...people(1), ...people(18, { email: 'nobody' })];
	const outcome = await given.account.run({}, input);
	expect(json(outcome).map(({ action }) => action)).toEqual([
		'created',
		...Array<string>(18).fill('failed'),
	]);
	expect(given.account.writes()).toHaveLength(1);
});

test('of two limits for the same, the lower one counts', async () => {
	addPeople(2);
	const rows = [3, 1, 2].map((value) => ({ kind: 'maxUpdates', value }));
	const options = { limits: { limit: rows } };
	const { error } = await given.account.run({ options }, people(2, { city: 'Bonn' }));
	expect(error?.message).toBe('2 of 2 contacts would be updated, more than the 1 allowed');
});

test('a dry run shows a limit where it counts, in the summary and in the hint', async () => {
	const { account } = given;
	addPeople(2);
	const input = [...people(2, { city: 'Bonn' }), { email: 'new@example.com', country: 'DE' }];
	const dry = { dryRun: true, options: limits({ maxUpdates: 1 }) };
	const reason = '2 of 2 contacts would be updated, more than the 1 allowed';
	const outcome = await account.run(dry, input);
	expect(json(outcome)).toMatchObject([
		{ action: 'wouldUpdate', reason: `stopped by the limit: ${reason}` },
		{ action: 'wouldUpdate', reason: 'stopped by the limit' },
		{ action: 'wouldCreate', reason: 'new' },
	]);
	expect(hints(outcome)).toMatchObject([
		{
			message: `Dry run: would create 1, would update 2. Nothing was written. A limit would stop the run: ${reason}. If this is intended, raise "Max Updates" to 2 under "Limits" in Options.`,
			type: 'warning',
		},
	]);
	const summary = await account.run(
		{ ...dry, options: { ...dry.options, report: 'summary' } },
		input,
	);
	expect(json(summary)).toMatchObject([{ wouldUpdate: 2, limit: reason }]);
	expect(account.writes()).toEqual([]);
});

test.each([
	['maxAdditions', 'Max Additions'],
	['maxAdditionPercent', 'Max Additions (Percent)'],
	['maxUpdates', 'Max Updates'],
	['maxUpdatePercent', 'Max Updates (Percent)'],
	['maxFailures', 'Max Failures'],
	['maxFailurePercent', 'Max Failures (Percent)'],
])('%s that is no number is refused before any request', async (name, label) => {
	const { error } = await given.account.run({ options: limits({ [name]: 'few' }) }, people(1));
	expect(error?.message).toBe(`"${label}" must be a number of at least 0, but it is "few"`);
	expect(given.account.reads()).toEqual([]);
});

test('a limit that does not exist is refused before any request', async () => {
	const { error } = await given.account.run({ options: limits({ maxSends: 1 }) }, people(1));
	expect(error?.message).toBe('"Limit" cannot be "maxSends"');
	expect(given.account.reads()).toEqual([]);
});
