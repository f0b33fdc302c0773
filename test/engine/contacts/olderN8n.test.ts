import { ExecuteContext } from 'n8n-core';
import { hints, json, useAccount } from './support';

const given = useAccount();

const people = ['ada@example.com', 'gone@example.com'].map((email) => ({ email, country: 'DE' }));

async function sync() {
	given.account.unsubscribe('gone@example.com');
	return await given.account.run({ operation: 'sync', dryRun: true }, people);
}

const rows = [
	{ action: 'wouldCreate', email: 'ada@example.com' },
	{ action: 'skipped', email: 'gone@example.com' },
];

it('a run says the same, with a line at its output', async () => {
	const outcome = await sync();
	expect(json(outcome)).toMatchObject(rows);
	expect(hints(outcome)?.length).toBeGreaterThan(0);
});

describe('in an n8n without such lines', () => {
	const { addExecutionHints } = ExecuteContext.prototype;
	beforeAll(() => Reflect.deleteProperty(ExecuteContext.prototype, 'addExecutionHints'));
	afterAll(() => Object.assign(ExecuteContext.prototype, { addExecutionHints }));

	it('gives the same items', async () => {
		const outcome = await sync();
		expect(outcome.error).toBeUndefined();
		expect(json(outcome)).toMatchObject(rows);
		expect(hints(outcome) ?? []).toEqual([]);
	});
});
