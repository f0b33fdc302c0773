import { toFailure } from '../service/errors';
import { ServiceError } from '../service/failure';
import type { Failure } from '../service/failure';
import { addTo, chunksOf } from '../util/groups';
import { truncateList } from '../util/text';
import { itemKey } from './writer/ledger';
import type { Operation, ItemPlan, SendRequest } from './operation';
import { outcomeWithoutRequest, writeRequest } from './plan';
import { notSent } from './writer/outcome';
import type { Outcome, RunOutcome } from './writer/outcome';
import type { RunContext } from './runContext';
import { RECORDS_PER_REQUEST, write } from './writer/write';
import type { Action } from './writer/write';

/** The field of every bulk delete that takes the IDs (4, 12, 25, 43, 49b, 50d). */
export const idsField = 'strIds';

/** IDs of one item. */
interface Slice {
	request: SendRequest;
	ids: string[];
	/** The names of the IDs in the ledger, for all items that have them. */
	keys: string[];
	/** Names the request that these IDs share with those of other items. */
	batch: string;
}

/** The outcome of an ID. */
type Outcomes = ReadonlyMap<string, Outcome>;

/**
 * Deletes the IDs of all items with few requests, each ID once, and returns the outcome for each item.
 *
 * @throws Cancelled
 */
export async function bulkDelete(
	run: RunContext,
	operation: Operation,
	planned: readonly ItemPlan[],
): Promise<RunOutcome> {
	const requests = planned.filter((one): one is SendRequest => one.kind === 'send');
	const owners = ownersOf(requests);
	const prior = new Map(
		[...owners].flatMap(([id, own]) => {
			const outcome = own
				.map((request) => run.ledger.priorOutcome(keyOf(request, id)))
				.find((one) => one !== undefined);
			return outcome ? [[id, outcome] as const] : [];
		}),
	);
	if (!run.continueOnFail && [...prior.values()].some(({ kind }) => kind === 'failed')) run.halt();
	const slices = slicesOf(owners, prior);
	const sent = await write(
		run,
		slices.map((slice) => actionOf(operation, slice)),
	);
	const outcomes = new Map([
		...prior,
		...slices.flatMap(({ ids }, index) => ids.map((id) => [id, sent[index] ?? notSent] as const)),
	]);
	const all = [...owners.keys()];
	return {
		outcomes: planned.map((request) =>
			request.kind === 'send' ? outcomeOf(request, outcomes) : outcomeWithoutRequest(request),
		),
		unit: 'IDs',
		done: all.filter((id) => outcomes.get(id)?.kind === 'items').length,
		total: all.length,
	};
}

const keyOf = ({ item }: SendRequest, id: string): string => `${itemKey(item)} ID ${id}`;

const idsOf = ({ draft }: SendRequest): string[] => [...new Set(draft.body[idsField] ?? [])];

/** The requests that have an ID. */
type Owners = ReadonlyMap<string, readonly SendRequest[]>;

function ownersOf(requests: readonly SendRequest[]): Owners {
	const owners = new Map<string, SendRequest[]>();
	for (const request of requests) {
		for (const id of idsOf(request)) addTo(owners, id, request);
	}
	return owners;
}

/** The IDs that no earlier try has sent, by request and by the first item that has them. */
function slicesOf(owners: Owners, prior: Outcomes): Slice[] {
	const open = [...owners].filter(([id]) => !prior.has(id));
	return chunksOf(open, RECORDS_PER_REQUEST).flatMap((chunk, index) => {
		const slices = new Map<SendRequest, Slice>();
		for (const [id, own] of chunk) {
			const [request] = own as [SendRequest];
			// One request names its records by ID or by UTR, not both.
			const kind = Object.keys(request.draft.identity).join();
			const batch = `${index} ${kind}`;
			const slice = slices.get(request) ?? { request, ids: [], keys: [], batch };
			slices.set(request, slice);
			slice.ids.push(id);
			for (const owner of own) slice.keys.push(keyOf(owner, id));
		}
		return [...slices.values()];
	});
}

function actionOf(operation: Operation, slice: Slice): Action<Slice> {
	return {
		part: slice,
		keys: slice.keys,
		batch: slice.batch,
		prepare({ parts: [first, ...others] }) {
			const ids = [first, ...others].flatMap((part) => part.ids);
			return writeRequest(operation, first.request, { [idsField]: ids });
		},
		explain: (failure, { isAlone }) =>
			failure.isNotFound ? notAllFound(failure, slice.ids.length, isAlone) : failure,
	};
}

/** The service doesn't say whether it deletes the other records before it rejects a request (4, 12, 25, 43, 49b, 50d). */
function notAllFound(failure: Failure, count: number, isAlone: boolean): Failure {
	if (count > 1) {
		const description =
			'At least one of these IDs does not exist. The service may have deleted the other records before it rejected the request. Check the list in the service.';
		return { ...failure, description, effect: 'unknown' };
	}
	if (!isAlone) return failure;
	const description =
		'No record has this ID. Either it never existed, or it was deleted by an earlier request that also contained the IDs of other items. The service rejected that request, but may still have deleted some of its records. Check the list in the service.';
	return { ...failure, description, effect: 'unknown' };
}

function outcomeOf(request: SendRequest, outcomes: Outcomes): Outcome {
	const own = idsOf(request).map((id) => ({ id, outcome: outcomes.get(id) ?? notSent }));
	const done = own.flatMap(({ outcome }) => (outcome.kind === 'items' ? [outcome] : []));
	const failed = own.flatMap(({ outcome }) => (outcome.kind === 'failed' ? [outcome] : []));
	const [first] = [...failed].sort((a, b) => Number(mayBeDeleted(a)) - Number(mayBeDeleted(b)));
	if (first === undefined) {
		if (done.length < own.length) return notSent;
		const json = { ...done[0]?.items[0]?.json, ...request.draft.identity };
		return { kind: 'items', items: [{ json }] };
	}
	if (own.every(({ outcome }) => outcome === first)) return first;
	const failure = partFailure(own, toFailure(first.error, { changesData: true }));
	return { kind: 'failed', error: new ServiceError(failure), effect: failure.effect };
}

const mayBeDeleted = (outcome: Outcome): boolean =>
	outcome.kind === 'failed' && outcome.effect === 'unknown';

/** IDs that a message names; the error data has all of them. */
const shownIds = 20;

/** Some of an item's IDs were deleted, or may have been. */
function partFailure(
	own: ReadonlyArray<{ id: string; outcome: Outcome }>,
	first: Failure,
): Failure {
	const idsWith = (fits: (outcome: Outcome) => boolean) =>
		own.flatMap(({ id, outcome }) => (fits(outcome) ? [id] : []));
	const deleted = idsWith(({ kind }) => kind === 'items');
	const possiblyDeleted = idsWith(mayBeDeleted);
	const notDeleted = idsWith((outcome) => outcome.kind !== 'items' && !mayBeDeleted(outcome));
	return {
		code: 'deletion-incomplete',
		message: `Deletion is confirmed for only ${deleted.length} of ${own.length} IDs: ${first.message}`,
		description: [
			notDeleted.length > 0 ? `Not deleted: ${truncateList(notDeleted, shownIds)}.` : '',
			possiblyDeleted.length > 0
				? `Possibly deleted; check the service: ${truncateList(possiblyDeleted, shownIds)}.`
				: '',
			'Run the node again with these IDs only. The error data contains the full lists.',
		]
			.filter((sentence) => sentence !== '')
			.join(' '),
		httpCode: first.httpCode,
		effect: deleted.length + possiblyDeleted.length > 0 ? 'unknown' : 'none',
		report: { deleted, notDeleted, possiblyDeleted },
	};
}
