import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowJson } from '../../scripts/lib/n8n-client.ts';
import { n8n, sandbox, violations } from './harness.ts';

const folder = join(__dirname, '..', '..', 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson;

beforeEach(() => sandbox.reset('demo'));

it.each(files)('%s runs as it is against the demo account', async (file) => {
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
