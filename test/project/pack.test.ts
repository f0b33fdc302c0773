import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(__dirname, '..', '..');
/** What a clean clone does not have. */
const left = new Set(['node_modules', 'dist', '.git', '.work', 'coverage']);

let clone: string;
beforeAll(async () => {
	clone = await mkdtemp(join(tmpdir(), 'email-marketing-clone-'));
	const entries = (await readdir(root)).filter((entry) => !left.has(entry));
	await Promise.all(
		entries.map(async (entry) => {
			await cp(join(root, entry), join(clone, entry), { recursive: true });
		}),
	);
	await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
});
afterAll(async () => await rm(clone, { recursive: true, force: true }));

it('npm pack builds a clean clone first, so the package contains the nodes', async () => {
	await run('npm', ['pack'], { cwd: clone, maxBuffer: 1e8 });
	const [tarball = ''] = (await readdir(clone)).filter((entry) => entry.endsWith('.tgz'));
	const { stdout } = await run('tar', ['-tzf', join(clone, tarball)], { maxBuffer: 1e8 });
	expect(stdout.split('\n')).toEqual(
		expect.arrayContaining([
			'package/dist/nodes/EmailMarketing/EmailMarketing.node.js',
			'package/dist/nodes/EmailMarketing/EmailMarketingTrigger.node.js',
			'package/dist/credentials/EmailMarketingApi.credentials.js',
			'package/CHANGELOG.md',
		]),
	);
});
