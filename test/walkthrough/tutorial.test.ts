import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Editor, eventually } from '../browser/editor.ts';
import { client, context, openEditor, sandbox } from '../browser/harness.ts';
import { takePicture } from '../browser/pictures.ts';

const text = readFileSync(join(__dirname, '..', '..', 'docs', 'tutorial.md'), 'utf8');
const [, ...sections] = text.split(/^## /m);
const titles = sections.map((section) => section.split('\n')[0] ?? '');

/** What the tutorial tells to read, click or type in one of its steps. */
const inStep = (title: string) => (told: string) => {
	const section = sections[titles.indexOf(title)] ?? '';
	if (!section.includes(told)) throw new Error(`"${title}" of the tutorial does not say "${told}"`);
	return told;
};

let editor: Editor;
const tested: string[] = [];

/** One step of the tutorial; those after a failed one cannot work. */
function step(title: string, work: (told: (text: string) => string) => Promise<void>): void {
	tested.push(title);
	test(title, async () => await work(inStep(title)), 420_000);
}

const sync = 'Sync contacts from a CSV file every hour';
const tell = 'Tell the team when a campaign completes';

afterAll(async () => {
	for (const { id, name, active } of await client.workflows()) {
		if (name === tell && active) await client.deactivate(id);
	}
});

step('1. Start n8n and the sandbox', async (told) => {
	told('npm start');
	editor = await openEditor();
	await editor.open('/');
	await editor.page.getByLabel('Email').fill(context.owner.email);
	await editor.page.getByLabel('Password').fill(context.owner.password);
	await editor.page.keyboard.press('Enter');
	await editor.get('workflow-card-name', sync).waitFor();
});

step('2. See the synced contacts', async (told) => {
	await editor.openWorkflowNamed(told(sync));
	await editor.get('radio-button-executions').getByText(told('Executions')).click();
	for (const count of ['1200 items', '1197 items', '3 items']) {
		await editor.page.getByText(count, { exact: true }).first().waitFor();
	}
	told('1,197 succeeded and 3 failed');
	await takePicture(editor.page, 'tutorial-first-run');
	const { contacts } = await sandbox.counts();
	told(`shows ${contacts} contacts`);

	await editor.get('radio-button-workflow').getByText(told('Editor')).click();
	await editor.executeWorkflow();
	await editor.get('zoom-to-fit').click();
	await takePicture(editor.page, 'sync-workflow');
	await editor.openNode(told('Sync contacts'));
	await editor.output.getByText('unchanged').first().waitFor();
	await takePicture(editor.page, 'sync-node');
	await editor.output.getByText(told('Error Branch')).click();
	await editor.output.getByText('is not an email address').first().waitFor();
	await editor.closeNode();
});

step('3. Change the file and sync again', async (told) => {
	const [, person = ''] = /```csv\n(.+)\n```/.exec(text) ?? [];
	const before = await readFile(context.contactsFile, 'utf8');
	const [header, first = '', ...rest] = before.split('\n');
	const moved = first.replace(told('Portland'), told('Salem'));
	expect(moved).not.toBe(first);
	const end = before.endsWith('\n') ? '' : '\n';
	await writeFile(
		context.contactsFile,
		`${[header, moved, ...rest].join('\n')}${end}${told(person)}\n`,
	);

	await editor.executeWorkflow();
	await editor.openNode(told('Count by outcome'));
	const row = (action: string) => editor.output.getByRole('row').filter({ hasText: action });
	for (const action of ['created', 'updated']) {
		expect(await row(told(action)).innerText()).toMatch(/\b1\b/);
	}
	await takePicture(editor.page, 'tutorial-changes');
	await editor.closeNode();
	expect(await sandbox.records('contacts')).toContainEqual(
		expect.objectContaining({ email: 'ada.lovelace@example.com', city: 'London' }),
	);
});

step('4. Publish a workflow that waits for campaigns', async (told) => {
	await editor.openWorkflowNamed(told(tell));
	await editor.openNode(told('Campaign completed'));
	await editor.get('parameter-input-value').locator('input').fill(told('1'));
	told('Fetch Test Event');
	const output = await editor.execute('completed');
	await output.getByText('single_send_name').waitFor();
	await takePicture(editor.page, 'trigger');
	await editor.closeNode();
	told('choose **Publish**, then **Publish** again');
	await editor.get('workflow-open-publish-modal-button').click();
	await editor.get('workflow-publish-button').click();
	await editor.page.getByText('Workflow published').waitFor();
});

step('5. Send a campaign by hand', async (told) => {
	await editor.open('/home/workflows');
	await editor.get('add-resource-workflow').click();
	await editor.get('canvas-add-button').click();
	await editor.get('node-creator-item-name', told('Trigger manually')).click();
	await editor.get('node-creator').waitFor({ state: 'hidden' });
	const found = await editor.searchNodes(told('campaign'));
	await found.filter({ hasText: told('Email Marketing') }).click();
	await editor.get('node-creator-item-name', told('Create and send campaign')).click();
	await editor.get('node-parameters').waitFor();

	await editor.fill('singleSendName', told('Autumn beans'));
	await editor.fill('subject', told('Our new roast is here'));
	await editor.fill('preheader', told('Fresh from the drum'));
	await editor.pick('senderId', told('Main sender'));
	await editor.choose('recipientId', told('Newsletter subscribers'));
	await editor.pick('unsubscribeGroupId', told('Product news'));
	await editor.pick('templateId', told('Monthly newsletter'));
	await editor.choose('scheduleType', told('Send Immediately'));
	told('Execute step');
	const output = await editor.execute('utr');
	await output
		.getByText(/^[\da-f]{8}-/)
		.first()
		.waitFor();
	await takePicture(editor.page, 'tutorial-campaign');
	await editor.closeNode();
});

step('6. Watch the campaign complete and the workflow start', async (told) => {
	await editor.page.goto(context.sandboxUrl);
	const row = editor.page.getByRole('row').filter({ hasText: 'Autumn beans' });
	await row.getByText(told('completed')).waitFor();
	await takePicture(editor.page, 'tutorial-sandbox', editor.page.locator('section').first());

	// The tests of the recipes open another one of this name in the same n8n.
	const isPublished = ({ name, active }: { name: string; active: boolean }) =>
		active && name === told(tell);
	const { id } = (await client.workflows()).find(isPublished) ?? { id: '' };
	const started = async () =>
		(await client.executions(id)).find(
			({ mode, status }) => mode === 'trigger' && status === 'success',
		);
	const run = await eventually(started, (found) => found !== undefined, 300_000);
	await editor.open(`/workflow/${id}/executions/${run?.id}`);
	await editor.page.getByText('Succeeded').first().waitFor();
	await editor.canvasNode('Send it to the team').waitFor();
	await takePicture(editor.page, 'tutorial-trigger');
	const { data } = await client.execution(run?.id ?? '');
	const [message] = data.resultData.runData['Write the message']?.[0]?.data?.main?.[0] ?? [];
	expect(message?.json.message).toMatch(
		/^"Autumn beans" has completed: \d+ of \d+ messages delivered/,
	);
});

test('no step of the tutorial is left out', () => {
	expect(titles.filter((title) => /^\d/.test(title))).toEqual(tested);
});
