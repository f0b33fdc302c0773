/**
 * The only place that sends writes. Every write is an `Action`, made by a planner that sends nothing itself.
 *
 * - A write that may have succeeded is never sent again within a run. One with `keys` is not sent again by a further try
 *   of the node either; those without do no harm if they are.
 * - Actions on one record are sent in their order. All others are sent in parallel, as the pool allows.
 * - Actions of one batch share a request. If the service rejects it, each is sent alone.
 * - What passes the sending gate is sent one at a time (`sendingTurn`), has one try, and is prepared, which means
 *   checked, directly before it.
 * - If the action says where (`verify`), a lost response is looked up in the list once all writes have been sent.
 *   Otherwise, the outcome says that the write may have succeeded.
 */
import type { INodeExecutionData } from 'n8n-workflow';

import type { ClearanceFor } from '../../service/clearance';
import type { ReadResponse, ServiceRequest, WritingClient } from '../../service/client';
import type { Endpoint } from '../../service/endpoints';
import { readEnvelope } from '../../service/envelope';
import { toFailure } from '../../service/errors';
import { isRejected, ServiceError } from '../../service/failure';
import type { Failure } from '../../service/failure';
import { addTo, chunksOf } from '../../util/groups';
import { Cancelled } from '../../util/pool';
import { settleAll } from '../../util/promises';
import { exclusively } from './exclusively';
import { failedBefore, failedWith, notSent } from './outcome';
import type { Outcome } from './outcome';
import type { RunContext } from '../runContext';
import { verifyAll } from './verify';
import type { Verification } from './verify';

/** How many records, or addresses, go into one request. */
export const RECORDS_PER_REQUEST = 100;

/** What the writer sends; an action may also be a read. */
export interface WriteRequest {
	client: WritingClient;
	request: ServiceRequest;
	read: ReadResponse<INodeExecutionData[]>;
}

/** In place of a record, for whatever passes the sending gate: nothing else comes between its checks and its request. */
export const sendingTurn = 'sending';

function noItems(...given: Parameters<typeof readEnvelope>): INodeExecutionData[] {
	readEnvelope(...given);
	return [];
}

/**
 * A write. Without the clearance of its gate, it does not compile.
 *
 * @param client sends in the slot of the writer; `pooled` clients, which would wait forever for one, cannot write
 * @param read makes the output from the response; no output if omitted
 */
export const requestOf = <E extends Endpoint>(
	client: WritingClient,
	request: ServiceRequest & { endpoint: E } & ClearanceFor<E>,
	read: WriteRequest['read'] = noItems,
): WriteRequest => ({ client, request, read });

/** The state when it is the turn of an action. */
interface Turn<Part> {
	/** The parts of all actions that share the request. */
	parts: readonly [Part, ...Part[]];
	/** Whether the service has rejected it together with others, and may have written some of them. */
	isAlone: boolean;
	/** Of the actions that it follows: those that may have succeeded, up to the first that certainly did. */
	earlier: readonly Outcome[];
}

/** One thing to write. */
export interface Action<Part = unknown> {
	/** The planner's own identifier for it. */
	part: Part;
	/**
	 * Reads the data for the request, and makes it.
	 *
	 * @returns the request, or the outcome without one
	 * @throws the error that refuses it
	 */
	prepare(turn: Turn<Part>): WriteRequest | Outcome | Promise<WriteRequest | Outcome>;
	/** Names the action in the ledger; an action that is in the ledger is not sent. */
	keys?: readonly string[];
	/** The record it is about. */
	record?: string;
	/** Actions with the same name share requests, up to `RECORDS_PER_REQUEST` of them each. */
	batch?: string;
	/** Starts once the actions of all lower phases have ended. */
	phase?: number;
	/** The positions of the actions that it depends on: the first ones of this list, as many as `count`. */
	follows?: { positions: readonly number[]; count: number };
	/** Judges a failure; undefined if the goal is reached anyway. */
	explain?(failure: Failure, turn: Turn<Part>): Failure | undefined;
	/** Where a lost response is looked up. */
	verify?: Verification<Part>;
}

/** What the writer needs of a run. */
export type WriteContext = Pick<
	RunContext,
	'service' | 'continueOnFail' | 'halt' | 'isHalted' | 'ledger' | 'pool' | 'signal'
>;

/**
 * Writes a plan.
 *
 * @param planned actions, and outcomes of those without a request
 * @param stopsAtFailure whether nothing more is sent after a failure
 * @returns the outcome of each
 * @throws Cancelled
 */
export async function write<Part>(
	run: WriteContext,
	planned: ReadonlyArray<Action<Part> | Outcome>,
	stopsAtFailure = !run.continueOnFail,
): Promise<Outcome[]> {
	const outcomes: Array<Outcome | Promise<Outcome>> = planned.map((one) =>
		'kind' in one ? one : (priorOf(run, one) ?? notSent),
	);
	const isOpen = (one: Action<Part> | Outcome, position: number): one is Action<Part> =>
		!('kind' in one) && outcomes[position] === notSent;
	const hasFailed = (outcome: Outcome) => outcome.kind === 'failed' && stopsAtFailure;
	if (outcomes.some((outcome) => !(outcome instanceof Promise) && hasFailed(outcome))) run.halt();

	const state = { outcomes, followed: new Map<readonly number[], Followed>() };
	const send = async (positions: readonly number[], isAlone: boolean): Promise<boolean> => {
		const actions = positions.map((position) => planned[position] as Action<Part>);
		const sending = attempt(run, actions, isAlone, state);
		const own = sending.then((sent) => (sent === 'rejected' ? notSent : sent));
		for (const position of positions) outcomes[position] = own;
		const sent = await sending;
		if (sent === 'rejected') return true;
		run.ledger.record(
			actions.flatMap(({ keys = [] }) => keys),
			sent,
		);
		// Done before the slot is released, since the next action takes it immediately.
		if (hasFailed(sent)) run.halt();
		return false;
	};
	for (const requests of phasesOf(planned, isOpen)) {
		const alone: number[] = [];
		await run.pool.each(requests, async (positions) => {
			if (!(await send(positions, false))) return;
			for (const position of positions) alone.push(position);
		});
		await run.pool.each(alone, async (position) => void (await send([position], true)));
	}
	run.pool.check();
	return await verifyAll(planned, await settleAll(outcomes));
}

/** Writes of an earlier try of the node that succeeded, or may have. */
const priorOf = (
	{ ledger }: WriteContext,
	{ keys = [] }: Pick<Action, 'keys'>,
): Outcome | undefined =>
	keys.map((key) => ledger.priorOutcome(key)).find((outcome) => outcome !== undefined);

/** The positions of the actions that share a request, by phase. */
function phasesOf<Part>(
	planned: ReadonlyArray<Action<Part> | Outcome>,
	isOpen: (one: Action<Part> | Outcome, position: number) => one is Action<Part>,
): number[][][] {
	const phases = new Map<number, Map<string | number, number[]>>();
	for (const [position, one] of planned.entries()) {
		if (!isOpen(one, position)) continue;
		const { phase = 0, batch = position } = one;
		const requests = phases.get(phase) ?? new Map<string | number, number[]>();
		phases.set(phase, requests);
		addTo(requests, batch, position);
	}
	return [...phases]
		.sort(([a], [b]) => a - b)
		.map(([, requests]) =>
			[...requests.values()].flatMap((positions) => chunksOf(positions, RECORDS_PER_REQUEST)),
		);
}

/** @returns 'rejected' if the service rejected several at once, so that each is to be sent alone */
async function attempt<Part>(
	run: WriteContext,
	actions: ReadonlyArray<Action<Part>>,
	isAlone: boolean,
	state: WriteState,
): Promise<Outcome | 'rejected'> {
	const [first] = actions as [Action<Part>];
	const earlier = await outcomesBefore(first, state);
	const parts = actions.map(({ part }) => part) as [Part, ...Part[]];
	const work = async () =>
		run.isHalted ? notSent : await sendTogether(actions, { parts, isAlone, earlier });
	const outcome = await (first.record === undefined
		? work()
		: exclusively(run, [first.record], work).catch(notSentIfCancelled));
	return outcome === 'rejected' || outcome.kind === 'notSent'
		? outcome
		: { ...outcome, at: new Date().toISOString() };
}

/** Sends the request of actions, directly after it is prepared. */
async function sendTogether<Part>(
	actions: ReadonlyArray<Action<Part>>,
	turn: Turn<Part>,
): Promise<Outcome | 'rejected'> {
	const [first] = actions as [Action<Part>];
	const ready = await prepare(first, turn);
	if ('kind' in ready) return ready;
	const { client, request, read } = ready;
	try {
		const items = await (request.endpoint.changesData
			? client.write(request, read)
			: client.read(request, read));
		return { kind: 'items', items };
	} catch (error) {
		const failure = toFailure(error, request.endpoint);
		if (failure.isStopped) return notSent;
		if (actions.length > 1 && isRejected(failure)) return 'rejected';
		const explained = first.explain ? first.explain(failure, turn) : failure;
		if (explained === undefined) return { kind: 'items', items: [] };
		const outcome = failedWith(explained === failure ? error : new ServiceError(explained));
		const wasRejectedTogether = turn.isAlone && isRejected(explained);
		return outcome.kind === 'failed' && wasRejectedTogether
			? { ...outcome, wasRejectedTogether }
			: outcome;
	}
}

/** @returns the outcome if nothing is to be sent */
async function prepare<Part>(
	action: Action<Part>,
	turn: Turn<Part>,
): Promise<WriteRequest | Outcome> {
	try {
		const ready = await action.prepare(turn);
		return 'kind' in ready && ready.kind === 'items' ? { ...ready, isUnsent: true } : ready;
	} catch (error) {
		return failedBefore(error);
	}
}

/** @throws any error other than a cancellation, which the pool reports for the whole run */
function notSentIfCancelled(error: unknown): Outcome {
	if (error instanceof Cancelled) return notSent;
	throw error;
}

/** Actions that others follow: how many of them have ended, and which of these may have succeeded. */
interface Followed {
	ended: number;
	known: Outcome[];
}

interface WriteState {
	outcomes: ReadonlyArray<Outcome | Promise<Outcome>>;
	/** By the positions that their followers share, so that not each of many followers reads all before it again. */
	followed: Map<readonly number[], Followed>;
}

async function outcomesBefore(
	{ follows }: Pick<Action, 'follows'>,
	{ outcomes, followed }: WriteState,
): Promise<readonly Outcome[]> {
	if (follows === undefined) return [];
	const { positions, count } = follows;
	const before = followed.get(positions) ?? { ended: 0, known: [] };
	followed.set(positions, before);
	while (before.ended < count && before.known.at(-1)?.kind !== 'items') {
		const { ended } = before;
		const outcome = await (outcomes[positions[ended] ?? -1] ?? notSent);
		// Another follower may have read it in the meantime.
		if (before.ended > ended) continue;
		before.ended++;
		if (outcome.kind === 'items' || (outcome.kind === 'failed' && outcome.effect === 'unknown'))
			before.known.push(outcome);
	}
	return before.known;
}
