import type { IDataObject } from 'n8n-workflow';

import type { ErrorCode } from '../service/errorCode';
import type { Fields } from '../service/form';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import { quote } from '../util/text';
import type { Draft, GroupStage, PreparedRequest, SendRequest } from './operation';
import type { Outcome } from './writer/outcome';
import type { RunContext } from './runContext';

/** What happens if the record exists already. */
export type ExistingChoice = 'create' | 'fail' | 'return' | 'update';

/** How an operation that creates records recognizes those that exist. */
export interface ExistingRecords {
	/** The parameter with the choice. */
	parameter: { path: string; label: string; default: ExistingChoice; values: ExistingChoice[] };
	/** What requests for one record have in common. */
	key(draft: Draft): string;
	/** The record that exists, from one read of the list for the whole run. */
	find(draft: Draft): Promise<IDataObject | undefined>;
	/** What is returned in place of a new record: for one that exists, or for the output of the item that created it. */
	existing(record: IDataObject, draft: Draft): IDataObject;
	/** What messages call it, without an article: `single send named "Spring"`. */
	nounOf(draft: Draft): string;
	existsCode: ErrorCode;
	/** What to do if it exists and must not. */
	remedy: string;
	/** For the choice `update`. */
	update?: {
		/** What is returned for an item whose values went into the request of an earlier one. */
		merged(draft: Draft): IDataObject;
		/** The request that gives the record the values of the item. */
		request(record: IDataObject, request: SendRequest): SendRequest;
	};
}

/** The candidates for one record, in order. */
interface Group {
	all: Candidate[];
	/** Their positions. */
	positions: number[];
	/** The positions of those that update the record if it exists. */
	updates: number[];
}

/** A request to create a record, with what is to happen if it exists. */
interface Candidate {
	request: SendRequest;
	position: number;
	choice: ExistingChoice;
	group: Group;
	/** What later candidates are to set. */
	later: Fields;
}

/**
 * The choice of an item, read once.
 *
 * @throws InvalidInput for one that there is not
 */
export function existingChoice(
	run: RunContext,
	{ path, label, default: preset, values }: ExistingRecords['parameter'],
	item: Item,
): ExistingChoice {
	return run.memoize(`${path} of item ${item.index}`, () => {
		const given = item.param(path, preset);
		const choice = values.find((value) => value === given);
		if (choice !== undefined) return choice;
		throw new InvalidInput(
			'choice-invalid',
			`"${label}" cannot be ${quote(given)}`,
			`Choose one of: ${values.join(', ')}.`,
		);
	});
}

/** Groups the requests by record. Those of a record that every item creates anyway are left as they were prepared. */
function candidatesOf(
	run: RunContext,
	prepared: readonly PreparedRequest[],
	records: ExistingRecords,
): Array<Candidate | PreparedRequest> {
	const groups = new Map<string, Group>();
	const candidates = prepared.map((request, position) => {
		if (request.kind !== 'send') return request;
		const choice = existingChoice(run, records.parameter, request.item);
		const key = records.key(request.draft);
		const group = groups.get(key) ?? { all: [], positions: [], updates: [] };
		groups.set(key, group);
		const candidate = { request, position, choice, group, later: {} };
		group.all.push(candidate);
		group.positions.push(position);
		if (choice === 'update') group.updates.push(position);
		return candidate;
	});
	for (const group of groups.values()) collectLater(group.all);
	return candidates.map((candidate) =>
		'kind' in candidate || !isAlwaysCreated(candidate.group) ? candidate : candidate.request,
	);
}

const isAlwaysCreated = ({ all }: Group): boolean => all.every(({ choice }) => choice === 'create');

function collectLater(group: Candidate[]): void {
	let later: Fields = {};
	for (const candidate of [...group].reverse()) {
		candidate.later = later;
		if (candidate.choice !== 'update') continue;
		const given = Object.entries(candidate.request.draft.body);
		const filled = given.filter(([, value]) => value !== undefined);
		later = { ...Object.fromEntries(filled), ...later };
	}
}

/** The request with the values that later items set in the same record. */
function withLater({ request, later }: Candidate): SendRequest {
	return { ...request, draft: { ...request.draft, body: { ...request.draft.body, ...later } } };
}

/** For a request whose record earlier items create or update, too: it is sent only if none of them was, or may have been. */
function follow(
	records: ExistingRecords,
	{ request, choice, position }: Candidate,
	own: SendRequest,
	leaders: readonly number[],
): PreparedRequest {
	const { item, draft } = request;
	const decide = (outcomes: Outcome[]): PreparedRequest => {
		const done = outcomes.find((outcome) => outcome.kind === 'items');
		if (done && choice === 'fail') {
			const error = refusal(records, draft, 'was already created by an earlier item');
			return { kind: 'refused', item, error };
		}
		if (done) {
			const output = done.items[0]?.json ?? {};
			const json =
				choice === 'update' && records.update
					? { ...records.update.merged(draft), ...idOf(output) }
					: records.existing(output, draft);
			return { kind: 'items', item, items: [{ json }] };
		}
		if (!outcomes.some((outcome) => outcome.kind === 'failed' && outcome.effect === 'unknown')) {
			return own;
		}
		const error = new InvalidInput(
			'earlier-item-uncertain',
			`An earlier item may have saved the ${records.nounOf(draft)}, but its response was lost`,
			'Check the service, and run the node again with this item if it is still needed.',
		);
		return { kind: 'refused', item, error, isFinal: true };
	};
	return { kind: 'follow', item, request: own, position, leaders, decide };
}

const refusal = (records: ExistingRecords, draft: Draft, where: string): InvalidInput =>
	new InvalidInput(records.existsCode, `A ${records.nounOf(draft)} ${where}`, records.remedy);

const idOf = ({ id }: IDataObject): IDataObject => (id === undefined ? {} : { id });

async function resolve(
	run: RunContext,
	records: ExistingRecords,
	candidate: Candidate,
): Promise<PreparedRequest> {
	const { request, choice, group, position } = candidate;
	const { item, draft } = request;
	// It is sent in any case; what later items with another choice do depends on it.
	if (choice === 'create' && records.update === undefined) return request;
	const record = await records.find(draft);
	if (choice === 'create') return record ? request : withLater(candidate);
	const isLed = (leaders: readonly number[]) => (leaders[0] ?? position) < position;
	if (record && choice === 'return') {
		return { kind: 'items', item, items: [{ json: records.existing(record, draft) }] };
	}
	if (record && choice === 'fail') throw refusal(records, draft, 'already exists');
	if (!record && choice === 'fail' && isLed(group.positions) && !run.continueOnFail) {
		throw refusal(records, draft, 'is also created by an earlier item');
	}
	const merged = withLater(candidate);
	const own = record && records.update ? records.update.request(record, merged) : merged;
	// Only updates write to a record that exists.
	const writers = record ? group.updates : group.positions;
	return isLed(writers) ? follow(records, candidate, own, writers) : own;
}

/**
 * Makes what an operation does about records that exist, or that earlier items of the run create: they are returned,
 * updated or refused, as the item's choice says. Several updates of one record go into one request.
 */
export function resolveExisting(records: ExistingRecords): GroupStage {
	return {
		check: (run, item) => void existingChoice(run, records.parameter, item),
		resolve: async (run, prepared) =>
			await Promise.all(
				candidatesOf(run, prepared, records).map(async (candidate) => {
					if ('kind' in candidate) return candidate;
					const { item } = candidate.request;
					return await resolve(run, records, candidate).catch(
						(error: unknown) => ({ kind: 'refused', item, error }) as const,
					);
				}),
			),
	};
}
