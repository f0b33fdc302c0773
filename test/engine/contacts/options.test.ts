import { limits } from '../../../scripts/lib/workflow-json.ts';
import { json, useAccount } from './support';

const given = useAccount();
const item = { email: 'ada@example.com', country: 'DE' };
const remove = { operation: 'sync', missing: 'delete' };

test.each([
	['maxRemovals', 'Max Removals', 0, 'many'],
	['maxRemovals', 'Max Removals', 0, ''],
	['maxRemovals', 'Max Removals', 0, '={{ undefined }}'],
	['maxRemovalPercent', 'Max Removals (Percent)', 0, '10 %'],
	['maxRemovalPercent', 'Max Removals (Percent)', 0, -1],
	['importAbove', 'Import as File If More New Contacts Than', 1, []],
])('%s that is no number is refused, and nothing is deleted', async (name, label, least, value) => {
	const { account } = given;
	account.add('eve@example.com');
	const options = name.startsWith('max') ? limits({ [name]: value as string }) : { [name]: value };
	const { error } = await account.run({ ...remove, options } as never, [item]);
	expect(error?.message).toMatch(`"${label}" must be a number of at least ${least}, but it is `);
	expect(error?.message).not.toContain('undefined');
	expect(account.reads()).toEqual([]);
	expect(account.writes()).toEqual([]);
});

test('a limit may come as a text', async () => {
	const { account } = given;
	for (const name of ['eve', 'eva']) account.add(`${name}@example.com`);
	const options = limits({ maxRemovals: '1', maxRemovalPercent: '100' });
	const { error } = await account.run({ ...remove, options }, [item]);
	expect(error?.message).toContain('2');
	expect(account.writes()).toEqual([]);
});

test('a dry run that is on as a text writes nothing', async () => {
	const { account } = given;
	const outcome = await account.run({ dryRun: '={{ "true" }}' }, [item]);
	expect(json(outcome)).toMatchObject([{ action: 'wouldCreate', dryRun: true }]);
	expect(account.writes()).toEqual([]);
});

test.each([
	['={{ undefined }}', 'empty'],
	['={{ "" }}', '""'],
	['={{ "yes, please" }}', '"yes, please"'],
])('a dry run that is neither on nor off (%s) writes nothing', async (dryRun, shown) => {
	const { error } = await given.account.run({ dryRun }, [item]);
	expect(error?.message).toBe(`"Dry Run" must be true or false, but it is ${shown}`);
	expect(given.account.writes()).toEqual([]);
});
