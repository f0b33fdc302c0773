import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackgroundProcess, startInBackground } from './background-process.ts';
import { freePort } from './ports.ts';

export interface N8nOptions {
	/** The folder that ensureN8n gives. */
	installation: string;
	/** The executable of the Node that runs it; this one unless given. */
	node?: string;
	/** Where n8n keeps its state: N8N_USER_FOLDER. */
	userFolder: string;
	port: number;
	/** Further settings of n8n. */
	env?: Record<string, string>;
}

export interface N8nProcess extends BackgroundProcess {
	url: string;
	logFile: string;
}

/** Settings of n8n that make cursors durable, with a scheduler that is as quick as it can be. */
export const durableCursors = {
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
	N8N_SCHEDULER_JITTER_RATIO: '0',
	N8N_SCHEDULER_LEASE_DURATION: '5',
};

/** Where n8n looks for community packages. */
export const installedNodes = (userFolder: string) => join(userFolder, '.n8n', 'nodes');

/** Where n8n keeps workflows, executions and what pollers have seen. */
export const databaseFile = (userFolder: string) => join(userFolder, '.n8n', 'database.sqlite');

/** Settings that a shell, npm or jest left in the environment and that would reach n8n. */
const foreign =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|CREDENTIALS_|WEBHOOK_|npm_|JEST_|NODE_ENV$|NODE_OPTIONS$)/;

const inherited = () =>
	Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));

async function answers(url: string): Promise<boolean> {
	const response = await fetch(url);
	return response.ok && (response.headers.get('content-type') ?? '').includes('json');
}

/** Those that ask servers of n8n. An n8n refuses the names of modules that it does not have. */
function unwantedModules(installation: string): string {
	const modules = join(installation, 'node_modules', 'n8n', 'dist', 'modules');
	return ['mcp-registry', 'instance-ai'].filter((name) => existsSync(join(modules, name))).join();
}

/** What n8n is started with: no telemetry, no requests to n8n's own servers, loopback only. */
async function settings({ installation, userFolder, env }: N8nOptions): Promise<NodeJS.ProcessEnv> {
	return {
		...inherited(),
		NODE_ENV: 'production',
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_DISABLED_MODULES: unwantedModules(installation),
		// On a busy machine, n8n would take its own database for lost, and refuse every request for a while.
		DB_PING_TIMEOUT_MS: '60000',
		...env,
	};
}

/** One process of n8n, which is told its port by `portEnv` and answers there when it is ready. */
async function startProcess(
	options: N8nOptions,
	name: string,
	command: string[],
	portEnv: Record<string, string>,
	ready: (url: string) => Promise<boolean>,
): Promise<N8nProcess> {
	const { installation, userFolder, port } = options;
	const url = `http://127.0.0.1:${port}`;
	const logFile = join(userFolder, 'n8n.log');
	await mkdir(userFolder, { recursive: true });
	// n8n waits ten seconds where it finds this file, which it leaves behind when it is killed.
	await rm(join(userFolder, '.n8n', 'crash.journal'), { force: true });
	const process_ = await startInBackground({
		name,
		command: options.node ?? process.execPath,
		args: [join(installation, 'node_modules', 'n8n', 'bin', 'n8n'), ...command],
		cwd: userFolder,
		env: { ...(await settings(options)), ...portEnv },
		logFile,
		ready: async () => await ready(url),
		timeoutMs: 300_000,
	});
	return { ...process_, url, logFile };
}

/** Whether a process of n8n that was started has what it needs. */
export const isReady = async (url: string) =>
	await answers(`${url}/healthz/readiness`).catch(() => false);

/**
 * Starts n8n on the loopback address.
 *
 * @returns when its REST interface answers
 * @throws UserError with the end of its log when it does not come up
 */
export async function startN8n(options: N8nOptions): Promise<N8nProcess> {
	const port = { N8N_PORT: String(options.port) };
	return await startProcess(
		options,
		'n8n',
		['start'],
		port,
		async (url) => (await isReady(url)) && (await answers(`${url}/rest/settings`)),
	);
}

/**
 * Starts a worker of an n8n in queue mode, whose settings `env` must have. The port is that of its
 * health check.
 *
 * @param concurrency how many executions it runs at the same time
 * @returns when it takes executions
 * @throws UserError with the end of its log when it does not come up
 */
export async function startN8nWorker(
	options: N8nOptions,
	concurrency: number,
): Promise<N8nProcess> {
	const health = {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(options.port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	};
	const command = ['worker', `--concurrency=${concurrency}`];
	return await startProcess(options, 'A worker of n8n', command, health, isReady);
}
