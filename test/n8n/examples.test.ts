import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowJson } from '../../scripts/lib/n8n-client.ts';
import { journal, n8n, sandbox, violations } from './harness.ts';

const folder = join(__dirname, '..', '..', 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson;

beforeEach(() => sandbox.reset('demo'));

// Those that begin with a form or a chat wait for somebody; sync-examples.test.ts and
// agent-example.test.ts stand in.
const unattended = files.filter(
	(file) => !read(file).nodes.some(({ type }) => /\.(form|chat)Trigger$/.test(type)),
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
		const reason = expect.stringContaining('is not an email address');
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

it('a new customer is added to the audience of the welcome automation once, and not after unsubscribing', async () => {
	const add = async (email: string) =>
		await sandbox.add('contacts', { contact_type_id: 21, email, country: 85 });
	const run = async () => {
		const { nodes } = await n8n.runWorkflow(read('new-contacts-to-a-welcome-automation.json'));
		return nodes;
	};
	await add('new.customer@example.com');
	const welcomed = await run();
	expect(welcomed['Welcome is on its way']?.items).toHaveLength(1);
	const inAudience = (await sandbox.records('contacts')).filter(
		({ email, contact_type_id }) => email === 'new.customer@example.com' && contact_type_id === 22,
	);
	expect(inAudience).toHaveLength(1);
	expect((await run())['Added just now']?.items).toEqual([]);

	await sandbox.add('globalUnsubscribes', { email_address: 'gone@example.com' });
	await add('gone@example.com');
	const left = await run();
	expect(left['Add to the audience']?.items[0]?.json).toMatchObject({
		action: 'skipped',
		email: 'gone@example.com',
	});
});
