import { limits } from '../../../scripts/lib/workflow-json.ts';
import { json, useAccount } from './support';

const given = useAccount();

const NFC = 'ren\u00e9e@example.com';
const NFD = 'rene\u0301e@example.com';
const remove = {
	operation: 'sync',
	missing: 'delete',
	options: { ...limits({ maxRemovalPercent: 100 }) },
};

/** A service that says that the address is taken already. */
const refuseCreates = () =>
	given.account.state.faults.add({
		kind: 'failed',
		match: { method: 'POST', path: '/contacts/add' },
		errors: { email: ['The email has already been taken.'] },
		times: 2,
	});

describe.each([
	['another encoding of its letters', NFC, NFD, NFC],
	['the other encoding of its letters', NFD, NFC, NFC],
	['quotes that are not needed', 'ada@example.com', '"ada"@example.com', 'ada@example.com'],
	['quotes that the input lacks', '"ada"@example.com', 'ada@example.com', 'ada@example.com'],
	['wide letters', 'ada@example.com', 'ａｄａ@ｅｘａｍｐｌｅ。com', 'ada@example.com'],
])('an address with %s', (_, listed, entered, usual) => {
	const item = { email: entered, country: 'DE', city: 'Berlin' };

	test('is neither created again nor deleted, at whatever run', async () => {
		const { account } = given;
		const { id } = account.add(listed, { city: 'Berlin' });
		for (let run = 0; run < 2; run++) {
			const outcome = await account.run(remove, [item]);
			expect(json(outcome)).toEqual([
				{ action: 'unchanged', reason: 'no changes', email: listed, contactId: id },
			]);
		}
		expect(account.writes()).toEqual([]);
	});

	test('is sent as it is in the service when another field changes', async () => {
		const { account } = given;
		account.add(listed, { city: 'Hamburg' });
		expect(json(await account.run(remove, [item]))).toMatchObject([{ action: 'updated' }]);
		expect(account.writes()).toMatchObject([
			['POST /contacts/update', { email: listed, city: 'Berlin' }],
		]);
	});

	test('is sent in its usual form when it is new, once', async () => {
		const { account } = given;
		const both = [item, { ...item, email: listed }];
		expect(json(await account.run(remove, both))).toMatchObject([
			{ action: 'skipped' },
			{ action: 'created', email: usual },
		]);
		expect(json(await account.run(remove, [item]))).toMatchObject([{ action: 'unchanged' }]);
		expect(account.emails()).toEqual([usual]);
	});
});

test('an address that differs in accents is another one, whose contact goes a run later', async () => {
	const { account } = given;
	account.add('jose@example.com');
	const item = { email: 'jos\u00e9@example.com', country: 'DE' };
	expect(json(await account.run(remove, [item]))).toMatchObject([{ action: 'created' }]);
	expect(account.emails()).toEqual(['jose@example.com', item.email]);
	expect(json(await account.run(remove, [item]))).toMatchObject([
		{ action: 'unchanged' },
		{ action: 'deleted', email: 'jose@example.com' },
	]);
	expect(json(await account.run(remove, [item]))).toMatchObject([{ action: 'unchanged' }]);
});

test('nothing is deleted for an address that the service takes for that of a contact', async () => {
	const { account } = given;
	account.add('jose@example.com');
	account.add('ada@example.com');
	refuseCreates();
	const items = [
		{ email: 'jos\u00e9@example.com', country: 'DE' },
		{ email: 'ada@example.com', country: 'DE' },
	];
	for (let run = 0; run < 2; run++) {
		expect(json(await account.run(remove, items))).toMatchObject([
			{
				action: 'failed',
				reason: expect.stringContaining('The email has already been taken.') as string,
			},
			{ action: 'unchanged' },
		]);
	}
	expect(account.emails()).toEqual(['jose@example.com', 'ada@example.com']);
});
