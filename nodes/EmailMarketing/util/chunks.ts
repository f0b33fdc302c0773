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
