import { readFileSync } from 'node:fs';
import { withDemoChoices } from '../../scripts/lib/demo-choices.ts';
import type { WorkflowJson } from '../../scripts/lib/n8n-client.ts';
import { chain, node, type TestN8n, typeOf } from '../n8n/test-n8n.ts';
import { eventually, type Editor } from './editor.ts';
import { demoN8n, exampleFile, openAction, openEditorAsOwner, sandbox } from './harness.ts';
import { takePicture } from './pictures.ts';

let editor: Editor;
let n8n: TestN8n;

beforeAll(async () => {
	editor = await openEditorAsOwner();
	n8n = await demoN8n();
});

describe('the panel that offers nodes', () => {
	beforeAll(async () => {
		const { id } = await n8n.save(chain('Empty', [node('Start', 'n8n-nodes-base.manualTrigger')]));
		await editor.openWorkflow(id);
	});

	test.each(['newsletter', 'mailing list', 'subscribers', 'send campaign', 'export contacts'])(
		'finds the node under "%s"',
		async (text) => {
			const found = await editor.searchNodes(text);
			await found.filter({ hasText: /^Email Marketing$/ }).waitFor();
			await editor.searchNodes('nothing of this name');
			await found.first().waitFor({ state: 'hidden' });
		},
	);
});

test('a contact type is chosen by typing a part of its name', async () => {
	await openAction(editor, n8n, { resource: 'contact', operation: 'sync' });
	const entries = await editor.searchList('contactTypeId', 'subscr');
	const [found] = await eventually(
		async () => await entries.allInnerTexts(),
		(shown) => shown.length === 1,
	);
	expect(found).toMatch(/^Newsletter subscribers/);
	await entries.click();
	expect(await editor.picked('contactTypeId').inputValue()).toMatch(/^Newsletter subscribers/);
});

test('the time zone of a campaign is that of the workflow, or one from a list', async () => {
	const scheduled = { operation: 'create', scheduleType: 'scheduled' };
	await openAction(editor, n8n, { resource: 'singleSend', ...scheduled });
	const field = editor.picked('timezone');
	expect(await field.getAttribute('placeholder')).toBe('Time zone of the workflow');
	await editor.pick('timezone', 'America/New York');
	expect(await field.inputValue()).toBe('America/New York');
});

test.each([
	[{}, /manual executions remove nobody/, /also a manual one/],
	[
		{ removal: { rules: { removeAfter: 1 } } },
		/also a manual one/,
		/manual executions remove nobody/,
	],
])('what a sync removes is said before it runs: %j', async (options, said, unsaid) => {
	const sync = { resource: 'contact', operation: 'sync', missing: 'delete' };
	await openAction(editor, n8n, { ...sync, options });
	await editor.page.getByText(said).waitFor();
	expect(await editor.page.getByText(unsaid).count()).toBe(0);
});

test('a filter and a sorting that nobody has chosen yet are no errors', async () => {
	const unchosen = { filters: { country: '' }, sort: { field: '' } };
	await openAction(editor, n8n, { resource: 'contact', operation: 'getAll', ...unchosen });
	const shown = async () =>
		await Promise.all(['country', 'field'].map((name) => editor.field(name).inputValue()));
	await eventually(
		shown,
		(names) => names.join() === 'Choose a Country,As Returned by the Service',
	);
	expect(await editor.get('parameter-issues').count()).toBe(0);
});

describe('a sender', () => {
	beforeAll(async () => await openAction(editor, n8n, { resource: 'sender', operation: 'create' }));

	/** What a locator's list offers, once `expected` is in it. */
	const offers = async (name: string, expected: string) => {
		const entries = await editor.searchList(name);
		await entries.filter({ hasText: expected }).waitFor();
		const shown = await entries.allInnerTexts();
		await editor.page.keyboard.press('Escape');
		return shown;
	};

	test('has the states of its country to choose from, and the cities of its state', async () => {
		await editor.pick('countryId', 'Germany');
		expect(await offers('stateId', 'Bavaria')).not.toContain('Karnataka');
		await editor.pick('stateId', 'Berlin');
		expect(await offers('cityId', 'Berlin')).toEqual(['Berlin']);
		await editor.pick('countryId', 'India');
		expect(await offers('stateId', 'Karnataka')).not.toContain('Bavaria');
		await editor.pick('stateId', 'Karnataka');
		expect(await offers('cityId', 'Bengaluru')).not.toContain('Berlin');
	});

	test('with a wrong address ends in an error that names the field by its label', async () => {
		await editor.fill('fromName', 'Morning Roastery');
		await editor.fill('fromEmail', 'hello roastery.example.com');
		await editor.fill('replyToEmail', 'support@roastery.example.com');
		await editor.fill('nickname', 'Newsletter');
		await editor.fill('companyAddress', 'Chausseestraße 5');
		const output = await editor.execute('"From Email" is not an email address');
		await output.getByText('An address begins with a letter or a digit').waitFor();
		await output.getByText('See docs/troubleshooting.md#email-invalid').waitFor();
		await takePicture(editor.page, 'error');
	});

	test('is created once the field is right', async () => {
		await editor.fill('fromEmail', 'hello@roastery.example.com');
		await editor.execute('Added Successfully');
		expect(await sandbox.records('senders')).toContainEqual(
			expect.objectContaining({ from_email: 'hello@roastery.example.com', nickname: 'Newsletter' }),
		);
	});
});

test('a first step offers the trigger by what happens to campaigns', async () => {
	await editor.open('/workflow/new');
	await editor.get('canvas-add-button').waitFor();
	const found = await editor.searchNodes('campaign');
	await found.filter({ hasText: /^Email Marketing$/ }).click();
	for (const action of ['On campaign completed', 'On campaign status changed']) {
		await found.filter({ hasText: action }).waitFor();
	}
});

test('a step shows its items', async () => {
	await openAction(editor, n8n, { resource: 'contactType', operation: 'getAll' });
	const output = await editor.execute('Wholesale partners');
	await output.getByText('4 items').waitFor();
});

test('the trigger fetches a test event', async () => {
	const trigger = node('Campaigns', typeOf('emailMarketingTrigger'), {
		pollTimes: { item: [{ mode: 'everyX', value: 5, unit: 'minutes' }] },
		events: ['singleSendStatusChanged'],
	});
	const { id } = await n8n.save(chain('A trigger alone', [trigger]));
	await editor.openWorkflow(id);
	await editor.openNode('Campaigns');
	const output = await editor.execute('singleSendStatusChanged');
	await output.getByText('single_send_name').waitFor();
});

test('an example is imported from its file and runs', async () => {
	const example = JSON.parse(
		readFileSync(exampleFile('weekly-campaign.json'), 'utf8'),
	) as WorkflowJson;
	const ready = await withDemoChoices(example, { sandbox, contactsUrl: '' });
	await editor.open('/workflow/new');
	await editor.get('canvas-add-button').waitFor();
	await editor.page.locator('[data-test-id="workflow-import-input"]').setInputFiles({
		name: 'weekly-campaign.json',
		mimeType: 'application/json',
		buffer: Buffer.from(JSON.stringify(ready)),
	});
	await editor.canvasNode('Create campaign').waitFor();
	const before = (await sandbox.records('singleSends')).length;
	await editor.executeWorkflow();
	expect(await sandbox.records('singleSends')).toHaveLength(before + 1);
});
