import { Clearance } from '../service/clearance';
import type { Endpoint } from '../service/endpoints';
import type { Failure } from '../service/failure';
import { StreamedForm } from '../service/form';
import type { Fields } from '../service/form';
import { choiceOf } from '../params/givenOption';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import { recordKey, recordOf } from './mergeCurrent';
import { findRecords } from './lookup';
import { stagesOf } from './operation';
import type { DraftStep, Operation, ItemPlan, SendRequest, Stage, StepStage } from './operation';
import { filledBy, identityOf, namesIn, pick, requireInputs } from './parse';
import type { RunContext } from './runContext';
import { itemKey } from './writer/ledger';
import { failedBefore, notSent } from './writer/outcome';
import type { Outcome } from './writer/outcome';
import { sendingTurn } from './writer/write';
import type { Action, WriteRequest } from './writer/write';

/**
 * Decides about the requests of a run: each is sent, returned, refused, or follows others. Requests for one record, and
 * those that pass the sending gate, are decided completely only when it is their turn, see `finish`.
 *
 * A run that does not continue after a failure ends at the first step in which an item is refused.
 */
export async function planAll(
	run: RunContext,
	operation: Operation,
	parsed: readonly ItemPlan[],
): Promise<ItemPlan[]> {
	if (isRefused(run, parsed)) return [...parsed];
	const found = refuseOvertaken(operation, await Promise.all(parsed.map(lookUp)));
	const { ahead } = stagesOf(operation);
	const filled = filledBy(ahead);
	const required = pick(operation.body ?? {}, (name) => filled.has(name));
	const requireBody: DraftStep = async (draft) => requireInputs(required, draft.body);
	const begun = await applyStages(run, found, [...ahead, requireBody]);
	return isSending(operation) || operation.plan?.record !== undefined
		? await refuseAhead(run, operation, begun)
		: await applyStages(run, begun, finalStages(operation));
}

const isSending = ({ gate }: Operation): boolean => gate?.name === 'sending';

/** The decisions after those for all items; those that depend on a record come directly before its request. */
function finalStages(operation: Operation): Stage[] {
	const { gate, body = {} } = operation;
	const { before, after } = stagesOf(operation);
	const requireBody: DraftStep = async (draft) => requireInputs(body, draft.body);
	const clear: DraftStep = async (draft) => {
		if (gate) draft.clearance = new Clearance(gate.name);
	};
	return [...before, requireBody, ...after, clear];
}

/**
 * Checks in advance what passes the sending gate: it refuses the requests that would fail as the first one for their
 * record, and leaves the others unchanged.
 */
async function refuseAhead(
	run: RunContext,
	operation: Operation,
	begun: ItemPlan[],
): Promise<ItemPlan[]> {
	if (!isSending(operation) || run.continueOnFail || begun.length === 1 || isRefused(run, begun))
		return begun;
	const first = firstPerRecord(operation, begun);
	const rehearsed = await applyStages(run, first.map(copyOf), finalStages(operation));
	const refused = new Map(
		rehearsed.flatMap((request) =>
			request.kind === 'refused' ? [[request.item.index, request] as const] : [],
		),
	);
	return begun.map((request) => refused.get(request.item.index) ?? request);
}

function firstPerRecord({ plan }: Operation, requests: readonly ItemPlan[]): SendRequest[] {
	const first = new Map<string | number, SendRequest>();
	for (const [position, request] of requests.entries()) {
		if (request.kind !== 'send') continue;
		const record = plan?.record ? recordKey(recordOf(request.draft, plan.record)) : position;
		if (!first.has(record)) first.set(record, request);
	}
	return [...first.values()];
}

function copyOf(request: SendRequest): SendRequest {
	const { query, body, identity } = request.draft;
	const own = { query: { ...query }, body: { ...body }, identity: { ...identity } };
	return { ...request, draft: { ...request.draft, ...own } };
}

/** Runs the stages one after the other, each for all requests. */
async function applyStages(
	run: RunContext,
	requests: readonly ItemPlan[],
	stages: readonly Stage[],
): Promise<ItemPlan[]> {
	let planned = [...requests];
	for (const stage of stages) {
		if (isRefused(run, planned)) break;
		planned =
			'resolve' in stage
				? await stage.resolve(run, planned)
				: await Promise.all(planned.map(async (request) => await takeStep(request, stepOf(stage))));
	}
	return planned;
}

const stepOf = (stage: DraftStep | StepStage): DraftStep =>
	typeof stage === 'function' ? stage : stage.step;

async function takeStep(request: ItemPlan, step: DraftStep): Promise<ItemPlan> {
	if (request.kind === 'items' || request.kind === 'refused') return request;
	const { item } = request;
	const { draft } = request.kind === 'send' ? request : request.request;
	try {
		const json = await step(draft);
		return json === undefined ? request : { kind: 'items', item, items: [{ json }] };
	} catch (error) {
		return { kind: 'refused', item, error };
	}
}

/** Whether the run ends here, because the node does not continue after a failure. */
export function isRefused(run: RunContext, planned: readonly ItemPlan[]): boolean {
	return !run.continueOnFail && planned.some(({ kind }) => kind === 'refused');
}

/**
 * In a further try of the node, the values of an item must not come after those that a later item has written, or may
 * have. A request that carries nothing but its record has none.
 */
function refuseOvertaken(operation: Operation, found: readonly ItemPlan[]): readonly ItemPlan[] {
	const { record } = operation.plan ?? {};
	const hasValues = Object.keys(operation.body ?? {}).some((name) => name !== record);
	if (record === undefined || !hasValues) return found;
	const last = new Map<string, Item>();
	for (const request of found) {
		if (!('prior' in request) || !request.prior) continue;
		const named = recordOf(request.prior, record);
		// It may name the record by its email.
		const [id = named] = request.prior.run.ledger.lookupsOf(request.item.index).get(named) ?? [];
		last.set(recordKey(id), request.item);
	}
	if (last.size === 0) return found;
	return found.map((request) => {
		const { item } = request;
		const later = request.kind === 'send' && last.get(recordKey(recordOf(request.draft, record)));
		if (!later || later.index < item.index) return request;
		const error = new InvalidInput(
			'later-item-written',
			`A later item (item ${later.index}) has already written the same record, or may have`,
			'n8n ran this node again because of this item. To write its values anyway, run the node again with this item alone.',
		);
		return { kind: 'refused', item, error };
	});
}

/** Finds the records that were chosen by address, or within another record. */
async function lookUp(request: ItemPlan): Promise<ItemPlan> {
	if (request.kind !== 'send' || request.lookups.length === 0) return request;
	const { item, draft, lookups } = request;
	try {
		for (const lookup of lookups) {
			await findRecords(draft, lookup);
			Object.assign(
				draft.identity,
				identityOf(item, { [lookup.name]: lookup.input }, lookup.fields),
			);
		}
		return request;
	} catch (error) {
		return { kind: 'refused', item, error };
	}
}

/** The outcome of an item without a request. */
export function outcomeWithoutRequest(planned: ItemPlan): Outcome {
	if (planned.kind === 'items') return { kind: 'items', items: planned.items };
	if (planned.kind !== 'refused') return notSent;
	const outcome = failedBefore(planned.error);
	return outcome.kind === 'failed' ? { ...outcome, isFinal: planned.isFinal } : outcome;
}

/** The action for an item, as the writer expects it. */
export function actionOf(
	run: RunContext,
	operation: Operation,
	request: ItemPlan,
): Action<ItemPlan> | Outcome {
	if (request.kind === 'items' || request.kind === 'refused') {
		return outcomeWithoutRequest(request);
	}
	const planned = request.kind === 'follow' ? request.request : request;
	const { endpoint, plan } = operation;
	return {
		part: request,
		...(endpoint.changesData && { keys: [itemKey(request.item)] }),
		...(plan?.record !== undefined && {
			record: `${endpoint.path} ${recordKey(recordOf(planned.draft, plan.record))}`,
		}),
		// Also of different records.
		...(isSending(operation) && { record: sendingTurn }),
		...(request.kind === 'follow' && { follows: request.leaders }),
		async prepare({ earlier }) {
			const decided = request.kind === 'follow' ? request.decide(earlier) : request;
			return decided.kind === 'send'
				? await finish(run, operation, decided)
				: outcomeWithoutRequest(decided);
		},
		explain(failure) {
			const explained = operation.file ? withPossibleImport(failure) : failure;
			if (explained.effect === 'unknown') planned.draft.onSent?.([]);
			return explained;
		},
	};
}

/** The reference does not say whether the rows before a rejected row are kept (21). */
function withPossibleImport(failure: Failure): Failure {
	const { rejectedFields } = failure;
	if (rejectedFields === undefined || rejectedFields.includes('contact_type_id')) return failure;
	const description =
		'The service may have imported some rows before rejecting the file. Importing them again can create duplicates: correct the file, and remove the rows that are already in the contact type.';
	return { ...failure, description, effect: 'unknown' };
}

/** Reads everything that a request for a record, or a send, depends on directly before it, in the slot of the request. */
async function finish(
	run: RunContext,
	operation: Operation,
	request: SendRequest,
): Promise<WriteRequest | Outcome> {
	const isOnce = isSending(operation);
	if (!isOnce && operation.plan?.record === undefined) return writeRequest(operation, request);
	const client = isOnce ? run.sendingClient(request.item) : request.client;
	request.draft.client = client;
	const stages = finalStages(operation);
	const [planned = request] = await applyStages(run, [{ ...request, client }], stages);
	return planned.kind === 'send'
		? writeRequest(operation, planned)
		: outcomeWithoutRequest(planned);
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
		async read(response, info) {
			const items = await toItems(response, info, { ...identity, ...namesIn(body) });
			draft.onSent?.(items);
			return items;
		},
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
