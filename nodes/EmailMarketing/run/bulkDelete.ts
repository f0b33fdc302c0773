import type { IDataObject } from 'n8n-workflow';

import { toFailure } from '../service/errors';
import { isRejected, ServiceError } from '../service/failure';
import type { Failure } from '../service/failure';
import { chunksOf, RECORDS_PER_REQUEST, sendInChunks } from '../util/chunks';
import { truncateList } from '../util/text';
import { notRepeated } from './ledger';
import type { Deletions } from './ledger';
import type { Operation, PreparedRequest, SendRequest } from './operation';
import { notSent } from './outcome';
import type { Outcome, Sent } from './outcome';
import type { RunContext } from './runContext';
import { sendRequest, settledOutcome } from './sendRequest';

/** The field of every bulk delete that takes the IDs (4, 12, 25, 43, 49b, 50d). */
export const idsField = 'strIds';

/** The part of a bulk delete that one item asks for. */
interface Job {
	request: SendRequest;
	ids: string[];
	/** What earlier tries of the node have done, and this one does. */
	deletions: Deletions;
	refused: Array<{ ids: string[]; failure: Failure }>;
	/** What the service confirmed. */
	confirmation?: IDataObject;
}

/** IDs of one item. */
interface Slice {
	job: Job;
	ids: string[];
	/** All jobs that have an ID; it is sent once. */
	owners: ReadonlyMap<string, Job[]>;
}

/**
 * Deletes the IDs of all items with few requests, and says for each item what became of its own.
 *
 * @throws Cancelled
 */
export async function bulkDelete(
	run: RunContext,
	operation: Operation,
	prepared: readonly PreparedRequest[],
): Promise<Sent> {
	const jobs = prepared.map((request) =>
		request.kind === 'send' ? jobOf(run, request) : undefined,
	);
	const present = jobs.filter((job) => job !== undefined);
	if (!run.continueOnFail && present.some(({ deletions }) => deletions.uncertain.length > 0)) {
		run.halt();
	}
	const chunks = fillChunks(openSlices(present), RECORDS_PER_REQUEST);
	await sendInChunks(run.pool, chunks, async (chunk, isAlone) => {
		if (run.isHalted) return false;
		return await deleteChunk(run, operation, chunk, isAlone);
	});
	const outcomes = prepared.map((request, position) => {
		const job = jobs[position];
		const outcome = job ? outcomeOf(job) : (settledOutcome(request) ?? notSent);
		if (outcome.kind === 'items') run.ledger.recordItems(request.item.index, outcome.items);
		return outcome;
	});
	const sum = (count: (job: Job) => number) =>
		jobs.reduce((total, job) => total + (job ? count(job) : 0), 0);
	return {
		outcomes,
		unit: 'IDs',
		done: sum(({ deletions }) => deletions.deleted.size),
		total: sum(({ ids }) => ids.length),
	};
}

function jobOf(run: RunContext, request: SendRequest): Job {
	const ids = [...new Set(request.draft.body[idsField] ?? [])];
	return { request, ids, deletions: run.ledger.deletionsOf(request.item.index), refused: [] };
}

/** The IDs that no earlier try has sent, each under the first job that has it. */
function openSlices(jobs: Job[]): Slice[] {
	const owners = new Map<string, Job[]>();
	return jobs.map((job) => {
		const { deleted, uncertain } = job.deletions;
		uncertain.forEach((one) => (one.failure = notRepeated(one.failure)));
		const sent = new Set([...deleted, ...uncertain.flatMap(({ ids }) => ids)]);
		const ids = job.ids.filter((id) => {
			if (sent.has(id)) return false;
			const others = owners.get(id);
			if (others) others.push(job);
			else owners.set(id, [job]);
			return others === undefined;
		});
		return { job, ids, owners };
	});
}

/** Puts the IDs of several items together, `size` to a chunk. */
function fillChunks(slices: readonly Slice[], size: number): Slice[][] {
	const entries = slices.flatMap(({ ids, ...rest }) => ids.map((id) => ({ ...rest, id })));
	return chunksOf(entries, size).map((chunk) => {
		const byJob = new Map<Job, Slice>();
		for (const { job, owners, id } of chunk) {
			const slice = byJob.get(job);
			if (slice) slice.ids.push(id);
			else byJob.set(job, { job, owners, ids: [id] });
		}
		return [...byJob.values()];
	});
}

/** @returns whether the service rejected the IDs of several items together */
async function deleteChunk(
	run: RunContext,
	operation: Operation,
	chunk: Slice[],
	isAlone: boolean,
): Promise<boolean> {
	const [first] = chunk;
	if (first === undefined) return false;
	const ids = chunk.flatMap((slice) => slice.ids);
	const failure = await sendRequest(operation, first.job.request, { [idsField]: ids }).then(
		([item]) => {
			for (const job of jobsOf(chunk)) job.confirmation ??= item?.json;
			return undefined;
		},
		(error: unknown) => toFailure(error, operation.endpoint),
	);
	if (failure?.isStopped) return false;
	if (failure && isRejected(failure) && chunk.length > 1) return true;
	const explained = failure?.isNotFound ? notAllFound(failure, ids.length, isAlone) : failure;
	for (const slice of chunk) note(slice, explained);
	// Before the slot is released, since the next chunk takes it immediately.
	if (failure && !run.continueOnFail) run.halt();
	return false;
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
	return { ...failure, description };
}

const jobsOf = (chunk: Array<Pick<Slice, 'ids' | 'owners'>>): Set<Job> =>
	new Set(chunk.flatMap(({ ids, owners }) => ids.flatMap((id) => owners.get(id) ?? [])));

function note({ ids, owners }: Slice, failure: Failure | undefined): void {
	for (const job of jobsOf([{ ids, owners }])) {
		const own = ids.filter((id) => owners.get(id)?.includes(job));
		const { deleted, uncertain } = job.deletions;
		if (failure === undefined) own.forEach((id) => deleted.add(id));
		else if (failure.effect === 'unknown') uncertain.push({ ids: own, failure });
		else job.refused.push({ ids: own, failure });
	}
}

function outcomeOf(job: Job): Outcome {
	const { request, ids, deletions, refused, confirmation } = job;
	const failed = [...refused, ...deletions.uncertain];
	const [first] = failed;
	if (first !== undefined) {
		const failure =
			first.ids.length === ids.length ? first.failure : partFailure(job, first.failure);
		return { kind: 'failed', error: new ServiceError(failure), effect: failure.effect };
	}
	if (deletions.deleted.size < ids.length) return notSent;
	return { kind: 'items', items: [{ json: { ...confirmation, ...request.draft.identity } }] };
}

/** IDs that a message names; the error data has all of them. */
const shownIds = 20;

/** Some of an item's IDs were deleted, or may have been. */
function partFailure({ ids, deletions }: Job, first: Failure): Failure {
	const { deleted } = deletions;
	const uncertain = new Set(deletions.uncertain.flatMap((failed) => failed.ids));
	const notDeleted = ids.filter((id) => !deleted.has(id) && !uncertain.has(id));
	return {
		code: 'deletion-incomplete',
		message: `Deletion is confirmed for only ${deleted.size} of ${ids.length} IDs: ${first.message}`,
		description: [
			notDeleted.length > 0 ? `Not deleted: ${truncateList(notDeleted, shownIds)}.` : '',
			uncertain.size > 0
				? `Possibly deleted; check the service: ${truncateList([...uncertain], shownIds)}.`
				: '',
			'Run the node again with these IDs only. The error data contains the full lists.',
		]
			.filter((sentence) => sentence !== '')
			.join(' '),
		httpCode: first.httpCode,
		effect: deleted.size + uncertain.size > 0 ? 'unknown' : 'none',
		report: { deleted: [...deleted], notDeleted, possiblyDeleted: [...uncertain] },
	};
}
