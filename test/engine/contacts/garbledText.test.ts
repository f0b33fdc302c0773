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
					reason: `First Name ${problem}. In the node that reads the file, choose its encoding, such as Windows-1252`,
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
