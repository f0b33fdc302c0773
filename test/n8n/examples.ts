import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDemoChoices } from '../../scripts/lib/demo-choices.ts';
import { type FileServer, serveFile } from '../../scripts/lib/file-server.ts';
import type { WorkflowJson } from '../../scripts/lib/n8n-client.ts';
import { sandbox } from './harness.ts';

const folder = join(__dirname, '..', '..', 'examples');

export const exampleFiles = readdirSync(folder).filter((file) => file.endsWith('.json'));

/** An example as it ships: with nothing chosen. */
export const shipped = (file: string) =>
	JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson;

let contacts: FileServer;
beforeAll(async () => (contacts = await serveFile(join(folder, 'data', 'contacts.csv'))));
afterAll(async () => await contacts.stop());

/** An example with the choices that `npm start` makes in it; the sandbox has to hold the demo. */
export const readyToRun = async (file: string): Promise<WorkflowJson> =>
	await withDemoChoices(shipped(file), { sandbox, contactsUrl: contacts.url });
