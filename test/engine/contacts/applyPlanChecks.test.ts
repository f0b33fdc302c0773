import type { IDataObject } from 'n8n-workflow';

import type { Contact } from '../../../sandbox/model.ts';
import { apply, GROUP, mirror, OTHER, planOf } from './planned';
import { AUSTRIA, json, useAccount } from './support';

const given = useAccount();

beforeEach(() => {
	const { unsubscribeGroups } = given.account.state.tables;
	unsubscribeGroups.add({ id: GROUP, group_name: 'Former customers' }, 0);
});

const email = 'ada@example.com';
const update = [{ email, first_name: 'Ada' }];
const mirrors = Object.entries(mirror);

const change = (contact: Contact, fields: Partial<Contact>) =>
	given.account.state.tables.contacts.change(contact, fields);
const only = (rows: IDataObject[]) =>
	rows.filter(({ action }) => String(action).startsWith('would'));

/** A plan for the one contact; something happens to it; then the plan is applied. */
async function applyAfter(
	parameters: IDataObject,
	input: IDataObject[],
	happens: () => void,
	options: IDataObject = {},
) {
	const rows = only(await planOf(given.account, parameters, input));
	expect(rows).toHaveLength(1);
	happens();
	return json(await apply(given.account, rows, options));
}

const notWritten = (reason: string, field?: string) => [
	{
		action: 'failed',
		email,
		reason: `changed since the plan: ${reason}`,
		contactId: expect.any(Number) as number,
		...(field !== undefined && { field }),
	},
];

describe('a contact that changed', () => {
	const changed = {
		first_name: ['First Name', { first_name: 'Eve' }, '"First Name" was "Al" and is now "Eve"'],
		other: [undefined, { city: 'Bonn' }, 'the values of the contact differ from the dry run'],
		address: [
			'Email',
			{ email: 'new@example.com' },
			`"Email" was "${email}" and is now "new@example.com"`,
		],
	} as const;
	test.each(Object.entries(changed))('is not updated: %s', async (_name, [field, fields, why]) => {
		const { account } = given;
		const contact = account.add(email, { first_name: 'Al' });
		const rows = await applyAfter({}, update, () => change(contact, fields));
		expect(rows).toEqual(notWritten(why, field));
		expect(account.writes()).toEqual([]);
	});

	test('is not updated in another contact type', async () => {
		const { account } = given;
		const contact = account.add(email, { first_name: 'Al' });
		const happens = () => change(contact, { contact_type_id: 23 });
		const what = `Contact ID ${contact.id} does not exist in this contact type. It belongs to contact type 23`;
		expect(await applyAfter({}, update, happens)).toEqual(notWritten(what, 'Contact ID'));
		expect(account.writes()).toEqual([]);
	});

	test('is not updated when its country is another one', async () => {
		const { account } = given;
		const contact = account.add(email, { first_name: 'Al' });
		const happens = () => change(contact, { country: AUSTRIA });
		const rows = await applyAfter({}, update, happens);
		expect(rows).toEqual(notWritten('the values of the contact differ from the dry run'));
		expect(account.writes()).toEqual([]);
	});

	test('is not updated when it is gone', async () => {
		const { account } = given;
		const { id } = account.add(email, { first_name: 'Al' });
		const happens = () => account.state.tables.contacts.remove(id);
		const rows = await applyAfter({}, update, happens);
		const what = `Contact ID ${id} does not exist in this contact type`;
		expect(rows).toEqual(notWritten(what, 'Contact ID'));
	});

	test('keeps its email if the row does not show that it changes', async () => {
		const { account } = given;
		const { id } = account.add(email, { first_name: 'Al' });
		const [row] = only(await planOf(account, {}, update));
		const edited = { ...row, email: 'other@example.com' };
		expect(json(await apply(account, [edited]))).toMatchObject([
			{ action: 'updated', contactId: id },
		]);
		expect(account.contact(email)).toMatchObject({ id, first_name: 'Ada' });
	});

	test('needs no update when it has the values already', async () => {
		const { account } = given;
		const contact = account.add(email, { first_name: 'Al' });
		const happens = () => change(contact, { first_name: 'Ada' });
		expect(await applyAfter({}, update, happens)).toEqual([
			{
				action: 'unchanged',
				email,
				reason: 'The contact already has the planned values',
				contactId: contact.id,
			},
		]);
		expect(account.writes()).toEqual([]);
	});

	test.each(mirrors)('is not removed: %s', async (_name, parameters) => {
		const { account } = given;
		account.add('kept@example.com');
		const contact = account.add(email);
		const rows = await applyAfter(parameters, [{ email: 'kept@example.com' }], () =>
			change(contact, { last_name: 'King' }),
		);
		expect(rows).toEqual(notWritten('the values of the contact differ from the dry run'));
		expect(account.writes()).toEqual([]);
	});

	test('is not deleted a second time', async () => {
		const { account } = given;
		account.add('kept@example.com');
		const { id } = account.add(email);
		const rows = await applyAfter(mirror.delete, [{ email: 'kept@example.com' }], () =>
			account.state.tables.contacts.remove(id),
		);
		expect(rows).toEqual([
			{ action: 'unchanged', email, reason: 'The contact was already deleted', contactId: id },
		]);
		expect(account.writes()).toEqual([]);
	});
});

describe('an address that somebody has by now', () => {
	test.each([
		['has other values', { first_name: 'Eve' }],
		['is in another country', { first_name: 'Ada', country: AUSTRIA }],
	])('is not created if the contact %s', async (_name, fields) => {
		const { account } = given;
		let id = 0;
		const rows = await applyAfter({}, [{ email, country: 'DE', first_name: 'Ada' }], () => {
			({ id } = account.add('ADA@example.com', fields));
		});
		expect(rows).toEqual(notWritten(`contact ${id} now has the email`, 'Email'));
		expect(account.writes()).toEqual([]);
	});

	test('needs no contact if it has the planned values', async () => {
		const { account } = given;
		const rows = await applyAfter({}, [{ email, country: 'DE', first_name: 'Ada' }], () => {
			account.add(email, { first_name: 'Ada', last_name: 'King' });
		});
		expect(rows).toMatchObject([{ action: 'unchanged', contactId: account.contact(email)?.id }]);
		expect(account.writes()).toEqual([]);
	});

	test('is not moved to the contact type that has it', async () => {
		const { account } = given;
		account.add('kept@example.com');
		account.add(email);
		let id = 0;
		const rows = await applyAfter(mirror.move, [{ email: 'kept@example.com' }], () => {
			({ id } = account.add(email, { contact_type_id: OTHER }));
		});
		const reason = `address taken: it belongs to contact ${id} in contact type ${OTHER}`;
		expect(rows).toMatchObject([{ action: 'skipped', email, reason }]);
		expect(account.writes()).toEqual([]);
	});

	test('is not given to another contact', async () => {
		const { account } = given;
		const { id } = account.add('old@example.com');
		const input = [{ contact_id: id, email }];
		const rows = await applyAfter({ matchBy: 'contactId' }, input, () => {
			account.add(email);
		});
		expect(rows).toEqual(notWritten('another contact now has the email', 'Email'));
		expect(account.writes()).toEqual([]);
	});
});

test('who is in the group by now is not added again', async () => {
	const { account } = given;
	account.add('kept@example.com');
	const { id } = account.add(email);
	const rows = await applyAfter(mirror.addToGroup, [{ email: 'kept@example.com' }], () =>
		account.unsubscribe(email, GROUP),
	);
	expect(rows).toEqual([
		{ action: 'unchanged', email, reason: 'already in the unsubscribe group', contactId: id },
	]);
});

test('apply-plan: who unsubscribed after the dry run is neither added nor updated', async () => {
	const { account } = given;
	const unsubscribe = () => account.unsubscribe(email);
	const skipped = [{ action: 'skipped', email, reason: 'unsubscribed' }];
	const added = await applyAfter({}, [{ email, country: 'AT' }], unsubscribe);
	expect(added).toMatchObject(skipped);
	account.add('ben@example.com', { first_name: 'B.' });
	const updated = await applyAfter({}, [{ email: 'ben@example.com', first_name: 'Ben' }], () =>
		account.unsubscribe('ben@example.com'),
	);
	expect(updated).toMatchObject([{ ...skipped[0], email: 'ben@example.com' }]);
	expect(account.writes()).toEqual([]);
});

test.each(mirrors)('a plan that is applied twice does nothing twice: %s', async (_name, what) => {
	const { account } = given;
	account.add('kept@example.com', { first_name: 'Al' });
	account.add('left@example.com');
	const input = [
		{ email: 'kept@example.com', first_name: 'Ada' },
		{ email: 'new@example.com', country: 'AT' },
	];
	const rows = await planOf(account, what, input);
	const first = json(await apply(account, rows)).map(({ action }) => action);
	expect(first.slice(0, 2)).toEqual(['updated', 'created']);
	account.state.journal.clear();
	const second = json(await apply(account, rows)).map(({ action }) => action);
	expect(second).toEqual(['unchanged', 'unchanged', 'unchanged']);
	expect(account.writes()).toEqual([]);
});

test('a write whose answer was lost is looked up, and not repeated', async () => {
	const { account } = given;
	const rows = await planOf(account, {}, [{ email, country: 'DE' }]);
	const match = { method: 'POST', path: '/contacts/add' };
	account.state.faults.add({ kind: 'reset-after', match, times: 1 });
	expect(json(await apply(account, rows))).toMatchObject([
		{
			action: 'created',
			reason: 'The response was lost, but the list is as planned',
		},
	]);
	expect(account.writes()).toHaveLength(1);
});

test('nothing is written when the contacts cannot be read', async () => {
	const { account } = given;
	account.add(email, { first_name: 'Al' });
	const rows = await planOf(account, {}, update);
	account.state.faults.add({ kind: 'status', status: 403, match: { path: '/contacts/list' } });
	const { error } = await apply(account, rows);
	expect(error?.message).toMatch(/denied access/);
	expect(account.writes()).toEqual([]);
});

test('failed rows go to the error output', async () => {
	const { account } = given;
	const contact = account.add(email, { first_name: 'Al' });
	const rows = await planOf(account, {}, update);
	change(contact, { first_name: 'Eve' });
	const node = { onError: 'continueErrorOutput' as const };
	const { items, failed } = await apply(account, rows, {}, node);
	expect(items).toEqual([]);
	expect(failed.map(({ json: row }) => row.error)).toMatchObject([
		{ action: 'failed', field: 'First Name', contactId: contact.id },
	]);
});
