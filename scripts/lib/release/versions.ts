import { type Findings, findings } from './findings.ts';

export interface NodeInPackage {
	/** Of the description. */
	name: string;
	version: number | number[];
	/** What the codex file beside it says. */
	codex: { node?: string; nodeVersion?: string };
}

export interface Versions {
	manifest: { name: string; version: string; author?: { email: string } };
	lock: { version: string; packages: Record<string, { version?: string }> };
	readme: string;
	nodes: NodeInPackage[];
}

const newestOf = (version: number | number[]) => Math.max(...[version].flat());

/** What is wrong with the codex of a node. */
function codexProblems({ name, version, codex }: NodeInPackage, packageName: string): string[] {
	const node = `${packageName}.${name}`;
	const nodeVersion = newestOf(version).toFixed(1);
	return [
		...(codex.node === node ? [] : [`its codex names "${codex.node}" instead of "${node}"`]),
		...(codex.nodeVersion === nodeVersion
			? []
			: [`its codex is of version ${codex.nodeVersion}, and the node of ${nodeVersion}`]),
	].map((problem) => `Node ${name}: ${problem}.`);
}

/** Names of tarballs that the README tells people to install. */
const tarballsIn = (readme: string, name: string) =>
	[...readme.matchAll(new RegExp(`${name}-(\\d[\\w.-]*?)\\.tgz`, 'g'))].map(
		([, version = '']) => version,
	);

/** Whether everything that names a version names that of package.json. */
export function checkVersions({ manifest, lock, readme, nodes }: Versions): Findings {
	const { name, version } = manifest;
	const locked = [lock.version, lock.packages['']?.version];
	const other = tarballsIn(readme, name).filter((found) => found !== version);
	return findings(
		[
			...(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)
				? []
				: [`package.json: "${version}" is not a version such as 1.2.3.`]),
			...(locked.every((found) => found === version)
				? []
				: [`package-lock.json has version ${locked.join(' and ')}; run npm install.`]),
			...other.map((found) => `README.md names the tarball of ${found} instead of ${version}.`),
			...nodes.flatMap((node) => codexProblems(node, name)),
		],
		[
			...(/not on npm yet/.test(readme)
				? ['README.md: it says that the package is not on npm yet; describe how to install it.']
				: []),
			...(manifest.author?.email.endsWith('.invalid')
				? ['package.json: the email of the author receives nothing; enter one that somebody reads.']
				: []),
		],
	);
}
