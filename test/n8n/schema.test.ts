import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { n8n, typeOf } from './harness.ts';

const folder = join(__dirname, '../../nodes/EmailMarketing/__schema__/v1.0.0');

/** Newer editors ask for version 1, and those of n8n 1 for 1.0.0. */
async function preview(path: string): Promise<Response> {
	const url = (version: string) =>
		`${n8n.client.url}/schemas/${typeOf('emailMarketing')}/${version}/${path}.json`;
	const answer = await fetch(url('1'));
	return answer.ok ? answer : await fetch(url('1.0.0'));
}

it.each(['singleSend/getAll', 'contact/upsert'])(
	'n8n hands the preview of %s to its editor',
	async (path) => {
		const answer = await preview(path);
		expect(answer.status).toBe(200);
		expect(await answer.json()).toEqual(
			JSON.parse(readFileSync(join(folder, `${path}.json`), 'utf8')),
		);
	},
);
