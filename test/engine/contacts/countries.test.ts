import type { IDataObject } from 'n8n-workflow';

import { GERMANY, json, useAccount } from './support';

const given = useAccount();

/** Names that begin with that of another country, and the closest names of the service. */
const others = [
	['China (Hong Kong)', 'Hong Kong SAR China, China, Chile'],
	['Sudan (South)', 'South Sudan, Sudan'],
	['Guinea (Equatorial)', 'Equatorial Guinea, Guinea'],
	['Georgia (USA)', 'Georgia'],
] as const;

const problem = (country: string, closest: string) =>
	`is "${country}", which is not in the country list of the service. Closest: ${closest}`;

const person = (country: string): IDataObject => ({ email: 'new@example.com', country });

describe.each(others)('%s is not taken for another country', (country, closest) => {
	const saying = expect.stringContaining(problem(country, closest)) as string;

	test.each(['upsert', 'sync'])('by %s', async (operation) => {
		const { account } = given;
		account.add('ada@example.com', { country: GERMANY });
		const items = [person(country), { email: 'ada@example.com', country }];
		const outcome = await account.run({ operation }, items);
		expect(json(outcome)).toMatchObject(
			items.map(({ email }) => ({ action: 'failed', email, field: 'Country', reason: saying })),
		);
		expect(account.writes()).toEqual([]);
	});

	test('by Create, Update, filters and Country for New Contacts', async () => {
		const { account } = given;
		const { id } = account.add('ada@example.com');
		const contactId = { __rl: true, mode: 'id', value: String(id) };
		for (const parameters of [
			{ operation: 'create' },
			{ operation: 'update', contactId },
			{ operation: 'getAll', filters: { country } },
		]) {
			const { error } = await account.run(parameters, [person(country)]);
			expect(error?.message).toEqual(saying);
		}
		const options = { defaultCountry: country };
		const outcome = await account.run({ options }, [{ email: 'new@example.com' }]);
		expect(json(outcome)).toMatchObject([{ action: 'failed', reason: saying }]);
		expect(account.writes()).toEqual([]);
	});
});

test.each([
	['United Kingdom (UK)', 'United Kingdom'],
	['Korea (the Republic of)', 'South Korea'],
	['congo - KINSHASA', 'Congo - Kinshasa'],
])('%s is %s, in every run', async (country, name) => {
	const { account } = given;
	for (const action of ['created', 'unchanged']) {
		const outcome = await account.run({}, [person(country)]);
		expect(json(outcome)).toMatchObject([{ action }]);
	}
	const list = await account.run({ operation: 'getAll' }, [{}]);
	expect(list.items).toMatchObject([{ json: { email: 'new@example.com', country: name } }]);
	expect(account.writes()).toHaveLength(1);
});
