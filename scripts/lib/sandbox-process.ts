import { join } from 'node:path';
import { type BackgroundProcess, startInBackground } from './background-process.ts';

const projectRoot = join(import.meta.dirname, '..', '..');

export interface SandboxProcess extends BackgroundProcess {
	url: string;
	logFile: string;
}

/**
 * Starts the sandbox on the loopback address.
 *
 * @param args further command line options, such as `--data FILE`
 * @returns when it answers
 * @throws UserError with the end of its log when it does not come up
 */
export async function startSandbox(options: {
	port: number;
	args: string[];
	logFile: string;
}): Promise<SandboxProcess> {
	const { port, args, logFile } = options;
	const url = `http://127.0.0.1:${port}`;
	const sandbox = await startInBackground({
		name: 'The sandbox',
		command: process.execPath,
		args: [join(projectRoot, 'sandbox', 'main.ts'), '--port', String(port), ...args],
		cwd: projectRoot,
		env: process.env,
		logFile,
		ready: async () => (await fetch(`${url}/__sandbox/violations`)).ok,
		timeoutMs: 30_000,
	});
	return { ...sandbox, url, logFile };
}
