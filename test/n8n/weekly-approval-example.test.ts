import type { Mail } from '../../sandbox/singleSendRun.ts';
import { Approval, onWebhook } from './approvals.ts';
import { readyToRun, shipped } from './examples.ts';
import { itNeeds } from './features.ts';
import { page, submit } from './forms.ts';
import { journal, n8n, sandbox, violations } from './harness.ts';

const file = 'weekly-campaign-with-approval.json';
const path = 'weekly-approval-example';
const weekly = /^"Weekly news \d{4}-W\d\d"/;

/** The demo account, with a test list of one person. */
async function prepare(): Promise<void> {
	await sandbox.reset('demo');
	const { id } = await sandbox.add('contactTypes', { name: 'Test list' });
	await sandbox.add('contacts', { contact_type_id: id, email: 'editor@example.com' });
}

let approval: Approval;
beforeAll(async () => {
	await prepare();
	approval = await Approval.publish(onWebhook(await readyToRun(file), 'Every Monday at 8', path));
});
afterAll(() => approval.stop());
beforeEach(prepare);
afterEach(async () => expect(await violations()).toEqual([]));

const creates = async () =>
	(await journal()).filter(({ path: to }) => to === '/single/send/create').length;
const campaigns = async () => (await sandbox.records('singleSends')).slice(-2);
const receivers = async () =>
	(await sandbox.control<Mail[]>('GET', '/mails')).map(({ email }) => email);

itNeeds('checkOfEveryNode', 'can be published only with its choices made', async () => {
	await expect(n8n.activate(shipped(file))).rejects.toThrow();
});

test('the test list gets a test, and the campaign is scheduled once it is approved', async () => {
	await approval.call(path);
	const url = await approval.url();
	const shown = await page(url, 'Schedule this campaign?');
	expect(shown).toContain('News of the week');
	expect(shown).toMatch(/<b>Recipients:<\/b> \d+ addresses/);
	await sandbox.advance(60 * 60_000);
	expect(await receivers()).toEqual(['editor@example.com']);
	expect(await creates()).toBe(1);

	await submit(url, '', 'Yes, schedule it');
	const [told, ...others] = await approval.report();
	expect(others).toEqual([]);
	expect(told?.message).toMatch(weekly);
	expect(told?.message).toMatch(/ was approved and is scheduled for \d{4}-\d\d-\d\dT09:00:00/);
	const [test, made] = await campaigns();
	expect(test?.single_send_name).toMatch(/^\[Test\] Weekly news/);
	expect(made).toMatchObject({
		utr: told?.utr,
		schedule_type: 1,
		subject: test?.subject.replace('[Test] ', ''),
		template_id: test?.template_id,
	});
	expect(await receivers()).toEqual(['editor@example.com']);
});

test('only the test is sent when it is declined', async () => {
	await approval.call(path);
	await submit(await approval.url(), '', 'No, send nothing');
	const message = expect.stringMatching(/ was not approved\. Nothing was scheduled\.$/);
	expect(await approval.report()).toEqual([{ message }]);
	expect(await creates()).toBe(1);
});

test('without its template, nobody is asked, and no test is sent', async () => {
	for (const { id } of await sandbox.records('templates')) await sandbox.remove('templates', id);
	await approval.call(path);
	const message = expect.stringMatching(/ is not ready\. Nothing was sent\. Template: /);
	expect(await approval.report()).toEqual([{ message }]);
	expect(await creates()).toBe(0);
});
