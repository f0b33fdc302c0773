import {
	checkBeforeTag,
	checkTag,
	git,
	readRepository,
	type Repository,
} from '../../../scripts/lib/release/repository.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FreshHome, freshHome } from '../scripts/freshHome';

const ready: Repository = {
	...{ changes: '', branch: 'main', head: 'abc', tagged: undefined, sources: [] },
};
const before = (change: Partial<Repository>) => checkBeforeTag({ ...ready, ...change }, '1.2.0');
const after = (change: Partial<Repository>, tag = 'v1.2.0') =>
	checkTag({ ...ready, branch: '', tagged: 'abc', ...change }, '1.2.0', tag);

it('accepts a clean main without the tag, and the commit of the tag', () => {
	expect(before({})).toEqual({ problems: [], pending: [] });
	expect(after({})).toEqual({ problems: [], pending: [] });
});

it.each([
	['changes', before({ changes: '?? x' }), 'There are changes that are not committed:\n?? x'],
	['a tag that exists', before({ tagged: 'abc' }), 'The tag v1.2.0 exists'],
	['changes at the tag', after({ changes: ' M x' }), 'not committed'],
	['a tag of another version', after({}, 'v1.3.0'), 'The tag is v1.3.0'],
	['a tag elsewhere', after({ tagged: 'def' }), 'does not stand for the commit'],
	['a tag that is missing', after({ tagged: undefined }), 'does not stand for the commit'],
])('refuses %s', (_, { problems }, problem) => {
	expect(problems).toEqual([expect.stringContaining(problem)]);
});

it.each(['feature', ''])('leaves a branch "%s" to do in a rehearsal', (branch) => {
	expect(before({ branch })).toEqual({
		problems: [],
		pending: [expect.stringContaining('Releases are made from main')],
	});
});

describe('a clone', () => {
	let home: FreshHome;
	beforeEach(async () => {
		home = await freshHome();
	});
	afterEach(() => home.remove());

	const author = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];

	it('is read as it is, before and after the tag', async () => {
		const { folder } = home;
		await git(folder, 'init', '--quiet', '--initial-branch', 'main');
		await mkdir(join(folder, 'nodes'));
		await mkdir(join(folder, 'credentials'));
		await writeFile(join(folder, 'nodes', 'a.ts'), '');
		await writeFile(join(folder, 'credentials', 'b.ts'), '');
		await git(folder, 'add', '.');
		await git(folder, ...author, 'commit', '--quiet', '--message', 'First');
		const head = await git(folder, 'rev-parse', 'HEAD');
		const sources = ['credentials/b.ts', 'nodes/a.ts'];
		expect(await readRepository(folder, '1.2.0')).toEqual({ ...ready, head, sources });

		await git(folder, ...author, 'tag', '--annotate', 'v1.2.0', '--message', 'x');
		await writeFile(join(folder, 'nodes', 'new.ts'), '');
		expect(await readRepository(folder, '1.2.0')).toEqual({
			...{ ...ready, changes: '?? nodes/new.ts' },
			...{ head, sources, tagged: head },
		});
	});

	it('says in words of git what cannot be read', async () => {
		await expect(readRepository(home.folder, '1.2.0')).rejects.toThrow(/not a git repository/);
	});
});
