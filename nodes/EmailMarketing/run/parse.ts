import type { IDataObject } from 'n8n-workflow';

import type { Fields, FormValue } from '../service/form';
import { fileOf } from '../params/file';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import type { Input, Inputs } from '../params/validators';
import { listOf, locatorMode, locatorValue, placeholderIn } from '../params/values';
import type { RecordKind } from '../records/recordKind';
import { records } from '../records/records';
import { labelOf } from '../util/labels';
import { quote, sanitize } from '../util/text';
import { itemKey } from './writer/ledger';
import { lookupsOf } from './lookup';
import { allStages } from './operation';
import type { Operation, ItemPlan, SendRequest, Stage } from './operation';
import type { RunContext } from './runContext';

/**
 * Reads the values of all items, and checks them as far as that needs no reads. An item that an earlier try of the node
 * has sent gets its outcome again.
 */
export const parseAll = async (run: RunContext, operation: Operation): Promise<ItemPlan[]> =>
	await Promise.all(run.items.map(async (item) => await parse(run, item, operation)));

/** The fields of the body that stages fill. */
export const filledBy = (stages: readonly Stage[]): Set<string> =>
	new Set(stages.flatMap((stage) => ('fills' in stage ? (stage.fills ?? []) : [])));

export const pick = (inputs: Inputs, isWanted: (name: string) => boolean): Inputs =>
	Object.fromEntries(Object.entries(inputs).filter(([name]) => isWanted(name)));

async function parse(run: RunContext, item: Item, operation: Operation): Promise<ItemPlan> {
	const outcome = run.ledger.priorOutcome(itemKey(item));
	if (outcome === undefined || outcome.kind === 'notSent') {
		return await build(run, item, operation).catch((error: unknown) => ({
			...{ kind: 'refused', item, error },
		}));
	}
	const mayHaveWritten = outcome.kind === 'failed' || !outcome.isUnsent;
	const request =
		mayHaveWritten && dependsOnOthers(operation)
			? await build(run, item, operation).catch(() => undefined)
			: undefined;
	const prior = request?.draft;
	return outcome.kind === 'failed'
		? { kind: 'refused', item, error: outcome.error, prior }
		: { kind: 'items', item, items: outcome.items, prior };
}

/** Whether requests of other items for the same record decide about a request. */
const dependsOnOthers = (operation: Operation): boolean =>
	operation.plan?.record !== undefined || allStages(operation).some((stage) => 'resolve' in stage);

async function build(run: RunContext, item: Item, operation: Operation): Promise<SendRequest> {
	const { query: ofQuery = {}, body: ofBody = {} } = operation;
	const client = run.clientFor(item);
	const values = operation.values?.(run, item) ?? {};
	const query = readInputs(item, ofQuery, values);
	const body = readInputs(item, ofBody, values);
	const lookups = [...lookupsOf(item, ofQuery, query), ...lookupsOf(item, ofBody, body)];
	for (const [field, cleared] of clearedFields(item, operation)) body[field] ??= cleared;
	requireInputs(ofQuery, query);
	const stages = allStages(operation);
	const filled = filledBy(stages);
	requireInputs(
		pick(ofBody, (name) => !filled.has(name)),
		body,
	);
	const identity = {
		...identityOf(item, ofQuery, query),
		...identityOf(item, ofBody, body),
		...namesIn(body),
	};
	for (const stage of stages) if ('check' in stage) stage.check?.(run, item);
	const toItems = await operation.output(run, item, operation.endpoint);
	const file = operation.file && (await fileOf(item, operation.file, run));
	return {
		kind: 'send',
		item,
		draft: { run, item, client: run.pooled(client), query, body, identity, file },
		client,
		lookups,
		toItems,
	};
}

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
	if (input.isForReaders) requirePlaceholders(item, input.parameter, label);
	return input.encode(locatorValue(value), label, item, locatorMode(value));
}

/** @throws InvalidInput for a placeholder that n8n takes for an expression, and leaves out */
function requirePlaceholders(item: Item, parameter: string, label: string): void {
	const placeholder = placeholderIn(item.raw(parameter));
	if (!placeholder) return;
	const { text, name } = placeholder;
	throw new InvalidInput(
		'placeholder-evaluated',
		`"${label}" contains ${sanitize(text, 80)}, which n8n takes for an expression that has no value`,
		`For a placeholder of the service, write ((${name})). For a field of the input, write {{ $json.${name} }}.`,
	);
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
export function identityOf(item: Item, inputs: Inputs, fields: Fields): IDataObject {
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

const emptyIn = (inputs: Inputs, fields: Fields): Array<[name: string, input: Input]> =>
	Object.entries(inputs).filter(([name, { required }]) => required && fields[name] === undefined);

/** The labels of required fields without a value. */
export const missingIn = (inputs: Inputs, fields: Fields): string[] =>
	emptyIn(inputs, fields).map(([name, { label }]) => label ?? labelOf(name));

/** What to do about them. */
export const onMissing = {
	remedy: 'Enter a value. If the field contains an expression, it is empty for this item.',
};

export function requireInputs(inputs: Inputs, fields: Fields): void {
	const missing = missingIn(inputs, fields).map((label) => `"${label}"`);
	if (missing.length === 0) return;
	const are = missing.length === 1 ? 'is' : 'are';
	const remedies = emptyIn(inputs, fields).map(([, { ifEmpty }]) => ifEmpty ?? onMissing.remedy);
	throw new InvalidInput(
		'value-required',
		`${missing.join(', ')} ${are} required but empty`,
		[...new Set(remedies)].join(' '),
	);
}

const clearLabel = 'Fields to Clear';

/** The fields of an update to clear, with what is sent for each. */
function clearedFields(item: Item, { plan, body = {} }: Operation): Array<[string, FormValue]> {
	if (plan?.record === undefined) return [];
	const known = new Map(
		Object.entries(body).flatMap(([name, { required, cleared = '' }]) =>
			required || cleared === false ? [] : [[name, cleared] as const],
		),
	);
	return listOf(item.param('options.clearFields', []), clearLabel).map((name) => {
		if (known.has(name)) return [name, known.get(name)];
		throw new InvalidInput(
			'field-not-clearable',
			`"${clearLabel}" contains a field that cannot be cleared: ${quote(name)}`,
			`Choose from: ${[...known.keys()].join(', ')}.`,
		);
	});
}
