// Runs n8n's verification scan, as n8n runs it on a package that asks to be verified: on the
// sources, and on what would be published.
import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
	SOURCE_FILE_PATTERNS,
	analyzePackage,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { projectRoot } from './lib/installs.mjs';
import { packPackage } from './lib/package-tarball.ts';
import { isUserError } from './lib/user-error.ts';

async function unpack(tarball: string): Promise<string> {
	const folder = join(projectRoot, '.work', 'scan');
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await promisify(execFile)('tar', ['-xzf', tarball, '-C', folder]);
	return join(folder, 'package');
}

async function scan(what: string, folder: string, patterns?: string[]): Promise<boolean> {
	const { passed, message = '', details = '' } = await analyzePackage(folder, patterns);
	console.log(passed ? `${what}: passed` : `${what}: ${message}\n${details}`);
	return passed;
}

try {
	const sources = await scan('Sources', projectRoot, SOURCE_FILE_PATTERNS);
	const tarball = await packPackage(console.log);
	const packed = await scan('Packed package', await unpack(tarball));
	process.exitCode = sources && packed ? 0 : 1;
} catch (error) {
	if (!isUserError(error)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
