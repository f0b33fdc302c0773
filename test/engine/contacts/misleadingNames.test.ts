import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { useAccount } from './support';

const given = useAccount();

/** A customer as Shopify returns it: `state` is that of the account, and the places are in `default_address`. */
function customerOfShopify(): IDataObject {
	const text = readFileSync('test/n8n/fixtures/shopify.json', 'utf8');
	const found: IDataObject[] = [];
	JSON.parse(text, (key, value: unknown) => {
		if (key === 'customer') found.push(value as IDataObject);
		return value;
	});
	return found[0] ?? {};
}

it.each<[string, () => IDataObject]>([
	['Shopify', customerOfShopify],
	['Kit', () => ({ id: 1, first_name: 'Jon', email_address: 'jon@example.com', state: 'active' })],
])(
	'the state of an account at %s does not replace the state in which somebody lives',
	async (_name, item) => {
		const { account } = given;
		const json = item();
		const email = String(json.email ?? json.email_address);
		account.add(email, { first_name: 'Old', state: 'Bavaria' });
		// "Create or Update" as it is added, with automatic mapping.
		const { items } = await account.run({}, [json]);
		expect(items[0]?.json.action).toBe('updated');
		expect(Object.keys(items[0]?.json.changedFields ?? {})).not.toContain('state');
		expect(account.contact(email)?.state).toBe('Bavaria');
	},
);

it('a state beside a city or a country is still taken', async () => {
	const { account } = given;
	account.add('old@example.com', { state: 'Bavaria' });
	await account.run({}, [{ email: 'old@example.com', city: 'Köln', state: 'NRW' }]);
	expect(account.contact('old@example.com')?.state).toBe('NRW');
});

it('a calling code in a column "Country Code" is not the ID of another country', async () => {
	const { account } = given;
	account.add('old@example.com', { first_name: 'Old' });
	const before = account.contact('old@example.com')?.country;
	// A sheet that keeps phone numbers in two columns: 49 is Germany, as the contact has it already.
	const { items } = await account.run({}, [
		{ Email: 'old@example.com', 'Country Code': 49, Phone: '1511234567' },
	]);
	expect(account.contact('old@example.com')?.country).toBe(before);
	expect(items[0]?.json.changedFields).toBeUndefined();
});
