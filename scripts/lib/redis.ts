import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { type BackgroundProcess, startInBackground } from './background-process.ts';
import { type Program, unpackDebianPackage, unpackedProgram } from './debian-packages.ts';

const server = 'redis-server';

/** Redis of this machine, or out of Debian's package. */
export async function ensureRedis(report: (text: string) => void): Promise<Program> {
	const onPath = (process.env.PATH ?? '').split(delimiter);
	const bin = onPath.find((folder) => existsSync(join(folder, server)));
	if (bin !== undefined) return { bin, env: {} };
	const unpacked = await unpackDebianPackage(server, report);
	return await unpackedProgram(unpacked, join(unpacked, 'usr', 'bin'));
}

async function answersPing(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	try {
		await once(socket, 'connect');
		socket.write('PING\r\n');
		const [answer] = (await once(socket, 'data')) as [Buffer];
		return answer.toString().startsWith('+PONG');
	} finally {
		socket.destroy();
	}
}

/** A Redis server of a test's own, which keeps its data over a restart. */
export class Redis {
	/** The settings of n8n that make it use this server. */
	readonly n8nEnv: Record<string, string>;
	private readonly program: Program;
	private readonly folder: string;
	private readonly port: number;
	private process: BackgroundProcess | undefined;

	constructor(program: Program, folder: string, port: number) {
		this.program = program;
		this.folder = folder;
		this.port = port;
		this.n8nEnv = {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(port),
		};
	}

	/** Starts it unless it runs. */
	async start(): Promise<void> {
		if (this.process !== undefined) return;
		await mkdir(this.folder, { recursive: true });
		this.process = await startInBackground({
			name: 'Redis',
			command: join(this.program.bin, server),
			args: [
				...['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder],
				...['--appendonly', 'yes', '--save', ''],
			],
			cwd: this.folder,
			env: { ...process.env, ...this.program.env },
			logFile: join(this.folder, 'redis.log'),
			ready: async () => await answersPing(this.port),
			timeoutMs: 120_000,
		});
	}

	async stop(): Promise<void> {
		await this.process?.stop();
		this.process = undefined;
	}
}
