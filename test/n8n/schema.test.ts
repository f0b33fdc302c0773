import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { n8n, typeOf } from './harness.ts';

const folder = join(__dirname, '../../nodes/EmailMarketing/__schema__/v1.0.0');

it.each(['singleSend/getAll', 'contact/upsert'])(
	'n8n hands the preview of %s to its editor',
	async (path) => {
		const answer = await fetch(
			`${n8n.client.url}/schemas/${typeOf('emailMarketing')}/1/${path}.json`,
		);
		expect(answer.status).toBe(200);
		expect(await answer.json()).toEqual(
			JSON.parse(readFileSync(join(folder, `${path}.json`), 'utf8')),
		);
	},
);
