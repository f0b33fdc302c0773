import type { INode, NodeParameterValue } from 'n8n-workflow';
import { packageName } from './demo-data.ts';
import type { WorkflowJson } from './n8n-client.ts';

/** Node types of the package under the name that n8n gives them. */
export const typeOf = (name: 'emailMarketing' | 'emailMarketingTrigger') =>
	`${packageName}.${name}`;

let nodeCount = 0;

/** A node of a workflow, with what n8n needs besides a name, a type and parameters. */
export function node(
	name: string,
	type: string,
	parameters: INode['parameters'] = {},
	rest: Partial<INode> = {},
): INode {
	nodeCount += 1;
	const position: INode['position'] = [nodeCount * 200, 0];
	return { id: `node-${nodeCount}`, name, type, typeVersion: 1, position, parameters, ...rest };
}

/** A workflow of nodes one after the other, through their first outputs. */
export function chain(name: string, nodes: INode[]): WorkflowJson {
	const connections: WorkflowJson['connections'] = {};
	nodes.slice(1).forEach((target, index) => {
		const source = nodes[index];
		if (source)
			connections[source.name] = { main: [[{ node: target.name, type: 'main', index: 0 }]] };
	});
	return { name, nodes, connections };
}

/** Cron expressions, each once a minute as n8n demands, that together poll every so many seconds. */
export const pollEvery = (seconds: number) => ({
	item: Array.from({ length: 60 / seconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * seconds} * * * * *`,
	})),
});

/** By the type of the credential. */
export type CredentialsInUse = Record<string, { id: string; name: string }>;

/** A workflow as n8n exports it says which credentials it used; this says which ones to use here. */
export function withCredentials(
	{ name, nodes, connections, settings = {} }: WorkflowJson,
	credentials: CredentialsInUse,
): WorkflowJson {
	const inUse = (node: WorkflowJson['nodes'][number]) =>
		Object.entries(node.credentials ?? {}).map(([type, named]) => [
			type,
			credentials[type] ?? named,
		]);
	return {
		name,
		connections,
		settings,
		nodes: nodes.map((node) =>
			node.credentials ? { ...node, credentials: Object.fromEntries(inUse(node)) } : node,
		),
	};
}

/** "Removal" in the options of Sync, with the names of its rules. */
export const removal = (rules: Record<string, NodeParameterValue>) => ({ removal: { rules } });

/** "Limits" in the options of Sync, by the name of each limit. */
export const limits = (values: Record<string, NodeParameterValue>) => ({
	limits: {
		limit: Object.entries(values).map(([kind, value]) => ({ kind, value })),
	},
});
