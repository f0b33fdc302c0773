import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, realpath } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type BackgroundProcess, startInBackground } from './background-process.ts';
import { type Program, unpackDebianPackage, unpackedProgram } from './debian-packages.ts';
import { giveToUnprivileged, isRoot, unprivileged } from './unprivileged.ts';

const run = promisify(execFile);
const user = 'n8n';
const database = 'postgres';

/** The newest version below a folder that Debian's packages fill. */
async function versionedBin(root: string): Promise<string | undefined> {
	const parent = join(root, 'usr', 'lib', 'postgresql');
	const versions = existsSync(parent) ? await readdir(parent) : [];
	const bins = versions
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(parent, version, 'bin'));
	return bins.find((bin) => existsSync(join(bin, 'initdb')));
}

/**
 * PostgreSQL of this machine, or out of Debian's package.
 *
 * @param folder where it is put when this is root, whose cache is closed to the user it runs as
 */
export async function ensurePostgres(
	folder: string,
	report: (text: string) => void,
): Promise<Program> {
	const onPath = (process.env.PATH ?? '').split(delimiter).map((path) => join(path, 'initdb'));
	const initdb = onPath.find((path) => existsSync(path));
	// A link to it says where the rest is.
	const bin = initdb ? dirname(await realpath(initdb)) : await versionedBin('/');
	if (bin !== undefined) return { bin, env: {} };
	let unpacked = await unpackDebianPackage('postgresql', report);
	if (isRoot()) {
		const copy = join(folder, 'postgresql');
		await cp(unpacked, copy, { recursive: true });
		unpacked = copy;
	}
	return await unpackedProgram(unpacked, (await versionedBin(unpacked)) ?? unpacked);
}

/** A PostgreSQL server of a test's own, with its data in a folder. */
export class Postgres {
	/** The settings of n8n that make it use this server. */
	readonly n8nEnv: Record<string, string>;
	private readonly program: Program;
	private readonly folder: string;
	private readonly port: number;
	private process: BackgroundProcess | undefined;

	private constructor(program: Program, folder: string, port: number) {
		this.program = program;
		this.folder = folder;
		this.port = port;
		this.n8nEnv = {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: database,
			DB_POSTGRESDB_USER: user,
		};
	}

	/**
	 * Makes an empty database, without starting the server.
	 *
	 * @param folder in which the data and the log will be; anybody must be allowed to go through it
	 */
	static async create(program: Program, folder: string, port: number): Promise<Postgres> {
		await mkdir(folder, { recursive: true });
		await giveToUnprivileged(folder);
		const postgres = new Postgres(program, folder, port);
		await postgres.command('initdb', [
			...['--pgdata', postgres.data, '--username', user, '--auth', 'trust'],
			...['--encoding', 'UTF8', '--no-locale', '--no-sync'],
		]);
		return postgres;
	}

	private get data(): string {
		return join(this.folder, 'data');
	}

	private get env(): NodeJS.ProcessEnv {
		return { ...process.env, ...this.program.env };
	}

	private async command(name: string, args: string[]): Promise<string> {
		const [command, all] = unprivileged(join(this.program.bin, name), args);
		const options = { cwd: this.folder, env: this.env, maxBuffer: 64 * 1024 * 1024 };
		return (await run(command, all, options)).stdout;
	}

	async start(): Promise<void> {
		const address = ['-h', '127.0.0.1', '-p', String(this.port)];
		const [command, args] = unprivileged(join(this.program.bin, 'postgres'), [
			...['-D', this.data, ...address, '-c', 'unix_socket_directories=', '-c', 'fsync=off'],
		]);
		this.process = await startInBackground({
			name: 'PostgreSQL',
			command,
			args,
			cwd: this.folder,
			env: this.env,
			logFile: join(this.folder, 'postgres.log'),
			ready: async () => (await this.command('pg_isready', address)) !== '',
			timeoutMs: 120_000,
		});
	}

	/** Ends all connections and the server, with everything saved. */
	async stop(): Promise<void> {
		if (this.process === undefined) return;
		await this.command('pg_ctl', ['stop', '-D', this.data, '-m', 'fast']);
		await this.process.stop();
		this.process = undefined;
	}

	/** The rows that a query gives, as objects. */
	async rows<T = Record<string, unknown>>(query: string): Promise<T[]> {
		const output = await this.command('psql', [
			...['-h', '127.0.0.1', '-p', String(this.port), '-U', user, '-d', database],
			...['--no-psqlrc', '--quiet', '--tuples-only', '--no-align'],
			...['--command', `SELECT coalesce(json_agg(found), '[]') FROM (${query}) AS found`],
		]);
		return JSON.parse(output) as T[];
	}
}
