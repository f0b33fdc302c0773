import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type FreshHome, freshHome, library, runModule } from './freshHome';

let home: FreshHome;
let folder: string;
beforeEach(async () => {
	home = await freshHome();
	folder = home.folder;
	await mkdir(join(folder, 'bin'));
	home.env.PATH = [join(folder, 'bin'), home.env.PATH].join(delimiter);
	// Unpacks something for each package.
	await program('dpkg', 'mkdir -p usr/lib/x86_64-linux-gnu && touch "usr/lib/from-$2"');
});
afterEach(() => home.remove());

/** Takes the place of a program: writes down how it was called, and then does this. */
async function program(name: string, script: string): Promise<void> {
	const path = join(folder, 'bin', name);
	await writeFile(path, `#!/bin/sh\necho ${name} "$@" >> "${folder}/calls"\n${script}\n`);
	await chmod(path, 0o755);
}

const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');

const simulate = 'install --simulate --no-install-recommends --no-remove tool';
/** Knows a package that needs another one. */
const aptGet = `case "$*" in
	*--simulate*) echo 'Inst libtool (1.0 Debian)'; echo 'Inst tool (1.0 Debian)'; echo 'Conf tool (1.0)';;
	*download*) touch libtool_1.0.deb tool_1.0.deb;;
esac`;
interface Unpacked {
	folder: string;
	libraries: string;
}

const unpack = async () =>
	JSON.parse(
		await runModule(
			`import { unpackDebianPackage, unpackedProgram } from ${library('debian-packages.ts')};
			const folder = await unpackDebianPackage('tool', () => {});
			const { env } = await unpackedProgram(folder, '');
			console.log(JSON.stringify({ folder, libraries: env.LD_LIBRARY_PATH }));`,
			home.env,
		),
	) as Unpacked;

it('unpacks a package with what it needs, once', async () => {
	await program('apt-get', aptGet);
	const unpacked = await unpack();
	expect(await unpack()).toEqual(unpacked);
	expect(await calls()).toEqual([
		`apt-get ${simulate}`,
		'apt-get download libtool tool',
		'dpkg -x libtool_1.0.deb .',
		'dpkg -x tool_1.0.deb .',
	]);
	expect(await readdir(unpacked.folder)).toEqual(['usr']);
	const lib = join(unpacked.folder, 'usr', 'lib');
	expect(unpacked.libraries.split(delimiter).slice(0, 2)).toEqual([
		lib,
		join(lib, 'x86_64-linux-gnu'),
	]);
});

it('reads new lists of packages, into a folder of its own, where this machine has none', async () => {
	await program(
		'apt-get',
		`case "$*" in *Dir::State::lists*) ;; *) echo 'Unable to locate package' >&2; exit 100;; esac\n${aptGet}`,
	);
	const unpacked = await unpack();
	const own = `${unpacked.folder}.partial/apt`;
	const options = `-o Dir::State::lists=${own}/lists -o Dir::Cache=${own}/cache`;
	expect(await calls()).toEqual([
		`apt-get ${simulate}`,
		`apt-get ${options} update`,
		`apt-get ${options} ${simulate}`,
		`apt-get ${options} download libtool tool`,
		'dpkg -x libtool_1.0.deb .',
		'dpkg -x tool_1.0.deb .',
	]);
	expect(await readdir(unpacked.folder)).toEqual(['usr']);
});

it('says how to install the package where it cannot be downloaded, and leaves nothing behind', async () => {
	await program('apt-get', "echo 'Unable to locate package' >&2; exit 100");
	await expect(unpack()).rejects.toThrow(
		/tool is not installed, and could not be downloaded with apt-get: [\s\S]*Unable to locate package[\s\S]*sudo apt-get install tool\) and run the command again\./,
	);
	await program('apt-get', aptGet);
	expect(await readdir((await unpack()).folder)).toEqual(['usr']);
});
