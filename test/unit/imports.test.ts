import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { preProcessFile } from 'typescript';

const root = join(__dirname, '..', '..');
const nodeFolder = 'nodes/EmailMarketing';
/** Each imports from itself and from those before it. */
const layers = 'util service records params run features methods resources trigger top'.split(' ');
/** What a feature imports from others. */
const mayImport: Record<string, readonly string[]> = {
	account: ['locations'],
	campaigns: ['consent', 'locations'],
	consent: [],
	contacts: ['consent', 'locations'],
	locations: [],
	membership: ['contacts', 'consent', 'sync'],
	people: ['contacts', 'consent', 'locations', 'sync'],
	sync: ['contacts', 'consent', 'locations'],
};
const mostFiles = 20;

interface Import {
	from: string;
	/** A file of the repository, or the name of a package. */
	to: string;
}

const isFile = (path: string) => /\.\w+$/.test(path) && existsSync(join(root, path));

function targetOf(from: string, name: string): string {
	if (!name.startsWith('.')) return name;
	const path = posix.join(posix.dirname(from), name);
	return [path, `${path}.ts`, `${path}/index.ts`].find(isFile) ?? path;
}

/** The imports of all files below a folder, also those of types alone. */
const importsIn = (folder: string): Import[] =>
	globSync(`${folder}/**/*.{ts,mjs}`, { cwd: root }).flatMap((from) =>
		preProcessFile(readFileSync(join(root, from), 'utf8')).importedFiles.map(({ fileName }) => ({
			from,
			to: targetOf(from, fileName),
		})),
	);

const show = ({ from, to }: Import) => `${from} → ${to}`;

/** The folder that a file of the nodes is in; `top` for the two nodes. */
function layerOf(file: string): string {
	const [folder = '', ...rest] = file.slice(nodeFolder.length + 1).split('/');
	return rest.length > 0 ? folder : 'top';
}

/** Shortest circles of files, one for each file that is in any. */
function circlesIn(imports: Import[]): string[] {
	const next = Map.groupBy(imports, ({ from }) => from);
	const circleOf = (start: string): string[] => {
		const ways = [[start]];
		const seen = new Set<string>();
		for (const way of ways) {
			for (const { to } of next.get(way.at(-1) ?? '') ?? []) {
				if (to === start) return way;
				if (!seen.has(to)) ways.push([...way, to]);
				seen.add(to);
			}
		}
		return [];
	};
	const turned = (circle: string[]) => {
		const first = circle.indexOf(circle.toSorted()[0] ?? '');
		return [...circle.slice(first), ...circle.slice(0, first + 1)].join(' → ');
	};
	const circles = [...next.keys()].map(circleOf).filter((circle) => circle.length > 0);
	return [...new Set(circles.map(turned))];
}

const isIn = (path: string, ...folders: string[]) =>
	folders.some((folder) => path.startsWith(`${folder}/`));

const rank = (file: string) => layers.indexOf(layerOf(file));

it('lets a folder of the nodes import from those before it only', () => {
	const imports = importsIn(nodeFolder).filter(({ to }) => isIn(to, nodeFolder));
	expect(imports.length).toBeGreaterThan(100);
	const wrong = imports.filter(
		({ from, to }) => layerOf(to) === 'top' || rank(to) < 0 || rank(to) > rank(from),
	);
	expect(new Set(wrong.map(show))).toEqual(new Set());
});

it('lets a feature import from those that it builds on only', () => {
	const featureOf = (file: string) =>
		file.slice(`${nodeFolder}/features/`.length).split('/')[0] ?? '';
	const imports = importsIn(`${nodeFolder}/features`).filter(({ to }) =>
		isIn(to, `${nodeFolder}/features`),
	);
	expect(new Set(imports.map(({ from }) => featureOf(from)))).toEqual(
		new Set(Object.keys(mayImport)),
	);
	const wrong = imports.filter(({ from, to }) => {
		const [feature, other] = [featureOf(from), featureOf(to)];
		return feature !== other && !mayImport[feature]?.includes(other);
	});
	expect(wrong.map(show)).toEqual([]);
});

it('keeps every folder of the nodes small enough to find a file in it', () => {
	const folders = globSync(`${nodeFolder}/**/*.ts`, { cwd: root }).map((file) =>
		posix.dirname(file),
	);
	const crowded = [...Map.groupBy(folders, (folder) => folder)].filter(
		([, files]) => files.length > mostFiles,
	);
	expect(crowded.map(([folder]) => folder)).toEqual([]);
});

it('finds no circle of files', () => {
	const folders = ['nodes', 'credentials', 'sandbox', 'scripts', 'bench', 'docker', 'soak', 'test'];
	expect(circlesIn(folders.flatMap(importsIn))).toEqual([]);
});

/** What published code may import: n8n allows these, and every version brings `luxon` along. */
const allowed = new Set(['n8n-workflow', 'crypto', 'luxon']);

it('keeps the sandbox apart from the nodes, and the nodes to themselves and what n8n allows', () => {
	const wrong = [
		...importsIn('sandbox').filter(({ to }) => isIn(to, 'nodes', 'credentials')),
		...importsIn('nodes').filter(({ to }) => !isIn(to, 'nodes') && !allowed.has(to)),
		...importsIn('credentials').filter(
			({ to }) => !isIn(to, 'nodes', 'credentials') && to !== 'n8n-workflow',
		),
	];
	expect(wrong.map(show)).toEqual([]);
});

it('needs no n8n to tell events from rows, which the benchmark does outside of n8n', () => {
	const files = new Set([`${nodeFolder}/trigger/events.ts`, `${nodeFolder}/trigger/state.ts`]);
	const packages = new Set<string>();
	for (const from of files) {
		const text = readFileSync(join(root, from), 'utf8');
		for (const [, name = ''] of text.matchAll(/^import (?!type )[^;]*? from '([^']+)';$/gm)) {
			const to = targetOf(from, name);
			if (name.startsWith('.')) files.add(to);
			else packages.add(name);
		}
	}
	expect(files.size).toBeGreaterThan(10);
	expect([...packages].sort()).toEqual(['crypto']);
});
