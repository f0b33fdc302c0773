import { normalizeKey } from './normalize';

/** Pairs of neighboring letters, and the first letter. */
function bigramsOf(text: string): Set<string> {
	const key = normalizeKey(text);
	const bigrams = new Set<string>([key.slice(0, 1)]);
	for (let i = 0; i < key.length - 1; i++) bigrams.add(key.slice(i, i + 2));
	return bigrams;
}

const most = 3;

/** Finds the names that share most bigrams with a text (Dice's coefficient), in whatever order its words are. */
export function closestOf(names: readonly string[]): (text: string) => string[] {
	const known = names.map((name) => ({ name, bigrams: bigramsOf(name) }));
	return (text) => {
		const wanted = [...bigramsOf(text)];
		const scored = known
			.map(({ name, bigrams }) => {
				const shared = wanted.filter((bigram) => bigrams.has(bigram)).length;
				return { name, score: (2 * shared) / (wanted.length + bigrams.size) };
			})
			.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
		const best = scored[0]?.score ?? 0;
		return scored
			.filter(({ score }) => score > Math.max(0.25, (2 / 3) * best))
			.slice(0, most)
			.map(({ name }) => name);
	};
}
