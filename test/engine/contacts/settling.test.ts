import { json, useAccount } from './support';

const given = useAccount({ deletes: 'gone' });

const email = 'new@example.com';
const person = { email, country: 'DE', city: 'Köln' };
const row = { action: 'created', email };
const FOUND = 'Another run or source added this address at the same time';
const ADD = { method: 'POST', path: '/contacts/add' };
const LIST = { method: 'GET', path: '/contacts/list' };

const listReads = () => given.account.reads().filter((path) => path === LIST.path).length;
const ids = () => given.account.state.tables.contacts.all().map(({ id }) => id);

/** Adds contacts as others do, when the list for the plan has been read. */
function meanwhile(add: () => void): void {
	const { tables } = given.account.state;
	const insert = tables.contacts.add.bind(tables.contacts);
	jest.spyOn(tables.contacts, 'add').mockImplementationOnce((...row) => {
		const created = insert(...row);
		add();
		return created;
	});
}
afterEach(() => jest.restoreAllMocks());

test('who signs up with other values after the run created the contact keeps theirs', async () => {
	const { account } = given;
	meanwhile(() => account.add(email, { city: 'Bonn' }));
	const outcome = await account.run({}, [person]);
	const [own, other] = ids();
	expect(json(outcome)).toEqual([
		{
			...row,
			reason: `Other IDs with this address are left unchanged: ${other}`,
			contactId: own,
		},
	]);
	expect(account.writes()).toHaveLength(1);
});

test('contacts that all differ from what was sent are left as they are', async () => {
	const { account } = given;
	meanwhile(() => {
		account.add(email, { city: 'Bonn' });
		for (const contact of account.state.tables.contacts.all()) contact.last_name = 'Example';
	});
	const outcome = await account.run({}, [person]);
	expect(json(outcome)).toEqual([
		{
			...row,
			reason: `IDs ${ids().join(', ')} have this address, and it is unclear which of them this run added. None was removed`,
		},
	]);
	expect(ids()).toHaveLength(2);
});

test('a duplicate with an alternative email or a custom value is not taken for that of the run', async () => {
	const { account } = given;
	const custom_field = { field_1: { field_name: 'plan', field_value: 'gold' } };
	meanwhile(() => {
		account.add(email, { city: 'Köln', alt_email: 'other@example.com' });
		account.add(email, { city: 'Köln', custom_field });
	});
	await account.run({}, [person]);
	expect(ids()).toHaveLength(3);
});

test.each<[form: string, custom_field: unknown, isKept: boolean]>([
	['several of one field', { field_1: { field_name: 'topics', field_value: ['news'] } }, true],
	['no values', { field_1: { field_name: 'plan', field_value: ' ' } }, false],
	['an empty list', [], false],
])('a duplicate is kept if it has a custom value: %s', async (_, custom_field, isKept) => {
	const { account } = given;
	meanwhile(() => account.add(email, { city: 'Köln', custom_field: custom_field as never }));
	await account.run({}, [person]);
	expect(ids()).toHaveLength(isKept ? 2 : 1);
});

test('a duplicate that cannot be removed is named', async () => {
	const { account } = given;
	meanwhile(() => account.add(email, { city: 'Köln' }));
	account.state.faults.add({ kind: 'failed', errors: 'Locked', match: { method: 'DELETE' } });
	const outcome = await account.run({}, [person]);
	const [first, second] = ids();
	expect(json(outcome)).toEqual([
		{
			...row,
			reason: expect.stringContaining(
				`IDs ${first}, ${second} have this address, because another run or source added it at the same time. Removing ID ${second} failed: The service rejected the request: Locked.`,
			),
		},
	]);
});

test('a lost create is not taken for a contact with other values', async () => {
	const { account } = given;
	meanwhile(() => account.state.tables.contacts.all().forEach((one) => (one.city = 'Bonn')));
	account.state.faults.add({ kind: 'reset-after', match: ADD });
	const outcome = await account.run({}, [person]);
	expect(json(outcome)).toEqual([
		{
			action: 'unchanged',
			email,
			reason: `${FOUND}, with other values. Run again to update it`,
			contactId: ids()[0],
		},
	]);
});

test('if the list cannot be read afterwards, the row says what was not checked', async () => {
	const { account } = given;
	account.state.faults.add({ kind: 'html', match: LIST, skip: 1 });
	const outcome = await account.run({ options: { retryTemporaryFailures: false } }, [person]);
	expect(json(outcome)).toEqual([
		{
			...row,
			reason: expect.stringMatching(
				/^The list could not be read afterwards \(.+\), so it is unknown whether another run added this address too$/,
			),
		},
	]);
});

test.each([
	['the email', { email: ['The email has already been taken.'] }, 2],
	['something that it does not name', 'Contact exists', 2],
	['another field', { country: ['The country is invalid.'] }, 1],
])(
	'a create that is refused for %s stays failed if the list does not have it',
	async (_, errors, reads) => {
		const { account } = given;
		account.state.faults.add({ kind: 'failed', errors, match: ADD });
		const outcome = await account.run({}, [person]);
		expect(json(outcome)).toMatchObject([{ action: 'failed', email }]);
		expect(listReads()).toBe(reads);
	},
);

test('a create that is refused without naming the email is unchanged if the list has it', async () => {
	const { account } = given;
	account.state.faults.add({ kind: 'failed', errors: 'Contact exists', effect: true, match: ADD });
	const outcome = await account.run({}, [person]);
	expect(json(outcome)).toEqual([
		{ action: 'unchanged', email, reason: FOUND, contactId: ids()[0] },
	]);
});
