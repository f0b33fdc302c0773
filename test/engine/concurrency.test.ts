import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { outcomeOf, runWorkflow } from './engine';
import { contact, GERMANY, NOW } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService({ segmentCounts: 'recipients' });

const itemsOf = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_value, index) => ({
		json: { index, name: `Type ${index}`, id: 21 + (index % 2) },
	}));

const create: IDataObject = {
	resource: 'contactType',
	operation: 'create',
	name: '={{ $json.name }}',
};

const created = (index: number) => ({
	json: { created: true, name: expect.any(String) as string, message: 'Added Successfully' },
	pairedItem: { item: index },
});

describe('requests at a time', () => {
	it('begin with 16 and become more while the service keeps up', async () => {
		const { service } = test;
		Object.assign(service.state.settings, { latencyMs: 1_000 });

		await service.run(create, { items: itemsOf(16) });
		expect(service.state.journal.maxInFlight).toBe(16);
		const { items } = await service.run(create, { items: itemsOf(80) });

		expect(items).toEqual(itemsOf(80).map((_item, index) => created(index)));
		const { maxInFlight } = service.state.journal;
		expect(maxInFlight).toBeGreaterThan(16);
		expect(maxInFlight).toBeLessThanOrEqual(64);
		expect(service.calls()).toHaveLength(96);
	});

	it('never become more than 256', async () => {
		const { service } = test;
		Object.assign(service.state.settings, { latencyMs: 250 });
		await service.run(create, { items: itemsOf(600) });
		expect(service.state.journal.maxInFlight).toBeGreaterThan(48);
		expect(service.state.journal.maxInFlight).toBeLessThanOrEqual(256);
	});

	it.each([
		[1, 10],
		[2.5, 100],
		[25, 500],
	])('are %p when the option says so', async (parallelRequests, latencyMs) => {
		const { service } = test;
		Object.assign(service.state.settings, { latencyMs });

		await service.run({ ...create, options: { parallelRequests } }, { items: itemsOf(30) });

		expect(service.state.journal.maxInFlight).toBe(Math.floor(parallelRequests));
		expect(service.calls()).toHaveLength(30);
	});

	it.each([0, 'many'])('are automatic for %p', async (parallelRequests) => {
		const { service } = test;
		Object.assign(service.state.settings, { latencyMs: 1_000 });

		await service.run({ ...create, options: { parallelRequests } }, { items: itemsOf(16) });
		expect(service.state.journal.maxInFlight).toBe(16);
		await service.run({ ...create, options: { parallelRequests } }, { items: itemsOf(48) });
		expect(service.state.journal.maxInFlight).toBeGreaterThan(16);
	});

	it('count the reads before an update as well', async () => {
		const { service } = test;
		Object.assign(service.state.settings, { latencyMs: 50 });
		for (let index = 0; index < 20; index++) {
			const email = `${index}@example.com`;
			service.state.tables.contacts.add(
				{ ...contact, country: GERMANY, id: 2000000 + index, email },
				NOW,
			);
		}
		const update = {
			resource: 'contact',
			operation: 'update',
			contactId: chosen('={{ 2000000 + $itemIndex }}', 'id'),
			fields: { mappingMode: 'defineBelow', value: { city: '={{ $json.name }}' } },
			options: { parallelRequests: 4 },
		};

		const { error } = await service.run(update, { items: itemsOf(20) });

		expect(error).toBeUndefined();
		expect(service.calls()).toHaveLength(40);
		expect(service.state.journal.maxInFlight).toBe(4);
	});

	it('are of each node its own', async () => {
		const { service } = test;
		Object.assign(service.state.settings, { latencyMs: 50 });
		const step = (name: string, parallelRequests: number, to: string[]) => ({
			name,
			to,
			parameters: { ...create, name: `Of ${name}`, options: { parallelRequests } },
		});

		const run = await runWorkflow({
			baseUrl: service.baseUrl,
			items: itemsOf(20),
			steps: [step('First', 2, ['Second']), step('Second', 7, [])],
		});
		for (const name of ['First', 'Second']) {
			expect(outcomeOf(run, name).items).toEqual(itemsOf(20).map((_item, index) => created(index)));
		}
		const bodies = service.journal.map(({ body }) => body?.name);
		expect(bodies.slice(0, 20)).toEqual(Array(20).fill('Of First'));
		expect(bodies.slice(20)).toEqual(Array(20).fill('Of Second'));
		expect(service.state.journal.maxInFlight).toBe(7);
	});
});

describe('batching in Request Options', () => {
	const batching = (batchSize: number, batchInterval: number) => ({
		requestOptions: { batching: { batch: { batchSize, batchInterval } } },
	});

	it('starts a batch after the interval, with the items in order', async () => {
		const { service } = test;
		const { items } = await service.run({ ...create, ...batching(5, 150) }, { items: itemsOf(20) });

		expect(items).toEqual(itemsOf(20).map((_item, index) => created(index)));
		expect(service.state.journal.maxInFlight).toBeLessThanOrEqual(5);
		const names = service.journal.map(({ body }) => String(body?.name));
		const batches = [0, 5, 10, 15].map((start) => names.slice(start, start + 5).sort());
		expect(batches).toEqual(
			[0, 5, 10, 15].map((start) =>
				[0, 1, 2, 3, 4].map((offset) => `Type ${start + offset}`).sort(),
			),
		);
	});

	it('stays within the requests at a time when batches overtake the service', async () => {
		const { service } = test;
		Object.assign(service.state.settings, { latencyMs: 120 });
		const { items } = await service.run(
			{ ...create, ...batching(5, 10), options: { parallelRequests: 6 } },
			{ items: itemsOf(20) },
		);

		expect(items).toHaveLength(20);
		expect(service.state.journal.maxInFlight).toBe(6);
	});

	it.each([
		['an item that is invalid', [{ json: { name: '' } }], 0],
		['an item that the service rejects', [], 1],
	])('waits for no batch after %s has stopped the node', async (_what, first, sent) => {
		const { service } = test;
		service.fault({ kind: 'failed', match: { path: '/contacts-type/add' }, errors: 'Not now' });
		const { error } = await service.run(
			{ ...create, ...batching(1, 10_000) },
			{ items: [...first, ...itemsOf(20)] },
		);

		expect(error).toBeDefined();
		expect(service.journal).toHaveLength(sent);
	});

	it('waits for no batch once a service that is silent is sent nothing more', async () => {
		const { service } = test;
		service.fault({ kind: 'timeout', times: 99 });
		const requestOptions = { ...batching(3, 10_000).requestOptions, timeout: 3_000 };
		const { items } = await service.run(
			{ ...create, requestOptions, options: { parallelRequests: 1 } },
			{ items: itemsOf(20), node: { onError: 'continueRegularOutput', retryOnFail: false } },
		);

		expect(items).toHaveLength(20);
		expect(service.journal).toHaveLength(3);
	});
});

describe('execute once', () => {
	it('takes the first item only', async () => {
		const { service } = test;
		const { items } = await service.run(create, {
			items: itemsOf(5),
			node: { executeOnce: true },
		});

		expect(items).toEqual([created(0)]);
		expect(service.journal.map(({ body }) => body)).toEqual([{ name: 'Type 0' }]);
	});
});

describe('lists for several items', () => {
	const parameters = (segmentId: IDataObject): IDataObject => ({
		resource: 'segment',
		operation: 'getRecipients',
		segmentId,
		output: 'selectedFields',
		outputFields: ['email'],
	});

	it('gives many items for one, none for another, each with its source', async () => {
		const { service } = test;
		const { tables } = service.state;
		tables.segments.add({ id: 302, segment_name: 'Nobody' }, 0);
		tables.segmentRecipients.add({ segment_id: 301, email: 'second@example.com' }, 0);

		const { items, error } = await service.run(parameters(chosen('={{ $json.segment }}', 'id')), {
			items: [301, 302, 301].map((segment) => ({ json: { segment } })),
		});

		expect(error).toBeUndefined();
		const records = [
			{ id: 500001, email: 'ada@example.com' },
			{ id: 500002, email: 'second@example.com' },
		];
		expect(items).toEqual(
			[0, 2].flatMap((item) => records.map((json) => ({ json, pairedItem: { item } }))),
		);
	});

	it('gives nothing at all when there is nothing', async () => {
		const { service } = test;
		service.state.tables.segmentRecipients.clear();
		const { items, error } = await service.run(parameters(chosen('301')));
		expect({ items, error }).toEqual({ items: [], error: undefined });
	});
});
