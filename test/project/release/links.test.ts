import { checkLinks, linksIn } from '../../../scripts/lib/release/links.ts';

const repository = 'https://github.com/x/n8n-nodes-x';
const files = [
	{
		path: 'package.json',
		text: `"url": "git+${repository}.git", "homepage": "${repository}#readme"`,
	},
	{ path: 'dist/help.js', text: `const page = '${repository}/blob/main/docs/troubleshooting.md';` },
	{ path: 'README.md', text: `[Report a problem](${repository}/issues). [n8n](https://n8n.io)` },
];

it('finds each address on GitHub once, without anchors', () => {
	expect(linksIn([...files, ...files])).toEqual([
		repository,
		`${repository}.git`,
		`${repository}/blob/main/docs/troubleshooting.md`,
		`${repository}/issues`,
	]);
});

it('has links left to do that do not resolve, also without a network', async () => {
	const request = (async (link: string) => {
		if (link.endsWith('/issues')) throw new Error('no network');
		return { ok: !link.includes('/blob/') };
	}) as unknown as typeof fetch;
	expect(await checkLinks(files, request)).toEqual({
		problems: [],
		pending: [
			expect.stringContaining('troubleshooting.md does not resolve'),
			expect.stringContaining('/issues does not resolve'),
		],
	});
});

it('has a repository left to do where the package links to nothing', async () => {
	const request = (() => {
		throw new Error('must not be called');
	}) as unknown as typeof fetch;
	const { problems, pending } = await checkLinks([{ path: 'README.md', text: 'Help' }], request);
	expect(problems).toEqual([]);
	expect(pending).toEqual([expect.stringContaining('enter the repository')]);
});
