import fc from 'fast-check';

import { Slots } from '../../nodes/EmailMarketing/util/pool';

test('lets in whoever came first, and never more than the limit', async () => {
	const actions = fc.array(fc.oneof(fc.constantFrom('take', 'free'), fc.nat({ max: 6 })), {
		maxLength: 60,
	});
	await fc.assert(
		fc.asyncProperty(actions, async (all) => {
			let [limit, asked, inside, next] = [2, 0, 0, 0];
			const slots = new Slots(() => limit);
			for (const action of all) {
				if (typeof action === 'number') limit = action;
				else if (action === 'take') {
					const number = asked++;
					void slots.take().then(() => {
						inside++;
						expect(number).toBe(next++);
					});
				} else if (inside > 0) {
					inside--;
					slots.free();
				}
				const before = inside;
				await new Promise(setImmediate);
				expect(inside).toBeLessThanOrEqual(Math.max(limit, before));
			}
			limit = 6;
			while (inside > 0) {
				inside--;
				slots.free();
				await new Promise(setImmediate);
			}
			expect(next).toBe(limit > 0 && next > 0 ? asked : next);
		}),
	);
});
