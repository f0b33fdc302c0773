import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { type Browser, chromium } from 'playwright-core';
import { credentialName } from '../../scripts/lib/demo-data.ts';
import { N8nClient, type WorkflowJson } from '../../scripts/lib/n8n-client.ts';
import { SandboxClient } from '../../scripts/lib/sandbox-client.ts';
import { chain, node, TestN8n, typeOf } from '../n8n/test-n8n.ts';
import { Editor } from './editor.ts';
import { readContext } from './setup/context.ts';

jest.setTimeout(600_000);

export const context = readContext();
export const sandbox = new SandboxClient(context.sandboxUrl);
export const client = new N8nClient(context.n8nUrl, context.n8nCookie);

const width = 1280;
const height = 800;
/** How long anything in the editor may take on a busy machine. */
const patienceMs = 120_000;

let browser: Browser | undefined;

afterAll(async () => await browser?.close());

async function newPage() {
	browser ??= await chromium.launch({
		executablePath: context.chromium,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
	const session = await browser.newContext({ viewport: { width, height }, locale: 'en-US' });
	session.setDefaultTimeout(patienceMs);
	return { session, page: await session.newPage() };
}

/** A page on which nobody is logged in. */
export async function openEditor(): Promise<Editor> {
	const { page } = await newPage();
	return new Editor(page, context.n8nUrl);
}

/** A page on which the owner is logged in. */
export async function openEditorAsOwner(): Promise<Editor> {
	const { session, page } = await newPage();
	await session.addCookies(
		context.n8nCookie.split('; ').map((cookie) => {
			const [name = '', value = ''] = cookie.split('=');
			return { name, value, url: context.n8nUrl };
		}),
	);
	// A session of n8n belongs to one browser, which says its name with every request.
	await session.addInitScript(() =>
		localStorage.setItem('n8n-browserId', 'n8n-nodes-email-marketing'),
	);
	return new Editor(page, context.n8nUrl);
}

/** Saves workflows with the demo's credential. */
export async function demoN8n(): Promise<TestN8n> {
	const credential = (await client.credentials()).find(({ name }) => name === credentialName);
	if (!credential) throw new Error(`The demo has no credential "${credentialName}"`);
	return new TestN8n(client, credential.id);
}

/** Opens a new workflow of a manual trigger and the node, and in it the node. */
export async function openAction(
	editor: Editor,
	n8n: TestN8n,
	parameters: INodeParameters,
): Promise<void> {
	const start = node('Start', 'n8n-nodes-base.manualTrigger');
	const action = node('Email Marketing', typeOf('emailMarketing'), parameters);
	const { id } = await n8n.save(chain('A node alone', [start, action]));
	await editor.openWorkflow(id);
	await editor.openNode('Email Marketing');
}

const examples = join(__dirname, '..', '..', 'examples');
export const exampleFile = (file: string) => join(examples, file);
export const readExample = (file: string) =>
	JSON.parse(readFileSync(exampleFile(file), 'utf8')) as WorkflowJson;
