import type { IDataObject } from 'n8n-workflow';

import type { ErrorCode } from '../service/errorCode';
import { choiceOf } from '../params/givenOption';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import type { Draft, GroupStage, PreparedRequest, SendRequest } from './operation';
import type { Outcome } from './writer/outcome';
import type { RunContext } from './runContext';

const choices = ['create', 'fail', 'return'] as const;

/** The choices for a record that already exists. */
type ExistingChoice = (typeof choices)[number];

/** How an operation that creates records recognizes those that exist. */
export interface ExistingRecords {
	/** The parameter with the choice. */
	parameter: { path: string; label: string; default: ExistingChoice };
	/** The key that requests for one record share. */
	key(draft: Draft): string;
	/** The record that exists, from one read of the list for the whole run. */
	find(draft: Draft): Promise<IDataObject | undefined>;
	/** The output instead of a new record: made from an existing one, or from the output of the item that created it. */
	existing(record: IDataObject, draft: Draft): IDataObject;
	/** What messages call it, without an article: `single send named "Spring"`. */
	nounOf(draft: Draft): string;
	existsCode: ErrorCode;
	/** The remedy if it exists and must not. */
	remedy: string;
}

/**
 * The choice of an item, read once.
 *
 * @throws InvalidInput for an unknown choice
 */
export const existingChoice = (
	run: RunContext,
	{ path, label, default: preset }: ExistingRecords['parameter'],
	item: Item,
): ExistingChoice =>
	run.memoize(`${path} of item ${item.index}`, () =>
		choiceOf(item.param(path, preset), label, choices),
	);

const refusal = (records: ExistingRecords, draft: Draft, where: string): InvalidInput =>
	new InvalidInput(records.existsCode, `A ${records.nounOf(draft)} ${where}`, records.remedy);

/** What is known of the requests before one, for the same record. */
interface Earlier {
	/** Positions of those whose outcome is not known yet. */
	open: number[];
	/** The first that succeeded. */
	done?: Outcome & { kind: 'items' };
	isUncertain: boolean;
}

function note(earlier: Earlier, outcomes: readonly Outcome[]): void {
	earlier.done ??= outcomes.find((outcome) => outcome.kind === 'items');
	earlier.isUncertain ||= outcomes.some(
		(outcome) => outcome.kind === 'failed' && outcome.effect === 'unknown',
	);
}

/** A request whose record earlier items also create is sent only if none of them did, or may have. */
function decide(
	records: ExistingRecords,
	request: SendRequest,
	choice: ExistingChoice,
	{ done, isUncertain }: Earlier,
): PreparedRequest {
	const { item, draft } = request;
	if (done && choice === 'fail') {
		const error = refusal(records, draft, 'was already created by an earlier item');
		return { kind: 'refused', item, error };
	}
	if (done) {
		const json = records.existing(done.items[0]?.json ?? {}, draft);
		return { kind: 'items', item, items: [{ json }] };
	}
	if (!isUncertain) return request;
	const error = new InvalidInput(
		'earlier-item-uncertain',
		`An earlier item may have saved the ${records.nounOf(draft)}, but its response was lost`,
		'Check the service, and run the node again with this item if it is still needed.',
	);
	return { kind: 'refused', item, error, isFinal: true };
}

/** A request, with the record that exists. */
type Found = { request: PreparedRequest; record?: IDataObject };

async function find(
	run: RunContext,
	records: ExistingRecords,
	request: PreparedRequest,
): Promise<Found> {
	if (request.kind !== 'send') return { request };
	const { item, draft } = request;
	if (existingChoice(run, records.parameter, item) === 'create') return { request };
	try {
		return { request, record: await records.find(draft) };
	} catch (error) {
		return { request: { kind: 'refused', item, error } };
	}
}

/** @param groups the earlier requests, by record */
function resolve(
	run: RunContext,
	records: ExistingRecords,
	groups: Map<string, Earlier>,
	{ request, record }: Found,
	position: number,
): PreparedRequest {
	if (request.kind !== 'send') return request;
	const { item, draft } = request;
	const choice = existingChoice(run, records.parameter, item);
	const refuse = (where: string): PreparedRequest => ({
		...{ kind: 'refused', item, error: refusal(records, draft, where) },
	});
	if (record && choice === 'fail') return refuse('already exists');
	if (record) {
		return { kind: 'items', item, items: [{ json: records.existing(record, draft) }] };
	}
	const key = records.key(draft);
	const earlier = groups.get(key);
	if (!earlier) {
		groups.set(key, { open: [position], isUncertain: false });
		return request;
	}
	// It is sent in any case, but later items with another choice depend on it.
	if (choice === 'create') {
		earlier.open.push(position);
		return request;
	}
	if (choice === 'fail' && !run.continueOnFail) return refuse('is also created by an earlier item');
	// Later items follow this one, which by then knows of all that came before it.
	const leaders = earlier.open;
	earlier.open = [position];
	return {
		...{ kind: 'follow', item, request, leaders },
		decide: (outcomes) => {
			note(earlier, outcomes);
			return decide(records, request, choice, earlier);
		},
	};
}

/** Returns or refuses records that exist, or that earlier items of the run create, as the choice of the item says. */
export const resolveExisting = (records: ExistingRecords): GroupStage => ({
	check: (run, item) => void existingChoice(run, records.parameter, item),
	async resolve(run, prepared) {
		const found = await Promise.all(
			prepared.map(async (request) => await find(run, records, request)),
		);
		const groups = new Map<string, Earlier>();
		return found.map((one, position) => resolve(run, records, groups, one, position));
	},
});
