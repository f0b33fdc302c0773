import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { N8nProcess } from '../scripts/lib/n8n-process.ts';

/** How often a process is started again if it does not come up; each failure is counted. */
const startTries = 4;

const logName = (start: number) => `n8n.${start}.log`;

/** A process of n8n that is killed and started again. The log of each start is kept. */
export class Member {
	readonly name: string;
	/** When each start was over, oldest first. */
	readonly kills: Date[] = [];
	starts = 0;
	/** What it said where it did not come up. */
	readonly failedStarts: string[] = [];
	/** The starts that ended without being killed. */
	readonly endedBySelf: number[] = [];
	private readonly userFolder: string;
	private readonly startProcess: (userFolder: string) => Promise<N8nProcess>;
	private process: N8nProcess | undefined;

	constructor(
		name: string,
		userFolder: string,
		startProcess: (userFolder: string) => Promise<N8nProcess>,
	) {
		this.name = name;
		this.userFolder = userFolder;
		this.startProcess = startProcess;
	}

	get isUp(): boolean {
		return this.process !== undefined;
	}

	/** @throws Error while it is down */
	get url(): string {
		if (!this.process) throw new Error(`${this.name} is down`);
		return this.process.url;
	}

	/** n8n 2.41 may stumble over what a kill left behind, and then comes up at the next try. */
	async start(): Promise<void> {
		for (let left = startTries; !this.process; left--) {
			try {
				const started = await this.startProcess(this.userFolder);
				this.process = started;
				this.starts++;
				void started.exited.then(async () => await this.noteEnd(started));
			} catch (error) {
				if (left === 1) throw error;
				this.failedStarts.push(String(error));
			}
		}
	}

	/** SIGKILL, with nothing saved and nothing closed. */
	async kill(): Promise<void> {
		const { process } = this;
		this.process = undefined;
		if (!process) return;
		await process.kill();
		await this.isOver();
	}

	/** Asks it to end. */
	async stop(): Promise<void> {
		const { process } = this;
		this.process = undefined;
		await process?.stop();
	}

	/** In which start, counted from 1, it began which execution; of a worker. */
	async begun(): Promise<Map<number, number>> {
		const begun = new Map<number, number>();
		const names = new Set(await readdir(this.userFolder));
		for (let start = 1; start <= this.starts; start++) {
			const name = names.has(logName(start)) ? logName(start) : 'n8n.log';
			const text = await readFile(join(this.userFolder, name), 'utf8').catch(() => '');
			for (const [, id] of text.matchAll(/Worker started execution (\d+) \(/g)) {
				begun.set(Number(id), start);
			}
		}
		return begun;
	}

	private async noteEnd(ended: N8nProcess): Promise<void> {
		if (this.process !== ended) return;
		this.process = undefined;
		this.endedBySelf.push(this.starts);
		await this.isOver();
	}

	private async isOver(): Promise<void> {
		this.kills.push(new Date());
		// The next start writes its log anew.
		await rename(join(this.userFolder, 'n8n.log'), join(this.userFolder, logName(this.starts)));
	}
}
