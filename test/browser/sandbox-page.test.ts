import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { openEditorAsOwner } from './harness.ts';

let own: Sandbox;
let page: Page;

beforeAll(async () => {
	own = await startSandbox({
		seed: 'demo',
		settings: { tickMs: 0 },
		page: readFileSync(join(__dirname, '..', '..', 'sandbox', 'page.html'), 'utf8'),
	});
	({ page } = await openEditorAsOwner());
	await page.goto(own.url);
});

afterAll(async () => await own.close());

const section = (title: string) =>
	page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });

test('the page of the sandbox counts the contacts and shows them', async () => {
	const contacts = own.state.tables.contacts.all();
	await section('Contacts')
		.getByText(contacts.at(-1)?.email ?? '')
		.waitFor();
	await page.getByRole('heading', { name: `Contacts ${contacts.length}` }).waitFor();
});

test('it follows a single send on its way', async () => {
	const [type] = own.state.tables.contactTypes.all();
	own.state.tables.singleSends.add(
		{
			single_send_name: 'Seen on the page',
			recipient_id: [{ id: String(type?.id), table: 'contacts_' }],
		},
		own.state.clock.now(),
	);
	const row = section('Single sends').getByRole('row').filter({ hasText: 'Seen on the page' });
	await row.getByText('initiate').waitFor();
	for (const status of ['ready to send', 'running', 'completed']) {
		await fetch(`${own.url}/__sandbox/clock`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"tick": 1}',
		});
		await row.getByText(status).waitFor();
	}
});

test('it shows what broke the rules of the reference', async () => {
	await page.getByText('No violations').waitFor();
	await fetch(`${own.url}/api/no-such-endpoint`);
	await section('Violations').getByText('GET /no-such-endpoint').waitFor();
	await page.getByText('1 violation', { exact: true }).waitFor();
});

test('it says when the sandbox has ended', async () => {
	await page.getByRole('alert').waitFor({ state: 'hidden' });
	await page.route('**/__sandbox/summary', async (route) => await route.abort());
	await page.getByText('The sandbox does not answer. Is it still running?').waitFor();
});
