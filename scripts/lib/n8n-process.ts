import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackgroundProcess, startInBackground } from './background-process.ts';
import { freePort } from './ports.ts';

export interface N8nOptions {
	/** The folder that ensureN8n gives. */
	installation: string;
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

/**
 * Starts n8n on the loopback address.
 *
 * @returns when its REST interface answers
 * @throws UserError with the end of its log when it does not come up
 */
export async function startN8n(options: N8nOptions): Promise<N8nProcess> {
	const { installation, userFolder, port, env } = options;
	const url = `http://127.0.0.1:${port}`;
	const logFile = join(userFolder, 'n8n.log');
	await mkdir(userFolder, { recursive: true });
	// n8n waits ten seconds where it finds this file, which it leaves behind when it is killed.
	await rm(join(userFolder, '.n8n', 'crash.journal'), { force: true });
	const process_ = await startInBackground({
		name: 'n8n',
		command: process.execPath,
		args: [join(installation, 'node_modules', 'n8n', 'bin', 'n8n'), 'start'],
		cwd: userFolder,
		env: {
			...inherited(),
			NODE_ENV: 'production',
			GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
			N8N_USER_FOLDER: userFolder,
			N8N_PORT: String(port),
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			N8N_SECURE_COOKIE: 'false',
			N8N_DIAGNOSTICS_ENABLED: 'false',
			N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
			N8N_TEMPLATES_ENABLED: 'false',
			N8N_PERSONALIZATION_ENABLED: 'false',
			N8N_VERIFIED_PACKAGES_ENABLED: 'false',
			N8N_DISABLED_MODULES: 'mcp-registry,instance-ai',
			...env,
		},
		logFile,
		ready: async () =>
			(await answers(`${url}/healthz/readiness`)) && (await answers(`${url}/rest/settings`)),
		timeoutMs: 120_000,
	});
	return { ...process_, url, logFile };
}
