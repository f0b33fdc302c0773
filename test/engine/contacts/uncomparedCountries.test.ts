import type { IDataObject } from 'n8n-workflow';

import { apply, planOf } from './planned';
import { AUSTRIA, GERMANY, json, TYPE, useAccount } from './support';

const given = useAccount({ emptyLists: 'success' });

const email = 'ada@example.com';
const path = '/get/country-state-city';
const unreadable = ['Germany', 'Austria'];
const germany = { id: GERMANY, name: 'Germany' };
const shared = [germany, { id: 500, name: 'Germany' }, { id: AUSTRIA, name: 'Austria' }];

/** What the lookup (50) returns from now on. */
function lookUp(countries: unknown[]): void {
	const body = { status: 'success', message: { countries, states: [], cities: [] } };
	given.account.state.faults.add({ kind: 'shape', times: 9, match: { path }, body });
}
afterEach(() => given.account.state.faults.clear());

const NOT_COMPARED =
	'the country was not compared: the country list is unreadable, or several countries have its name';
const unchanged = [{ action: 'unchanged', reason: NOT_COMPARED }];

describe.each([
	['a list of countries that cannot be read', unreadable],
	['two countries with one name', shared],
])('with %s, the country of a contact', (_, countries) => {
	const person = { email, country: GERMANY };
	const moved = { ...person, city: 'Bonn' };
	const changedFields = {
		city: { from: '', to: 'Bonn' },
		country: { from: 'Germany', to: String(GERMANY) },
	};

	beforeEach(() => lookUp(countries));

	test.each(['upsert', 'sync'])('is no change by itself: %s', async (operation) => {
		const { account } = given;
		account.add(email);
		const outcome = await account.run({ operation }, [person]);
		expect(json(outcome)).toMatchObject(unchanged);
		expect(account.writes()).toEqual([]);
	});

	test('is sent with other changes, once', async () => {
		const { account } = given;
		const { id } = account.add(email, { country: AUSTRIA });
		account.state.tables.contacts.change(account.contact(email) ?? ({} as never), {
			country: GERMANY,
		});
		expect(json(await account.run({}, [moved]))).toMatchObject([
			{ action: 'updated', changedFields },
		]);
		expect(account.writes()).toEqual([
			[
				'POST /contacts/update',
				{
					contact_id: String(id),
					contact_type_id: String(TYPE),
					...{ email, country: String(GERMANY), city: 'Bonn' },
				},
			],
		]);
		expect(json(await account.run({}, [moved]))).toMatchObject(unchanged);
	});

	test.each<[string, boolean, IDataObject]>([
		['succeeded', true, { action: 'updated' }],
		['did not', false, { action: 'failed' }],
	])('does not decide whether an update %s', async (_what, effect, expected) => {
		const { account } = given;
		account.add(email);
		const match = { path: '/contacts/update' };
		account.state.faults.add({ kind: 'reset-after', effect, match });
		expect(json(await account.run({}, [moved]))).toMatchObject([expected]);
	});

	test('does not decide whether a cleared field was written', async () => {
		const { account } = given;
		account.add(email, { city: 'Ulm' });
		account.state.faults.add({ kind: 'reset-before', match: { path: '/contacts/update' } });
		const options = { emptyValues: 'clear' };
		const outcome = await account.run({ options }, [{ ...person, city: '' }]);
		expect(json(outcome)).toMatchObject([{ action: 'failed' }]);
	});

	test('is written by Apply Plan, which does not read the country list', async () => {
		const { account } = given;
		account.add(email);
		const rows = await planOf(account, {}, [moved]);
		expect(rows).toMatchObject([{ action: 'wouldUpdate', changedFields }]);
		for (const expected of [{ action: 'updated' }, ...unchanged]) {
			expect(json(await apply(account, rows))).toMatchObject([expected]);
		}
		expect(account.contact(email)).toMatchObject({ country: GERMANY, city: 'Bonn' });
	});

	test('is written if the contact has none', async () => {
		const { account } = given;
		account.add(email, { country: '' as never });
		expect(json(await account.run({}, [person]))).toMatchObject([{ action: 'updated' }]);
		expect(json(await account.run({}, [person]))).toMatchObject(unchanged);
	});
});

test('another country than those with one name is a change', async () => {
	lookUp(shared);
	const { account } = given;
	account.add(email);
	const items = [{ email, country: 'AT' }];
	expect(json(await account.run({}, items))).toMatchObject([
		{ action: 'updated', changedFields: { country: { from: 'Germany', to: 'Austria' } } },
	]);
	expect(json(await account.run({}, items))).toMatchObject([
		{ action: 'unchanged', reason: 'no changes' },
	]);
});
