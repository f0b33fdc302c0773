import { type Findings, findings } from './findings.ts';

/** A file of the tarball. */
export interface PackedFile {
	/** Inside the package. */
	path: string;
	text: string;
}

export interface Package {
	files: PackedFile[];
	/** Of the tarball. */
	packedBytes: number;
}

/** More than the package has needed so far, and less than it should ever need. */
const largest = { packedBytes: 300_000, unpackedBytes: 1_600_000 };

/** What is published, apart from what is compiled. */
const always = [
	...['CHANGELOG.md', 'LICENSE.md', 'README.md', 'package.json'],
	...['dist/known/credentials.json', 'dist/known/nodes.json'],
	...['dist/types/credentials.json', 'dist/types/nodes.json'],
];

/** How a file of the sources is called in the package; undefined for what is not published. */
function publishedName(source: string): string | undefined {
	if (/\.ts$/.test(source)) return `dist/${source.replace(/\.ts$/, '.js')}`;
	const isAsset = /\.svg$|\.node\.json$|\/__schema__\/v\d+\.\d+\.\d+\/\w+\/\w+\.json$/.test(source);
	return isAsset ? `dist/${source}` : undefined;
}

/** Hosts that texts of the package may name: documentation, and those that exist for examples, n8n's own among them. */
const knownHost =
	/^(?:docs\.n8n\.io|github\.com|nodejs\.org|www\.w3\.org|(?:[\w-]+\.)*example\.(?:com|org|net)|host|name|username|myproxy|\.)$/;

const secrets: Array<[what: string, pattern: RegExp]> = [
	['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
	['a token of GitHub', /\bgh[pousr]_\w{36,}|\bgithub_pat_\w{22,}/],
	['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b|_authToken/],
	['a key of AWS', /\bAKIA[0-9A-Z]{16}\b/],
	['a token of Slack', /\bxox[abpr]-[\w-]{10,}/],
	['a key of the sandbox', /\bsandbox-(?:public|secret)-key\b/],
];

const ownPath =
	/(?<=^|[\s"'`(=:])(?:\/(?:home|root|Users|tmp|private|workspace|runner)\/|[A-Z]:\\Users\\)[^\s"'`)]*/m;

/** What of the machine that built it, or of its owner, is in a file. */
export function leaksIn({ path, text }: PackedFile): string[] {
	const hosts = [...text.matchAll(/\bhttps?:\/\/([\w.-]+)/g)].map(([, host = '']) => host);
	const unknown = [...new Set(hosts)].filter((host) => !knownHost.test(host));
	const [folder] = ownPath.exec(text) ?? [];
	return [
		...secrets.filter(([, pattern]) => pattern.test(text)).map(([what]) => what),
		...unknown.map((host) => `the host "${host}", which is not among those it may name`),
		...(folder === undefined ? [] : [`the path "${folder}"`]),
		...(/^\/\/# sourceMappingURL=/m.test(text) ? ['a reference to a source map'] : []),
	].map((what) => `The package's ${path} has ${what}.`);
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1000)} kB`;

function sizeProblems({ files, packedBytes }: Package): string[] {
	const unpackedBytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
	const sizes = { packedBytes, unpackedBytes };
	return (['packedBytes', 'unpackedBytes'] as const)
		.filter((key) => sizes[key] > largest[key])
		.map(
			(key) =>
				`The package has ${kilobytes(sizes[key])} ${key === 'packedBytes' ? 'packed' : 'unpacked'}, ` +
				`and at most ${kilobytes(largest[key])} are expected. If that is right, raise the limit in contents.ts.`,
		);
}

function without(all: string[], some: string[]): string[] {
	const known = new Set(some);
	return all.filter((one) => !known.has(one));
}

/**
 * Whether the package holds exactly what its sources are compiled to, and nothing private.
 *
 * @param sources the files in nodes/ and credentials/, as git has them
 */
export function checkContents(packed: Package, sources: string[]): Findings {
	const expected = [...always, ...sources.flatMap((path) => publishedName(path) ?? [])];
	const found = packed.files.map(({ path }) => path);
	return findings([
		...without(found, expected).map((path) => `The package must not hold ${path}.`),
		...without(expected, found).map((path) => `The package lacks ${path}.`),
		...sizeProblems(packed),
		...packed.files.flatMap(leaksIn),
	]);
}
