import type { INodeExecutionData } from 'n8n-workflow';

import { toFailure } from '../service/errors';
import { ServiceError } from '../service/failure';
import type { Item } from '../params/item';
import { Cancelled } from '../util/pool';
import { settleAll } from '../util/settleAll';
import { truncateList } from '../util/text';
import { bulkDelete } from './bulkDelete';
import { exclusively } from './exclusively';
import { withHelp } from './help';
import { recordOf } from './mergeCurrent';
import { errorItem, itemError } from './nodeError';
import type {
	FollowRequest,
	ItemWork,
	Operation,
	PreparedRequest,
	SendRequest,
	Written,
} from './operation';
import { notSent } from './outcome';
import type { Outcome, Sent } from './outcome';
import { beginAll, finishAll, isRefused, pooledClient, refuseAhead } from './prepare';
import type { RunContext } from './runContext';
import { effectOf, namingRead, sendRequest, settledOutcome } from './sendRequest';

/**
 * Runs an operation for all items of a run: all requests are prepared, then sent a few at a time. Every item of the
 * output, and every failure, is paired to its input item.
 *
 * @throws NodeError unless the node is set to continue; nothing more is sent then
 * @throws Cancelled if the execution was canceled
 */
export async function runItems(
	run: RunContext,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	return await runWith(run, operation, sendAll);
}

/** The same for a bulk delete, with the IDs of many items in one request. */
export async function runBulkDelete(
	run: RunContext,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	return await runWith(
		run,
		operation,
		async (_run, _operation, begun) =>
			await bulkDelete(run, operation, await finish(run, operation, begun)),
	);
}

async function runWith(
	run: RunContext,
	operation: Operation,
	send: typeof sendAll,
): Promise<INodeExecutionData[]> {
	const error = invalidOption(run);
	if (error !== undefined) return outputOf(run, allFailed(run, error));
	const begun = await beginAll(run, operation);
	const sent = await send(run, operation, begun);
	if (operation.endpoint.changesData) run.showHint(skippedHint(sent));
	return outputOf(run, sent);
}

/** How many items were skipped, by reason, such as "2 skipped: unsubscribed"; '' if none was. */
function skippedHint({ outcomes }: Sent): string {
	const counts = new Map<string, number>();
	for (const outcome of outcomes) {
		const skipped = outcome.kind === 'items' ? outcome.items[0]?.json.skipped : undefined;
		if (typeof skipped === 'string') counts.set(skipped, (counts.get(skipped) ?? 0) + 1);
	}
	return [...counts].map(([reason, count]) => `${count} skipped: ${reason}`).join(', ');
}

/**
 * Does the work of an operation of several requests for each item of a run.
 *
 * @throws NodeError unless the node is set to continue; no further item is started then
 * @throws Cancelled if the execution was canceled
 */
export async function runEach<ItemParameters>(
	run: RunContext,
	work: ItemWork<ItemParameters>,
): Promise<INodeExecutionData[]> {
	const error = invalidOption(run);
	if (error !== undefined) return outputOf(run, allFailed(run, error));
	const begun = run.items.map((item) => begin(run, item, work));
	const outcomes = begun.map((one): Outcome => (one.kind === 'ready' ? notSent : one));
	if (!run.continueOnFail && outcomes.some(({ kind }) => kind === 'failed')) run.halt();
	const runOne = async (item: Item, position: number) => {
		const ready = begun[position];
		if (run.isHalted || ready?.kind !== 'ready') return;
		const outcome = await workOn(run, item, work, ready.parameters);
		outcomes[position] = outcome;
		if (outcome.kind === 'failed' && !run.continueOnFail) run.halt();
	};
	if (work.changesData) {
		for (const [position, item] of run.items.entries()) await runOne(item, position);
	} else {
		await settleAll(run.items.map(runOne));
	}
	run.pool.check();
	const done = outcomes.filter(({ kind }) => kind === 'items').length;
	return outputOf(run, { outcomes, unit: 'items', done, total: outcomes.length });
}

/** What becomes of an item before anything is sent for any of them. */
function begin<ItemParameters>(
	run: RunContext,
	item: Item,
	{ read }: ItemWork<ItemParameters>,
): Outcome | { kind: 'ready'; parameters: ItemParameters } {
	const prior = run.ledger.priorOutcome(item.index);
	if (prior instanceof Error) return { kind: 'failed', error: prior, effect: 'unknown' };
	if (prior !== undefined) return { kind: 'items', items: prior };
	try {
		return { kind: 'ready', parameters: read(item) };
	} catch (error) {
		return { kind: 'failed', error, effect: 'none' };
	}
}

async function workOn<ItemParameters>(
	run: RunContext,
	item: Item,
	{ perform, changesData }: ItemWork<ItemParameters>,
	parameters: ItemParameters,
): Promise<Outcome> {
	try {
		const client = pooledClient(run, run.clientFor(item));
		const items = [{ json: await perform({ run, item, client }, parameters) }];
		if (changesData) run.ledger.recordItems(item.index, items);
		return { kind: 'items', items };
	} catch (error) {
		if (isStopped(error)) return notSent;
		const effect = effectOf(error);
		if (error instanceof ServiceError && effect === 'unknown') {
			run.ledger.recordUncertain(item.index, error.failure);
		}
		const isBefore = changesData && effect === 'none';
		return { kind: 'failed', error: isBefore ? namingRead(error) : error, effect };
	}
}

function allFailed({ items }: RunContext, error: unknown): Sent {
	const outcomes = items.map((): Outcome => ({ kind: 'failed', error, effect: 'none' }));
	return { outcomes, unit: 'items', done: 0, total: items.length };
}

/** Why an option that holds for all items cannot be used. */
function invalidOption(run: RunContext): unknown {
	try {
		void run.pool;
	} catch (error) {
		return error;
	}
	return undefined;
}

async function finish(
	run: RunContext,
	operation: Operation,
	begun: PreparedRequest[],
): Promise<PreparedRequest[]> {
	const prepared = await finishAll(run, operation, begun);
	run.pool.check();
	haltIfRefused(run, prepared);
	return prepared;
}

function haltIfRefused(run: RunContext, prepared: readonly PreparedRequest[]): void {
	if (isRefused(run, prepared)) run.halt();
}

async function sendAll(
	run: RunContext,
	operation: Operation,
	begun: PreparedRequest[],
): Promise<Sent> {
	const prepared =
		operation.plan?.record === undefined
			? await finish(run, operation, begun)
			: await refuseAhead(run, operation, begun);
	haltIfRefused(run, prepared);
	const outcomes = await sendEach(run, operation, prepared);
	const done = outcomes.filter(({ kind }) => kind === 'items').length;
	return { outcomes, unit: 'items', done, total: outcomes.length };
}

async function sendEach(
	run: RunContext,
	operation: Operation,
	prepared: readonly PreparedRequest[],
): Promise<Outcome[]> {
	const outcomes: Array<Outcome | Promise<Outcome>> = prepared.map(
		(request) => settledOutcome(request) ?? notSent,
	);
	const open = prepared.flatMap((request, position) =>
		settledOutcome(request) === undefined ? [position] : [],
	);
	await run.pool.each(open, async (position) => {
		const request = prepared[position];
		if (request === undefined || run.isHalted) return;
		const sending = sendOne(run, operation, request, outcomes);
		outcomes[position] = sending;
		const outcome = await sending;
		record(run, operation, request, outcome);
		// Before the slot is released, since the next item takes it immediately.
		if (outcome.kind === 'failed' && !run.continueOnFail) run.halt();
	});
	run.pool.check();
	const all = await settleAll(outcomes);
	await operation.plan?.complete?.(run, writtenOf(prepared, all));
	return all;
}

function writtenOf(prepared: readonly PreparedRequest[], outcomes: readonly Outcome[]): Written[] {
	return prepared.flatMap((request, position) => {
		const outcome = outcomes[position];
		return request.kind === 'send' && outcome?.kind === 'items'
			? [{ draft: request.draft, items: outcome.items }]
			: [];
	});
}

async function sendOne(
	run: RunContext,
	operation: Operation,
	request: PreparedRequest,
	outcomes: ReadonlyArray<Outcome | Promise<Outcome>>,
): Promise<Outcome> {
	if (request.kind === 'follow') {
		const leaders = await outcomesBefore(request, outcomes);
		if (run.isHalted) return notSent;
		const decided = request.decide(leaders);
		if (decided.kind === 'refused' && decided.isFinal) {
			run.ledger.recordRefusal(decided.item.index, decided.error as Error);
		}
		return await sendOne(run, operation, decided, outcomes);
	}
	if (request.kind !== 'send') return await sendNow(operation, request);
	const own = request.operation ?? operation;
	const field = own.plan?.record;
	if (field === undefined) return await sendNow(own, request);
	const record = `${own.endpoint.path} ${recordOf(request.draft, field)}`;
	return await exclusively(run, [record], async () => {
		if (run.isHalted) return notSent;
		return await sendNow(own, await finishOne(run, own, request));
	}).catch(notSentIfCancelled);
}

/** Reads what a request depends on, in the slot that the request has already. */
async function finishOne(
	run: RunContext,
	operation: Operation,
	request: SendRequest,
): Promise<PreparedRequest> {
	request.draft.client = request.client;
	const [finished = request] = await finishAll(run, operation, [request]);
	return finished;
}

async function sendNow(operation: Operation, request: PreparedRequest): Promise<Outcome> {
	try {
		if (request.kind === 'refused') throw namingRead(request.error);
		if (request.kind !== 'send') return settledOutcome(request) ?? notSent;
		const items = await sendRequest(operation, request, request.draft.body);
		return { kind: 'items', items };
	} catch (error) {
		if (isStopped(error)) return notSent;
		return { kind: 'failed', error, effect: effectOf(error) };
	}
}

/** @throws whatever is no cancellation, which the pool reports for the whole run */
function notSentIfCancelled(error: unknown): Outcome {
	if (error instanceof Cancelled) return notSent;
	throw error;
}

/** What became of the earlier requests that this one depends on, up to the first that succeeded. */
async function outcomesBefore(
	{ leaders, position }: FollowRequest,
	outcomes: ReadonlyArray<Outcome | Promise<Outcome>>,
): Promise<Outcome[]> {
	const known: Outcome[] = [];
	for (const leader of leaders) {
		if (leader >= position) break;
		const outcome = await (outcomes[leader] ?? notSent);
		known.push(outcome);
		if (outcome.kind === 'items') break;
	}
	return known;
}

/** Whether nothing was sent, since the run had ended by then. */
const isStopped = (error: unknown): boolean =>
	error instanceof ServiceError && error.failure.isStopped === true;

/** For further tries of the node ("Retry On Fail"). */
function record(
	run: RunContext,
	{ endpoint }: Operation,
	{ item }: PreparedRequest,
	outcome: Outcome,
): void {
	if (!endpoint.changesData) return;
	if (outcome.kind === 'items') run.ledger.recordItems(item.index, outcome.items);
	if (outcome.kind === 'failed' && outcome.effect === 'unknown') {
		run.ledger.recordUncertain(item.index, toFailure(outcome.error, endpoint));
	}
}

function outputOf(run: RunContext, sent: Sent): INodeExecutionData[] {
	return sent.outcomes.flatMap((outcome, position) => {
		const item = run.items[position];
		if (item === undefined || outcome.kind === 'notSent') return [];
		if (outcome.kind === 'items') {
			for (const one of outcome.items) one.pairedItem = { item: item.index };
			return outcome.items;
		}
		const error = itemError(run, outcome.error, item);
		if (run.continueOnFail) return [errorItem(error, item.index)];
		const description = [error.description, failedItems(sent), progress(sent, item.index)]
			.filter((sentence) => sentence)
			.join(' ');
		// The editor shows descriptions as HTML; agents read them as they are.
		error.description = run.isTool ? description : description.replaceAll('\n', '<br>');
		error.context.runIndex = run.runIndex;
		throw run.isTool ? error : withHelp(error);
	});
}

/** Items that an error names. */
const mostNamed = 3;

/** Which items failed, where it is more than one. */
function failedItems({ outcomes }: Sent): string {
	const failed = outcomes.flatMap(({ kind }, index) => (kind === 'failed' ? [String(index)] : []));
	if (failed.length <= 1) return '';
	return `${failed.length} items failed: ${truncateList(failed, mostNamed)}.`;
}

/** What became of the other items of a run that stops at this one. */
function progress({ outcomes, unit, done, total }: Sent, itemIndex: number): string {
	if (outcomes.length <= 1) return '';
	const uncertain = outcomes.filter(
		(outcome, position) =>
			position !== itemIndex && outcome.kind === 'failed' && outcome.effect === 'unknown',
	).length;
	const open =
		uncertain === 0
			? ''
			: `${uncertain} other ${uncertain === 1 ? 'item' : 'items'} may have succeeded, too. `;
	if (done === 0 && uncertain === 0) {
		return `None of the ${outcomes.length} items was completed.`;
	}
	return (
		`${done} of ${total} ${unit === 'IDs' ? 'IDs were deleted' : 'items were completed'} before item ${itemIndex} failed. ${open}` +
		'To continue after failures, set "On Error" of this node to "Continue (using error output)".'
	);
}
