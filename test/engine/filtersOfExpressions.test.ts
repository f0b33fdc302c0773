import type { IDataObject } from 'n8n-workflow';

import { useService } from './sandbox';

const test = useService();
const object = '={{ { a: 1 } }}';
const shown = '"{"a":1}"';

it.each<[IDataObject, string]>([
	[{ text: object }, `"Name Contains" must be text, but it is ${shown}`],
	[{ city: object }, `"City" must be text, but it is ${shown}`],
	[{ email: object }, `"Email" must be text, but it is ${shown}`],
	[{ includeDeleted: '={{ $json.no }}' }, '"Include Deleted" in Filters is empty'],
	[{ contactTypes: '={{ [""] }}' }, '"Contact Type Names or IDs" in Filters is empty'],
	[
		{ contactTypes: '={{ $json.a }},{{ $json.b }}' },
		'"Contact Type Names or IDs" in Filters is empty',
	],
	[
		{ customFields: { field: [{ name: 'age', value: '={{ $json.no }}' }] } },
		'"Custom Fields" in Filters is empty',
	],
	[
		{ customFields: { field: [{ name: 'age', value: object }] } },
		`"Custom Fields" must be text, but it is ${shown}`,
	],
])(
	'a filter of contacts with nothing usable fits not all of them: %j',
	async (filters, message) => {
		const parameters = { resource: 'contact', operation: 'getAll', returnAll: true, filters };
		const { items, error } = await test.service.run(parameters);
		expect(error?.message).toBe(message);
		expect(items).toEqual([]);
		expect(test.service.calls()).toEqual([]);
	},
);

it.each(['contactTypes', 'unsubscribeGroups'])(
	'a filter in which nobody has chosen anything fits not all contacts: %s',
	async (filter) => {
		const { error } = await test.service.run({
			...{ resource: filter === 'contactTypes' ? 'contact' : 'automation', operation: 'getAll' },
			filters: { [filter]: [] },
		});
		expect(error?.message).toMatch(/^"[\w ]+ Names or IDs" in Filters is empty$/);
		expect(test.service.calls()).toEqual([]);
	},
);

it('a status of blanks is not any status', async () => {
	const filters = { status: '={{ [" "] }}' };
	const parameters = { resource: 'singleSend', operation: 'getAll', returnAll: true, filters };
	const { error } = await test.service.run(parameters);
	expect(error?.message).toBe('"Status" in Filters is empty');
	expect(test.service.calls()).toEqual([]);
});
