import { cp, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
/** What a clean clone does not have. */
const left = new Set(['node_modules', 'dist', '.git', '.work', 'coverage']);

/** A copy of the repository as it would be cloned, with the installed packages. Remove the folder afterwards. */
export async function copyRepository(): Promise<string> {
	const copy = await mkdtemp(join(tmpdir(), 'email-marketing-copy-'));
	const entries = (await readdir(root)).filter((entry) => !left.has(entry));
	await Promise.all(
		entries.map(
			async (entry) => await cp(join(root, entry), join(copy, entry), { recursive: true }),
		),
	);
	await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
	return copy;
}
