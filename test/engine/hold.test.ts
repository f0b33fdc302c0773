import { setTimeout } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { pauses } from './faults/pauses';
import { useService } from './sandbox';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('./faults/pauses').withoutPauses(),
);

const test = useService();

const itemsOf = (count: number) =>
	Array.from({ length: count }, (_value, index) => ({ json: { name: `Type ${index}` } }));

const create = (options: IDataObject = {}): IDataObject => ({
	resource: 'contactType',
	operation: 'create',
	name: '={{ $json.name }}',
	options,
});

/** Until what was under way has arrived, and nothing has followed it. */
async function untilQuiet(): Promise<void> {
	const { journal } = test.service.state;
	for (let quiet = 0; quiet < 3; quiet++) {
		await setTimeout(20);
		if (journal.inFlight > 0) quiet = -1;
	}
}

beforeEach(() => pauses.reset());

describe('Retry-After', () => {
	it.each([
		[{ parallelRequests: 1 }, 12],
		[{ parallelRequests: 5 }, 12 + 5],
		[{}, 12 + 256],
	])('of one request holds all others with %j', async (options, most) => {
		const { service } = test;
		const headers = { 'retry-after': '30' };
		service.fault({ kind: 'status', status: 429, headers, skip: 11 });
		let sent: number | undefined;
		pauses.meanwhile = async () => {
			if (sent !== undefined || (pauses.taken.at(-1) ?? 0) < 29_000) return;
			await untilQuiet();
			sent ??= service.calls().length;
		};
		const { items, error } = await service.run(create(options), { items: itemsOf(120) });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(120);
		expect(sent).toBeGreaterThanOrEqual(12);
		expect(sent).toBeLessThanOrEqual(most);
	});

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
		service.fault({ kind: 'status', status: 429, headers, times: 5 });
		const canceling = new AbortController();
		const endless = new Promise<void>(() => {});
		pauses.meanwhile = async () => await endless;
		const running = service.run(create({ parallelRequests: 5 }), {
			items: itemsOf(50),
			signal: canceling.signal,
		});
		while (service.calls().length === 0) await setTimeout(20);
		canceling.abort();
		expect((await running).error?.message).toBe('The execution was canceled');
		expect(service.calls().length).toBeLessThanOrEqual(5);
	});
});
