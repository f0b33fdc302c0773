import { Pool } from '../../nodes/EmailMarketing/util/pool';
import { settleAll } from '../../nodes/EmailMarketing/util/promises';

test('after a task that throws no other is begun, and those under way are waited for', async () => {
	const begun: number[] = [];
	const ended: number[] = [];
	const pool = new Pool({ parallel: () => 2, pause: async () => {} });

	const all = pool.each([1, 2, 3, 4], async (task) => {
		begun.push(task);
		if (task === 1) throw new Error('One failed');
		await new Promise((resolve) => setTimeout(resolve, 20));
		ended.push(task);
	});

	await expect(all).rejects.toThrow('One failed');
	expect([begun, ended]).toEqual([[1, 2], [2]]);
});

test('what is done together is waited for, also when one of it fails', async () => {
	let isOver = false;
	const slow = async () => {
		await new Promise((resolve) => setTimeout(resolve, 20));
		isOver = true;
	};

	await expect(settleAll([Promise.reject(new Error('One failed')), slow()])).rejects.toThrow(
		'One failed',
	);
	expect(isOver).toBe(true);
});
