import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { UserError } from '../user-error.ts';
import { type Findings, findings } from './findings.ts';

const run = promisify(execFile);

/** What git says of the clone. */
export interface Repository {
	/** Files that are changed or not added, one a line. */
	changes: string;
	/** Empty where a tag or a commit is checked out. */
	branch: string;
	head: string;
	/** The commit that the tag of the release stands for; undefined where there is no such tag. */
	tagged: string | undefined;
	/** The published files. */
	sources: string[];
}

export const tagOf = (version: string) => `v${version}`;

/** @throws UserError with git's own message */
export async function git(folder: string, ...args: string[]): Promise<string> {
	try {
		return (await run('git', args, { cwd: folder })).stdout.trim();
	} catch (error) {
		const { stderr = '', message } = error as Error & { stderr?: string };
		throw new UserError(`git ${args.join(' ')} failed: ${stderr.trim() || message}`);
	}
}

export async function readRepository(folder: string, version: string): Promise<Repository> {
	const ref = `refs/tags/${tagOf(version)}`;
	const exists = await git(folder, 'for-each-ref', ref);
	return {
		changes: await git(folder, 'status', '--porcelain'),
		branch: await git(folder, 'branch', '--show-current'),
		head: await git(folder, 'rev-parse', 'HEAD'),
		tagged: exists === '' ? undefined : await git(folder, 'rev-parse', `${ref}^{commit}`),
		sources: (await git(folder, 'ls-files', 'nodes', 'credentials')).split('\n'),
	};
}

function changeProblems({ changes }: Repository): string[] {
	if (changes === '') return [];
	return [`There are changes that are not committed:\n${changes}`];
}

/** For a release that is about to get its tag. */
export function checkBeforeTag(repository: Repository, version: string): Findings {
	const { branch, tagged } = repository;
	const tag = tagOf(version);
	return findings(
		[
			...changeProblems(repository),
			...(tagged === undefined
				? []
				: [`The tag ${tag} exists. A version is released once; raise it in package.json.`]),
		],
		branch === 'main'
			? []
			: [`Releases are made from main, and this is "${branch || 'no branch'}".`],
	);
}

/** For the workflow that a tag has started. */
export function checkTag(repository: Repository, version: string, tag: string): Findings {
	const { head, tagged } = repository;
	return findings([
		...changeProblems(repository),
		...(tag === tagOf(version)
			? []
			: [`The tag is ${tag}, and package.json has version ${version}.`]),
		...(tagged === head
			? []
			: [`The tag ${tag} does not stand for the commit that is checked out.`]),
	]);
}
