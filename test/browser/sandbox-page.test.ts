import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { openEditor } from './harness.ts';

const keys = { publicKey: 'the-public-key', secretKey: 'the-secret-key' };
let own: Sandbox;
let page: Page;

beforeAll(async () => {
	own = await startSandbox({
		...keys,
		seed: 'demo',
		settings: { tickMs: 0 },
		page: readFileSync(join(__dirname, '..', '..', 'sandbox', 'page.html'), 'utf8'),
	});
	({ page } = await openEditor());
	await page.goto(own.url);
});

afterAll(async () => await own.close());

const section = (title: string) =>
	page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });

const row = (title: string, text: string) =>
	section(title).getByRole('row').filter({ hasText: text });

/** The texts of the one row with this text. */
const cells = async (title: string, text: string) =>
	await row(title, text).getByRole('cell').allInnerTexts();

const call = async (path: string, fields?: Record<string, string>) => {
	const body = new FormData();
	for (const [name, value] of Object.entries(fields ?? {})) body.append(name, value);
	return await fetch(own.baseUrl + path, {
		headers: { PublicKey: keys.publicKey, SecretKey: keys.secretKey },
		...(fields && { method: 'POST', body }),
	});
};

test('the page of the sandbox counts the contacts and shows them', async () => {
	const contacts = own.state.tables.contacts.all();
	await section('Contacts')
		.getByText(contacts.at(-1)?.email ?? '')
		.waitFor();
	await page.getByRole('heading', { name: `Contacts ${contacts.length}` }).waitFor();
});

test('it shows segments, unsubscribe groups, templates and senders', async () => {
	expect(await cells('Segments', 'Recent customers')).toEqual(['301', 'Recent customers', '8']);
	expect(await cells('Unsubscribe groups', 'Offers')).toEqual(['51', 'Offers', '3']);
	expect(await cells('Templates', 'Welcome')).toEqual(['3', 'Welcome', '']);
	const senders = [await cells('Senders', 'hello@'), await cells('Senders', 'wholesale@')];
	expect(senders.map((texts) => texts.at(-1))).toEqual(['yes', 'no']);
	expect((await cells('Automations', 'Welcome series'))[3]).toBe('Product news');
	for (const heading of await page.locator('thead th').all()) {
		expect(await heading.getAttribute('scope')).toBe('col');
	}
});

test('it follows a single send on its way, a step at each click', async () => {
	const [type] = own.state.tables.contactTypes.all();
	own.state.tables.singleSends.add(
		{
			single_send_name: 'Seen on the page',
			recipient_id: [{ id: String(type?.id), table: 'contacts_' }],
		},
		own.state.clock.now(),
	);
	const send = row('Single sends', 'Seen on the page');
	await send.getByText('initiate').waitFor();
	for (const status of ['ready to send', 'running', 'completed']) {
		await page.getByRole('button', { name: 'One step' }).click();
		await send.getByText(status).waitFor();
	}
	await page.getByRole('button', { name: 'One step' }).click();
	await page.getByText('No single send was due').waitFor();
});

test('it says what a violation is, and shows what broke the rules of the reference', async () => {
	await page.getByText('No violations').waitFor();
	await section('Violations')
		.getByText('A violation is a request that the API reference does not allow')
		.waitFor();
	await call('/no-such-endpoint');
	await section('Violations').getByText('GET /no-such-endpoint').waitFor();
	await page.getByText('1 violation', { exact: true }).waitFor();
});

test('a click on a request opens its fields and the response', async () => {
	const fields = { contact_type_id: '21', email: 'kim@example.com', country: 'India' };
	await call('/contacts/add', fields);
	await section('Last requests').getByRole('button', { name: 'POST /contacts/add' }).click();
	const details = page.getByRole('dialog', { name: 'POST /contacts/add' });
	for (const [name, value] of Object.entries(fields)) {
		await details.getByRole('row', { name: `${name} ${value}` }).waitFor();
	}
	await details.getByText('"The country must be an integer."').waitFor();
	await details.getByText('Violation (integer)').waitFor();
	await page.keyboard.press('Escape');
	await details.waitFor({ state: 'hidden' });
	await section('Violations').getByRole('button', { name: 'POST /contacts/add' }).click();
	await details.getByRole('button', { name: 'Close' }).click();
	await details.waitFor({ state: 'hidden' });
});

test('it shows times in words, steps in seconds, and no key', async () => {
	own.state.settings.tickMs = 60_000;
	await page.getByText('a step every 60 s').waitFor();
	own.state.clock.freeze(true);
	await call('/senders');
	own.state.clock.advance(3000);
	await row('Last requests', '/senders').getByText('3 s ago').waitFor();
	own.state.clock.advance(117_000);
	await row('Last requests', '/senders').getByText('2 min ago').waitFor();
	own.state.clock.freeze(false);
	own.state.settings.tickMs = 0;
	await page.getByText('no automatic steps').waitFor();
	const html = await page.content();
	for (const key of Object.values(keys)) expect(html).not.toContain(key);
});

test('Reset asks first, and brings the first records back', async () => {
	const button = page.getByRole('button', { name: 'Reset' });
	const dialog = page.getByRole('dialog', { name: 'Reset the sandbox?' });
	await button.click();
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	await dialog.waitFor({ state: 'hidden' });
	expect(own.state.tables.singleSends.size).toBe(5);
	await button.click();
	await dialog.getByRole('button', { name: 'Reset' }).click();
	await page.getByRole('heading', { name: 'Single sends 4' }).waitFor();
	await page.getByText('No violations').waitFor();
	await section('Last requests').getByText('None').waitFor();
});

test('it says when the sandbox has ended', async () => {
	await page.getByRole('alert').waitFor({ state: 'hidden' });
	await page.route('**/__sandbox/summary', async (route) => await route.abort());
	await page.getByText('The sandbox does not respond. Is it still running?').waitFor();
});
