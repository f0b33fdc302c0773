import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { credentialName, credentialType, sandboxCredential } from '../../scripts/lib/demo-data.ts';
import { N8nClient } from '../../scripts/lib/n8n-client.ts';
import {
	databaseFile,
	installedNodes,
	type N8nProcess,
	startN8n,
} from '../../scripts/lib/n8n-process.ts';
import { freePort } from '../../scripts/lib/ports.ts';
import { SandboxClient } from '../../scripts/lib/sandbox-client.ts';
import { N8nDatabase } from './n8n-database.ts';
import { owner, readContext } from './setup/context.ts';
import { TestN8n } from './test-n8n.ts';

export * from './test-n8n.ts';

jest.setTimeout(600_000);

const context = readContext();

/** The n8n that all test files share. */
export const n8n = new TestN8n(
	new N8nClient(context.n8nUrl, context.n8nCookie),
	context.credentialId,
);

/** The sandbox that all test files share, and every n8n of the tests uses. */
export const sandbox = new SandboxClient(context.sandboxUrl);

type Restart = (env: Record<string, string>) => Promise<N8nProcess>;

/** An n8n of one test's own, to be killed and started again. Slow: starts in about 12 seconds. */
export class DedicatedN8n extends TestN8n {
	readonly database: N8nDatabase;
	private process: N8nProcess;
	private readonly restart: Restart;

	constructor(
		client: N8nClient,
		credentialId: string,
		database: N8nDatabase,
		process: N8nProcess,
		restart: Restart,
	) {
		super(client, credentialId);
		this.database = database;
		this.process = process;
		this.restart = restart;
	}

	/** SIGKILL: nothing is saved, nothing is closed. */
	async kill(): Promise<void> {
		await this.process.kill();
	}

	async stop(): Promise<void> {
		await this.process.stop();
	}

	/** Starts it again, after kill or stop, on the same state and port. */
	async start(env: Record<string, string> = {}): Promise<void> {
		this.process = await this.restart(env);
	}
}

/**
 * Starts an n8n with its own user folder, the package and a credential for the shared sandbox.
 * Stop it in `afterAll`.
 *
 * @param env settings of n8n, also for later starts
 */
export async function startDedicatedN8n(env: Record<string, string> = {}): Promise<DedicatedN8n> {
	const userFolder = await mkdtemp(join(context.folder, 'dedicated-'));
	await cp(context.installedNodes, installedNodes(userFolder), { recursive: true });
	const port = await freePort();
	const { installation, node } = context;
	const start: Restart = (more) =>
		startN8n({ installation, node, userFolder, port, env: { ...context.env, ...env, ...more } });
	const process = await start({});
	const client = new N8nClient(process.url);
	await client.logIn(owner);
	const { id } = await client.createCredential(
		credentialName,
		credentialType,
		sandboxCredential(sandbox.url),
	);
	const database = new N8nDatabase(databaseFile(userFolder));
	return new DedicatedN8n(client, id, database, process, start);
}

/** Empties the sandbox: records, journal, violations, faults. */
export const resetSandbox = () => sandbox.reset();

/** The requests that the sandbox saw since it was emptied. */
export const journal = () => sandbox.journal();

/** What those requests did against the reference. */
export const violations = () => sandbox.violations();
