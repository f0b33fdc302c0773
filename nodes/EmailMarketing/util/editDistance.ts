/** How many characters have to be added, removed or replaced to make one text of the other. */
export function editDistance(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_value, index) => index);
	for (let i = 1; i <= one.length; i++) {
		const next = [i];
		for (let j = 1; j <= other.length; j++) {
			const [above = 0, diagonal = 0, left = 0] = [row[j], row[j - 1], next[j - 1]];
			next.push(
				Math.min(
					above + 1,
					left + 1,
					diagonal + (one.charAt(i - 1) === other.charAt(j - 1) ? 0 : 1),
				),
			);
		}
		row = next;
	}
	return row[other.length] ?? 0;
}
