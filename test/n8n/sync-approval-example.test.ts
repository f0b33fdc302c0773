import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { withCredentials } from '../../scripts/lib/workflow-json.ts';
import { readyToRun, shipped } from './examples.ts';
import { itNeeds } from './features.ts';
import { page, submit } from './forms.ts';
import { journal, n8n, sandbox, violations } from './harness.ts';
import { type MailServer, serveMail } from './mail-server.ts';

const file = 'sync-contacts-after-approval.json';

let mail: MailServer;
let workflowId: string;
let startUrl: string;
let executions = 0;

beforeAll(async () => {
	mail = await serveMail();
	await sandbox.reset('demo');
	const workflow = withCredentials(await readyToRun(file), mail.credentials);
	const addresses = { fromEmail: 'n8n@example.com', toEmail: 'approver@example.com' };
	const path = 'sync-approval-example';
	const saved = await n8n.activate({
		...workflow,
		nodes: workflow.nodes.map((node) => {
			if (node.name === 'Approve') {
				return { ...node, parameters: { ...node.parameters, ...addresses } };
			}
			// The test does not wait for the morning.
			if (node.name !== 'Every morning') return node;
			const parameters = { path, options: {} };
			return {
				...node,
				type: 'n8n-nodes-base.webhook',
				webhookId: path,
				typeVersion: 2,
				parameters,
			};
		}),
	});
	workflowId = saved.id;
	startUrl = `${n8n.client.url}/webhook/${path}`;
});
afterAll(async () => {
	await n8n.client.deactivate(workflowId);
	await mail.stop();
});
beforeEach(() => sandbox.reset('demo'));
afterEach(async () => expect(await violations()).toEqual([]));

/** Starts the workflow. @returns the link in the email to the approver */
async function start(): Promise<string> {
	// n8n may open the webhook a moment after it has published the workflow.
	let status = 404;
	for (let tries = 0; tries < 50 && status === 404; tries++) {
		({ status } = await fetch(startUrl));
		if (status === 404) await sleep(100);
	}
	expect(status).toBe(200);
	executions++;
	const text = await mail.nextMail();
	expect(text).toContain('To: approver@example.com');
	const [, url = ''] = /href="([^"]+signature=[^"]+)"/.exec(text) ?? [];
	return url.replaceAll('&amp;', '&');
}

/** What the team is sent at the end. */
async function report(): Promise<IDataObject[]> {
	await n8n.waitForExecutions(workflowId, executions);
	const [last] = await n8n.client.executions(workflowId);
	const { data } = await n8n.client.execution(last?.id ?? '');
	const runs = data.resultData.runData['Send it to the team'] ?? [];
	return runs.flatMap((run) => run.data?.main?.[0] ?? []).map(({ json }) => json);
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
	const [summary, ...others] = await report();
	expect(others).toEqual([]);
	expect(summary).toMatchObject({
		created: Number(count) - 1,
		failed: 0,
		dryRun: false,
		skippedReasons: { unsubscribed: 1 },
	});
	const creates = (await writes()).filter(({ path }) => path === '/contacts/add');
	expect(creates).toHaveLength(Number(count) - 1);
	const contacts = await sandbox.records('contacts');
	expect(contacts.map(({ email }) => email)).not.toContain(email_address);
});

test('nothing is written when it is declined', async () => {
	const url = await start();
	await page(url, 'Apply these changes?');
	await submit(url, '', 'No, change nothing');
	expect(await report()).toEqual([{ message: 'The plan was not approved. Nothing was written.' }]);
	expect(await writes()).toEqual([]);
});
