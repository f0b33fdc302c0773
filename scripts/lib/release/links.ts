import { type Findings, findings } from './findings.ts';
import type { PackedFile } from './contents.ts';

/** The addresses on GitHub that the package names, without their anchors. */
export function linksIn(files: PackedFile[]): string[] {
	const links = files.flatMap(({ text }) => text.match(/https:\/\/github\.com\/[\w./-]*\w/g) ?? []);
	return [...new Set(links)].sort();
}

async function resolves(link: string, request: typeof fetch): Promise<boolean> {
	try {
		const { ok } = await request(link, { method: 'HEAD', signal: AbortSignal.timeout(10_000) });
		return ok;
	} catch {
		return false;
	}
}

/**
 * Whether the package links to its pages, and whether these exist. Once package.json names a repository, the build
 * writes the links. A rehearsal may go on without it.
 */
export async function checkLinks(
	files: PackedFile[],
	request: typeof fetch = fetch,
): Promise<Findings> {
	const links = linksIn(files);
	if (links.length === 0) {
		const todo = 'package.json: enter the repository, its issue tracker and its homepage.';
		return findings([], [`${todo} Until then, errors name a page instead of linking to it.`]);
	}
	const alive = await Promise.all(links.map(async (link) => await resolves(link, request)));
	const dead = links.filter((_, index) => alive[index] !== true);
	return findings(
		[],
		dead.map((link) => `${link} does not resolve, and the package links to it.`),
	);
}
