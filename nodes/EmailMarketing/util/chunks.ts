import type { Pool } from './pool';

/** How many records, or addresses, go into one request. */
export const RECORDS_PER_REQUEST = 100;

/** Splits a list into parts of `size`; the last one may be shorter. */
export function chunksOf<T>(list: readonly T[], size: number): T[][] {
	const chunks: T[][] = [];
	for (let start = 0; start < list.length; start += size) {
		chunks.push(list.slice(start, start + size));
	}
	return chunks;
}

/**
 * Sends chunks of entries. The service rejects a chunk when one entry of it is wrong (25, 2): each of its entries is
 * then sent alone. Whether a rejected chunk has an effect on the other entries is not shown.
 *
 * @param send returns whether the service rejected the chunk; `isAlone` when it is an entry of a rejected chunk
 */
export async function sendInChunks<T>(
	pool: Pool,
	chunks: readonly T[][],
	send: (chunk: T[], isAlone: boolean) => Promise<boolean>,
): Promise<void> {
	const alone: T[][] = [];
	await pool.each(chunks, async (chunk) => {
		const isRejected = await send(chunk, false);
		if (isRejected && chunk.length > 1) for (const entry of chunk) alone.push([entry]);
	});
	await pool.each(alone, async (chunk) => {
		await send(chunk, true);
	});
}
