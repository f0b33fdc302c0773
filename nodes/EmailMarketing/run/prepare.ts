import type { IDataObject } from 'n8n-workflow';

import { Clearance } from '../service/clearance';
import type { Client } from '../service/client';
import type { Fields, FormValue } from '../service/form';
import { fileOf } from '../params/file';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import type { Input, Inputs } from '../params/validators';
import { listOf, locatorMode, locatorValue } from '../params/values';
import type { RecordKind } from '../records/recordKind';
import { records } from '../records/records';
import { labelOf } from '../util/labels';
import { quote } from '../util/text';
import { itemKey } from './writer/ledger';
import { recordOf } from './mergeCurrent';
import { findRecords, lookupsOf } from './lookup';
import type {
	DraftStep,
	Operation,
	PreparedRequest,
	SendRequest,
	Stage,
	StepStage,
} from './operation';
import type { RunContext } from './runContext';

/**
 * Prepares the requests of all items, up to the point at which they depend on records that this run may change. Nothing
 * is read before every item has passed the checks that need no reads.
 *
 * A run that does not continue after a failure ends at the first step in which an item is refused.
 */
export async function beginAll(run: RunContext, operation: Operation): Promise<PreparedRequest[]> {
	const built = await Promise.all(
		run.items.map(async (item) => await prepare(run, item, operation)),
	);
	if (isRefused(run, built)) return built;
	const found = await Promise.all(refuseOvertaken(operation, built).map(lookUp));
	const ahead = aheadOf(operation);
	const filled = filledBy(ahead);
	const required = pick(operation.body ?? {}, (name) => filled.has(name));
	const require: DraftStep = async (draft) => requireInputs(required, draft.body);
	return await applyStages(run, found, [...ahead, require]);
}

const filledBy = (stages: readonly Stage[]): Set<string> =>
	new Set(stages.flatMap((stage) => ('fills' in stage ? (stage.fills ?? []) : [])));

const pick = (inputs: Inputs, isWanted: (name: string) => boolean): Inputs =>
	Object.fromEntries(Object.entries(inputs).filter(([name]) => isWanted(name)));

/** The decisions for all items before the first request is sent. */
const aheadOf = ({ gate, plan }: Operation): Stage[] => [
	...(gate?.ahead ?? []),
	...(plan?.ahead ?? []),
];

/** The decisions after that; those that depend on a record come directly before its request. */
function stagesOf({ gate, plan, body = {} }: Operation): Stage[] {
	const require: DraftStep = async (draft) => requireInputs(body, draft.body);
	const clear: DraftStep = async (draft) => {
		if (gate) draft.clearance = new Clearance(gate.name);
	};
	const stages = [...(gate?.before ?? []), ...(plan?.stages ?? [])];
	return [...stages, require, ...(gate?.after ?? []), clear];
}

/** Decides about prepared requests; none is sent before all are prepared. */
export async function finishAll(
	run: RunContext,
	operation: Operation,
	begun: PreparedRequest[],
): Promise<PreparedRequest[]> {
	return await applyStages(run, begun, stagesOf(operation));
}

/**
 * Checks in advance the requests that are completed only when it is their turn: it refuses those that would fail as the
 * first request for their record, and leaves the others unchanged.
 */
export async function refuseAhead(
	run: RunContext,
	operation: Operation,
	begun: PreparedRequest[],
): Promise<PreparedRequest[]> {
	const isChecked = operation.gate?.after !== undefined;
	if (!isChecked || run.continueOnFail || begun.length === 1 || isRefused(run, begun)) return begun;
	const first = firstPerRecord(operation, begun);
	const rehearsed = await finishAll(run, operation, first.map(copyOf));
	const refused = new Map(
		rehearsed.flatMap((request) =>
			request.kind === 'refused' ? [[request.item.index, request] as const] : [],
		),
	);
	return begun.map((request) => refused.get(request.item.index) ?? request);
}

function firstPerRecord({ plan }: Operation, requests: readonly PreparedRequest[]): SendRequest[] {
	const first = new Map<string, SendRequest>();
	for (const request of requests) {
		if (request.kind !== 'send' || plan?.record === undefined) continue;
		const record = recordOf(request.draft, plan.record);
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
	requests: readonly PreparedRequest[],
	stages: readonly Stage[],
): Promise<PreparedRequest[]> {
	let prepared = [...requests];
	for (const stage of stages) {
		if (isRefused(run, prepared)) break;
		prepared =
			'resolve' in stage
				? await stage.resolve(run, prepared)
				: await Promise.all(
						prepared.map(async (request) => await takeStep(request, stepOf(stage))),
					);
	}
	return prepared;
}

const stepOf = (stage: DraftStep | StepStage): DraftStep =>
	typeof stage === 'function' ? stage : stage.step;

async function takeStep(request: PreparedRequest, step: DraftStep): Promise<PreparedRequest> {
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
export function isRefused(run: RunContext, prepared: readonly PreparedRequest[]): boolean {
	return !run.continueOnFail && prepared.some(({ kind }) => kind === 'refused');
}

async function prepare(
	run: RunContext,
	item: Item,
	operation: Operation,
): Promise<PreparedRequest> {
	const outcome = run.ledger.priorOutcome(itemKey(item));
	if (outcome === undefined || outcome.kind === 'notSent') {
		return await build(run, item, operation).catch((error: unknown) => ({
			...{ kind: 'refused', item, error },
		}));
	}
	const request = dependsOnOthers(operation)
		? await build(run, item, operation).catch(() => undefined)
		: undefined;
	const prior = request?.draft;
	return outcome.kind === 'failed'
		? { kind: 'refused', item, error: outcome.error, prior }
		: { kind: 'items', item, items: outcome.items, prior };
}

/** Whether requests of other items for the same record decide about a request. */
const dependsOnOthers = (operation: Operation): boolean =>
	operation.plan?.record !== undefined ||
	[...aheadOf(operation), ...stagesOf(operation)].some((stage) => 'resolve' in stage);

/** In a further try of the node, the values of an item must not replace those that a later item has written. */
function refuseOvertaken(
	operation: Operation,
	built: readonly PreparedRequest[],
): readonly PreparedRequest[] {
	const { record } = operation.plan ?? {};
	const isUpdate = stagesOf(operation).some((stage) => 'fills' in stage);
	if (record === undefined || !isUpdate) return built;
	const last = new Map<string, Item>();
	for (const request of built) {
		if (request.kind !== 'items' || !request.prior) continue;
		last.set(recordOf(request.prior, record), request.item);
	}
	if (last.size === 0) return built;
	return built.map((request) => {
		const { item } = request;
		const later = request.kind === 'send' && last.get(recordOf(request.draft, record));
		if (!later || later.index < item.index) return request;
		const error = new InvalidInput(
			'later-item-written',
			`A later item (item ${later.index}) has already written the same record`,
			'n8n ran this node again because of this item. To replace the values of the later item, run the node again with this item alone.',
		);
		return { kind: 'refused', item, error };
	});
}

async function build(run: RunContext, item: Item, operation: Operation): Promise<SendRequest> {
	const client = run.clientFor(item);
	const values = operation.values?.(run, item) ?? {};
	const query = readInputs(item, operation.query ?? {}, values);
	const body = readInputs(item, operation.body ?? {}, values);
	const lookups = [
		...lookupsOf(item, operation.query ?? {}, query),
		...lookupsOf(item, operation.body ?? {}, body),
	];
	for (const [field, cleared] of clearedFields(item, operation)) body[field] ??= cleared;
	requireInputs(operation.query ?? {}, query);
	const stages = [...aheadOf(operation), ...stagesOf(operation)];
	const filled = filledBy(stages);
	requireInputs(
		pick(operation.body ?? {}, (name) => !filled.has(name)),
		body,
	);
	const identity = {
		...identityOf(item, operation.query ?? {}, query),
		...identityOf(item, operation.body ?? {}, body),
		...namesIn(body),
	};
	for (const stage of stages) if ('check' in stage) stage.check?.(run, item);
	const toItems = await operation.output(run, item, operation.endpoint);
	const file = operation.file && (await fileOf(item, operation.file, run));
	return {
		kind: 'send',
		item,
		draft: { run, item, client: pooledClient(run, client), query, body, identity, file },
		client,
		lookups,
		toItems,
	};
}

/** A client whose requests wait for a slot of the pool. */
export const pooledClient = (run: RunContext, client: Client): Client => ({
	send: async (request, read, isShared) =>
		await run.pool.run(async () => await client.send(request, read, isShared)),
});

/**
 * The values of an item's parameters for a request.
 *
 * @throws InvalidInput for a value that is not valid, or is required but empty
 */
export function readParameters(item: Item, inputs: Inputs): Fields {
	const fields = readInputs(item, inputs, {});
	requireInputs(inputs, fields);
	return fields;
}

function readInputs(item: Item, inputs: Inputs, values: IDataObject): Fields {
	const fields: Fields = {};
	for (const [name, input] of Object.entries(inputs)) {
		const value = input.parameter === '' ? values[name] : item.param(input.parameter, '');
		fields[name] = encodeInput(item, name, input, value);
	}
	return fields;
}

/** @throws InvalidInput */
export function encodeInput(item: Item, name: string, input: Input, value: unknown): FormValue {
	const label = input.label ?? labelOf(name);
	return input.encode(locatorValue(value), label, item, locatorMode(value));
}

/** How people recognize a record of any kind: by its email and its names. */
const nameFields = new Set(
	Object.values<RecordKind>(records).flatMap(({ email, names }) =>
		email === undefined ? names : [email, ...names],
	),
);

/** A write repeats the names that it has written, for the next node. */
export const namesIn = (body: Fields): IDataObject =>
	Object.fromEntries(
		Object.entries(body).filter(([field, value]) => nameFields.has(field) && value !== undefined),
	) as IDataObject;

/** IDs and UTRs of a request, for the output of a write. */
function identityOf(item: Item, inputs: Inputs, fields: Fields): IDataObject {
	const identity: IDataObject = {};
	for (const [name, input] of Object.entries(inputs)) {
		const value = fields[name];
		if (!input.identifies || value === undefined) continue;
		const key = input.identifies === true ? name : input.identifies;
		identity[input.identifiesAs?.(item) ?? key] = idOf(value);
	}
	return identity;
}

/** IDs are returned as numbers, as they are in the records. */
function idOf(value: string | string[]): IDataObject[string] {
	const single = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : text);
	return Array.isArray(value) ? value.map(single) : single(value);
}

/** Finds the records that were chosen by address, or within another record. */
async function lookUp(request: PreparedRequest): Promise<PreparedRequest> {
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

function requireInputs(inputs: Inputs, fields: Fields): void {
	const missing = Object.entries(inputs)
		.filter(([name, { required }]) => required && fields[name] === undefined)
		.map(([name, { label }]) => `"${label ?? labelOf(name)}"`);
	if (missing.length > 0) {
		throw new InvalidInput(
			'value-required',
			`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} required but empty`,
			'Enter a value. If the field contains an expression, it is empty for this item.',
		);
	}
}

const clearLabel = 'Fields to Clear';

/** The names of the fields that an item is to clear. */
export const namesToClear = (item: Item): string[] =>
	listOf(item.param('options.clearFields', []), clearLabel);

/** The fields of an update to clear, with what is sent for each. */
function clearedFields(item: Item, { plan, body = {} }: Operation): Array<[string, FormValue]> {
	if (plan?.record === undefined) return [];
	const known = new Map(
		Object.entries(body).flatMap(([name, { required, cleared = '' }]) =>
			required || cleared === false ? [] : [[name, cleared] as const],
		),
	);
	return namesToClear(item).map((name) => {
		if (known.has(name)) return [name, known.get(name)];
		throw new InvalidInput(
			'field-not-clearable',
			`"${clearLabel}" contains a field that cannot be cleared: ${quote(name)}`,
			`Choose from: ${[...known.keys()].join(', ')}.`,
		);
	});
}
