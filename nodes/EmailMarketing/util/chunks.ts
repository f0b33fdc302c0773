import type { Pool } from './pool';

/** Splits a list into parts of `size`; the last one may be shorter. */
export function chunksOf<T>(list: readonly T[], size: number): T[][] {
	const chunks: T[][] = [];
	for (let start = 0; start < list.length; start += size) {
		chunks.push(list.slice(start, start + size));
	}
	return chunks;
}

/**
 * Sends chunks of entries. The service rejects a chunk as a whole when one entry of it is wrong (25, 2): each of its
 * entries is then sent alone.
 *
 * @param send returns whether the service rejected the chunk
 */
export async function sendInChunks<T>(
	pool: Pool,
	chunks: readonly T[][],
	send: (chunk: T[]) => Promise<boolean>,
): Promise<void> {
	const rejected: T[] = [];
	await pool.each(chunks, async (chunk) => {
		if ((await send(chunk)) && chunk.length > 1) rejected.push(...chunk);
	});
	await pool.each(
		rejected.map((entry) => [entry]),
		async (chunk) => {
			await send(chunk);
		},
	);
}
