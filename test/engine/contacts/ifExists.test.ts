import type { IDataObject, INode } from 'n8n-workflow';

import { TYPE, json, useAccount } from './support';

const given = useAccount({ emptyLists: 'success', duplicateEmail: 'allow' });
const list = '/contacts/list';
const unsubscribes = '/global-unsubscribes';
const addressKeys = ['created', 'email', 'contact_type_id', 'message'];

/** Runs Contact: Create for each item, mapped automatically. */
async function create(
	ifContactExists: string | undefined,
	items: IDataObject[],
	node: Partial<INode> = {},
) {
	const parameters = { operation: 'create', ...(ifContactExists && { ifContactExists }) };
	const people = items.map((item) => ({ country: '85', ...item }));
	const outcome = await given.account.run(parameters, people, node);
	const failed = outcome.failed.map((item) => (item.json.error as IDataObject).message);
	return { items: json(outcome), failed, error: outcome.error?.message };
}
const sent = () => given.account.writes().map(([call, fields]) => [call, fields as IDataObject]);
const added = (email: string) => ({
	created: true,
	contact_type_id: TYPE,
	email,
	message: 'Contact Added Successfully',
});
const returned = (email: string, contact: IDataObject = {}) => ({
	created: false,
	...contact,
	contact_type_id: TYPE,
	email,
	message: 'A contact with this email already exists; nothing was written',
});
const goOn = { onError: 'continueErrorOutput' as const };

test('returns the existing contact by default, with one read for all items', async () => {
	const { account } = given;
	const custom_field = { field_1: { field_name: 'plan', field_value: 'gold' } };
	const ada = account.add('Ada@example.com', { first_name: 'Ada', custom_field });
	const time = '2026-03-02T10:00:00.000000Z';
	const { items } = await create(undefined, [
		{ email: ' ada@EXAMPLE.com ', first_name: 'Eve' },
		{ email: 'ben@example.com' },
		{ email: 'BEN@example.com' },
	]);
	expect(items).toEqual([
		returned('Ada@example.com', {
			...{ id: ada.id, first_name: 'Ada', last_name: '', city: '' },
			...{ country: 'Germany', countryName: 'Germany', custom_field_plan: 'gold' },
			...{ created_at: time, updated_at: time },
		}),
		added('ben@example.com'),
		returned('ben@example.com'),
	]);
	expect(Object.keys(items[1] ?? {})).toEqual(addressKeys);
	expect(account.reads()).toEqual([unsubscribes, list]);
	expect(sent().map(([call]) => call)).toEqual(['POST /contacts/add']);
	expect(account.contact('Ada@example.com')?.first_name).toBe('Ada');
});

test('counts the contact that an earlier item creates whether it exists or not', async () => {
	const email = 'ben@example.com';
	const { items } = await create('={{ $json.choice }}', [
		{ email, choice: 'create' },
		{ email, choice: 'return' },
	]);
	expect(items).toEqual([added(email), returned(email)]);
	expect(sent().map(([call]) => call)).toEqual(['POST /contacts/add']);
});

test('does not count contacts of another type, or deleted ones', async () => {
	const { account } = given;
	account.add('ada@example.com', { contact_type_id: 22 });
	account.add('ben@example.com', { deleted_at: '2026-03-01T10:00:00.000000Z' });
	const { items } = await create('fail', [
		{ email: 'ada@example.com' },
		{ email: 'ben@example.com' },
	]);
	expect(items).toEqual([added('ada@example.com'), added('ben@example.com')]);
});

test('takes the contact with the lowest ID where the address exists twice', async () => {
	const { account } = given;
	const [first] = [account.add('ada@example.com'), account.add('ada@example.com')];
	expect((await create('return', [{ email: 'ada@example.com' }])).items).toEqual([
		expect.objectContaining(returned('ada@example.com', { id: first.id })),
	]);
});

test('creates another one without reading the contact list', async () => {
	const { account } = given;
	account.add('ada@example.com');
	const { items } = await create('create', [
		{ email: 'ada@example.com' },
		{ email: 'ada@example.com' },
	]);
	expect(items).toEqual([added('ada@example.com'), added('ada@example.com')]);
	expect(account.reads()).toEqual([unsubscribes]);
	expect(account.emails()).toHaveLength(3);
});

test('fails before anything is sent', async () => {
	const { account } = given;
	account.add('ada@example.com');
	const { error } = await create('fail', [
		{ email: 'ben@example.com' },
		{ email: 'ADA@example.com' },
	]);
	expect(error).toBe('A contact with the email "ADA@example.com" already exists [item 1]');
	expect(account.writes()).toEqual([]);
});

test('fails only for what exists when the node goes on past failures', async () => {
	const { account } = given;
	account.add('ada@example.com');
	const emails = ['ada@example.com', 'ben@example.com', 'ben@example.com'];
	const { items, failed } = await create(
		'fail',
		emails.map((email) => ({ email })),
		goOn,
	);
	expect(items).toEqual([added('ben@example.com')]);
	expect(failed).toEqual([
		'A contact with the email "ada@example.com" already exists [item 0]',
		'A contact with the email "ben@example.com" was already created by an earlier item [item 2]',
	]);
});

test('the next item for the address has its turn when one was refused', async () => {
	const { account } = given;
	const match = { path: '/contacts/add' };
	account.state.faults.add({ kind: 'failed', errors: { city: ['Too far.'] }, match });
	const email = 'ada@example.com';
	const { items, failed } = await create('return', [{ email }, { email, city: 'Bonn' }], goOn);
	expect(failed).toEqual(['The service rejected "City": Too far. [item 0]']);
	expect(items).toEqual([added(email)]);
	expect(account.contact(email)?.city).toBe('Bonn');
});

test.each(['return', 'fail'])(
	'%s: sends no second one when the response to the first was lost',
	async (choice) => {
		const { account } = given;
		account.state.faults.add({ kind: 'reset-after', match: { path: '/contacts/add' } });
		const item = { email: 'ada@example.com' };
		const { items, failed } = await create(choice, [item, item, item], goOn);
		expect(items).toEqual([]);
		expect(failed.slice(1)).toEqual(
			[1, 2].map(
				(at) =>
					`An earlier item may have saved the contact with the email "ada@example.com", but its response was lost [item ${at}]`,
			),
		);
		expect(account.emails()).toEqual(['ada@example.com']);
	},
);

test('knows what all earlier items did, whatever each of them was to do', async () => {
	const { account } = given;
	const city = { city: ['Too far.'] };
	const match = { path: '/contacts/add' };
	account.state.faults.add({ kind: 'failed', errors: city, match, times: 2 });
	const choices = ['return', 'create', 'return', 'return', 'fail', 'create', 'return'];
	const people = choices.map((choice) => ({ email: 'ada@example.com', choice }));
	const { items, failed } = await create('={{ $json.choice }}', people, goOn);
	expect(failed).toEqual([
		'The service rejected "City": Too far. [item 0]',
		'The service rejected "City": Too far. [item 1]',
		'A contact with the email "ada@example.com" was already created by an earlier item [item 4]',
	]);
	expect(items.map(({ created }) => created)).toEqual([true, false, true, false]);
	expect(account.emails()).toEqual(['ada@example.com', 'ada@example.com']);
});

test('sends nothing when the list cannot be read', async () => {
	const { account } = given;
	account.state.faults.add({ kind: 'html', match: { path: list } });
	const { error } = await create('return', [{ email: 'ada@example.com' }]);
	expect(error).toContain('web page');
	expect(account.writes()).toEqual([]);
});

test('refuses a choice that there is not', async () => {
	const { error } = await create('={{ "update" }}', [{ email: 'ada@example.com' }]);
	expect(error).toBe('"If Contact Exists" cannot be "update"');
	expect(given.account.reads()).toEqual([]);
});

test('makes one contact of each address for many items, with one read', async () => {
	const items = Array.from({ length: 60 }, (_, n) => ({ email: `c${n % 7}@example.com` }));
	await create('return', items);
	expect(given.account.emails()).toHaveLength(7);
	expect(given.account.reads()).toEqual([unsubscribes, list]);
});

test('makes one contact of 30,000 items with one address, in memory that grows with their number only', async () => {
	const item = { email: 'ada@example.com' };
	const { items } = await create(
		'return',
		Array.from({ length: 30_000 }, () => item),
	);
	expect(items).toHaveLength(30_000);
	expect(given.account.emails()).toEqual(['ada@example.com']);
});
