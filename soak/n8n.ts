import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { durableCursors, startN8n, startN8nWorker } from '../scripts/lib/n8n-process.ts';
import { freePort } from '../scripts/lib/ports.ts';
import { Postgres } from '../scripts/lib/postgres.ts';
import { Redis } from '../scripts/lib/redis.ts';
import type { Stored } from './executions.ts';
import type { Ground } from './ground.ts';
import { Member } from './member.ts';
import type { Random } from './random.ts';

export type Cursors = 'durable' | 'plain';

const workerCount = 2;
/** How many executions a worker runs at the same time. */
const concurrency = 3;

const queueSettings = {
	// So short that what a kill left behind is cleared away before a run of the soak ends.
	QUEUE_WORKER_LOCK_DURATION: '30000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
	// With the two connections that are usual, n8n often waits for one on a busy machine, and answers that it has no database.
	DB_POSTGRESDB_POOL_SIZE: '10',
	DB_PING_TIMEOUT_MS: '60000',
	// Main and workers share no disk.
	N8N_DEFAULT_BINARY_DATA_MODE: 'database',
};

/** Which process ran an execution, and when that was killed. */
export type RanOn = (execution: Pick<Stored, 'id' | 'startedAt'>) => {
	process: string;
	kill?: Date;
};

/** An n8n of one process, or of a main process, workers, PostgreSQL and Redis. */
export class N8n {
	readonly main: Member;
	readonly workers: Member[];
	private readonly servers: Array<Postgres | Redis>;

	private constructor(main: Member, workers: Member[], servers: Array<Postgres | Redis>) {
		this.main = main;
		this.workers = workers;
		this.servers = servers;
	}

	/** Sets everything up, with only the database and Redis running. */
	static async create(folder: string, cursors: Cursors, ground: Ground): Promise<N8n> {
		const { installation, install, servers: programs } = ground;
		const env: Record<string, string> = {
			N8N_METRICS: 'true',
			// So small that garbage is collected often, and memory that is not given back shows.
			NODE_OPTIONS: '--max-old-space-size=512',
			...(cursors === 'durable' && durableCursors),
		};
		const servers: Array<Postgres | Redis> = [];
		if (programs) {
			const postgres = await Postgres.create(
				programs.postgres,
				join(folder, 'postgres'),
				await freePort(),
			);
			const redis = new Redis(programs.redis, join(folder, 'redis'), await freePort());
			Object.assign(env, postgres.n8nEnv, redis.n8nEnv, queueSettings);
			env.N8N_ENCRYPTION_KEY = randomBytes(24).toString('hex');
			servers.push(postgres, redis);
		}
		const options = async (userFolder: string) => ({
			installation,
			userFolder,
			port: await freePort(),
			env,
		});
		const main = new Member(
			'main',
			join(folder, 'n8n'),
			async (userFolder) => await startN8n(await options(userFolder)),
		);
		await install(join(folder, 'n8n'));
		const workers: Member[] = [];
		for (let n = 1; programs && n <= workerCount; n++) {
			const userFolder = join(folder, `worker-${n}`);
			await install(userFolder);
			const start = async () => await startN8nWorker(await options(userFolder), concurrency);
			workers.push(new Member(`worker ${n}`, userFolder, start));
		}
		for (const server of servers) await server.start();
		return new N8n(main, workers, servers);
	}

	/** How often the sync runs. Executions take longer in queue mode, and those of a sync must not pile up. */
	get syncSeconds(): number {
		return this.workers.length === 0 ? 4 : 8;
	}

	get members(): Member[] {
		return [this.main, ...this.workers];
	}

	/** Starts what is down. Main comes first: it sets the database up. */
	async start(): Promise<void> {
		await this.main.start();
		await Promise.all(this.workers.map(async (worker) => await worker.start()));
	}

	/** Kills everything or, in queue mode, only main or one worker. */
	async kill(random: Random): Promise<void> {
		await Promise.all(this.choose(random).map(async (member) => await member.kill()));
	}

	private choose(random: Random): Member[] {
		const { main, workers, members } = this;
		if (workers.length === 0) return [main];
		const dice = random.whole(1, 10);
		if (dice <= 3) return [main];
		return dice <= 8 ? [random.pick(workers)] : members;
	}

	/** Says of executions where they ran: of workers, their logs tell it. */
	async ranOn(): Promise<RanOn> {
		const { main, workers } = this;
		if (workers.length === 0) {
			return ({ startedAt }) => ({
				process: main.name,
				kill: main.kills.find((kill) => kill.getTime() >= startedAt),
			});
		}
		const ran = new Map<number, ReturnType<RanOn>>();
		for (const worker of workers) {
			const { name: process, kills } = worker;
			for (const [id, start] of await worker.begun())
				ran.set(id, { process, kill: kills[start - 1] });
		}
		return ({ id }) => ran.get(id) ?? { process: 'no worker' };
	}

	/** Ends everything. */
	async end(): Promise<void> {
		for (const member of this.members) await member.stop();
		for (const server of this.servers) await server.stop();
	}
}
