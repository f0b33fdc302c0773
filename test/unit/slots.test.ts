import fc from 'fast-check';

import { Slots } from '../../nodes/EmailMarketing/util/pool';

test('lets in whoever came first, and never more than the limit', async () => {
	const actions = fc.array(
		fc.oneof(fc.constantFrom('take', 'free'), fc.integer({ min: 1, max: 6 })),
		{
			maxLength: 60,
		},
	);
	await fc.assert(
		fc.asyncProperty(actions, async (all) => {
			let [limit, asked, inside] = [2, 0, 0];
			const admitted: number[] = [];
			const slots = new Slots(() => limit);
			for (const action of all) {
				if (typeof action === 'number') limit = action;
				else if (action === 'take') {
					const number = asked++;
					void slots.take().then(() => {
						inside++;
						admitted.push(number);
					});
				} else if (inside > 0) {
					inside--;
					slots.free();
				}
				const before = inside;
				await new Promise(setImmediate);
				expect(inside).toBeLessThanOrEqual(Math.max(limit, before));
			}
			while (inside > 0) {
				inside--;
				slots.free();
				await new Promise(setImmediate);
			}
			expect(admitted).toEqual(Array.from({ length: asked }, (_, number) => number));
		}),
	);
});
