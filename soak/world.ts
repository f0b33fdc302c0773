import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { credentialName, credentialType, sandboxCredential } from '../scripts/lib/demo-data.ts';
import { N8nClient, type SavedWorkflow } from '../scripts/lib/n8n-client.ts';
import { freePort } from '../scripts/lib/ports.ts';
import { SandboxClient } from '../scripts/lib/sandbox-client.ts';
import { type SandboxProcess, startSandbox } from '../scripts/lib/sandbox-process.ts';
import type { Ground } from './ground.ts';
import { type Cursors, N8n } from './n8n.ts';
import { Source } from './source.ts';
import { workflows } from './workflows.ts';
import type { Random } from './random.ts';

const owner = { email: 'soak@example.com', password: 'Soak-password-1' };

export type Workflows = Record<keyof ReturnType<typeof workflows>, SavedWorkflow>;

/** An n8n, a sandbox of the service, and another system whose people are synced, for as long as they last. */
export class World {
	readonly cursors: Cursors;
	readonly n8n: N8n;
	readonly sandbox: SandboxClient;
	readonly source: Source;
	private readonly service: SandboxProcess;
	private cookie = '';

	private constructor(cursors: Cursors, n8n: N8n, source: Source, service: SandboxProcess) {
		this.cursors = cursors;
		this.n8n = n8n;
		this.source = source;
		this.service = service;
		this.sandbox = new SandboxClient(service.url);
	}

	/** The sandbox and the other system; n8n comes with `n8n.start`. */
	static async create(
		cursors: Cursors,
		parent: string,
		ground: Ground,
		random: Random,
	): Promise<World> {
		const folder = join(parent, cursors);
		await mkdir(folder, { recursive: true });
		const n8n = await N8n.create(folder, cursors, ground);
		const service = await startSandbox({
			port: await freePort(),
			args: ['--seed', 'empty', '--tick', '0', '--data', join(folder, 'records.sqlite')],
			logFile: join(folder, 'sandbox.log'),
		});
		return new World(cursors, n8n, new Source(random.of('source'), 200), service);
	}

	/** @throws Error while n8n is down */
	get client(): N8nClient {
		return new N8nClient(this.n8n.main.url, this.cookie);
	}

	/** Does what needs n8n, and nothing while it is down; a kill in the middle of it is no error. */
	async whileUp(work: () => Promise<void>): Promise<void> {
		const { main } = this.n8n;
		const { starts } = main;
		if (!main.isUp) return;
		try {
			await work();
		} catch (error) {
			if (main.isUp && main.starts === starts) throw error;
		}
	}

	/** Ends everything. */
	async end(): Promise<void> {
		this.source.close();
		await this.n8n.end();
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
		const { sync, everything, completed } = workflows(
			await this.source.listen(),
			own,
			this.n8n.syncSeconds,
		);
		return {
			sync: await client.createWorkflow(sync),
			everything: await client.createWorkflow(everything),
			completed: await client.createWorkflow(completed),
		};
	}
}
