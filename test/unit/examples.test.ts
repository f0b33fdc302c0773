import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowJson } from '../../scripts/lib/n8n-client.ts';

const folder = join(__dirname, '..', '..', 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const readme = readFileSync(join(folder, 'README.md'), 'utf8');

it('there are at least eight examples', () => {
	expect(files.length).toBeGreaterThanOrEqual(8);
});

describe.each(files)('%s', (file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	const { name, nodes } = JSON.parse(text) as WorkflowJson;

	it('has its line in the list of examples', () => {
		const lines = readme.split('\n').filter((line) => line.includes(`(${file})`));
		expect(lines).toEqual([expect.stringMatching(/^\| \[.+\]\(.+\.json\) +\| \S.{20,} \|$/)]);
	});

	it('says on a note what it does and what to change first', () => {
		const [note] = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(note?.parameters.content).toEqual(expect.stringContaining(`## ${name}\n`));
		expect(note?.parameters.content).toEqual(
			expect.stringContaining('**Before you switch it on:**'),
		);
	});

	it('holds no secret: its credentials have a name only, and no node has a key', () => {
		const credentials = nodes.flatMap((node) => Object.values(node.credentials ?? {}));
		expect(credentials.map(({ id }) => id).filter((id) => id !== '')).toEqual([]);
		expect(text).not.toMatch(/publicKey|secretKey|apiKey|password|Bearer|https?:\/\//i);
	});
});
