import { Approval, onWebhook } from './approvals.ts';
import { readyToRun, shipped } from './examples.ts';
import { itNeeds } from './features.ts';
import { page, submit } from './forms.ts';
import { journal, n8n, sandbox, violations } from './harness.ts';

const file = 'sync-contacts-after-approval.json';
const path = 'sync-approval-example';

let approval: Approval;
beforeAll(async () => {
	await sandbox.reset('demo');
	approval = await Approval.publish(onWebhook(await readyToRun(file), 'Every morning', path));
});
afterAll(() => approval.stop());
beforeEach(() => sandbox.reset('demo'));
afterEach(async () => expect(await violations()).toEqual([]));

/** Starts the workflow. @returns the link in the email to the approver */
async function start(): Promise<string> {
	await approval.call(path);
	return await approval.url();
}

const writes = async () => (await journal()).filter(({ method }) => method !== 'GET');

itNeeds('checkOfEveryNode', 'can be published only with its choices made', async () => {
	await expect(n8n.activate(shipped(file))).rejects.toThrow();
});

test('exactly what was approved is written, and nobody who unsubscribed since', async () => {
	const url = await start();
	const shown = await page(url, 'Apply these changes?');
	const [, count = ''] = /Contacts to add: <b>(\d+)<\/b>/.exec(shown) ?? [];
	expect(Number(count)).toBeGreaterThan(100);
	expect(await writes()).toEqual([]);
	const email_address = 'jacob.mcdonald.1@example.com';
	await sandbox.add('globalUnsubscribes', { email_address });

	await submit(url, '', 'Yes, apply them');
	const [summary, ...others] = await approval.report();
	expect(others).toEqual([]);
	expect(summary).toMatchObject({
		created: Number(count) - 1,
		failed: 3,
		dryRun: false,
		skippedReasons: { unsubscribed: 1 },
	});
	const creates = (await writes()).filter(({ path }) => path === '/contacts/add');
	expect(creates).toHaveLength(Number(count) - 1);
	const contacts = await sandbox.records('contacts');
	expect(contacts.map(({ email }) => email)).not.toContain(email_address);
});

test("rows that can't be used are shown with their reasons, and do not stop the others", async () => {
	const url = await start();
	const shown = await page(url, 'Apply these changes?');
	expect(shown).toMatch(/Rows that can't be used: <b>3<\/b>.*is not an email address/);
	await submit(url, '', 'Yes, apply them');
	expect(await approval.report()).toMatchObject([{ failed: 3, created: expect.any(Number) }]);
	expect((await writes()).length).toBeGreaterThan(100);
});

test('nothing is written when it is declined', async () => {
	const url = await start();
	await page(url, 'Apply these changes?');
	await submit(url, '', 'No, change nothing');
	expect(await approval.report()).toEqual([
		{ message: 'The plan was not approved. Nothing was written.' },
	]);
	expect(await writes()).toEqual([]);
});
