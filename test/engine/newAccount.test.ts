import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { Tables } from '../../sandbox/store.ts';
import { methods } from '../../nodes/EmailMarketing/methods';
import { editorContext, keys } from './engine';
import { testCredential } from './faults/callers';
import { GERMANY } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

/** An account that has nothing yet, and says so in another way than by an empty list. */
const test = useService({ groupEntries: 'apart', deletes: 'gone' });
const ways = ['everywhere', 'null'] as const;
const empty = (...names: Array<keyof Tables>) => {
	const { tables } = test.service.state;
	for (const name of names) for (const { id } of tables[name].all()) tables[name].remove(id);
};
const counts = 'GET /contacts-type';

/** Each list that takes no id. */
const lists: Array<[string, string, keyof Tables, ...string[]]> = [
	['globalUnsubscribe', 'getAll', 'globalUnsubscribes', 'GET /global-unsubscribes'],
	['unsubscribeGroup', 'getAll', 'unsubscribeGroups', 'GET /unsubscribes-groups'],
	['contactType', 'getAll', 'contactTypes', counts],
	['contact', 'getAll', 'contacts', 'GET /contacts/list', counts],
	['segment', 'getAll', 'segments', 'GET /segment/list'],
	['customField', 'getReserved', 'reservedFields', 'GET /reserve-fields'],
	['customField', 'getAll', 'customFields', 'GET /custom-fields'],
	['designTemplate', 'getAll', 'templates', 'GET /get-design/template'],
	['singleSend', 'getAll', 'singleSends', 'GET /single-send/list'],
	['automation', 'getAll', 'automations', 'GET /automations'],
	['notificationRecipient', 'getAll', 'notificationRecipients', 'GET /notification-recipients'],
	['sender', 'getAll', 'senders', 'GET /senders'],
];

describe.each(ways)('an empty list is an empty list, where it is "%s"', (emptyLists) => {
	it.each(lists)('%s, %s', async (resource, operation, table, ...calls) => {
		test.service.state.settings.emptyLists = emptyLists;
		empty(table);
		const { items, failed, error } = await test.service.run({ resource, operation });
		expect([items, failed, error]).toEqual([[], [], undefined]);
		expect(test.service.calls()).toEqual(calls);
	});
});

it.each(ways)('contacts that are counted but not listed are no empty list: %s', async (way) => {
	test.service.state.settings.emptyLists = way;
	const body =
		way === 'null'
			? { status: 'success', message: { contacts: null } }
			: { status: 'failed', errors: 'Record Not Found' };
	test.service.fault({ kind: 'shape', body, match: { path: '/contacts/list' } });
	const { items, error } = await test.service.run({ resource: 'contact', operation: 'getAll' });
	expect(items).toEqual([]);
	expect(error?.message).toBe(
		'Unexpected response: the list "contacts" is missing, although its count is 2',
	);
});

it.each(ways)('the first contacts are added to a new account: %s', async (emptyLists) => {
	const { service } = test;
	service.state.settings.emptyLists = emptyLists;
	empty('contacts', 'globalUnsubscribes', 'groupRecipients', 'customFields');
	const { items, error } = await service.run(
		{
			...{ resource: 'contact', operation: 'upsert', contactTypeId: chosen(21) },
			fields: { mappingMode: 'autoMapInputData', value: null },
			options: { skipUnsubscribed: true },
		},
		{ items: [{ json: { email: 'ada@example.com', country: GERMANY } }] },
	);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.action)).toEqual(['created']);
	expect(service.state.tables.contacts.all().map(({ email }) => email)).toEqual([
		'ada@example.com',
	]);
	expect(service.violations()).toEqual([]);
});

it.each(ways)('the editor offers nothing: %s', async (emptyLists) => {
	test.service.state.settings.emptyLists = emptyLists;
	empty('contacts', 'segments', 'contactTypes');
	const context = editorContext({}, { baseUrl: test.service.baseUrl, ...keys });
	for (const name of ['searchContacts', 'searchSegments', 'searchContactTypes']) {
		const search = methods?.listSearch?.[name] as (
			this: ILoadOptionsFunctions,
		) => Promise<INodeListSearchResult>;
		expect(await search.call(context)).toEqual({ results: [] });
	}
});

it.each(['success', ...ways] as const)('the credential is tested: %s', async (emptyLists) => {
	test.service.state.settings.emptyLists = emptyLists;
	empty('contactTypes');
	expect(await testCredential({ baseUrl: test.service.baseUrl, ...keys })).toEqual({
		status: 'OK',
		message: 'Connection tested successfully',
	});
});
