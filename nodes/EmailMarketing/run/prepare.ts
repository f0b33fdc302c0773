import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../service/client';
import type { Fields, FormValue } from '../service/form';
import { fileOf } from '../params/file';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import type { Input, Inputs } from '../params/validators';
import { listOf, locatorMode, locatorValue } from '../params/values';
import { labelOf } from '../util/labels';
import { quote } from '../util/text';
import { recordOf } from './mergeCurrent';
import { findRecords, lookupsOf } from './lookup';
import type { DraftStep, HoldBack, Operation, PreparedRequest, SendRequest } from './operation';
import type { RunContext } from './runContext';

/**
 * Begins the requests of all items, up to where they depend on records that requests of this run may change. Reads
 * happen only once every item has passed the checks that need none.
 *
 * A run that does not continue after a failure ends at the first phase in which an item is refused.
 */
export async function beginAll(run: RunContext, operation: Operation): Promise<PreparedRequest[]> {
	const built = await Promise.all(
		run.items.map(async (item) => await prepare(run, item, operation)),
	);
	if (isRefused(run, built)) return built;
	return await Promise.all(built.map(lookUp));
}

/**
 * Refuses requests that are finished only when it is their turn, and leaves the others as they are: first for what
 * their items say, then, where an operation checks its requests, for what the first request for a record would do.
 */
export async function refuseAhead(
	run: RunContext,
	operation: Operation,
	begun: PreparedRequest[],
): Promise<PreparedRequest[]> {
	const { resolveValues = [], enrich = [], preconditions } = operation;
	if (run.continueOnFail || begun.length === 1 || isRefused(run, begun)) return begun;
	const checked = await rehearse(begun, operation, resolveValues);
	if (preconditions === undefined || isRefused(run, checked)) return checked;
	const first = firstPerRecord(run, operation, checked);
	const steps = [...resolveValues, ...enrich, requireBody(operation), ...preconditions];
	const rehearsed = await rehearse([...first.values()], operation, steps);
	const refused = new Map(rehearsed.map((request) => [request.item.index, request]));
	return checked.map((request) => refused.get(request.item.index) ?? request);
}

function firstPerRecord(
	run: RunContext,
	{ inTurn }: Operation,
	requests: readonly PreparedRequest[],
): Map<string, PreparedRequest> {
	const first = new Map<string, PreparedRequest>();
	for (const request of requests) {
		if (request.kind !== 'send' || inTurn === undefined) continue;
		const record = `${run.accountOf(request.item)} ${recordOf(request.draft, inTurn.field)}`;
		if (!first.has(record)) first.set(record, request);
	}
	return first;
}

/** Takes the steps with copies of the requests; one that would be held back is not refused. */
async function rehearse(
	requests: PreparedRequest[],
	{ holdBack }: Operation,
	steps: DraftStep[],
): Promise<PreparedRequest[]> {
	const rehearsed = await eachDraft(requests.map(copyOf), steps);
	return await Promise.all(
		requests.map(async (request, position) => {
			const { [position]: refused = request } = rehearsed;
			if (refused.kind !== 'refused') return request;
			const held = holdBack && (await hold(copyOf(request), holdBack));
			return held?.kind === 'items' ? request : refused;
		}),
	);
}

function copyOf(request: PreparedRequest): PreparedRequest {
	if (request.kind !== 'send') return request;
	const { query, body, identity } = request.draft;
	const own = { query: { ...query }, body: { ...body }, identity: { ...identity } };
	return { ...request, draft: { ...request.draft, ...own } };
}

/** Finishes requests that were begun; none of them is sent before all of them are there. */
export async function finishAll(
	run: RunContext,
	operation: Operation,
	found: PreparedRequest[],
): Promise<PreparedRequest[]> {
	if (isRefused(run, found)) return found;
	const { holdBack, resolveValues, enrich, resolveExisting, preconditions } = operation;
	const allowed = holdBack
		? await Promise.all(found.map(async (request) => await hold(request, holdBack)))
		: found;
	if (isRefused(run, allowed)) return allowed;
	const steps = enrich && [...(resolveValues ?? []), ...enrich, requireBody(operation)];
	const enriched = steps ? await eachDraft(allowed, steps) : allowed;
	if (isRefused(run, enriched)) return enriched;
	const filtered = await Promise.all(enriched.map(filterFile));
	if (isRefused(run, filtered)) return filtered;
	const resolved = (await resolveExisting?.resolve(run, filtered)) ?? filtered;
	return preconditions ? await eachDraft(resolved, preconditions) : resolved;
}

/** Whether the run ends here: the node does not continue after a failure. */
export function isRefused(run: RunContext, prepared: readonly PreparedRequest[]): boolean {
	return !run.continueOnFail && prepared.some(({ kind }) => kind === 'refused');
}

async function prepare(
	run: RunContext,
	item: Item,
	operation: Operation,
): Promise<PreparedRequest> {
	const prior = run.ledger.priorOutcome(item.index);
	if (prior instanceof Error) return { kind: 'refused', item, error: prior };
	if (prior !== undefined) return { kind: 'items', item, items: prior };
	try {
		return await build(run, item, operation);
	} catch (error) {
		return { kind: 'refused', item, error };
	}
}

async function build(run: RunContext, item: Item, operation: Operation): Promise<SendRequest> {
	const client = run.clientFor(item);
	const values = operation.parse?.(run, item) ?? {};
	const query = readInputs(item, operation.query ?? {}, values);
	const body = readInputs(item, operation.body ?? {}, values);
	const lookups = [
		...lookupsOf(item, operation.query ?? {}, query),
		...lookupsOf(item, operation.body ?? {}, body),
	];
	for (const [field, cleared] of clearedFields(item, operation)) body[field] ??= cleared;
	requireInputs(operation.query ?? {}, query);
	if (operation.enrich === undefined) requireInputs(operation.body ?? {}, body);
	const identity = {
		...identityOf(item, operation.query ?? {}, query),
		...identityOf(item, operation.body ?? {}, body),
	};
	operation.holdBack?.check(run, item);
	operation.resolveExisting?.check(run, item);
	const toItems = await operation.output(run, item, operation.endpoint);
	const file = operation.file && (await fileOf(item, operation.file, run));
	const fileFilter = file && (await operation.fileFilter?.(run, item, file));
	return {
		kind: 'send',
		item,
		draft: { run, item, client: pooledClient(run, client), query, body, identity },
		client,
		lookups,
		file,
		fileFilter,
		toItems,
	};
}

/** Takes out of a file what must not be sent. */
async function filterFile(request: PreparedRequest): Promise<PreparedRequest> {
	if (request.kind !== 'send' || request.fileFilter === undefined) return request;
	const { item, draft } = request;
	try {
		const filtered = await request.fileFilter(draft);
		if ('items' in filtered) return { kind: 'items', item, items: filtered.items };
		Object.assign(draft.identity, filtered.report);
		return { ...request, file: filtered.file };
	} catch (error) {
		return { kind: 'refused', item, error };
	}
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

async function eachDraft(
	prepared: readonly PreparedRequest[],
	steps: DraftStep[],
): Promise<PreparedRequest[]> {
	return await Promise.all(
		prepared.map(async (request) => {
			if (request.kind === 'items' || request.kind === 'refused') return request;
			const { draft } = request.kind === 'send' ? request : request.request;
			try {
				for (const step of steps) await step(draft);
				return request;
			} catch (error) {
				return { kind: 'refused', item: request.item, error } as const;
			}
		}),
	);
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

/** Finds the records that were chosen by their address, or within another record. */
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

/** Puts what is returned for an item that must not be written in place of its request. */
async function hold(request: PreparedRequest, holdBack: HoldBack): Promise<PreparedRequest> {
	if (request.kind !== 'send') return request;
	const { item, draft } = request;
	try {
		const json = await holdBack.find(draft);
		return json === undefined ? request : { kind: 'items', item, items: [{ json }] };
	} catch (error) {
		return { kind: 'refused', item, error };
	}
}

const requireBody =
	({ body = {} }: Operation): DraftStep =>
	async (draft) =>
		requireInputs(body, draft.body);

function requireInputs(inputs: Inputs, fields: Fields): void {
	const missing = Object.entries(inputs)
		.filter(([name, { required }]) => required && fields[name] === undefined)
		.map(([name, { label }]) => `"${label ?? labelOf(name)}"`);
	if (missing.length > 0) {
		throw new InvalidInput(
			`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} required but empty`,
			'Enter a value. If the field contains an expression, it is empty for this item.',
		);
	}
}

/** The fields to clear, with what is sent for each. */
function clearedFields(
	item: Item,
	{ clearable, body = {} }: Operation,
): Array<[string, FormValue]> {
	if (clearable === undefined) return [];
	const label = 'Fields to Clear';
	const known = new Map(
		Object.entries(body).flatMap(([name, { required, cleared = '' }]) =>
			required || cleared === false ? [] : [[name, cleared] as const],
		),
	);
	return listOf(item.param(clearable, []), label).map((name) => {
		if (known.has(name)) return [name, known.get(name)];
		throw new InvalidInput(
			`"${label}" contains a field that cannot be cleared: ${quote(name)}`,
			`Choose from: ${[...known.keys()].join(', ')}.`,
		);
	});
}
