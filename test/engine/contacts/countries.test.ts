import type { IDataObject } from 'n8n-workflow';

import { chosen } from '../rows';
import { GERMANY, hints, json, useAccount } from './support';

const given = useAccount();

/** Names that begin with that of another country, and the closest names of the service. */
const others = [
	['China (Hong Kong)', 'Hong Kong SAR China, China'],
	['Sudan (South)', 'South Sudan, Sudan'],
	['Guinea (Equatorial)', 'Equatorial Guinea'],
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
		const defaultCountry = chosen(country, 'name');
		const outcome = await account.run({ defaultCountry }, [{ email: 'new@example.com' }]);
		expect(json(outcome)).toMatchObject([{ action: 'failed', reason: saying }]);
		expect(account.writes()).toEqual([]);
	});
});

test('a mistake in Country for New Contacts is not blamed on Country', async () => {
	const defaultCountry = chosen('Germny', 'name');
	const { error } = await given.account.run({ operation: 'create', defaultCountry }, [
		{ email: 'new@example.com' },
	]);
	expect(error?.message).toMatch(/^"Country for New Contacts" is "Germny", which is not in/);
	expect(error?.context.code).toBe('default-country-invalid');
});

test.each([0, ''])('a contact whose country is %j needs one in an update', async (country) => {
	const { account } = given;
	const { id } = account.add('ada@example.com', { country: country as number });
	const { error } = await account.run({ operation: 'update', contactId: chosen(id) }, [
		{ email: 'ada@example.com', first_name: 'Ada' },
	]);
	expect(error?.message).toBe('"Country" is required but empty');
	expect(error?.description).toContain('The contact has no country, but every update requires');
	expect(account.writes()).toEqual([]);
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

describe('an ordinary list, with email, first and last name,', () => {
	const people = ['ada', 'bob'].map((name) => ({
		...{ 'E-Mail': `${name}@example.com`, 'First Name': name, 'Last Name': 'Okafor' },
	}));
	const body = (name: string) => ({
		contact_type_id: '21',
		...{ email: `${name}@example.com`, first_name: name, last_name: 'Okafor', country: '85' },
	});

	test.each(['sync', 'upsert', 'create'])(
		'is added with a country chosen once: %s',
		async (operation) => {
			const { account } = given;
			const defaultCountry = chosen('Germany', 'name');
			const { error } = await account.run({ operation, defaultCountry }, people);
			expect(error).toBeUndefined();
			expect(account.writes()).toEqual([
				['POST /contacts/add', body('ada')],
				['POST /contacts/add', body('bob')],
			]);
		},
	);

	test.each(['sync', 'upsert'])('says once what it lacks: %s', async (operation) => {
		const outcome = await given.account.run({ operation }, people);
		expect(json(outcome)[0]).toMatchObject({
			action: 'failed',
			reason:
				'Country is missing, but the service requires it for new contacts. Map it, or choose a "Country for New Contacts"',
		});
		expect(hints(outcome)?.map(({ message }) => message)).toEqual([
			'2 failed: Country missing (ada@example.com, bob@example.com)',
		]);
	});

	test('gives no country of its own to a contact that exists', async () => {
		const { account } = given;
		account.add('ada@example.com', { country: 15 });
		const defaultCountry = chosen('Germany', 'name');
		await account.run({ operation: 'sync', defaultCountry }, people.slice(0, 1));
		expect(account.contact('ada@example.com')).toMatchObject({ country: 15, first_name: 'ada' });
	});
});

describe('the headline of failures names the values', () => {
	const headline = async (items: IDataObject[], parameters: IDataObject = {}) =>
		hints(await given.account.run({ operation: 'sync', ...parameters }, items))?.[0]?.message;
	const from = (country: string, name = 'ada') => ({ email: `${name}@example.com`, country });

	test.each<[string, IDataObject[], string]>([
		['one', [from('Germny')], '1 failed: Country not found: "Germny" (ada@example.com)'],
		[
			'equal ones once, and a few of many',
			['Germny', 'Germny', 'Frnce', 'Spayn', 'Itali'].map((name, n) => from(name, `p${n}`)),
			'5 failed: Country not found: "Germny", "Frnce", "Spayn" and 1 more (p0@example.com, p1@example.com, p2@example.com and 2 more)',
		],
		[
			'those of each field',
			[from('Germny'), from('DE', 'bob smith'), { email: 'cid@example.com' }],
			'3 failed: Country not found: "Germny" (ada@example.com), Email not valid (bob smith@example.com), Country missing (cid@example.com)',
		],
	])('%s', async (_, items, expected) => {
		expect(await headline(items)).toBe(expected);
		expect(await headline(items, { dryRun: true })).toBe(
			`Dry run: ${expected.replace('failed', 'would fail')}. Nothing was written.`,
		);
	});

	test('shortened if they are long', async () => {
		const message = await headline([from('x'.repeat(500))]);
		expect(message).toMatch(/^1 failed: Country not found: "x{10,60}…?" \(ada@example\.com\)$/);
	});

	test('also if a limit stops the run', async () => {
		const many = Array.from({ length: 20 }, (_, n) => from('Germny', `p${n}`));
		const { error } = await given.account.run({ operation: 'sync' }, many);
		expect(error?.message).toBe(
			'20 of 20 items would fail, more than the 50% allowed: Country not found: "Germny" (p0@example.com, p1@example.com, p2@example.com and 17 more)',
		);
	});
});
