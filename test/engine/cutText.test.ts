import type { IDataObject } from 'n8n-workflow';

import { chosen } from './rows';
import { apply, planOf } from './contacts/planned';
import { json, useAccount } from './contacts/support';

const given = useAccount({ csvContactType: 'sent' });

/** A text that an expression cut inside an emoji. Contacts are sent without the half that is left. */
const cut = (text: string) => `${text} 😀`.slice(0, -1);

const people: IDataObject[] = ['ada', 'ben'].map((name) => ({
	email: `${name}@example.com`,
	country: 'DE',
	first_name: cut(name),
	city: cut('Köln'),
	key: name,
}));
const bodies = ['ada', 'ben'].map((name) => ({
	email: `${name}@example.com`,
	first_name: name,
	city: 'Köln',
}));

test.each([
	['upsert', {}],
	['sync', {}],
	['sync', { importAbove: 1 }],
	['sync', { externalIdField: 'key' }],
	['upsert', { matchBy: 'contactId' }],
])('%s writes a text that is cut inside an emoji once: %j', async (operation, options) => {
	const { account } = given;
	const workflow = { mode: 'trigger' as const, staticData: {} };
	for (const [action, reason] of [
		['created', 'new'],
		['unchanged', 'no changes'],
		['unchanged', 'no changes'],
	]) {
		const items = people.map((person) => ({
			...person,
			contactId: account.contact(String(person.email))?.id,
		}));
		const { items: rows } = await account.run({ operation, options }, items, {}, workflow);
		expect(rows.map((row) => row.json)).toMatchObject(
			[action, action].map(() => ({ action, reason })),
		);
		expect(account.state.tables.contacts.all()).toMatchObject(bodies);
		const writes = action === 'created' ? 2 : 0;
		expect(account.writes()).toHaveLength(writes);
		account.state.journal.clear();
	}
});

test('a plan with a value that is cut inside an emoji is applied once', async () => {
	const { account } = given;
	account.add('ada@example.com');
	const rows = await planOf(account, {}, people.slice(0, 1));
	for (const action of ['updated', 'unchanged']) {
		expect(json(await apply(account, rows))).toMatchObject([{ action }]);
	}
	expect(account.writes()).toEqual([
		['POST /contacts/update', expect.objectContaining(bodies[0]) as IDataObject],
	]);
});

test('half an emoji alone clears no field', async () => {
	const { account } = given;
	account.add('ada@example.com', { first_name: 'Ada' });
	const item = { email: 'ada@example.com', first_name: '😀'.slice(0, -1), city: 'Bonn' };
	await account.run({ operation: 'upsert', options: { emptyValues: 'clear' } }, [item]);
	expect(account.contact('ada@example.com')).toMatchObject({ first_name: 'Ada', city: 'Bonn' });
});

test('Create and Update send the same text', async () => {
	const { account } = given;
	await account.run({ operation: 'create' }, people.slice(0, 1));
	const contactId = chosen(account.contact('ada@example.com')?.id ?? 0);
	await account.run({ operation: 'update', contactId }, people.slice(0, 1));
	const expected = expect.objectContaining(bodies[0]) as IDataObject;
	expect(account.writes()).toEqual([
		['POST /contacts/add', expected],
		['POST /contacts/update', expected],
	]);
});

test('If Name Exists finds a name that is cut inside an emoji', async () => {
	const { account } = given;
	Object.assign(account.state.settings, { unusedBody: 'any' });
	const { senders, templates, unsubscribeGroups } = account.state.tables;
	const sender = senders.add({ nickname: 'New', from_email: 'new@example.com' }, 0);
	const template = templates.add({ template_name: 'News' }, 0);
	const group = unsubscribeGroups.add({ group_name: 'Offers' }, 0);
	const create = {
		...{ resource: 'singleSend', operation: 'create', ifNameExists: 'return' },
		...{ singleSendName: cut('Spring'), subject: 'Hello', preheader: 'At last' },
		...{ senderId: chosen(sender.id), unsubscribeGroupId: chosen(group.id) },
		...{ templateId: chosen(template.id), recipientId: ['contacts_21'] },
		...{ scheduleType: 'immediately', options: { preflight: false } },
	};
	for (const created of [true, false]) {
		const { items } = await account.run(create, [{}]);
		expect(items).toMatchObject([{ json: { created, single_send_name: 'Spring \ufffd' } }]);
	}
	expect(account.writes()).toHaveLength(1);
});
