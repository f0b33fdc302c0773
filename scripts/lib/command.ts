import { spawn } from 'node:child_process';
import { join } from 'node:path';

const supervisor = join(import.meta.dirname, 'supervise.mjs');

export interface CommandResult {
	ok: boolean;
	/** Standard output and standard error, in the order in which they came. */
	output: string;
}

/**
 * Runs a script under this Node to its end, or to the end of this process.
 *
 * @param script a path of a JavaScript or TypeScript file
 * @param onOutput gets each piece of output as it comes
 */
export async function runScript(
	script: string,
	args: string[],
	options: { cwd: string; env?: NodeJS.ProcessEnv; onOutput?: (text: string) => void },
): Promise<CommandResult> {
	const { cwd, env = process.env, onOutput } = options;
	const child = spawn(process.execPath, [supervisor, process.execPath, script, ...args], {
		cwd,
		env,
		detached: process.platform !== 'win32',
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			output += text;
			onOutput?.(text);
		});
	}
	return await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code) => resolve({ ok: code === 0, output }));
	});
}
