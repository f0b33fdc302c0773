import type { IDataObject } from 'n8n-workflow';

import { apply, mirror, planOf, stored } from './planned';
import { useAccount } from './support';

const given = useAccount();

/** A table with fixed columns, such as a data table of n8n or a sheet: other keys are not kept. */
const inTable = (rows: IDataObject[], columns: readonly string[]): IDataObject[] =>
	stored(rows).map((row) =>
		Object.fromEntries(columns.map((column) => [column, row[column] ?? ''])),
	);

it('a plan over a limit is refused also from a table that was made for plans within it', async () => {
	const { account } = given;
	for (let index = 0; index < 20; index++) account.add(`c${index}@example.com`);
	const all = Array.from({ length: 20 }, (_value, index) => ({ email: `c${index}@example.com` }));
	const limits = { limits: { limit: [{ kind: 'maxRemovalPercent', value: 10 }] } };

	// The table is made from an ordinary plan, which removes one of 20.
	const ordinary = await planOf(account, { ...mirror.delete, options: limits }, all.slice(1));
	const columns = [...new Set(ordinary.flatMap((row) => Object.keys(row)))];
	expect(columns).toContain('overLimit');

	// One day, the source returns a single row: 19 of 20 would be removed, and the limit stops that.
	const broken = await planOf(account, { ...mirror.delete, options: limits }, all.slice(0, 1));
	expect(broken.filter((row) => row.overLimit === true)).toHaveLength(19);
	const rows = inTable(broken, columns);
	expect(String(rows.at(-1)?.reason)).toContain('stopped by the limit');

	const { error } = await apply(account, rows);
	expect(error?.message).toMatch(/is part of a plan that a limit would have stopped$/);
	const without = inTable(
		broken,
		columns.filter((column) => column !== 'overLimit'),
	);
	const other = await apply(account, without);
	expect(other.error?.message).toBe('Item 1 cannot be applied: "overLimit" is missing');
	expect(account.emails()).toHaveLength(20);
});

it('a new contact is not created without its approved custom fields because the table has no column for them', async () => {
	const { account } = given;
	account.state.tables.customFields.add({ id: 201, field_name: 'plan', field_type: 'text' }, 0);
	account.add('old@example.com', { first_name: 'Al' });
	const sync = { operation: 'upsert', options: { customFields: 'import' } };

	// The table is made from a plan in which nobody new has a custom field.
	const first = await planOf(account, sync, [
		{ email: 'old@example.com', first_name: 'Ada' },
		{ email: 'other@example.com', country: 'DE' },
	]);
	const columns = [...new Set(first.flatMap((row) => Object.keys(row)))];
	expect(columns).toContain('customFields');

	const plan = await planOf(account, sync, [
		{ email: 'new@example.com', country: 'DE', custom_field_plan: 'gold' },
	]);
	expect(plan[0]?.customFields).toEqual({ plan: 'gold' });
	const without = columns.filter((column) => column !== 'customFields');
	const { error } = await apply(account, inTable(plan, without));

	expect(error?.message).toBe('Item 0 cannot be applied: "customFields" is missing');
	expect(account.contact('new@example.com')).toBeUndefined();
	const { items } = await apply(account, inTable(plan, columns));
	expect(items.map(({ json: { action } }) => action)).toEqual(['created']);
});
