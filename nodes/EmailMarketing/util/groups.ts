/** Adds a value to the list under a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
	const list = lists.get(key);
	if (list) list.push(value);
	else lists.set(key, [value]);
}

/** The values by key, as `Map.groupBy` of newer versions of Node.js; those without a key are in no group. */
export function groupBy<K, V>(
	values: Iterable<V>,
	keyOf: (value: V) => K | undefined,
): Map<K, V[]> {
	const groups = new Map<K, V[]>();
	for (const value of values) {
		const key = keyOf(value);
		if (key !== undefined) addTo(groups, key, value);
	}
	return groups;
}

/** Splits a list into parts of `size`; the last one may be shorter. */
export function chunksOf<T>(list: readonly T[], size: number): T[][] {
	const chunks: T[][] = [];
	for (let start = 0; start < list.length; start += size) {
		chunks.push(list.slice(start, start + size));
	}
	return chunks;
}
