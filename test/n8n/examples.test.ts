import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowJson } from '../../scripts/lib/n8n-client.ts';
import { journal, n8n, sandbox, violations } from './harness.ts';

const folder = join(__dirname, '..', '..', 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson;

beforeEach(() => sandbox.reset('demo'));

// Those that begin with a form wait for somebody to fill it in; sync-examples.test.ts does.
const unattended = files.filter(
	(file) => !read(file).nodes.some(({ type }) => type.endsWith('.formTrigger')),
);

it.each(unattended)('%s runs as it is against the demo account', async (file) => {
	const { status, error } = await n8n.runWorkflow(read(file));
	expect({ status, error: error?.message }).toEqual({ status: 'success' });
	expect(await violations()).toEqual([]);
});

it('the weekly campaign makes a scheduled single send from the template, and a copy of it', async () => {
	const before = await sandbox.records('singleSends');
	await n8n.runWorkflow(read('weekly-campaign.json'));
	const made = (await sandbox.records('singleSends')).slice(before.length);
	expect(made).toHaveLength(2);
	expect(made[0]).toMatchObject({ schedule_type: 1, subject: 'News of the week' });
	expect(made[1]).toMatchObject({ subject: 'News of the week' });
});

it('the contact sync puts each valid row into the service once, with no request to spare', async () => {
	const { nodes } = await n8n.runWorkflow(read('sync-contacts-from-csv.json'));
	const rows = nodes['Rows to items']?.items ?? [];
	const { items = [], errorItems = [] } = nodes['Sync contacts'] ?? {};
	expect(rows).toHaveLength(1200);
	expect(items.length + errorItems.length).toBe(rows.length);

	expect(errorItems).toHaveLength(3);
	for (const { json, pairedItem } of errorItems) {
		const reason = expect.stringContaining('is not an e-mail address');
		expect(json.error).toMatchObject({ field: 'Email', reason });
		expect(pairedItem).toMatchObject({ item: expect.any(Number) });
	}

	const wanted = new Set(items.map(({ json }) => String(json.email).toLowerCase()));
	const held = (await sandbox.records('contacts')).map(({ email }) => email.toLowerCase());
	const added = held.filter((email) => wanted.has(email));
	expect(new Set(added).size).toBe(added.length);
	const countOf = (action: string) => items.filter(({ json }) => json.action === action).length;
	const writes = (await journal())
		.filter(({ method }) => method === 'POST')
		.map(({ path }) => path);
	expect(writes.filter((path) => path === '/contacts/add')).toHaveLength(countOf('created'));
	expect(writes.filter((path) => path === '/contacts/update')).toHaveLength(countOf('updated'));
	expect(writes).toHaveLength(countOf('created') + countOf('updated'));

	await n8n.runWorkflow(read('sync-contacts-from-csv.json'));
	const again = (await journal()).filter(({ method }) => method === 'POST');
	expect(again).toHaveLength(writes.length);
});
