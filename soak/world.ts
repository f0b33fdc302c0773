import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { credentialName, credentialType, sandboxCredential } from '../scripts/lib/demo-data.ts';
import { N8nClient, type SavedWorkflow } from '../scripts/lib/n8n-client.ts';
import { durableCursors, type N8nProcess, startN8n } from '../scripts/lib/n8n-process.ts';
import { installPackage } from '../scripts/lib/package-tarball.ts';
import { freePort } from '../scripts/lib/ports.ts';
import { SandboxClient } from '../scripts/lib/sandbox-client.ts';
import { type SandboxProcess, startSandbox } from '../scripts/lib/sandbox-process.ts';
import { Source } from './source.ts';
import { workflows } from './workflows.ts';
import type { Random } from './random.ts';

export type Cursors = 'durable' | 'plain';

const owner = { email: 'soak@example.com', password: 'Soak-password-1' };

/** How often n8n is started anew where it does not come up; each failure is counted. */
const startTries = 4;

interface Ground {
	folder: string;
	installation: string;
	tarball: string;
}

export type Workflows = Record<keyof ReturnType<typeof workflows>, SavedWorkflow>;

/** An n8n, a sandbox of the service, and another system whose people are synced, for as long as they last. */
export class World {
	readonly cursors: Cursors;
	readonly sandbox: SandboxClient;
	readonly source: Source;
	/** When n8n was gone after each kill. */
	readonly kills: Date[] = [];
	starts = 0;
	/** What n8n said where it did not come up. */
	readonly failedStarts: string[] = [];
	private readonly service: SandboxProcess;
	private readonly startProcess: () => Promise<N8nProcess>;
	private n8n: N8nProcess | undefined;
	private cookie = '';

	private constructor(
		cursors: Cursors,
		source: Source,
		service: SandboxProcess,
		startProcess: () => Promise<N8nProcess>,
	) {
		this.cursors = cursors;
		this.source = source;
		this.service = service;
		this.sandbox = new SandboxClient(service.url);
		this.startProcess = startProcess;
	}

	/** The sandbox and the other system; n8n comes with `start`. */
	static async create(cursors: Cursors, ground: Ground, random: Random): Promise<World> {
		const folder = join(ground.folder, cursors);
		const userFolder = join(folder, 'n8n');
		await mkdir(userFolder, { recursive: true });
		await installPackage(userFolder, ground.tarball, () => undefined);
		const service = await startSandbox({
			port: await freePort(),
			args: ['--seed', 'empty', '--tick', '0', '--data', join(folder, 'records.sqlite')],
			logFile: join(folder, 'sandbox.log'),
		});
		const env = {
			N8N_METRICS: 'true',
			// So small that garbage is collected often, and memory that is not given back shows.
			NODE_OPTIONS: '--max-old-space-size=512',
			...(cursors === 'durable' && durableCursors),
		};
		const { installation } = ground;
		const source = new Source(random.of('source'), 200);
		return new World(
			cursors,
			source,
			service,
			async () => await startN8n({ installation, userFolder, port: await freePort(), env }),
		);
	}

	/** Whether n8n is up. */
	get isUp(): boolean {
		return this.n8n !== undefined;
	}

	/** @throws Error while n8n is down */
	get client(): N8nClient {
		return new N8nClient(this.n8nUrl, this.cookie);
	}

	/** @throws Error while n8n is down */
	get n8nUrl(): string {
		if (!this.n8n) throw new Error('n8n is down');
		return this.n8n.url;
	}

	/** Does what needs n8n, and nothing while it is down; a kill in the middle of it is no error. */
	async whileUp(work: () => Promise<void>): Promise<void> {
		const { n8n } = this;
		if (n8n === undefined) return;
		try {
			await work();
		} catch (error) {
			if (this.n8n === n8n) throw error;
		}
	}

	/** n8n 2.41 may stumble over what a kill left behind, and then comes up at the next try. */
	async start(): Promise<void> {
		for (let left = startTries; !this.n8n; left--) {
			try {
				this.n8n = await this.startProcess();
			} catch (error) {
				if (left === 1) throw error;
				this.failedStarts.push(String(error));
			}
		}
		this.starts++;
	}

	/** SIGKILL, with nothing saved and nothing closed. */
	async kill(): Promise<void> {
		const { n8n } = this;
		this.n8n = undefined;
		await n8n?.kill();
		this.kills.push(new Date());
		// The next start writes its log anew.
		if (n8n) await rename(n8n.logFile, n8n.logFile.replace(/log$/, `${this.starts}.log`));
	}

	/** Ends everything. */
	async end(): Promise<void> {
		this.source.close();
		await this.n8n?.stop();
		await this.service.stop();
	}

	/** Sets n8n up and saves the workflows, without activating them. */
	async setUp(): Promise<Workflows> {
		const { client } = this;
		await client.logIn(owner);
		this.cookie = client.cookie;
		const own = await client.createCredential(
			credentialName,
			credentialType,
			sandboxCredential(this.sandbox.url),
		);
		const { sync, everything, completed } = workflows(await this.source.listen(), own);
		return {
			sync: await client.createWorkflow(sync),
			everything: await client.createWorkflow(everything),
			completed: await client.createWorkflow(completed),
		};
	}
}
