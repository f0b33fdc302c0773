/**
 * Leaves out as much as possible of what happened, as delta debugging does: halves first, then smaller parts.
 *
 * @param numbers of what happened
 * @param fails whether it still fails without these
 * @returns what may be left out together
 */
export async function shrink(
	numbers: readonly number[],
	fails: (leftOut: ReadonlySet<number>) => Promise<boolean>,
	mostTries = 200,
): Promise<Set<number>> {
	let kept = [...numbers];
	let tries = 0;
	const without = (ones: readonly number[]) =>
		new Set(numbers.filter((one) => !ones.includes(one)));
	for (let size = Math.ceil(kept.length / 2); size >= 1; size = Math.floor(size / 2)) {
		for (let from = 0; from < kept.length && tries < mostTries;) {
			const rest = [...kept.slice(0, from), ...kept.slice(from + size)];
			tries++;
			if (await fails(without(rest))) kept = rest;
			else from += size;
		}
	}
	return without(kept);
}
