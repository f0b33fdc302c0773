import { CONTACT_FIELDS } from '../../../nodes/EmailMarketing/features/contacts/fields';
import { item } from './builders';
import { InMemoryService, syncOptions, type ImportStyle } from './inMemoryService';
import { runOf, syncOnce } from './syncRun';

const csvImport = {
	above: 1,
	columns: CONTACT_FIELDS.map((field) => ({ header: field, field })),
	country: 'id' as const,
};

/** Imports one contact per city; what became of them and of their cities. */
async function run(style: ImportStyle, cities: string[]) {
	const service = new InMemoryService([]);
	service.imports = style;
	const items = cities.map((city, n) => item(`n${n}@x.org`, { country: 'DE', city }));
	const { rows } = await syncOnce(items, service, syncOptions({ csvImport }), runOf(service));
	return {
		actions: rows.map(({ action }) => action),
		cities: [...service.contacts].sort((a, b) => (a.email < b.email ? -1 : 1)).map((c) => c.city),
		writes: service.writes.map((call) => call.replace(/@x.org/, '')),
	};
}

test('a backslash before a quote ends no value, because it is in no file', async () => {
	const cities = ['A, "B"', 'Bonn, C\\', 'Ulm', 'Köln, "D"', '\\"', 'E\\'];
	expect(await run('with backslashes that escape', cities)).toEqual({
		actions: Array(6).fill('created'),
		cities,
		writes: ['upload', 'upload', 'create n1', 'create n4'],
	});
});

test.each([
	['1.10', '2.0', '1.1'],
	['1e3', '2E5', '1000'],
	['12345678901234567890', '99999999999999999999', '12345678901234567000'],
	['Null', 'NULL', ''],
])(
	'texts such as %s and %s are imported only if the trial has shown that they are kept',
	async (first, second, stored) => {
		const cities = ['Bonn', first, 'Ulm', second];
		expect(await run('with numbers and null', cities)).toEqual({
			actions: Array(4).fill('created'),
			cities: ['Bonn', stored, 'Ulm', second],
			writes: ['upload', 'create n2', 'create n3'],
		});
		expect((await run('as sent', cities)).writes).toEqual(['upload', 'upload']);
	},
);
