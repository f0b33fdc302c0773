import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from './user-error.ts';

const supervisor = join(import.meta.dirname, 'supervise.mjs');
const pollMs = 100;
const stopMs = 10_000;

export interface BackgroundProcess {
	/** Resolves when the process has ended, for whatever reason. */
	readonly exited: Promise<void>;
	/** Asks the process to end, and kills it after ten seconds. */
	stop(): Promise<void>;
	/** Kills the process and all that it started, at once. */
	kill(): Promise<void>;
}

export interface BackgroundOptions {
	/** How messages call it. */
	name: string;
	command: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Where its output goes; written anew. */
	logFile: string;
	/** Whether it can be used now. May throw as long as it cannot. */
	ready: () => Promise<boolean>;
	timeoutMs: number;
}

async function logTail(logFile: string): Promise<string> {
	const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
	return `${lines.slice(-20).join('\n')}\n(all of it: ${logFile})`;
}

/**
 * Starts a process that ends, at the latest, with this one.
 *
 * @returns when it is ready
 * @throws UserError with the end of its output when it ends by itself or is not ready in time
 */
export async function startInBackground(options: BackgroundOptions): Promise<BackgroundProcess> {
	const { name, command, args, cwd, env, logFile, ready, timeoutMs } = options;
	await mkdir(dirname(logFile), { recursive: true });
	const log = await open(logFile, 'w');
	const child = spawn(process.execPath, [supervisor, command, ...args], {
		cwd,
		env,
		stdio: ['pipe', log.fd, log.fd],
		detached: process.platform !== 'win32',
	});
	let running = true;
	const exited = once(child, 'exit').then(async () => {
		running = false;
		await log.close();
	});

	const kill = async () => {
		child.stdin?.destroy();
		await exited;
	};
	const stop = async () => {
		child.kill('SIGTERM');
		const timer = setTimeout(() => child.stdin?.destroy(), stopMs);
		await exited;
		clearTimeout(timer);
	};

	const deadline = Date.now() + timeoutMs;
	while (!(await ready().catch(() => false))) {
		if (!running) throw new UserError(`${name} ended while starting:\n${await logTail(logFile)}`);
		if (Date.now() > deadline) {
			await kill();
			throw new UserError(
				`${name} was not ready after ${timeoutMs / 1000} s:\n${await logTail(logFile)}`,
			);
		}
		await sleep(pollMs);
	}
	return { exited, stop, kill };
}
