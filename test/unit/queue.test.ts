import fc from 'fast-check';

import { Queue } from '../../nodes/EmailMarketing/util/queue';

test('takes entries out in the order in which they were added', () => {
	const actions = fc.array(fc.constantFrom('add', 'take'), { maxLength: 60 });
	fc.assert(
		fc.property(actions, (all) => {
			const queue = new Queue<number>();
			const model: number[] = [];
			all.forEach((action, number) => {
				if (action === 'add') {
					queue.add(number);
					model.push(number);
				} else {
					expect(queue.take()).toBe(model.shift());
				}
				expect(queue).toHaveLength(model.length);
			});
		}),
	);
});
