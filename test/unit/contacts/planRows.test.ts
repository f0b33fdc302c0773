import type { IDataObject } from 'n8n-workflow';

import {
	placeOf,
	readPlanRows,
	refuseLimited,
} from '../../../nodes/EmailMarketing/features/sync/savedPlan/planRows';
import { InvalidInput } from '../../../nodes/EmailMarketing/params/invalidInput';
import { readRowSnapshot } from '../../../nodes/EmailMarketing/features/sync/savedPlan/planValues';
import { TYPE } from './builders';

const email = 'ada@example.com';
const write = { country: { id: '2', name: 'Germany' }, city: 'Bonn' };
const update = {
	...{ action: 'wouldUpdate', dryRun: true, contactTypeId: TYPE, contactId: 1, email, reason: '' },
	plan: { write, seen: { city: 'Köln' } },
	changedFields: { city: { from: 'Köln', to: 'Bonn' } },
};
const removal = { ...update, plan: { seen: { country: { name: 'Germany' } } } };
const deletion = { ...removal, action: 'wouldDelete' };
const addition = { ...removal, action: 'wouldAddToGroup', unsubscribeGroupId: 51 };

function refusal(...rows: IDataObject[]): InvalidInput | undefined {
	try {
		readPlanRows(rows);
	} catch (error) {
		if (error instanceof InvalidInput) return error;
		throw error;
	}
	return undefined;
}

describe('rows of a dry run', () => {
	test('are read with what they write', () => {
		expect(readPlanRows([update])).toEqual([
			{
				row: {
					...{ item: 0, action: 'updated', email, contactId: 1, reason: '' },
					body: { contact_type_id: TYPE, email, country: '2', city: 'Bonn' },
					changes: { city: { from: 'Köln', to: 'Bonn' } },
				},
				contactTypeId: TYPE,
				seen: { city: 'Köln' },
				write,
				limit: undefined,
			},
		]);
	});

	test('may be texts of a table', () => {
		const { plan, changedFields, ...rest } = update;
		const row = {
			...rest,
			...{ dryRun: 'TRUE', contactTypeId: ' 7 ', contactId: '1' },
			plan: JSON.stringify(plan),
			changedFields: JSON.stringify(changedFields),
		};
		expect(readPlanRows([row])).toEqual(readPlanRows([update]));
		expect(readPlanRows([{ ...row, changedFields: '[object Object]' }])).toEqual(
			readPlanRows([update]),
		);
	});

	test('show the country before and after', () => {
		const countries = [
			[{ id: '1', name: 'Austria' }, 'Austria'],
			[{ id: '1' }, '1'],
			[{ name: '' }, ''],
			[{}, ''],
		] as const;
		for (const [country, from] of countries) {
			const [row] = readPlanRows([
				{ ...update, plan: { write, seen: { country } }, changedFields: null },
			]);
			expect(row?.row.changes?.country).toEqual({ from, to: 'Germany' });
		}
	});

	test('show a new address', () => {
		const row = { ...update, plan: { write, seen: { city: 'Köln', email: 'old@example.com' } } };
		const changedFields = { ...update.changedFields, email: { from: 'x', to: email } };
		const [read] = readPlanRows([{ ...row, changedFields }]);
		expect(read?.row.changes?.email).toEqual({ from: 'old@example.com', to: email });
	});

	test('keep the address of a contact as it is, unless it is written', () => {
		const odd = { email: ' nobody ' };
		expect(readPlanRows([{ ...update, ...odd }])[0]?.row.email).toBe(odd.email);
		expect(readPlanRows([{ ...deletion, ...odd }])[0]?.row.email).toBe(odd.email);
		const problem =
			'Item 0 cannot be applied: Email " nobody " is not an email address. Correct it';
		const seen = { email: 'old@example.com' };
		for (const row of [
			{ ...addition, ...odd },
			{ ...update, ...odd, plan: { write, seen }, changedFields: null },
			{ ...update, ...odd, action: 'wouldCreate' },
		]) {
			expect(refusal(row)?.message).toBe(problem);
		}
		expect(refusal({ ...deletion, email: '  ' })?.message).toMatch(/^Item 0 .+: Email /);
		expect(refusal({ ...addition, email: ` ${email}` })).toBeUndefined();
	});
});

describe('what somebody has seen is what is written', () => {
	const message = (field: string) =>
		`Item 0 cannot be applied: ${field} is not the same in "changedFields" and in "plan"`;

	test.each<[string, IDataObject, string]>([
		['a change that was not shown', {}, 'City'],
		['another value', { city: { to: 'Berlin' } }, 'City'],
		['a change without its value', { city: 'Bonn' }, 'City'],
		['a change that is not planned', { ...update.changedFields, state: { to: 'NRW' } }, 'State'],
	])('%s is refused', (_, changedFields, field) => {
		expect(refusal({ ...update, changedFields })?.message).toBe(message(field));
	});

	test('values that the service takes for the same are the same', () => {
		expect(refusal({ ...update, changedFields: { city: { to: ' Bonn' } } })).toBeUndefined();
	});
});

describe('the reason of a row', () => {
	const plan = { ...update.plan, limit: '2 of 3' };
	test.each([
		['missing from the input; stopped by the limit: 2 of\n3.', 'missing from the input'],
		['stopped by the limit: 2 of 3', ''],
		['missing from the input; stopped by the limit', 'missing from the input'],
		['because', 'because'],
	])('%j is without that of the limit', (reason, expected) => {
		const [row] = readPlanRows([{ ...update, plan, reason }]);
		expect(row?.row.reason).toBe(expected);
		expect(readPlanRows([{ ...update, reason }])[0]?.row.reason).toBe(reason);
	});
});

describe('refusals say what to do', () => {
	test.each<[string, IDataObject[], number, string, string]>([
		[
			'a run that wrote',
			[{ ...update, action: 'updated', dryRun: false }],
			0,
			'Item 0 is from a run that was not a dry run: "action" is "updated", but "dryRun" is not true',
			'The items of such a run were written already. Pass on the items of a run with "Dry Run".',
		],
		[
			'another value of "dryRun"',
			[{ ...update, dryRun: 'no' }],
			0,
			'Item 0 is not a row of a dry run: "dryRun" is "no"',
			'Pass on the items that "Sync" or "Create or Update" returned with "Dry Run", complete and unchanged. "Output" must not be "Summary Only".',
		],
		[
			'the same contact',
			[update, deletion],
			1,
			'Items 0 and 1 are for the same contact',
			'Pass on each row of a dry run once, and the rows of one dry run only.',
		],
		[
			'the same address in a group',
			[addition, { ...addition, contactId: 2, email: 'ADA@example.com' }],
			1,
			'Items 0 and 1 are for the same email',
			'Pass on each row of a dry run once, and the rows of one dry run only.',
		],
		[
			'two contact types',
			[update, { ...update, contactId: 2, contactTypeId: 8 }],
			1,
			'"Contact Type" is 8 for item 1, but 7 for item 0',
			'Run the node once for each "Contact Type".',
		],
	])('%s', (_, rows, item, message, remedy) => {
		const error = refusal(...rows);
		expect(error).toMatchObject({ itemIndex: item, message });
		expect(error?.remedy).toBe(remedy);
	});

	test('a limit', () => {
		const rows = readPlanRows([update, { ...deletion, contactId: 2 }]);
		expect(() => refuseLimited(rows)).not.toThrow();
		const limited = rows.map((row) => ({ ...row, limit: '2 of 3' }));
		expect(() => refuseLimited(limited)).toThrow(
			expect.objectContaining({
				message: 'Item 0 is part of a plan that a limit would have stopped: 2 of 3',
				remedy:
					'Check the plan. To apply it anyway, turn on "Allow Plans Over a Limit" in Options.',
			}),
		);
	});
});

test('where a row puts an address', () => {
	const places = [
		update,
		{ ...update, plan: { write, seen: { email: 'old@example.com' } }, changedFields: null },
		{ ...update, action: 'wouldCreate' },
		{ ...update, action: 'wouldMove', newContactTypeId: 8 },
		deletion,
		addition,
	].map((row) => placeOf(readPlanRows([row])[0] as never));
	expect(places).toEqual([
		undefined,
		'contact type 7',
		'contact type 7',
		'contact type 8',
		undefined,
		'unsubscribe group 51',
	]);
});

describe('the column "plan"', () => {
	const needs = { write: true, seen: true };
	const read = (changed: IDataObject) =>
		readRowSnapshot({ write: { ...write, ...changed }, seen: {} }, needs);

	test.each<[unknown, string]>([
		['Germany', 'is "Germany" (in "plan")'],
		[{ id: 'x2' }, 'has the ID "x2" (in "plan")'],
		[{ id: '2x' }, 'has the ID "2x" (in "plan")'],
		[{ id: 2.5 }, 'has the ID "2.5" (in "plan")'],
		[{ id: '2', name: ['Germany'] }, 'is a list. Map a single value (in "plan")'],
		[{ name: 'Germany' }, 'has no ID (in "plan")'],
		[undefined, 'has no ID (in "plan")'],
	])('may not have the country %j', (country, problem) => {
		expect(read({ country } as IDataObject)).toEqual({
			code: 'plan-row-damaged',
			field: 'Country',
			problem,
		});
	});

	test('has the values as they are, with outer spaces', () => {
		expect(read({ city: ' Bonn ', state: 5 })).toEqual({
			write: { ...write, city: ' Bonn ', state: '5' },
			seen: {},
		});
	});

	test('has all values of the contact, or empty ones', () => {
		const seen = { first_name: 'Ann' };
		expect(readRowSnapshot({ write, seen }, needs)).toEqual({
			code: 'plan-row-damaged',
			field: 'First Name',
			problem: 'is missing under "write" (in "plan")',
		});
		expect(readRowSnapshot({ write, seen: { first_name: ' ' } }, needs)).toEqual({
			write,
			seen: { first_name: ' ' },
		});
	});

	test('keeps the limit, whatever it is', () => {
		const none = { write: false, seen: false };
		expect(readRowSnapshot({ limit: '2 of 3' }, none)).toEqual({ limit: '2 of 3' });
		expect(readRowSnapshot({ limit: {} }, none)).toEqual({ limit: 'unknown' });
		expect(readRowSnapshot({ limit: '' }, none)).toEqual({});
	});
});
