import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { copyRepository } from '../project/copy.ts';

const root = join(__dirname, '..', '..');

let copy: string;
beforeAll(async () => {
	copy = await copyRepository();
});
afterAll(async () => await rm(copy, { recursive: true, force: true }));

/** The steps of the worked example: what to put where, and what to write in place of what. */
const instruction =
	/[Ii]n `(?<file>[^`]+)`, (?:(?<side>after|before) the (?<which>first|last) line `(?<line>[^`]+)`:\n\n *```ts\n(?<code>[\s\S]*?)\n *```|write `(?<to>[^`]+)` in place of `(?<from>[^`]+)`)/g;

function insert(text: string, side: string, which: string, line: string, code: string): string {
	const lines = text.split('\n');
	const isIt = (candidate: string) => candidate.trim() === line;
	const at = which === 'first' ? lines.findIndex(isIt) : lines.findLastIndex(isIt);
	if (at < 0) throw new Error(`There is no line "${line}"`);
	lines.splice(side === 'after' ? at + 1 : at, 0, code);
	return lines.join('\n');
}

async function takeSteps(): Promise<number> {
	const text = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
	const steps = [...text.matchAll(instruction)].map(({ groups = {} }) => groups);
	for (const { file = '', side = '', which = '', line = '', code, to = '', from = '' } of steps) {
		const path = join(copy, file);
		const before = await readFile(path, 'utf8');
		const after =
			code === undefined ? before.replace(from, to) : insert(before, side, which, line, code);
		if (after === before) throw new Error(`${file} has no "${from}"`);
		await writeFile(path, after);
	}
	return steps.length;
}

const run = promisify(execFile);

/** @throws Error with its output when it fails */
async function node(script: string, ...args: string[]): Promise<void> {
	const env = Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !name.startsWith('JEST_')),
	);
	const options = { cwd: copy, env, maxBuffer: 1e8 };
	try {
		await run(process.execPath, [script, ...args], options);
	} catch (error) {
		const { stdout, stderr } = error as { stdout: string; stderr: string };
		throw new Error(`${script} failed:\n${stdout}${stderr}`);
	}
}
const tool = async (script: string, ...args: string[]) =>
	await node(join('node_modules', script), ...args);

it('CONTRIBUTING.md shows how to add an operation: what it says compiles, is clean, and runs', async () => {
	expect(await takeSteps()).toBe(11);
	const resource = 'nodes/EmailMarketing/resources/contact.ts';
	await tool('prettier/bin/prettier.cjs', '--write', resource, 'sandbox', 'test');
	await node('scripts/reference.ts');
	await node('scripts/schema.ts');
	expect(await readFile(join(copy, 'docs/reference/contact.md'), 'utf8')).toContain(
		'"archived": true',
	);
	await tool('typescript-7/bin/tsc', '-p', 'tsconfig.dev.json');
	await tool('eslint/bin/eslint.js', '--max-warnings', '0', resource, 'sandbox/endpoints');
	const own = ['coverage.test', 'description.test', 'labels.test', 'operations/contact.test'];
	const projects = ['--selectProjects', 'unit', 'engine', '--runInBand'];
	await tool('jest/bin/jest.js', ...projects, '--testPathPatterns', own.join('|'));
});
