import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INode } from 'n8n-workflow';

import { credentialType, sandboxCredential } from '../../scripts/lib/demo-data.ts';
import type { SavedWorkflow } from '../../scripts/lib/n8n-client.ts';
import { freePort } from '../../scripts/lib/ports.ts';
import { SandboxClient } from '../../scripts/lib/sandbox-client.ts';
import { type SandboxProcess, startSandbox } from '../../scripts/lib/sandbox-process.ts';
import { pollEvery } from '../../scripts/lib/workflow-json.ts';
import { node, type TestN8n, typeOf } from './harness.ts';
import { readContext } from './setup/context.ts';

export const trigger = (
	name: string,
	parameters: INode['parameters'],
	rest: Partial<INode> = {},
): INode =>
	node(name, typeOf('emailMarketingTrigger'), { pollTimes: pollEvery(1), ...parameters }, rest);

/** Long, since n8n may just have started on a machine with other work to do. */
const patienceMs = 300_000;

export const until = async (
	what: string,
	done: () => Promise<boolean>,
	timeoutMs = patienceMs,
	pauseMs = 250,
) => {
	const deadline = Date.now() + timeoutMs;
	let cause: unknown;
	const isDone = async () => {
		cause = undefined;
		return await done();
	};
	const failed = (error: unknown) => {
		cause = error;
		return false;
	};
	while (!(await isDone().catch(failed))) {
		if (Date.now() > deadline) {
			throw new Error(`${what}: not after ${timeoutMs / 1000} s`, { cause });
		}
		await sleep(pauseMs);
	}
};

/** Lets all of it end before it throws, so that nothing goes on behind a test that has failed. */
export async function together(works: Array<Promise<void>>): Promise<void> {
	const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
	if (failed?.status === 'rejected') throw failed.reason;
}

/** A sandbox process of one test's own, which keeps its records when it is killed. */
export class OwnSandbox extends SandboxClient {
	private process: SandboxProcess;
	private readonly restart: () => Promise<SandboxProcess>;

	constructor(process: SandboxProcess, restart: () => Promise<SandboxProcess>) {
		super(process.url);
		this.process = process;
		this.restart = restart;
	}

	kill = async () => await this.process.kill();

	async start(): Promise<void> {
		this.process = await this.restart();
	}

	/** Calls an endpoint of the API, as another client of the service does. */
	async call(method: string, path: string): Promise<void> {
		const { baseUrl, publicKey, secretKey } = sandboxCredential(this.url);
		const headers = { PublicKey: publicKey, SecretKey: secretKey };
		const response = await fetch(baseUrl + path, { method, headers });
		const { status, errors } = (await response.json()) as IDataObject;
		if (status !== 'success') throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
	}

	/** Moves the single sends one step on: 0 → 1 → 2 → 3. */
	tick = async () => await this.control('POST', '/clock', { tick: 1 });

	/** How often a path was asked for since the sandbox was started. */
	async countRequests(path: string): Promise<number> {
		return (await this.journal()).filter((entry) => entry.path === path).length;
	}

	/** Waits until a list was read so often from now on; the answer of the last may be under way. */
	async reads(path: string, count: number, pauseMs = 250): Promise<void> {
		const before = await this.countRequests(path);
		await until(
			`${count} reads of ${path}`,
			async () => (await this.countRequests(path)) >= before + count,
			patienceMs,
			pauseMs,
		);
	}
}

export async function startOwnSandbox(name: string): Promise<OwnSandbox> {
	const { folder } = readContext();
	const port = await freePort();
	const start = async () =>
		await startSandbox({
			port,
			args: ['--seed', 'empty', '--tick', '0', '--data', join(folder, `${name}.sqlite`)],
			logFile: join(folder, `${name}.log`),
		});
	return new OwnSandbox(await start(), start);
}

/** What to put into nodes that use this sandbox. */
export async function credentialFor(n8n: TestN8n, sandbox: OwnSandbox) {
	const data = sandboxCredential(sandbox.url);
	const { id, name } = await n8n.client.createCredential('Own sandbox', credentialType, data);
	return { credentials: { [credentialType]: { id, name } } };
}

/** An execution and the events that it was started with. */
export interface Told {
	status: string;
	events: IDataObject[];
}

/** Every execution of a workflow that was started with events, oldest first. */
export async function executionsOf(n8n: TestN8n, { id }: SavedWorkflow): Promise<Told[]> {
	const executions = (await n8n.client.executions(id)).sort((a, b) => Number(a.id) - Number(b.id));
	const told: Told[] = [];
	for (const { id: executionId, status } of executions) {
		if (status === 'error') continue;
		const { data } = await n8n.client.execution(executionId);
		// After a kill n8n has made-up items where nodes had run, and the real ones where it began.
		const begins = data.executionData?.nodeExecutionStack[0]?.data.main?.[0];
		const items = begins ?? Object.values(data.resultData.runData)[0]?.[0]?.data?.main?.[0];
		if (!items) throw new Error(`Execution ${executionId} (${status}) has no items`);
		told.push({ status, events: items.map(({ json }) => json) });
	}
	return told;
}

/** Every event that the executions of a workflow were started with, oldest execution first. */
export async function eventsOf(n8n: TestN8n, workflow: SavedWorkflow): Promise<IDataObject[]> {
	return (await executionsOf(n8n, workflow)).flatMap(({ events }) => events);
}

/** An event in a few words: `singleSendStatusChanged 0→1 of 12`. */
export function inWords({ event, previousStatus, status, record }: IDataObject): string {
	const code = (shown: IDataObject[string] | undefined) =>
		(shown as IDataObject | null)?.code ?? '–';
	const { utr } = record as IDataObject;
	return `${String(event)} ${code(previousStatus)}→${code(status)} of ${String(utr)}`;
}
