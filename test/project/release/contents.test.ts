import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkContents, leaksIn } from '../../../scripts/lib/release/contents.ts';

const root = join(__dirname, '..', '..', '..');
const sources = [
	'credentials/X.credentials.ts',
	'nodes/X/X.node.ts',
	'nodes/X/X.node.json',
	'nodes/X/x.svg',
	'nodes/X/__schema__/v1.0.0/contact/get.json',
	'nodes/X/notes.txt',
];
const paths = [
	...['CHANGELOG.md', 'LICENSE.md', 'README.md', 'package.json'],
	'dist/credentials/X.credentials.js',
	...['dist/nodes/X/X.node.js', 'dist/nodes/X/X.node.json', 'dist/nodes/X/x.svg'],
	'dist/nodes/X/__schema__/v1.0.0/contact/get.json',
	...['dist/known/credentials.json', 'dist/known/nodes.json'],
	...['dist/types/credentials.json', 'dist/types/nodes.json'],
];
const files = paths.map((path) => ({ path, text: '' }));
const problemsOf = (packed: typeof files, packedBytes = 1) =>
	checkContents({ files: packed, packedBytes }, sources).problems;

it('accepts what the sources are compiled to', () => {
	expect(problemsOf(files)).toEqual([]);
});

it.each([
	'dist/nodes/X/X.node.js.map',
	'dist/nodes/X/left-over.js',
	'dist/nodes/X/notes.txt',
	'nodes/X/X.node.ts',
	'.env',
	'node_modules/x/index.js',
])('refuses %s', (path) => {
	expect(problemsOf([...files, { path, text: '' }])).toEqual([
		`The package must not hold ${path}.`,
	]);
});

it.each(paths)('misses %s', (path) => {
	const rest = files.filter((file) => file.path !== path);
	expect(problemsOf(rest)).toEqual([`The package lacks ${path}.`]);
});

it('refuses a package that has grown, packed or unpacked', () => {
	const large = files.map((file) => ({ ...file, text: 'x'.repeat(150_000) }));
	expect(problemsOf(files, 400_000)).toEqual([expect.stringContaining('400 kB packed')]);
	expect(problemsOf(large)).toEqual([expect.stringContaining('1950 kB unpacked')]);
});

const key = (start: string, length: number) => start + 'a1B2'.repeat(20).slice(0, length);

it.each([
	['a private key', ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' ')],
	['a token of GitHub', key('ghp_', 36)],
	['a token of npm', key('npm_', 36)],
	['a key of AWS', `AKIA${'ABCDEFGHIJ012345'}`],
	['a token of Slack', key('xoxb-', 20)],
	['a key of the sandbox', "secretKey: 'sandbox-secret-key'"],
	['the host "registry.internal"', 'see http://registry.internal/x'],
	['the path "/home/someone/project"', "require('/home/someone/project')"],
	['the path "C:\\Users\\someone"', '"C:\\Users\\someone"'],
	['a reference to a source map', 'x();\n//# sourceMappingURL=x.js.map'],
])('finds %s in a file', (what, text) => {
	expect(leaksIn({ path: 'dist/x.js', text })).toEqual([
		expect.stringContaining(`The package's dist/x.js has ${what}`),
	]);
});

it('lets documentation, examples and paths of users be named', () => {
	const text =
		'https://docs.n8n.io/x https://api.example.com/v1 http://www.w3.org/2000/svg ~/.n8n /path/to/x a/home/b';
	expect(leaksIn({ path: 'README.md', text })).toEqual([]);
});

it('finds nothing private in what is published of this repository', () => {
	const published = [
		...['README.md', 'LICENSE.md', 'CHANGELOG.md', 'package.json'],
		...globSync('{nodes,credentials}/**/*.{ts,json,svg}', { cwd: root }),
	];
	const leaks = published.flatMap((path) =>
		leaksIn({ path, text: readFileSync(join(root, path), 'utf8') }),
	);
	expect(leaks).toEqual([]);
});

it('knows every kind of file that is published', () => {
	const kept = globSync('{nodes,credentials}/**', { cwd: root }).filter((path) =>
		statSync(join(root, path)).isFile(),
	);
	const { problems } = checkContents({ files: [], packedBytes: 0 }, kept);
	expect(problems).toHaveLength(kept.length + 8);
});
