import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import lock from '../../../package-lock.json';
import manifest from '../../../package.json';
import actionCodex from '../../../nodes/EmailMarketing/EmailMarketing.node.json';
import { EmailMarketing } from '../../../nodes/EmailMarketing/EmailMarketing.node';
import triggerCodex from '../../../nodes/EmailMarketing/EmailMarketingTrigger.node.json';
import { EmailMarketingTrigger } from '../../../nodes/EmailMarketing/EmailMarketingTrigger.node';
import { checkVersions, type Versions } from '../../../scripts/lib/release/versions.ts';

const readme = readFileSync(join(__dirname, '..', '..', '..', 'README.md'), 'utf8');
const right: Versions = {
	manifest: { name: 'n8n-nodes-x', version: '1.2.0' },
	lock: { version: '1.2.0', packages: { '': { version: '1.2.0' } } },
	readme: 'npm install /path/to/n8n-nodes-x-1.2.0.tgz',
	nodes: [{ name: 'x', version: 1, codex: { node: 'n8n-nodes-x.x', nodeVersion: '1.0' } }],
};
const problemsWith = (change: Partial<Versions>) => checkVersions({ ...right, ...change }).problems;
const node = (change: object) => [{ ...right.nodes[0], ...change }] as Versions['nodes'];

it('accepts what names one version', () => {
	expect(checkVersions(right)).toEqual({ problems: [], pending: [] });
	const second = node({ version: [1, 1.1], codex: { node: 'n8n-nodes-x.x', nodeVersion: '1.1' } });
	expect(problemsWith({ nodes: second })).toEqual([]);
	expect(problemsWith({ readme: 'npm install n8n-nodes-x' })).toEqual([]);
});

it.each<[string, Partial<Versions>, string]>([
	[
		'a version that is none',
		{ manifest: { ...right.manifest, version: '1.2' } },
		'is not a version',
	],
	['a lock file of another version', { lock: { ...right.lock, version: '1.1.0' } }, 'package-lock'],
	['a lock file with another root', { lock: { ...right.lock, packages: {} } }, 'package-lock'],
	['another tarball in the README', { readme: 'n8n-nodes-x-1.1.0.tgz' }, 'the tarball of 1.1.0'],
	['a codex of another node', { nodes: node({ name: 'y' }) }, 'its codex names "n8n-nodes-x.x"'],
	['a codex of another version', { nodes: node({ version: [1, 2] }) }, 'and the node of 2.0'],
])('refuses %s', (_, change, problem) => {
	expect(problemsWith(change)).toContainEqual(expect.stringContaining(problem));
});

it('has a README left to do that says the package is not on npm', () => {
	const { problems, pending } = checkVersions({ ...right, readme: 'It is not on npm yet.' });
	expect(problems).toEqual([]);
	expect(pending).toEqual([expect.stringContaining('not on npm yet')]);
});

it('has an address left to do that nobody reads', () => {
	const author = { email: 'maintainers@n8n-nodes-x.invalid' };
	const { problems, pending } = checkVersions({
		...right,
		manifest: { ...right.manifest, author },
	});
	expect(problems).toEqual([]);
	expect(pending).toEqual([expect.stringContaining('the email of the author')]);
});

it('finds one version in this repository', () => {
	const nodes = [
		{ ...new EmailMarketing().description, codex: actionCodex },
		{ ...new EmailMarketingTrigger().description, codex: triggerCodex },
	];
	expect(checkVersions({ manifest, lock, readme, nodes }).problems).toEqual([]);
});
