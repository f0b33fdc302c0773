import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../scripts/lib/workflow-json.ts';
import { apply, GROUP, mirror, planOf } from './planned';
import { json, TYPE, useAccount } from './support';

const given = useAccount();

const input = [
	{ email: 'old@example.com', first_name: 'Ada' },
	{ email: 'new@example.com', country: 'DE' },
];

/** An update, a new contact and a missing one. */
async function plan(parameters: IDataObject = mirror.delete): Promise<IDataObject[]> {
	const { account } = given;
	account.state.tables.unsubscribeGroups.add({ id: GROUP, group_name: 'Former customers' }, 0);
	account.add('old@example.com', { first_name: 'Al', last_name: 'King' });
	account.add('left@example.com');
	return await planOf(account, parameters, input);
}

const withChanges = (row: IDataObject = {}, changed: IDataObject = {}): IDataObject => ({
	...row,
	changedFields: { ...(row.changedFields as IDataObject), ...changed },
});
const without = (row: IDataObject, key: string): IDataObject =>
	Object.fromEntries(Object.entries(row).filter(([name]) => name !== key)) as IDataObject;

/** By the message: what is done to the rows. */
const refused: Record<string, (rows: IDataObject[]) => IDataObject[]> = {
	'Item 1 is not a row of a dry run: "action" is empty': ([one]) => [one ?? {}, { email: 'a@b.c' }],
	'Item 0 is not a row of a dry run: "action" is "wouldEmail"': ([one]) => [
		{ ...one, action: 'wouldEmail' },
	],
	'Item 1 is not a row of a dry run: "dryRun" is empty': ([one, two]) => [
		one ?? {},
		without(two ?? {}, 'dryRun'),
	],
	'Item 0 is from a run that was not a dry run: "action" is "created", but "dryRun" is not true': ([
		,
		one,
	]) => [{ ...without(one ?? {}, 'dryRun'), action: 'created' }],
	'Item 0 is from a run that was not a dry run: "action" is "unchanged", but "dryRun" is not true':
		([one]) => [{ ...one, action: 'unchanged', dryRun: false }],
	'Item 2 cannot be applied: "contactTypeId" is empty, which is not an ID': ([one, two, three]) => [
		...[one ?? {}, two ?? {}],
		without(three ?? {}, 'contactTypeId'),
	],
	'"Contact Type (List)" is 22 for item 1, but 21 for item 0': ([one, two]) => [
		one ?? {},
		{ ...two, contactTypeId: 22 },
	],
	'Item 0 cannot be applied: "contactId" is "x", which is not an ID': ([one]) => [
		{ ...one, contactId: 'x' },
	],
	'Item 0 cannot be applied: "contactVersion" is missing': ([one]) => [
		without(one ?? {}, 'contactVersion'),
	],
	'Item 0 cannot be applied: "changedFields" is empty': ([one]) => [
		without(one ?? {}, 'changedFields'),
	],
	'Item 0 cannot be applied: "changedFields" is "[object Object]"': ([one]) => [
		{ ...one, changedFields: '[object Object]' },
	],
	'Item 0 cannot be applied: "changedFields" contains "contact_id", which is not a field of contacts':
		([one]) => [withChanges(one, { contact_id: { to: '7' } })],
	'Item 0 cannot be applied: City is "Bonn" in "changedFields"': ([one]) => [
		withChanges(one, { city: 'Bonn' }),
	],
	'Item 0 cannot be applied: City is "{"from":"Bonn","to":null}" in "changedFields"': ([one]) => [
		withChanges(one, { city: { from: 'Bonn', to: null } }),
	],
	'Item 0 cannot be applied: City is a list. Map a single value': ([one]) => [
		withChanges(one, { city: { to: ['Bonn'] } }),
	],
	'Item 1 cannot be applied: Email "nobody" is not an email address. Correct it': ([one, two]) => [
		one ?? {},
		{ ...two, email: 'nobody' },
	],
	'Item 0 cannot be applied: Email differs between "email" and "changedFields"': ([, two]) => [
		withChanges(two, { email: { from: null, to: 'other@example.com' } }),
	],
	'Items 0 and 1 are for the same contact': ([one]) => [one ?? {}, one ?? {}],
	'Items 0 and 1 are for the same email': ([, two]) => [
		two ?? {},
		{ ...two, email: 'NEW@example.com' },
	],
};

test.each(Object.entries(refused))('%s', async (message, change) => {
	const { account } = given;
	const { error } = await apply(account, change(await plan()));
	expect(error?.message).toBe(message);
	expect(account.state.journal.entries).toEqual([]);
});

test('rows for two unsubscribe groups, and moves to where the contact is, are refused', async () => {
	const { account } = given;
	const [, , three] = await plan(mirror.addToGroup);
	const other = { ...three, unsubscribeGroupId: 52, contactId: 9999, email: 'x@example.com' };
	const groups = await apply(account, [three ?? {}, other]);
	expect(groups.error?.message).toBe('"Unsubscribe Group" is 52 for item 1, but 51 for item 0');
	const moves = await planOf(account, mirror.move, input);
	const move = await apply(account, [{ ...moves[2], newContactTypeId: TYPE }]);
	expect(move.error?.message).toBe(
		'Item 0 cannot be applied: "newContactTypeId" is the contact type that the contact already has',
	);
	expect(account.state.journal.entries).toEqual([]);
});

describe('a plan that a limit would have stopped', () => {
	const limited = { ...mirror.delete, options: { ...limits({ maxRemovals: 0 }) } };

	test('is refused, also the rows that the limit does not count', async () => {
		const { account } = given;
		const rows = await plan(limited);
		for (const row of rows) {
			const { error } = await apply(account, [row]);
			expect(error?.message).toBe('Item 0 is part of a plan that a limit would have stopped');
		}
		expect(account.state.journal.entries).toEqual([]);
	});

	test.each([true, '={{ "true" }}'])(
		'is applied if that is allowed: %s',
		async (allowOverLimit) => {
			const { account } = given;
			const outcome = await apply(account, await plan(limited), { allowOverLimit });
			expect(json(outcome).map(({ action, reason }) => [action, reason])).toEqual([
				['updated', 'changed: First Name'],
				['created', 'new'],
				['deleted', 'missing from the input'],
			]);
		},
	);
});

test('the error names the item for the error output', async () => {
	const rows = await plan();
	const bad = [rows[0] ?? {}, { ...rows[1], email: 'nobody' }];
	const { items, failed } = await apply(given.account, bad, {}, { onError: 'continueErrorOutput' });
	expect(items).toEqual([]);
	expect(failed).toMatchObject([
		{
			json: {
				error: {
					message: expect.stringContaining('Item 1 cannot be applied: Email') as string,
					description:
						'Pass on the items that "Sync", "Create or Update" or "Add or Sync" returned with "Dry Run", complete and unchanged. "Output" must not be "Summary Only". Nothing was changed.',
				},
			},
			pairedItem: { item: 1 },
		},
	]);
});
