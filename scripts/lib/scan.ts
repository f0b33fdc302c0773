import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
	SOURCE_FILE_PATTERNS,
	analyzePackage,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { projectRoot } from './installs.mjs';

/** @returns the folder with the files of the package, unpacked into `.work` */
export async function unpack(tarball: string, name: string): Promise<string> {
	const folder = join(projectRoot, '.work', name);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await promisify(execFile)('tar', ['-xzf', tarball, '-C', folder]);
	return join(folder, 'package');
}

async function scan(folder: string, patterns?: string[]): Promise<string | undefined> {
	const { passed, message = '', details = '' } = await analyzePackage(folder, patterns);
	return passed ? undefined : `${message}\n${details}`;
}

/** n8n's verification scan. Both return what it found wrong, or nothing. */
export const scanSources = () => scan(projectRoot, SOURCE_FILE_PATTERNS);
export const scanUnpacked = (folder: string) => scan(folder);
