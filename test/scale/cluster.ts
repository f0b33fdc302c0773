import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Program } from '../../scripts/lib/debian-packages.ts';
import { credentialName, credentialType, sandboxCredential } from '../../scripts/lib/demo-data.ts';
import { N8nClient, type Owner } from '../../scripts/lib/n8n-client.ts';
import {
	type N8nProcess,
	installedNodes,
	isReady,
	startN8n,
} from '../../scripts/lib/n8n-process.ts';
import { freePort } from '../../scripts/lib/ports.ts';
import { Postgres } from '../../scripts/lib/postgres.ts';
import { Redis } from '../../scripts/lib/redis.ts';
import { SandboxClient } from '../../scripts/lib/sandbox-client.ts';
import { type SandboxProcess, startSandbox } from '../../scripts/lib/sandbox-process.ts';
import { TestN8n } from '../n8n/test-n8n.ts';
import { filesIn } from './files.ts';
import { Holds } from './holds.ts';
import { until } from './until.ts';
import { Worker } from './worker.ts';

export interface ClusterOptions {
	/** How many workers; two unless given. */
	workers?: number;
	/** How many executions a worker runs at the same time; one unless given. */
	concurrency?: number;
	/** Further settings of n8n, for main and workers. */
	env?: Record<string, string>;
}

/** What a cluster is made of. */
export interface Ground {
	installation: string;
	/** The packed package, installed as in a user folder of n8n. */
	installedNodes: string;
	postgres: Program;
	redis: Program;
	/** Where clusters keep their data. */
	folder: string;
}

const owner: Owner = { email: 'owner@example.com', password: 'Owner-of-tests-1' };

/** Jest would show the place in the code with each console.error of a test. */
const report = (text: string) => process.stderr.write(`${text}\n`);

/** n8n in queue mode on this machine: PostgreSQL, Redis, one main, its workers, and a sandbox. */
export class Cluster {
	readonly postgres: Postgres;
	readonly redis: Redis;
	readonly sandbox: SandboxClient;
	readonly workers: Worker[] = [];
	concurrency: number;
	private readonly ground: Ground;
	private readonly folder: string;
	private readonly env: Record<string, string>;
	/** Settings that one test file has changed. */
	private changedEnv: Record<string, string> = {};
	private readonly service: SandboxProcess;
	private readonly port: number;
	private main: N8nProcess | undefined;
	private connected: TestN8n | undefined;
	private holds: Holds | undefined;

	private constructor(
		ground: Ground,
		folder: string,
		options: ClusterOptions,
		servers: { postgres: Postgres; redis: Redis; service: SandboxProcess; port: number },
	) {
		this.ground = ground;
		this.folder = folder;
		this.postgres = servers.postgres;
		this.redis = servers.redis;
		this.service = servers.service;
		this.port = servers.port;
		this.sandbox = new SandboxClient(servers.service.url);
		this.concurrency = options.concurrency ?? 1;
		this.env = {
			...servers.postgres.n8nEnv,
			...servers.redis.n8nEnv,
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
			...options.env,
		};
	}

	/** Starts everything, with the package installed and a credential for the sandbox. */
	static async start(ground: Ground, options: ClusterOptions = {}): Promise<Cluster> {
		const folder = await mkdtemp(join(ground.folder, 'cluster-'));
		await chmod(folder, 0o755);
		report('Starting PostgreSQL, Redis and the sandbox');
		const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
		const [postgresPort = 0, redisPort = 0, sandboxPort = 0, port = 0] = ports;
		const postgres = await Postgres.create(ground.postgres, join(folder, 'postgres'), postgresPort);
		const redis = new Redis(ground.redis, join(folder, 'redis'), redisPort);
		const [service] = await Promise.all([
			startSandbox({
				port: sandboxPort,
				args: ['--seed', 'empty'],
				logFile: join(folder, 'sandbox.log'),
			}),
			postgres.start(),
			redis.start(),
		]);
		const cluster = new Cluster(ground, folder, options, { postgres, redis, service, port });
		await cluster.setUp(options.workers ?? 2);
		return cluster;
	}

	private async setUp(workers: number): Promise<void> {
		const { installation, installedNodes: nodes } = this.ground;
		await cp(nodes, installedNodes(this.mainFolder), { recursive: true });
		for (let n = 1; n <= workers; n++) {
			const name = `worker ${n}`;
			const userFolder = join(this.folder, `worker-${n}`);
			this.workers.push(await Worker.create(name, installation, userFolder, nodes));
		}
		// The database is set up by main, which workers wait for.
		await this.startMain();
		await this.startWorkers();
	}

	/** The main process: what the editor and webhooks talk to. */
	get n8n(): TestN8n {
		if (this.connected === undefined) throw new Error('n8n is not set up yet');
		return this.connected;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	async startMain(): Promise<void> {
		report('Starting the main process of n8n');
		const { installation } = this.ground;
		const { allEnv: env, port, mainFolder: userFolder } = this;
		const started = await startN8n({ installation, userFolder, port, env });
		this.main = started;
		this.connected ??= await this.connect(started.url);
		// Where it ends by itself, it is down.
		void started.exited.then(() => {
			if (this.main === started) this.main = undefined;
		});
	}

	private get allEnv(): Record<string, string> {
		return { ...this.env, ...this.changedEnv };
	}

	private get mainFolder(): string {
		return join(this.folder, 'main');
	}

	private async connect(url: string): Promise<TestN8n> {
		const client = new N8nClient(url);
		await client.logIn(owner);
		const { id } = await client.createCredential(
			credentialName,
			credentialType,
			sandboxCredential(this.sandbox.url),
		);
		return new TestN8n(client, id);
	}

	async stopMain(): Promise<void> {
		await this.main?.stop();
		this.main = undefined;
	}

	/** Starts the workers that are not running. */
	async startWorkers(): Promise<void> {
		const down = this.workers.filter(({ isUp }) => !isUp);
		if (down.length > 0) report(`Starting ${down.map(({ name }) => name).join(' and ')}`);
		await Promise.all(down.map((worker) => worker.start(this.allEnv, this.concurrency)));
	}

	async stopWorkers(): Promise<void> {
		await Promise.all(this.workers.map((worker) => worker.stop()));
	}

	/**
	 * Stops main and workers, in the order in which nothing is lost, and starts them again.
	 *
	 * @param env comes on top of the settings of the start, until the next restart with others
	 */
	async restart(env = this.changedEnv): Promise<void> {
		await this.stopMain();
		await this.stopWorkers();
		this.changedEnv = env;
		await this.startMain();
		await this.startWorkers();
	}

	/** Lets each worker run so many executions at the same time. */
	async setConcurrency(concurrency: number): Promise<void> {
		await this.stopWorkers();
		this.concurrency = concurrency;
		await this.startWorkers();
	}

	/** The processes of n8n that do not run. */
	get down(): string[] {
		const workers = this.workers.filter(({ isUp }) => !isUp).map(({ name }) => name);
		return this.main === undefined ? ['main', ...workers] : workers;
	}

	/**
	 * Waits until n8n works again after an outage of what it needs. What has ended by then is started, as
	 * systemd or Docker would.
	 *
	 * @returns the processes that had ended
	 */
	async recover(): Promise<string[]> {
		const ended = this.down;
		await until('n8n to work again', async () => {
			if (this.main === undefined) await this.startMain();
			await this.startWorkers();
			const ready = [
				this.main !== undefined && isReady(this.main.url),
				...this.workers.map((worker) => worker.isReady()),
			];
			return (await Promise.all(ready)).every(Boolean);
		});
		return ended;
	}

	/** What main keeps on its disk. */
	async mainFiles(): Promise<string[]> {
		return await filesIn(this.mainFolder);
	}

	/** Ends everything, whatever still runs. */
	async end(): Promise<void> {
		this.holds?.close();
		await this.stopMain();
		await this.stopWorkers();
		await Promise.all([this.redis.stop(), this.postgres.stop(), this.service.stop()]);
	}

	/**
	 * Keeps the other workers busy during `work`, so that executions that begin meanwhile run on this
	 * one.
	 */
	async onlyOn<T>(worker: Worker, work: () => Promise<T>): Promise<T> {
		this.holds ??= await Holds.create(this.n8n);
		return await this.holds.onlyOn(worker, this.workers, this.concurrency, work);
	}

	/** Keeps all workers busy during `work`, so that executions that it begins start together afterwards. */
	async startTogether<T>(work: () => Promise<T>): Promise<T> {
		this.holds ??= await Holds.create(this.n8n);
		return await this.holds.whileBusy(this.workers, this.concurrency, work);
	}

	/** The worker that began an execution, if one did. */
	async workerOf(executionId: string): Promise<Worker | undefined> {
		for (const worker of this.workers) if (await worker.hasBegun(executionId)) return worker;
		return undefined;
	}

	/** What n8n has saved for the nodes of a workflow, by the nodes' names. */
	async staticData(workflowId: string): Promise<Record<string, Record<string, unknown>>> {
		type Row = { data: Record<string, Record<string, unknown>> | null };
		const [row] = await this.postgres.rows<Row>(
			`SELECT "staticData" AS data FROM workflow_entity WHERE id = '${workflowId}'`,
		);
		const entries = Object.entries(row?.data ?? {});
		return Object.fromEntries(entries.map(([key, value]) => [key.replace(/^node:/, ''), value]));
	}
}
