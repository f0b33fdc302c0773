import type { TestN8n } from '../n8n/test-n8n.ts';
import type { Editor } from './editor.ts';
import { demoN8n, openAction, openEditorAsOwner } from './harness.ts';

const screen = { width: 1440, height: 900 };
let editor: Editor;
let n8n: TestN8n;

beforeAll(async () => {
	editor = await openEditorAsOwner();
	await editor.page.setViewportSize(screen);
	n8n = await demoN8n();
});

/** How far down a field reaches. */
async function bottomOf(name: string): Promise<number> {
	const box = await editor.get(`parameter-input-${name}`).boundingBox();
	return box === null ? Infinity : box.y + box.height;
}

test('a sync can be set up without scrolling, with one notice of ours', async () => {
	await openAction(editor, n8n, { resource: 'contact', operation: 'sync' });
	await editor.get('parameter-input-dryRun').waitFor();
	expect(await bottomOf('dryRun')).toBeLessThan(screen.height);
	const notices = editor.page.getByText(/unsubscribed addresses are skipped|Similar names work/);
	expect(await notices.count()).toBe(1);
});

test('what a campaign needs comes before what it may have', async () => {
	const warnings: string[] = [];
	editor.page.on('console', (message) => warnings.push(message.text()));
	await openAction(editor, n8n, { resource: 'singleSend', operation: 'create' });
	await editor.get('parameter-input-ifNameExists').waitFor();
	expect(await bottomOf('templateSource')).toBeLessThan(screen.height);
	expect(await bottomOf('scheduleAt')).toBeLessThan(await bottomOf('excludeSpecificRecipientId'));
	expect(warnings.filter((text) => text.includes('display condition'))).toEqual([]);
});
