import type { INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../service/client';
import type { Endpoint } from '../service/endpoints';
import { StreamedForm } from '../service/form';
import type { Fields } from '../service/form';
import { choiceOf } from '../params/givenOption';
import type { Item } from '../params/item';
import { recordOf } from './mergeCurrent';
import type { Operation, ItemPlan, Written, SendRequest } from './operation';
import { allFailed, outputOf, skippedHint } from './output/runOutput';
import { namesIn, parseAll } from './parse';
import { isRefused, planAgain, planAll, planInTurn } from './plan';
import type { RunContext } from './runContext';
import { exclusively } from './writer/exclusively';
import { itemKey } from './writer/ledger';
import { failedBefore, notSent, runOutcomeOf } from './writer/outcome';
import type { Outcome, RunOutcome } from './writer/outcome';
import { write } from './writer/write';
import type { Action, WriteRequest } from './writer/write';

/**
 * Runs an operation for all items of a run: all requests are planned, then sent. Every item of the output, and every
 * failure, is paired to its input item.
 *
 * @throws NodeError unless the node is set to continue; nothing more is sent then
 * @throws Cancelled if the execution was canceled
 */
export async function runItems(
	run: RunContext,
	operation: Operation,
	sendAll: SendAll = sendEach,
): Promise<INodeExecutionData[]> {
	const list = operation.plan?.list;
	const runAll = async () => await runSteps(run, operation, sendAll);
	return list === undefined ? await runAll() : await exclusively(run, [list], runAll);
}

/** Sends the planned requests of a run. */
export type SendAll = (
	run: RunContext,
	operation: Operation,
	planned: readonly ItemPlan[],
) => Promise<RunOutcome>;

/** Parse, plan, write, output. */
async function runSteps(
	run: RunContext,
	operation: Operation,
	sendAll: SendAll,
): Promise<INodeExecutionData[]> {
	const error = invalidOption(run);
	if (error !== undefined) return outputOf(run, allFailed(run, error));
	const parsed = await parseAll(run, operation);
	const planned = await planAll(run, operation, parsed);
	run.pool.check();
	if (isRefused(run, planned)) run.halt();
	const sent = await sendAll(run, operation, planned);
	if (operation.endpoint.changesData) run.showHint(skippedHint(sent));
	return outputOf(run, sent);
}

/** Why an option for all items cannot be used. */
export function invalidOption(run: RunContext): unknown {
	try {
		void run.pool;
	} catch (error) {
		return error;
	}
	return undefined;
}

/** One action for each item. */
const sendEach: SendAll = async (run, operation, planned) => {
	const actions = planned.map((request) => actionOf(run, operation, request));
	const outcomes = await write(run, actions);
	await operation.plan?.complete?.(run, writtenOf(planned, outcomes));
	return runOutcomeOf(outcomes);
};

function writtenOf(planned: readonly ItemPlan[], outcomes: readonly Outcome[]): Written[] {
	return planned.flatMap((request, position) => {
		const outcome = outcomes[position];
		return request.kind === 'send' && request.draft.isMade && outcome?.kind === 'items'
			? [{ draft: request.draft, items: outcome.items }]
			: [];
	});
}

/** The outcome of an item without a request. */
export function settledOutcome(request: ItemPlan): Outcome | undefined {
	if (request.kind === 'items') return { kind: 'items', items: request.items };
	if (request.kind !== 'refused') return undefined;
	const outcome = failedBefore(request.error);
	return outcome.kind === 'failed' ? { ...outcome, isFinal: request.isFinal } : outcome;
}

/** The action for an item, as the writer expects it. */
function actionOf(
	run: RunContext,
	operation: Operation,
	request: ItemPlan,
): Action<ItemPlan> | Outcome {
	if (request.kind === 'items' || request.kind === 'refused') {
		return settledOutcome(request) ?? notSent;
	}
	const planned = request.kind === 'follow' ? request.request : request;
	const { endpoint, plan } = operation;
	return {
		part: request,
		...(endpoint.changesData && { keys: [itemKey(request.item)] }),
		...(plan?.record !== undefined && {
			record: `${endpoint.path} ${recordOf(planned.draft, plan.record)}`,
		}),
		...(request.kind === 'follow' && { follows: request.leaders }),
		async prepare({ earlier, place }) {
			const decided = request.kind === 'follow' ? request.decide(earlier) : request;
			return decided.kind === 'send'
				? await finish(run, operation, decided, place)
				: (settledOutcome(decided) ?? notSent);
		},
		explain(failure) {
			if (failure.effect === 'none') planned.draft.onRejected?.();
			return failure;
		},
	};
}

/**
 * Reads everything that a request for a record depends on directly before it, in the slot of the request.
 *
 * @param place for the reads of a further try, which any request that passes the sending gate depends on
 */
async function finish(
	run: RunContext,
	operation: Operation,
	request: SendRequest,
	place: Client | undefined,
): Promise<WriteRequest | Outcome> {
	const isInTurn = operation.plan?.record !== undefined;
	if (!isInTurn && !place) {
		return { ...writeRequest(operation, request), checkedAt: request.checks?.at };
	}
	request.draft.client = request.client;
	const planned = place
		? await planAgain(run, operation, request, place)
		: await planInTurn(run, operation, request);
	return planned.kind === 'send'
		? writeRequest(operation, planned)
		: (settledOutcome(planned) ?? notSent);
}

/** @param body in place of that of the request */
export function writeRequest(
	operation: Operation,
	request: SendRequest,
	body: Fields = request.draft.body,
): WriteRequest {
	const { endpoint, query, body: inputs, file: fileInput } = operation;
	const { client, draft, item, toItems } = request;
	const { file, clearance, identity } = draft;
	draft.isMade = true;
	const form = file && fileInput && new StreamedForm(body, fileInput.field, file);
	return {
		client,
		request: {
			endpoint: withMethod(endpoint, item),
			query: draft.query,
			...(inputs && { body: form ?? body }),
			...(clearance && { clearance }),
			labels: { query, body: inputs },
		},
		read: async (response, info) =>
			await toItems(response, info, { ...identity, ...namesIn(body) }),
	};
}

/** A write for which the reference names two methods is sent once, with the chosen one. */
function withMethod(endpoint: Endpoint, item: Item): Endpoint {
	const { otherMethod } = endpoint;
	if (otherMethod === undefined || !endpoint.changesData) return endpoint;
	const given = item.param('options.requestMethod', endpoint.method);
	const methods = [endpoint.method, otherMethod];
	const chosen = choiceOf(given, 'Compatibility: Request Method', methods);
	return chosen === otherMethod ? { ...endpoint, method: otherMethod } : endpoint;
}
