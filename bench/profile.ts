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

/** What the packages are there for; all others are n8n around the node. */
const kinds: Array<[kind: string, packages: RegExp]> = [
	[
		'n8n: expressions',
		/^(@n8n\/(expression-runtime|tournament)|n8n-workflow|luxon|recast|esprima.*)$/,
	],
	['n8n: credentials from the database', /^(@n8n\/typeorm|sqlite3|tarn)$/],
	['HTTP client (axios)', /^(axios|form-data|combined-stream|proxy-from-env|follow-redirects)$/],
	['Node.js: HTTP, sockets, streams', /^Node\.js$/],
	['Garbage collection', /^\(garbage collector\)$/],
	['This package', /^n8n-nodes-email-marketing$/],
];

const kindOf = (owner: string): string =>
	kinds.find(([, packages]) => packages.test(owner))?.[0] ?? 'n8n: everything else';

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

function timeByKind(profile: Profile): Map<string, number> {
	const owner = owners(profile);
	const ms = new Map<string, number>();
	profile.samples.forEach((id, index) => {
		const name = owner.get(id) ?? '';
		if (leftOut.has(name)) return;
		const kind = kindOf(name);
		ms.set(kind, (ms.get(kind) ?? 0) + (profile.timeDeltas[index] ?? 0) / 1000);
	});
	return ms;
}

/** Milliseconds by whose code ran, for each profile in a folder. */
export async function profileTable(folder: string): Promise<string> {
	const parts: string[] = [];
	for (const file of (await readdir(folder)).sort()) {
		const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as Profile;
		const rows = [...timeByKind(profile)].toSorted(([, a], [, b]) => b - a);
		const total = rows.reduce((sum, [, ms]) => sum + ms, 0);
		const lines = rows.map(
			([kind, ms]) =>
				`${ms.toFixed(0).padStart(8)} ms  ${((ms / total) * 100).toFixed(0).padStart(3)} %  ${kind}`,
		);
		parts.push([`${parse(file).name}: ${total.toFixed(0)} ms`, ...lines].join('\n'));
	}
	return parts.join('\n\n');
}
