import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { methods } from '../../nodes/EmailMarketing/methods';
import { editorContext, keys } from './engine';
import { contact } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();
const deleted_at = '2026-03-02T10:00:00.000000Z';
const kinds = [
	['automation', 'automations', 'searchAutomations', 'getAutomations'],
	['contact', 'contacts', 'searchContacts', 'getContacts'],
	['contactType', 'contactTypes', 'searchContactTypes', 'getContactTypes'],
	['segment', 'segments', 'searchSegments', 'getTargets'],
	['sender', 'senders', 'searchSenders', undefined],
] as const;

describe.each(kinds)('a %s that the service lists as deleted', (resource, table, find, load) => {
	const ids = async (filters: object) => {
		const parameters = { resource, operation: 'getAll', returnAll: true, filters: { ...filters } };
		const { items, error } = await test.service.run(parameters);
		expect(error).toBeUndefined();
		return items.map(({ json }) => json.id);
	};
	let before: unknown[] = [];
	let deleted = 0;

	beforeEach(async () => {
		test.service.holdsOddRecords = true;
		before = await ids({});
		expect(before.length).toBeGreaterThan(0);
		deleted = test.service.state.tables[table].add({ deleted_at } as never, 0).id;
	});

	it('is left out of Get Many', async () => {
		expect(await ids({})).toEqual(before);
		expect(await ids({ includeDeleted: false })).toEqual(before);
	});

	it('is returned when it is asked for', async () => {
		expect((await ids({ includeDeleted: true })).sort()).toEqual([...before, deleted].sort());
	});

	it.each(['simplified', 'raw'])('says so in the output: %s', async (output) => {
		const filters = { includeDeleted: true };
		const parameters = { resource, operation: 'getAll', returnAll: true, filters, output };
		const { items } = await test.service.run(parameters);
		const marked = items.filter(({ json }) => json.deleted_at);
		expect(marked.map(({ json }) => json.id)).toEqual([deleted]);
	});

	it('is not offered in the editor', async () => {
		const context = editorContext({}, { baseUrl: test.service.baseUrl, ...keys });
		const search = methods?.listSearch?.[find] as (
			this: ILoadOptionsFunctions,
		) => Promise<INodeListSearchResult>;
		expect((await search.call(context)).results).toHaveLength(before.length);
		const options = load && methods?.loadOptions?.[load];
		const offered: INodePropertyOptions[] = options ? await options.call(context) : [];
		expect(offered.filter(({ value }) => String(value).includes(String(deleted)))).toEqual([]);
	});
});

it.each([false, 0, '0', '0000-00-00 00:00:00'])(
	'takes a contact for one that is there with %j as the time of its deletion',
	async (none) => {
		test.service.holdsOddRecords = true;
		const { contacts } = test.service.state.tables;
		Object.assign(contacts.get(contact.id) ?? {}, { deleted_at: none });
		const { items, error } = await test.service.run({
			...{ resource: 'contact', operation: 'upsert' },
			contactTypeId: chosen(contact.contact_type_id),
			fields: { mappingMode: 'defineBelow', value: { email: contact.email } },
		});
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ action: 'unchanged', contactId: contact.id });
		const listed = await test.service.run({ resource: 'contact', operation: 'getAll' });
		expect(listed.items.map(({ json }) => json.id)).toContain(contact.id);
	},
);
