import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type { SavedWorkflow, WorkflowJson } from '../../scripts/lib/n8n-client.ts';
import { type CredentialsInUse, withCredentials } from '../../scripts/lib/workflow-json.ts';
import { n8n } from './harness.ts';
import { type MailServer, serveMail } from './mail-server.ts';

/** A published example that asks somebody by email and then reports to the team. */
export class Approval {
	private executions = 0;

	readonly workflow: SavedWorkflow;
	private readonly mail: MailServer;

	private constructor(workflow: SavedWorkflow, mail: MailServer) {
		this.workflow = workflow;
		this.mail = mail;
	}

	static async publish(
		workflow: WorkflowJson,
		credentials: CredentialsInUse = {},
	): Promise<Approval> {
		const mail = await serveMail();
		const addresses = { fromEmail: 'n8n@example.com', toEmail: 'approver@example.com' };
		const ready = withCredentials(workflow, { ...credentials, ...mail.credentials });
		const nodes = ready.nodes.map((node) =>
			node.name === 'Approve'
				? { ...node, parameters: { ...node.parameters, ...addresses } }
				: node,
		);
		return new Approval(await n8n.activate({ ...ready, nodes }), mail);
	}

	async stop(): Promise<void> {
		await n8n.client.deactivate(this.workflow.id);
		await this.mail.stop();
	}

	/** Counts an execution that was started. */
	started(): void {
		this.executions++;
	}

	/** Starts a workflow whose schedule is replaced with a webhook. */
	async call(path: string): Promise<void> {
		// n8n may open the webhook a moment after it has published the workflow.
		let status = 404;
		for (let tries = 0; tries < 50 && status === 404; tries++) {
			({ status } = await fetch(`${n8n.client.url}/webhook/${path}`));
			if (status === 404) await sleep(100);
		}
		expect(status).toBe(200);
		this.started();
	}

	/** The link in the email to the approver. */
	async url(): Promise<string> {
		const text = await this.mail.nextMail();
		expect(text).toContain('To: approver@example.com');
		const [, url = ''] = /href="([^"]+signature=[^"]+)"/.exec(text) ?? [];
		return url.replaceAll('&amp;', '&');
	}

	/** What the team is sent at the end. */
	async report(): Promise<IDataObject[]> {
		await n8n.waitForExecutions(this.workflow.id, this.executions);
		const [last] = await n8n.client.executions(this.workflow.id);
		const { data } = await n8n.client.execution(last?.id ?? '');
		const runs = data.resultData.runData['Send it to the team'] ?? [];
		return runs.flatMap((run) => run.data?.main?.[0] ?? []).map(({ json }) => json);
	}

	/** How many executions n8n knows of. */
	async count(): Promise<number> {
		return (await n8n.client.executions(this.workflow.id)).length;
	}
}

/** The workflow with a webhook in place of its schedule, since a test does not wait for the morning. */
export function onWebhook(workflow: WorkflowJson, schedule: string, path: string): WorkflowJson {
	const webhook = { type: 'n8n-nodes-base.webhook', webhookId: path, typeVersion: 2 };
	const nodes = workflow.nodes.map((node) =>
		node.name === schedule ? { ...node, ...webhook, parameters: { path, options: {} } } : node,
	);
	return { ...workflow, nodes };
}
