import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowJson } from '../../scripts/lib/n8n-client.ts';
import { n8n, sandbox, violations } from './harness.ts';

const read = (file: string) =>
	JSON.parse(readFileSync(join(__dirname, '..', '..', 'examples', file), 'utf8')) as WorkflowJson;

beforeEach(() => sandbox.reset('demo'));
afterEach(async () => expect(await violations()).toEqual([]));

test('who unsubscribed in the service is told to the CRM, and is not put back', async () => {
	const email_address = 'jacob.mcdonald.1@example.com';
	const { created_at } = await sandbox.add('globalUnsubscribes', { email_address });
	const { nodes } = await n8n.runWorkflow(read('two-way-unsubscribes.json'));
	expect(nodes['Update the CRM']?.items.map(({ json }) => json)).toEqual([
		{
			email: email_address,
			emailOptOut: true,
			emailOptOutDate: created_at,
			emailOptOutList: 'Global Unsubscribes',
		},
	]);
	const contacts = await sandbox.records('contacts');
	expect(contacts.map(({ email }) => email)).not.toContain(email_address);
	expect(contacts.length).toBeGreaterThan(1_000);
});

/** Gets a page of a form once it shows the text. While the workflow runs, n8n gives no answer at all. */
async function page(url: string, text: string): Promise<string> {
	for (let tries = 0; tries < 100; tries++) {
		const body = await fetch(url, { signal: AbortSignal.timeout(500) })
			.then(async (response) => await response.text())
			.catch(() => '');
		if (body.includes(text)) return body;
		await sleep(100);
	}
	throw new Error(`${url} did not come to show "${text}"`);
}

/** Sends a form; that of a workflow just activated may take a moment to be there. */
async function submit(url: string, value: string | File): Promise<string> {
	const form = new FormData();
	form.set('field-0', value);
	for (let tries = 0; tries < 100; tries++) {
		const response = await fetch(url, { method: 'POST', body: form });
		if (response.ok) return await response.text();
		await sleep(100);
	}
	throw new Error(`${url} did not take the form`);
}

describe('the import with an approval step', () => {
	const workflow = read('import-spreadsheet-with-approval.json');
	const csv = [
		'E-Mail,Vorname,Land',
		'ada.new@example.com,Ada,Deutschland',
		'ben.new@example.com,Ben,AT',
		'not an address,Cy,AT',
	].join('\r\n');

	let workflowId: string;
	let formUrl: string;
	beforeAll(async () => {
		const { id, nodes } = await n8n.activate(workflow);
		workflowId = id;
		const trigger = nodes.find(({ type }) => type.endsWith('.formTrigger'));
		formUrl = `${n8n.client.url}/form/${trigger?.webhookId}`;
	});
	afterAll(async () => {
		await n8n.client.deactivate(workflowId);
	});

	async function upload(): Promise<string> {
		const answer = await submit(formUrl, new File([csv], 'people.csv', { type: 'text/csv' }));
		return (JSON.parse(answer) as { formWaitingUrl: string }).formWaitingUrl;
	}
	const imported = async () =>
		(await sandbox.records('contacts')).filter(({ email }) => email.endsWith('.new@example.com'));

	test('shows what would change before anything is written, and imports when approved', async () => {
		const url = await upload();
		const plan = await page(url, 'Import these contacts?');
		expect(plan).toMatch(/create <b>2<\/b>/);
		expect(plan).toMatch(/fail for <b>1<\/b>/);
		expect(await imported()).toEqual([]);
		await submit(url, 'Yes, import');
		expect(await page(url, 'The contacts were imported')).toContain('2 contacts were created');
		const names = (await imported()).map((contact) => contact.first_name);
		expect(names.sort()).toEqual(['Ada', 'Ben']);
	});

	test('writes nothing when it is not approved', async () => {
		const url = await upload();
		await page(url, 'Import these contacts?');
		await submit(url, 'No, leave everything as it is');
		await page(url, 'Nothing was imported');
		expect(await imported()).toEqual([]);
	});
});
