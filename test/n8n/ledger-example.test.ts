import type { IDataObject } from 'n8n-workflow';
import { readyToRun } from './examples.ts';
import { itNeeds } from './features.ts';
import { chain, journal, n8n, node, sandbox, violations } from './harness.ts';

beforeEach(() => sandbox.reset('demo'));
afterEach(async () => expect(await violations()).toEqual([]));

const dataTableId = { __rl: true, mode: 'name', value: 'Contact sync ledger' };
const where = (keyName: string, keyValue: unknown) => ({
	conditions: [{ keyName, condition: 'eq', keyValue }],
});

/** Runs the Data Table node on the ledger alone. */
async function inLedger(parameters: IDataObject): Promise<IDataObject[]> {
	const start = node('Start', 'n8n-nodes-base.manualTrigger');
	const settings = { resource: 'row', dataTableId, matchType: 'allConditions', ...parameters };
	const table = node('Table', 'n8n-nodes-base.dataTable', settings as never, { typeVersion: 1.1 });
	const { nodes } = await n8n.runWorkflow(chain('The ledger', [start, table]));
	return nodes.Table?.items.map(({ json }) => json) ?? [];
}

const rowsOf = async (runId: unknown) =>
	await inLedger({ operation: 'get', filters: where('runId', runId), returnAll: true });

async function correct({ id, input }: IDataObject, email: string): Promise<void> {
	const value = {
		input: JSON.stringify({ ...(JSON.parse(String(input)) as object), 'E-Mail': email }),
	};
	const columns = { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] };
	await inLedger({ operation: 'update', filters: where('id', id), columns });
}

const people = ['ada@example.com', 'ben@example.com', 'no address', 'neither is this'].map(
	(email) => ({ 'E-Mail': email }),
);

const twice = 'the ledger has what a sync did, and its failed rows are run again once';

itNeeds('tablesMadeByNodes', twice, async () => {
	const example = await readyToRun('keep-a-sync-ledger.json');
	const defaultCountry = { __rl: true, mode: 'name', value: 'AT' };
	const withCountry = example.nodes.map((one) =>
		one.name === 'Sync contacts'
			? { ...one, parameters: { ...one.parameters, defaultCountry } }
			: one,
	);
	const workflow = { ...example, nodes: withCountry };
	// Runs start from the first trigger.
	const atNoon = { ...workflow, nodes: workflow.nodes.toReversed() };
	const pinData = { 'Rows to items': people.map((json) => ({ json })) };
	await sandbox.fault({ kind: 'status', status: 400, match: { path: '/contacts/add' } });
	const { nodes } = await n8n.runWorkflow({ ...workflow, pinData });
	const outcomes = nodes['Sync contacts']?.items.map(({ json }) => json) ?? [];
	const runId = outcomes[0]?.runId;
	const rows = await rowsOf(runId);
	const kept = ['runId', 'at', 'contactTypeId', 'action', 'email', 'reason'] as const;
	const part = (row: IDataObject) =>
		Object.fromEntries([
			...kept.map((key) => [key, row[key]]),
			['contactId', row.contactId ?? null],
		]) as IDataObject;
	expect(rows.map(part)).toEqual(outcomes.map(part));
	expect(rows.every((row) => row.action === 'failed' || row.input === null)).toBe(true);
	expect(rows.every((row) => row.action !== 'created' || Number(row.contactId) > 0)).toBe(true);

	const failed = rows.filter(({ action }) => action === 'failed');
	const invalid = failed.filter(({ reason }) => String(reason).includes('not an email address'));
	expect([failed.length, invalid.length]).toEqual([3, 2]);
	const [rejected] = failed.filter((row) => !invalid.includes(row));
	await correct(invalid[0] ?? {}, 'corrected@example.com');

	const before = await sandbox.records('contacts');
	expect((await n8n.runWorkflow(atNoon)).status).toBe('success');
	const added = (await sandbox.records('contacts')).slice(before.length);
	expect(added.map(({ email }) => email).sort()).toEqual(
		[String(rejected?.email), 'corrected@example.com'].sort(),
	);
	expect(added.map(({ contact_type_id }) => contact_type_id)).toEqual([22, 22]);
	const noted = await rowsOf(runId);
	expect(noted.filter(({ rerunAt }) => rerunAt !== null).map(({ id }) => id)).toEqual(
		failed.map(({ id }) => id),
	);
	const actionOf = (row?: IDataObject) => noted.find(({ id }) => id === row?.id)?.rerunAction;
	expect([rejected, ...invalid].map(actionOf)).toEqual([...['created', 'created', 'failed']]);

	const requests = (await journal()).length;
	const { nodes: again } = await n8n.runWorkflow(atNoon);
	expect(again['Failed rows']?.items).toEqual([]);
	expect(await journal()).toHaveLength(requests);
});

const refused = 'a sync that is refused adds nothing to the ledger, and the execution fails';

itNeeds('tablesMadeByNodes', refused, async () => {
	const workflow = await readyToRun('keep-a-sync-ledger.json');
	await sandbox.fault({ kind: 'html', match: { path: '/contacts/list' }, times: 5 });
	const { status, nodes } = await n8n.runWorkflow(workflow);
	expect(status).toBe('error');
	expect(nodes['Add to the ledger']).toBeUndefined();
});
