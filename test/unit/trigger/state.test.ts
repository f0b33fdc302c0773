import { detect } from '../../../nodes/EmailMarketing/trigger/events';
import { EMPTY_STATE } from '../../../nodes/EmailMarketing/trigger/state';
import type { Row } from '../../../nodes/EmailMarketing/trigger/types';
import { everything } from './arbitraries';

test('50,000 contacts need no more state than the latest changes', () => {
	const size = (count: number, updatedAt: (index: number) => number) => {
		const rows: Row[] = Array.from({ length: count }, (_, index) => ({
			id: index * 3 + 1,
			user_id: 7,
			updated_at: `2026-01-01T00:00:00.${String(updatedAt(index)).padStart(6, '0')}Z`,
		}));
		const first = detect(new Map([['contacts', rows]]), EMPTY_STATE, everything, 0).state;
		for (let more = 0; more < 300; more++) rows.push({ ...rows[0], id: (count + more) * 3 });
		const after = detect(new Map([['contacts', rows]]), first, everything, 0).state;
		return Math.max(...[first, after].map((state) => JSON.stringify(state).length));
	};
	expect(size(50, (index) => index % 2)).toBeLessThan(5000);
	// As many have one time that none of them is remembered.
	expect(size(50_000, () => 5)).toBeLessThan(6000);
	expect(size(50_000, (index) => index)).toBeLessThan(210_000);
});
