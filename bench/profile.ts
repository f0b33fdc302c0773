// Whose code n8n's main process ran, from V8's CPU profiles.
import { readdir, readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';

interface Profile {
	/** The first is the root. */
	nodes: Array<{
		id: number;
		callFrame: { functionName: string; url: string };
		children?: number[];
	}>;
	samples: number[];
	timeDeltas: number[];
}

/** What the bench itself does in n8n, and waiting. */
const leftOut = new Set(['hooks.cjs', '(idle)', '(root)', '(program)']);

/** The package that a function belongs to; native functions belong to whoever calls them. */
function ownerOf(functionName: string, url: string, caller: string): string {
	if (caller === 'hooks.cjs') return caller;
	if (functionName.startsWith('(')) return functionName;
	if (url === '') return caller;
	const match = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
	return match?.[1] ?? (url.startsWith('node:') ? 'Node.js' : parse(url).base);
}

function owners({ nodes }: Profile): Map<number, string> {
	const found = new Map(nodes.slice(0, 1).map(({ id }) => [id, '(root)']));
	const known = new Map(nodes.map((node) => [node.id, node]));
	for (const { id, children = [] } of nodes) {
		for (const child of children) {
			const { functionName = '', url = '' } = known.get(child)?.callFrame ?? {};
			found.set(child, ownerOf(functionName, url, found.get(id) ?? ''));
		}
	}
	return found;
}

function timeByOwner(profile: Profile): Map<string, number> {
	const owner = owners(profile);
	const ms = new Map<string, number>();
	profile.samples.forEach((id, index) => {
		const name = owner.get(id) ?? '';
		if (!leftOut.has(name))
			ms.set(name, (ms.get(name) ?? 0) + (profile.timeDeltas[index] ?? 0) / 1000);
	});
	return ms;
}

/** Milliseconds by package, for each profile in a folder. */
export async function profileTable(folder: string): Promise<string> {
	const parts: string[] = [];
	for (const file of (await readdir(folder)).sort()) {
		const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as Profile;
		const rows = [...timeByOwner(profile)].toSorted(([, a], [, b]) => b - a);
		const total = rows.reduce((sum, [, ms]) => sum + ms, 0);
		const lines = rows
			.slice(0, 12)
			.map(([owner, ms]) =>
				[
					`${ms.toFixed(0).padStart(8)} ms`,
					`${((ms / total) * 100).toFixed(0).padStart(3)} %`,
					owner,
				].join('  '),
			);
		parts.push([`${parse(file).name}: ${total.toFixed(0)} ms`, ...lines].join('\n'));
	}
	return parts.join('\n\n');
}
