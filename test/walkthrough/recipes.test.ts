import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { withDemoChoices } from '../../scripts/lib/demo-choices.ts';
import type { Editor } from '../browser/editor.ts';
import {
	client,
	context,
	demoN8n,
	openEditorAsOwner,
	readExample,
	sandbox,
} from '../browser/harness.ts';
import { takePicture } from '../browser/pictures.ts';

const files = readdirSync(join(__dirname, '..', '..', 'examples')).filter((file) =>
	file.endsWith('.json'),
);
const demo = { sandbox, contactsUrl: `${context.sandboxUrl}/contacts.csv` };
const margin = 24;

let editor: Editor;
beforeAll(async () => {
	editor = await openEditorAsOwner();
});

/** The part of the page with all nodes. */
async function nodesArea(nodes: Locator) {
	const boxes = await Promise.all((await nodes.all()).map((node) => node.boundingBox()));
	const shown = boxes.filter((box) => box !== null);
	// The names stand below the nodes, which are square: they may be twice as wide, and have three lines.
	const left = Math.min(...shown.map(({ x, height }) => x - height / 2)) - margin;
	const top = Math.min(...shown.map(({ y }) => y)) - margin;
	const right = Math.max(...shown.map(({ x, width, height }) => x + width + height / 2)) + margin;
	const bottom = Math.max(...shown.map(({ y, height }) => y + 1.9 * height)) + margin;
	return { x: left, y: top, width: right - left, height: bottom - top };
}

test.each(files)('%s can be imported, and shows all its nodes', async (file) => {
	const example = await withDemoChoices(readExample(file), demo);
	// The note is text, which the recipe has anyway.
	const nodes = example.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	const { id } = await (await demoN8n()).save({ ...example, nodes });
	await editor.openWorkflow(id);
	await editor.get('zoom-to-fit').click();
	const shown = editor.get('canvas-node');
	await shown.nth(nodes.length - 1).waitFor();
	expect(await shown.count()).toBe(nodes.length);
	expect(await editor.page.getByText('Install this node', { exact: false }).count()).toBe(0);
	await takePicture(editor.page, `recipe-${file.replace('.json', '')}`, await nodesArea(shown));
	await client.request('POST', `/workflows/${id}/archive`, {});
});
