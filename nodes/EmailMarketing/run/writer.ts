import { toFailure } from '../service/errors';
import { Cancelled } from '../util/pool';
import { settleAll } from '../util/settleAll';
import { bulkDelete } from './bulkDelete';
import { exclusively } from './exclusively';
import { recordOf } from './mergeCurrent';
import type { FollowRequest, Operation, PreparedRequest, SendRequest, Written } from './operation';
import { notSent } from './outcome';
import type { Outcome, Sent } from './outcome';
import { finishAll, isRefused, refuseAhead } from './prepare';
import type { RunContext } from './runContext';
import { effectOf, isStopped, namingRead, sendRequest, settledOutcome } from './sendRequest';

/** How the requests of a run are sent. */
export type Writer = (
	run: RunContext,
	operation: Operation,
	begun: PreparedRequest[],
) => Promise<Sent>;

/**
 * Sends the requests of a run: in the order of the items where they are about one record, and a few at a time otherwise.
 * What may have succeeded is noted in the ledger and never sent again.
 */
export async function writeAll(
	run: RunContext,
	operation: Operation,
	begun: PreparedRequest[],
): Promise<Sent> {
	const outcomes = await sendEach(run, operation, await decide(run, operation, begun));
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
		recordOutcome(run, operation, request, outcome);
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

/** For further tries of the node ("Retry On Fail"). */
function recordOutcome(
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

/** The same for a bulk delete, with the IDs of many items in one request. */
export const deleteAll: Writer = async (run, operation, begun) =>
	await bulkDelete(run, operation, await decide(run, operation, begun));

/** What is decided before the first request is sent. A run that ends here sends none. */
async function decide(
	run: RunContext,
	operation: Operation,
	begun: PreparedRequest[],
): Promise<PreparedRequest[]> {
	const isInTurn = operation.plan?.record !== undefined;
	const prepared = await (isInTurn ? refuseAhead : finishAll)(run, operation, begun);
	run.pool.check();
	if (isRefused(run, prepared)) run.halt();
	return prepared;
}
