import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { WorkflowJson } from '../../scripts/lib/n8n-client.ts';

/**
 * A workflow in which the nodes of another service return what that service returned, recorded by
 * the name of the node. n8n runs neither them nor their credentials.
 *
 * @param file the recording's, in fixtures/
 */
function withRecorded(workflow: WorkflowJson, file: string): WorkflowJson {
	const path = join(__dirname, 'fixtures', file);
	const recorded = JSON.parse(readFileSync(path, 'utf8')) as Record<string, INode['parameters'][]>;
	const pinData = Object.fromEntries(
		Object.entries(recorded).map(([name, items]) => [name, items.map((json) => ({ json }))]),
	);
	// A credential that is not chosen yet is refused, whether the node runs or not.
	const nodes = workflow.nodes.map(({ credentials, ...node }) =>
		credentials && !(node.name in recorded) ? { ...node, credentials } : node,
	);
	return { ...workflow, nodes, pinData: { ...workflow.pinData, ...pinData } };
}

/**
 * A workflow in which a node that writes to another service returns its items instead, with what its
 * parameters would write.
 */
function withOutbox(
	workflow: WorkflowJson,
	name: string,
	written: (parameters: INode['parameters']) => Record<string, string> = () => ({}),
): WorkflowJson {
	const nodes = workflow.nodes.map((node) => {
		if (node.name !== name) return node;
		const assignments = Object.entries(written(node.parameters)).map(([key, value]) => ({
			...{ id: key, name: key, value },
			type: 'string',
		}));
		return {
			...{ id: node.id, name, position: node.position },
			...{ type: 'n8n-nodes-base.set', typeVersion: 3.4 },
			parameters: { assignments: { assignments }, includeOtherFields: true, options: {} },
		};
	});
	return { ...workflow, nodes };
}

/** The examples with nodes of other services, by their files: how they run without these services. */
const otherSides: Record<string, (workflow: WorkflowJson) => WorkflowJson> = {
	'google-sheet-to-contacts.json': (workflow) =>
		withOutbox(withRecorded(workflow, 'google-sheets.json'), 'Write the outcome back'),
	'hubspot-to-contacts.json': (workflow) => withRecorded(workflow, 'hubspot.json'),
	'keep-a-segment-equal-to-a-query.json': (workflow) => withRecorded(workflow, 'postgres.json'),
	'shopify-customers-who-agreed.json': (workflow) => withRecorded(workflow, 'shopify.json'),
	'slack-message-when-a-campaign-completes.json': (workflow) =>
		withOutbox(workflow, 'Send it to Slack', ({ text }) => ({ sent: String(text) })),
	'tell-the-team-when-a-workflow-fails.json': (workflow) =>
		withRecorded(workflow, 'workflow-errors.json'),
};

/** An example with recordings in place of other services. */
export const withOtherSide = (file: string, workflow: WorkflowJson): WorkflowJson =>
	otherSides[file]?.(workflow) ?? workflow;
