import type { IDataObject } from 'n8n-workflow';

import { useService } from './sandbox';

const test = useService();

const itemsOf = (count: number) =>
	Array.from({ length: count }, (_value, index) => ({ json: { name: `Type ${index}` } }));

const create = (options: IDataObject = {}): IDataObject => ({
	resource: 'contactType',
	operation: 'create',
	name: '={{ $json.name }}',
	options,
});

/** When each request came, by the clock of this process. */
function arrivals(): number[] {
	const times: number[] = [];
	const { entries } = test.service.state.journal;
	const push = entries.push.bind(entries);
	entries.push = (...added) => {
		times.push(performance.now());
		return push(...added);
	};
	return times;
}

describe('Retry-After', () => {
	it.each([{ parallelRequests: 1 }, { parallelRequests: 5 }, {}])(
		'of one request holds all others with %j',
		async (options) => {
			const { service } = test;
			const headers = { 'retry-after': '1' };
			service.fault({ kind: 'status', status: 429, headers, skip: 11 });
			const times = arrivals();
			const { items, error } = await service.run(create(options), { items: itemsOf(200) });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(200);
			const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
			expect(Math.max(...gaps)).toBeGreaterThan(900);
			// What was under way when the answer came may still arrive.
			const before = gaps.findIndex((gap) => gap > 900) + 1;
			expect(before).toBeLessThanOrEqual(12 + 64);
			expect(before).toBeGreaterThanOrEqual(12);
		},
	);

	it('that is longer than a request may take fails the others without sending them', async () => {
		const { service } = test;
		const headers = { 'retry-after': '600' };
		service.fault({ kind: 'status', status: 429, headers, times: 1 });
		const { failed } = await service.run(create({ parallelRequests: 1 }), {
			items: itemsOf(3),
			node: { onError: 'continueErrorOutput' },
		});
		expect(service.calls()).toHaveLength(1);
		expect(failed).toHaveLength(3);
		for (const item of failed) {
			expect(JSON.stringify(item)).toContain('Rate limit reached (HTTP 429)');
		}
	});

	it('ends at once when the execution is canceled', async () => {
		const { service } = test;
		const headers = { 'retry-after': '60' };
		service.fault({ kind: 'status', status: 429, headers });
		const canceling = new AbortController();
		const running = service.run(create(), {
			items: itemsOf(50),
			signal: canceling.signal,
		});
		while (service.calls().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
		canceling.abort();
		await running.catch(() => undefined);
		expect(service.calls().length).toBeLessThanOrEqual(10);
	});
});
