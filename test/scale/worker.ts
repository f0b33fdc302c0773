import { cp, readFile, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
	type N8nProcess,
	installedNodes,
	isReady,
	startN8nWorker,
} from '../../scripts/lib/n8n-process.ts';
import { freePort } from '../../scripts/lib/ports.ts';
import { filesIn } from './files.ts';
import { until } from './until.ts';

/** A worker of a cluster, with a user folder of its own: it shares no disk with the others. */
export class Worker {
	readonly name: string;
	private readonly installation: string;
	private readonly userFolder: string;
	private process: N8nProcess | undefined;
	private starts = 0;

	private constructor(name: string, installation: string, userFolder: string) {
		this.name = name;
		this.installation = installation;
		this.userFolder = userFolder;
	}

	/** @param nodes where the package is installed, which is copied */
	static async create(
		name: string,
		installation: string,
		userFolder: string,
		nodes: string,
	): Promise<Worker> {
		await cp(nodes, installedNodes(userFolder), { recursive: true });
		return new Worker(name, installation, userFolder);
	}

	get isUp(): boolean {
		return this.process !== undefined;
	}

	/** Whether it takes executions. */
	async isReady(): Promise<boolean> {
		return this.process !== undefined && (await isReady(this.process.url));
	}

	async start(env: Record<string, string>, concurrency: number): Promise<void> {
		const { installation, userFolder } = this;
		const port = await freePort();
		const started = await startN8nWorker({ installation, userFolder, port, env }, concurrency);
		this.process = started;
		this.starts += 1;
		// Where it ends by itself, it is down.
		void started.exited.then(async () => {
			if (this.process === started) await this.end(async () => undefined);
		});
	}

	/** Asks it to end, which it does when its executions have ended. */
	async stop(): Promise<void> {
		await this.end((process_) => process_.stop());
	}

	/** SIGKILL: nothing is saved, nothing is closed. */
	async kill(): Promise<void> {
		await this.end((process_) => process_.kill());
	}

	private async end(how: (process_: N8nProcess) => Promise<void>): Promise<void> {
		const { process: ending } = this;
		if (ending === undefined) return;
		this.process = undefined;
		await how(ending);
		// The next start writes its log anew.
		await rename(ending.logFile, join(this.userFolder, `n8n.${this.starts}.log`));
	}

	/** What it keeps on its disk. */
	async files(): Promise<string[]> {
		return await filesIn(this.userFolder);
	}

	/** Whether it has ever begun that execution. */
	async hasBegun(executionId: string): Promise<boolean> {
		const logs = (await readdir(this.userFolder)).filter((name) => name.endsWith('.log'));
		const texts = await Promise.all(
			logs.map(async (name) => await readFile(join(this.userFolder, name), 'utf8')),
		);
		return texts.some((text) => text.includes(`Worker started execution ${executionId} (`));
	}

	/** Waits until it has begun that execution. */
	async begins(executionId: string): Promise<void> {
		const what = `${this.name} to begin execution ${executionId}`;
		await until(what, async () => await this.hasBegun(executionId));
	}
}
