import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, reconcile, type Seen } from './account.ts';
import { ExecutionLog, type Logs } from './executions.ts';
import { Faults } from './faults.ts';
import { sampleMemory, type Sample } from './memory.ts';
import type { Finding } from '../test/histories/evidence.ts';
import type { Random } from './random.ts';
import { Service } from './service.ts';
import { kindOf } from './kinds.ts';
import { syncName, triggerName } from './workflows.ts';
import type { World, Workflows } from './world.ts';

/** The share of the time in which n8n is killed; in the rest its memory is watched. */
const killShare = 0.6;
/** How long it may take, after the last fault, until everything has been told. */
const settleMs = 240_000;
const listOfSends = '/single-send/list';
const listOfContacts = '/contacts/list';

/** Logs that read all executions again, and know only what they had not kept at their end. */
const newLogs = ({ sync, everything, completed }: Workflows, before?: Logs): Logs => ({
	sync: new ExecutionLog(sync, syncName, before?.sync),
	everything: new ExecutionLog(everything, triggerName, before?.everything),
	completed: new ExecutionLog(completed, triggerName, before?.completed),
});

/** One world while everything happens to it. */
export interface Run extends Seen {
	workflows: Workflows;
	faults: Faults;
	memory: Sample[];
}

/** How often a list was asked for. */
async function reads({ sandbox }: World, list: string): Promise<number> {
	return (await sandbox.journal()).filter(({ path }) => path === list).length;
}

/** @throws Error when a list is not asked for so often in a minute and a half */
async function readMore(world: World, list: string, times: number): Promise<void> {
	const wanted = (await reads(world, list)) + times;
	const deadline = Date.now() + 90_000;
	while ((await reads(world, list)) < wanted) {
		if (Date.now() > deadline) throw new Error(`No trigger polls ${list}`);
		await sleep(200);
	}
}

/** Brings everything up, with the first poll of each trigger behind it, and the sync active after that. */
export async function prepare(world: World, random: Random): Promise<Run> {
	const service = new Service(world.sandbox, world.source, random.of('service'));
	await service.prepare();
	await world.n8n.start();
	const workflows = await world.setUp();
	const { client } = world;
	await client.activate(workflows.everything);
	await readMore(world, listOfContacts, 3);
	await client.activate(workflows.completed);
	await readMore(world, listOfSends, 6);
	await client.activate(workflows.sync);
	const faults = new Faults(world.sandbox, world.cursors, random.of('faults'));
	return { world, workflows, service, faults, memory: [], logs: newLogs(workflows) };
}

type Work = () => Promise<void>;

/** Does something again and again until it is time; what is begun then is done to its end. */
async function repeat(until: number, signal: AbortSignal, pauseMs: () => number, work: Work) {
	for (;;) {
		const pause = pauseMs();
		if (Date.now() + pause >= until) return;
		await sleep(pause, undefined, { signal });
		await work();
	}
}

/**
 * Lets everything happen side by side for so long.
 *
 * @throws Error the first that something failed with, once the rest has ended as well
 */
export async function letItHappen(run: Run, ms: number, random: Random): Promise<void> {
	const { world, service, faults, memory, logs } = run;
	const [source, acts, wrongs, kills] = ['source', 'acts', 'faults', 'kills'].map((part) =>
		random.of(`pauses of ${part}`),
	) as [Random, Random, Random, Random];
	const end = Date.now() + ms;
	const told = (utr: string) =>
		[logs.everything, logs.completed].every((log) =>
			log.last().some(({ items = [] }) => items.some((item) => completes(item, utr))),
		);
	const changeSource = async () => world.source.change();
	const sample = async () =>
		await world.whileUp(async () => {
			const taken = await sampleMemory(world);
			if (taken) memory.push(taken);
		});
	const readLogs = async () =>
		await world.whileUp(async () => {
			for (const log of Object.values(logs)) await log.read(world.client);
		});
	const killAndStart = async () => {
		await world.n8n.kill(kills);
		await sleep(kills.whole(0, 4_000));
		await world.n8n.start();
	};
	const failure = new AbortController();
	const often = async (pauseMs: () => number, work: Work, until = end) => {
		try {
			await repeat(until, failure.signal, pauseMs, work);
		} catch (error) {
			failure.abort(error);
		}
	};
	await Promise.all([
		often(() => source.whole(1_000, 4_000), changeSource),
		often(
			() => acts.whole(500, 2_500),
			async () => await service.act(told),
		),
		often(
			() => wrongs.whole(500, 1_500),
			async () => await faults.inject(),
		),
		often(() => 2_000, sample),
		often(() => 3_000, readLogs),
		often(() => kills.whole(2_000, 20_000), killAndStart, Date.now() + ms * killShare),
	]);
	failure.signal.throwIfAborted();
}

/**
 * Lets things settle: no more faults, and the triggers activated anew as after an edit, which also ends the pauses that
 * n8n makes after failed polls.
 *
 * @returns the last account, from executions that were all read again
 */
export async function settle(run: Run): Promise<Account> {
	const { world, workflows } = run;
	await world.sandbox.clearFaults();
	for (const workflow of [workflows.everything, workflows.completed]) {
		await world.client.deactivate(workflow.id);
		await world.client.activate(workflow);
	}
	const readsBefore = await reads(world, listOfSends);
	const deadline = Date.now() + settleMs;
	for (;;) {
		await sleep(3_000);
		const { findings } = await reconcile(run);
		const hasPolled = (await reads(world, listOfSends)) >= readsBefore + 10;
		// What is expected to be lost may only be late as well.
		const isLate = (one: Finding) =>
			['lost', 'expected'].includes(kindOf(one)) || one.promise === 'Every run ends';
		const hasEnded = [run.logs.everything, run.logs.completed].every(
			(log) => log.unfinished().length === 0,
		);
		if ((hasPolled && !findings.some(isLate) && hasEnded) || Date.now() > deadline) break;
	}
	return await reconcile({ ...run, logs: newLogs(workflows, run.logs) });
}

function completes({ event, status, record }: Record<string, unknown>, utr: string): boolean {
	return (
		event === 'singleSendStatusChanged' &&
		(status as { code: unknown } | null)?.code === 3 &&
		(record as { utr: unknown }).utr === utr
	);
}
