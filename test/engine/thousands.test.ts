import type { IDataObject } from 'n8n-workflow';

import { contact, globalUnsubscribe, NOW } from './records';
import { useService } from './sandbox';

const test = useService();

/** As "Extract From File" and Google Sheets return a number in a column with the format #,##0. */
const formatted = '1,234';

const others = [1, 234, 1234];

it.each<[string, string, string]>([
	['contact', 'contactIds', 'POST /contacts/bulk-delete'],
	['globalUnsubscribe', 'globalUnsubscribeIds', 'POST /global-unsubscribes/bulk-delete'],
])('%s: a number with a thousands separator is not two other IDs', async (resource, name, call) => {
	const { service } = test;
	const { contacts, globalUnsubscribes } = service.state.tables;
	const { fullname: _, ...row } = contact;
	for (const id of others) {
		contacts.add({ ...row, country: 85, id, email: `c${id}@example.com` }, NOW);
		globalUnsubscribes.add({ ...globalUnsubscribe, id, email_address: `c${id}@example.com` }, NOW);
	}
	const table = resource === 'contact' ? contacts : globalUnsubscribes;

	const outcome = await service.run(
		{ resource, operation: 'deleteMany', [name]: '={{ $json.id }}' },
		{ items: [{ json: { id: formatted } as IDataObject }] },
	);

	expect(others.filter((id) => table.get(id) === undefined)).toEqual([]);
	expect(service.calls()).not.toContain(call);
	expect(outcome.error?.message).toContain('1,234');
});

it('IDs separated by commas and spaces are still several', async () => {
	const { service } = test;
	const { error } = await service.run({
		resource: 'contact',
		operation: 'deleteMany',
		contactIds: '1000001, 1000002',
	});
	expect(error).toBeUndefined();
	expect(service.state.tables.contacts.size).toBe(0);
});

it.each(['1,234; 5,678', '1,234, 5,678', '1,234\n5,678', '1,234,5,678', '1,234,ada@example.com'])(
	'numbers with separators that are joined into one text are not several others: %j',
	async (contactIds) => {
		const { error } = await test.service.run({
			...{ resource: 'contact', operation: 'deleteMany' },
			contactIds,
		});
		expect(error?.context).toMatchObject({ code: 'list-ambiguous' });
		expect(test.service.calls()).toEqual([]);
	},
);
