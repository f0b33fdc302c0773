// Runs n8n's verification scan, as n8n runs it on a package that asks to be verified: on the
// sources, and on what would be published.
import { packPackage } from './lib/package-tarball.ts';
import { scanSources, scanUnpacked, unpack } from './lib/scan.ts';
import { isUserError } from './lib/user-error.ts';

function report(what: string, wrong: string | undefined): boolean {
	console.log(`${what}: ${wrong ?? 'passed'}`);
	return wrong === undefined;
}

try {
	const sources = report('Sources', await scanSources());
	const unpacked = await unpack(await packPackage(console.log), 'scan');
	const packed = report('Packed package', await scanUnpacked(unpacked));
	process.exitCode = sources && packed ? 0 : 1;
} catch (error) {
	if (!isUserError(error)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
