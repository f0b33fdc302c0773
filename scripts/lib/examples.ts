import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoChoices } from './demo-choices.ts';
import { projectRoot } from './installs.mjs';
import type { WorkflowJson } from './n8n-client.ts';
import { type CredentialsInUse, withCredentials } from './workflow-json.ts';

export interface Example {
	workflow: WorkflowJson;
	/** Differs when the file, a credential or what is chosen in it does. */
	hash: string;
}

/**
 * The workflows in examples/, in the order of their file names, with the given credentials put in.
 *
 * @param settings what else the workflows will get, so that their hash depends on it
 */
export async function readExamples(
	credentials: CredentialsInUse,
	settings: string,
): Promise<Example[]> {
	const folder = join(projectRoot, 'examples');
	if (!existsSync(folder)) return [];
	const files: string[] = [];
	for await (const file of glob('*.json', { cwd: folder })) files.push(file);
	return await Promise.all(
		files.sort().map(async (file) => {
			const text = await readFile(join(folder, file), 'utf8');
			const workflow = JSON.parse(text) as WorkflowJson;
			const parts = [text, credentials, demoChoices[workflow.name], settings];
			return {
				workflow: withCredentials(workflow, credentials),
				hash: createHash('sha256').update(JSON.stringify(parts)).digest('hex'),
			};
		}),
	);
}
