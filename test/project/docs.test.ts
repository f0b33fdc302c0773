import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '..', '..');

function files(folder: string, ending: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return files(path, ending);
		return path.endsWith(ending) ? [path] : [];
	});
}

const pages = [
	...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'].map((file) =>
		join(root, file),
	),
	...['docs', 'docker', 'examples', 'sandbox'].flatMap((folder) =>
		files(join(root, folder), '.md'),
	),
];

/** The names under which other pages can lead to the headings of this one, and to what it gives an anchor. */
function anchors(page: string): string[] {
	const text = readFileSync(page, 'utf8');
	return [
		...[...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
			title
				.toLowerCase()
				.replace(/[^\w -]/g, '')
				.replaceAll(' ', '-'),
		),
		...[...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, anchor = '']) => anchor),
	];
}

const linksOf = (page: string) =>
	[...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, link = '']) => link)
		.filter((link) => !/^[a-z]+:/.test(link));

it.each(pages.map((page) => [relative(root, page), page]))(
	'%s links to what is there',
	(_, page) => {
		const dead = linksOf(page).filter((link) => {
			const [path = '', anchor] = link.split('#');
			const target = path === '' ? page : join(dirname(page), path);
			return !existsSync(target) || (anchor !== undefined && !anchors(target).includes(anchor));
		});
		expect(dead).toEqual([]);
	},
);

it('pages and scripts name files of this repository that exist', () => {
	const scripts = ['.ts', '.mjs'].flatMap((ending) => files(join(root, 'scripts'), ending));
	const folders = '{bench,credentials,docs,examples,nodes,sandbox,scripts,soak,test}';
	const there = globSync(`${folders}/**/*.{ts,mjs,json}`, { cwd: root }).map((path) => `/${path}`);
	const named = (page: string) => {
		const text = readFileSync(page, 'utf8');
		if (!page.endsWith('.md')) return text.matchAll(/\btest\/[\w./-]+\.(?:ts|json)\b/g);
		// Pages name files from the folder on that they are about, such as `writer/write.ts`.
		return text.matchAll(/(?<=`)(?:[\w-]+\/)+[\w.-]+\.(?:ts|mjs|json)(?=`)/g);
	};
	const dead = [...pages, ...scripts].flatMap((page) =>
		[...named(page)]
			.filter(([path]) => !there.some((file) => file.endsWith(`/${path}`)))
			.map(([path]) => [relative(root, page), path]),
	);
	expect(dead).toEqual([]);
});

it('shows pictures that the tests of the editor take, and no others', () => {
	const shown = pages.flatMap((page) =>
		linksOf(page)
			.filter((link) => link.includes('images/'))
			.map((link) => relative(join(root, 'docs', 'images'), join(dirname(page), link))),
	);
	const tests = ['browser', 'walkthrough'].flatMap((suite) =>
		files(join(root, 'test', suite), '.test.ts'),
	);
	const taken = tests.flatMap((path) =>
		[...readFileSync(path, 'utf8').matchAll(/takePicture\([^']*'([\w-]+)'/g)].map(
			([, name]) => `${name}.webp`,
		),
	);
	// recipes.test.ts takes one of each example.
	const recipes = readdirSync(join(root, 'examples'))
		.filter((file) => file.endsWith('.json'))
		.map((file) => `recipe-${file.replace('.json', '.webp')}`);
	const kept = readdirSync(join(root, 'docs', 'images'));
	expect([...new Set(shown)].sort()).toEqual(kept.sort());
	expect([...new Set([...taken, ...recipes])].sort()).toEqual(kept);
});
