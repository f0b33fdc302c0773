import { chunksOf, sendInChunks } from '../../nodes/EmailMarketing/util/chunks';
import { Pool } from '../../nodes/EmailMarketing/util/pool';

test('a list is split into chunks, of which the last may be shorter', () => {
	expect(chunksOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
	expect(chunksOf([], 2)).toEqual([]);
});

test('entries of a rejected chunk are sent alone, once', async () => {
	const sent: Array<[chunk: number[], isAlone: boolean]> = [];
	await sendInChunks(new Pool({ parallel: 1 }), [[1, 2], [3, 4], [5]], async (chunk, isAlone) => {
		sent.push([chunk, isAlone]);
		return chunk.includes(2) || chunk.includes(5);
	});
	expect(sent).toEqual([
		[[1, 2], false],
		[[3, 4], false],
		[[5], false],
		[[1], true],
		[[2], true],
	]);
});

test('a rejected chunk may be of any length', async () => {
	const entries = Array.from({ length: 150_000 }, (_, index) => index);
	let alone = 0;
	await sendInChunks(new Pool({ parallel: 10 }), [entries], async (_chunk, isAlone) => {
		if (isAlone) alone++;
		return true;
	});
	expect(alone).toBe(entries.length);
});
