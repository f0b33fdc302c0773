import { sleep } from 'n8n-workflow';
import type { INodeExecutionData } from 'n8n-workflow';

import { isRejected, ServiceError } from '../api/envelope';
import type { Failure } from '../api/envelope';
import { toFailure } from '../api/errors';

/** Sends a request with these ids in place of the item's own; gives nothing where nothing may be sent any more. */
export type SendIds = (
	ids: string[],
	isTrial: boolean,
) => Promise<INodeExecutionData[] | undefined>;

/** One item's part of what is to be deleted. */
interface Share {
	ids: string[];
	send: SendIds;
	done: string[];
	failed: Array<{ ids: string[]; failure: Failure }>;
	answer?: INodeExecutionData;
	/** Chunks that have ids of it and are not settled yet. */
	open: number;
	settle: () => void;
}

interface Part {
	share: Share;
	ids: string[];
}

const asked = { changesData: true };

/**
 * Bulk deletes take many ids, while n8n hands over one item after the other: here the ids of all items that are under
 * way at the same time are put together, and sent in chunks.
 */
export class Gathering {
	private waiting: Share[] = [];
	private readonly idsPerRequest: number;

	constructor(idsPerRequest: number) {
		this.idsPerRequest = idsPerRequest;
	}

	/**
	 * Deletes the ids of one item.
	 *
	 * @returns the service's confirmation; undefined where nothing was sent
	 * @throws ServiceError with a report of which ids were deleted, if it was some of them
	 */
	async delete(ids: string[], send: SendIds): Promise<INodeExecutionData | undefined> {
		let settle = () => {};
		const settled = new Promise<void>((resolve) => (settle = resolve));
		const share: Share = { ids, send, done: [], failed: [], open: 0, settle };
		this.waiting.push(share);
		if (this.waiting.length === 1) void this.sendAll();
		await settled;
		return outcomeOf(share);
	}

	/** All items that n8n starts together are there after one turn of the clock. */
	private async sendAll(): Promise<void> {
		await sleep(0);
		const shares = this.waiting;
		this.waiting = [];
		for (const chunk of chunksOf(shares, this.idsPerRequest)) void deleteChunk(chunk);
	}
}

function chunksOf(shares: Share[], size: number): Part[][] {
	const chunks: Part[][] = [];
	let space = 0;
	for (const share of shares) {
		for (let start = 0; start < share.ids.length;) {
			if (space === 0) {
				chunks.push([]);
				space = size;
			}
			const ids = share.ids.slice(start, start + space);
			chunks.at(-1)?.push({ share, ids });
			share.open++;
			start += ids.length;
			space -= ids.length;
		}
	}
	return chunks;
}

async function deleteChunk(parts: Part[]): Promise<void> {
	const send = parts[0]?.share.send;
	const isTrial = parts.length > 1;
	const ids = [...new Set(parts.flatMap((part) => part.ids))];
	const result = await send?.(ids, isTrial).then(
		(items) => ({ answer: items?.[0] }),
		(error: unknown) => ({ failure: toFailure(error, asked) }),
	);
	// One id that is gone makes the service refuse all of them: then each item stands for itself.
	if (isTrial && result !== undefined && 'failure' in result && isRejected(result.failure)) {
		for (const part of parts) void deleteChunk([part]);
		return;
	}
	for (const { share, ids: own } of parts) {
		if (result !== undefined && 'failure' in result) {
			share.failed.push({ ids: own, failure: result.failure });
		} else if (result?.answer !== undefined) {
			share.answer ??= result.answer;
			share.done.push(...own);
		}
		share.open--;
		if (share.open === 0) share.settle();
	}
}

function outcomeOf(share: Share): INodeExecutionData | undefined {
	const [first] = share.failed;
	if (first === undefined) return share.answer;
	if (first.ids.length === share.ids.length) throw new ServiceError(first.failure);
	throw new ServiceError(partFailure(share, first.failure));
}

const shownIds = 20;

function listed(ids: string[]): string {
	const more = ids.length - shownIds;
	return ids.slice(0, shownIds).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Some of an item's ids were deleted, or may have been. */
function partFailure({ ids, done, failed }: Share, first: Failure): Failure {
	const deleted = new Set(done);
	const unknown = new Set(
		failed.filter(({ failure }) => failure.effect === 'unknown').flatMap((failure) => failure.ids),
	);
	const notDeleted = ids.filter((id) => !deleted.has(id) && !unknown.has(id));
	return {
		message: `Only ${done.length} of ${ids.length} IDs are known to be deleted: ${first.message}`,
		description: [
			notDeleted.length > 0 ? `Not deleted: ${listed(notDeleted)}.` : '',
			unknown.size > 0 ? `Perhaps deleted, look in the service: ${listed([...unknown])}.` : '',
			'Run again with those only; the whole lists are in the error data.',
		]
			.filter((sentence) => sentence !== '')
			.join(' '),
		httpCode: first.httpCode,
		effect: done.length + unknown.size > 0 ? 'unknown' : 'none',
		report: { deleted: done, notDeleted, perhapsDeleted: [...unknown] },
	};
}
