import { chunksOf } from '../../nodes/EmailMarketing/util/groups';

test('a list is split into chunks, of which the last may be shorter', () => {
	expect(chunksOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
	expect(chunksOf([], 2)).toEqual([]);
});
