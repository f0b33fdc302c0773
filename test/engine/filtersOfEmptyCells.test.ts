import type { IDataObject } from 'n8n-workflow';

import { useService } from './sandbox';

const test = useService();

const found = async (filters: IDataObject, json: IDataObject) => {
	const { items, error } = await test.service.run(
		{ resource: 'contact', operation: 'getAll', returnAll: true, filters },
		{ items: [{ json }] },
	);
	return { ids: items.map((item) => item.json.id), error: error?.message };
};

const company = { customFields: { field: [{ name: 'company', value: '={{ $json.company }}' }] } };

it('an empty cell of a sheet does not find everybody without a value in a custom field', async () => {
	// Works today: the cell has a value, or is missing.
	expect(await found(company, { company: 'okafor & co' })).toEqual({ ids: [1000001] });
	expect((await found(company, {})).error).toBe('"Custom Fields" in Filters is empty');
	// Google Sheets gives '' for an empty cell.
	expect(await found(company, { company: '' })).toEqual({
		ids: [],
		error: '"Custom Fields" in Filters is empty',
	});
});

it.each([{}, { field: [] }])(
	'a filter by no custom field finds nobody: %j',
	async (customFields) => {
		expect(await found({ customFields }, {})).toEqual({
			ids: [],
			error: '"Custom Fields" in Filters is empty',
		});
	},
);

it('a filter by email reads an address as all other fields do', async () => {
	expect(await found({ email: 'Ada <ada@example.com>' }, {})).toEqual({ ids: [1000001] });
});

it('a filter for contacts without a value still works where it was left empty on purpose', async () => {
	const filters = { customFields: { field: [{ name: 'company', value: '' }] } };
	expect(await found(filters, {})).toEqual({ ids: [1000002] });
});

it.each([
	['={{ $json.lists.filter((one) => one.active).map((one) => one.id) }}'],
	['={{ $json.ids }}'],
])(
	'an expression that finds no contact type does not find all contacts: %s',
	async (contactTypes) => {
		const json = { lists: [{ id: 21, active: false }], ids: [] };
		const { ids } = await found({ contactTypes }, json);
		expect(ids).toEqual([]);
	},
);

it('an empty cell in "Name Contains" does not find all unsubscribes, whose address has no other filter', async () => {
	const run = async (json: IDataObject) =>
		await test.service.run(
			{
				...{ resource: 'globalUnsubscribe', operation: 'getAll', returnAll: true },
				filters: { text: '={{ $json.email }}' },
			},
			{ items: [{ json }] },
		);
	expect((await run({ email: 'no.more@example.com' })).items).toHaveLength(1);
	expect((await run({})).error?.message).toBe('"Name Contains" in Filters is empty');
	const { items, error } = await run({ email: '' });
	expect(items).toEqual([]);
	expect(error?.message).toBe('"Name Contains" in Filters is empty');
});
