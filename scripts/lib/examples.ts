import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { credentialName, credentialType } from './demo-data.ts';
import { projectRoot } from './installs.mjs';
import type { WorkflowJson } from './n8n-client.ts';

export interface Example {
	workflow: WorkflowJson;
	/** Differs when the file or the credential does. */
	hash: string;
}

/** The workflows in examples/, in the order of their file names, with the given credential put in. */
export async function readExamples(credentialId: string): Promise<Example[]> {
	const folder = join(projectRoot, 'examples');
	if (!existsSync(folder)) return [];
	const files: string[] = [];
	for await (const file of glob('*.json', { cwd: folder })) files.push(file);
	return await Promise.all(
		files.sort().map(async (file) => {
			const text = await readFile(join(folder, file), 'utf8');
			return {
				workflow: withCredential(JSON.parse(text) as WorkflowJson, credentialId),
				hash: createHash('sha256').update(text).update(credentialId).digest('hex'),
			};
		}),
	);
}

/** A workflow as n8n exports it says which credential it used; this says which one to use here. */
export function withCredential(workflow: WorkflowJson, credentialId: string): WorkflowJson {
	const { name, nodes, connections, settings = {} } = workflow;
	return {
		name,
		connections,
		settings,
		nodes: nodes.map((node) =>
			node.credentials?.[credentialType]
				? { ...node, credentials: { [credentialType]: { id: credentialId, name: credentialName } } }
				: node,
		),
	};
}
