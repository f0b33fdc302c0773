import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import { chosen } from '../rows';
import { json, useAccount } from './support';

const given = useAccount();

/** As a node reads "José" from a file in Windows-1252 that it takes for UTF-8. */
const item = { email: 'jose@example.com', first_name: 'Jos\ufffd', country: 'ES' };
const problem = 'contains "\ufffd", which stands for a letter that could not be read';

describe.each(['autoMapInputData', 'defineBelow'])(
	'a name read with another encoding, %s',
	(mode) => {
		const mapped = Object.keys(item).map((key) => [key, `={{ $json.${key} }}`]);
		const fields = { mappingMode: mode, value: Object.fromEntries(mapped) as object };

		test.each(['sync', 'upsert'])('is not written by %s', async (operation) => {
			const { account } = given;
			account.add(item.email, { first_name: 'José' });
			const parameters = { operation, fields, missing: operation === 'sync' ? 'delete' : 'ignore' };
			const people = [item, { email: 'ana@example.com', first_name: 'Ana', country: 'ES' }];
			expect(json(await account.run(parameters, people))).toMatchObject([
				{
					...{ action: 'failed', email: item.email, field: 'First Name' },
					reason: `First Name ${problem}. In the node that reads the file, choose its encoding, such as Windows-1252. If it is like that in the source, correct it there`,
				},
				{ action: 'created', email: 'ana@example.com' },
			]);
			expect(account.contact(item.email)).toMatchObject({ first_name: 'José' });
		});

		test('is not written by Create and Update', async () => {
			const { account } = given;
			const { id } = account.add(item.email, { first_name: 'José' });
			for (const parameters of [
				{ operation: 'create' },
				{ operation: 'update', contactId: chosen(id) },
			]) {
				const { error } = await account.run({ ...parameters, fields }, [item]);
				expect(error?.message).toBe(`"First Name" ${problem}`);
				expect(error?.context.code).toBe('text-garbled');
			}
			expect(account.writes()).toEqual([]);
		});
	},
);

test('who unsubscribed is skipped, and an item without an email prevents no removal', async () => {
	const { account } = given;
	account.unsubscribe(item.email);
	account.add('gone@example.com');
	const options = {
		...removal({ removeAfter: '1', onlyAddedBySync: false }),
		...limits({ maxRemovalPercent: 100 }),
	};
	const parameters = { operation: 'sync', missing: 'delete', options };
	const people = [item, { ...item, email: '' }, { email: 'ana@example.com', country: 'ES' }];
	expect(json(await account.run(parameters, people))).toMatchObject([
		{ action: 'skipped', reason: 'unsubscribed' },
		{ action: 'failed', field: 'Email' },
		{ action: 'created' },
		{ action: 'deleted', email: 'gone@example.com' },
	]);
});

test('a custom field of a new contact is not imported like that', async () => {
	given.account.state.tables.customFields.add({ field_name: 'company', field_type: 'text' }, 0);
	const options = { customFields: 'import' };
	const company = { ...item, first_name: 'José', custom_field_company: 'M\ufffdller' };
	const [row] = json(await given.account.run({ operation: 'upsert', options }, [company]));
	expect(row).toMatchObject({ action: 'failed', field: 'company' });
	expect(given.account.writes()).toEqual([]);
});

test('a name that the service has like that does not prevent an update of another field', async () => {
	const { account } = given;
	const { id } = account.add(item.email, { first_name: item.first_name });
	const city = { email: item.email, city: 'Madrid', country: 'ES' };
	await account.run({ operation: 'update', contactId: chosen(id) }, [city]);
	expect(account.contact(item.email)).toMatchObject({
		city: 'Madrid',
		first_name: item.first_name,
	});
});
