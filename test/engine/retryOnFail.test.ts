import type { IDataObject } from 'n8n-workflow';

import { chosen } from './rows';
import { once, useService } from './sandbox';

const test = useService();

const create = {
	resource: 'contactType',
	operation: 'create',
	name: '={{ $json.name }}',
};
const created = {
	created: true,
	name: expect.any(String) as string,
	message: 'Added Successfully',
};

describe('retry on fail', () => {
	it('sends only what was not sent, when nothing had been', async () => {
		const { service } = test;
		service.fault({ kind: 'failed' });
		const { items, error } = await service.run(
			{ ...create, name: 'Again' },
			{ node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
		);
		expect(error).toBeUndefined();
		expect(items).toEqual([{ json: created, pairedItem: { item: 0 } }]);
		expect(service.calls()).toHaveLength(2);
	});

	const again = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const six = Array.from({ length: 6 }, (_value, index) => ({ json: { name: `Type ${index}` } }));
	const one = { ...create, name: '={{ $json.name }}', options: { parallelRequests: 1 } };

	it('sends nothing again that was carried out before another item failed', async () => {
		const { service } = test;
		service.fault({ kind: 'failed', skip: 3 });
		const { items, error } = await service.run(one, { items: six, node: again });
		expect(error).toBeUndefined();
		expect(items).toEqual(six.map((_item, item) => ({ json: created, pairedItem: { item } })));
		const names = service.sent().map(({ body }) => body?.name);
		expect(names).toEqual([0, 1, 2, 3, 3, 4, 5].map((index) => `Type ${index}`));
	});

	it('never sends again what may have been carried out, and says so', async () => {
		const { service } = test;
		service.fault({ kind: 'reset-after', skip: 1 });
		const { error } = await service.run(one, { items: six, node: again });
		expect(error?.message).toBe(
			'The connection to the service was lost before the response was complete [item 1]',
		);
		expect(error?.description).toMatch(
			/Check the service before running it again\. .*n8n ran this node again; this request was not repeated\./,
		);
		const names = service.sent().map(({ body }) => body?.name);
		expect(new Set(names).size).toBe(names.length);
	});

	it.each<[number, IDataObject | string, string]>([
		[500, { server: ['Trouble'] }, 'Trouble'],
		[408, 'Request Timeout', 'Request Timeout'],
		[504, { name: ['Taken'] }, 'Taken'],
	])(
		'takes a server error for no rejection, even in the form of one: HTTP %i',
		async (status, errors, reason) => {
			const { service } = test;
			service.fault({ kind: 'failed', status, errors, effect: true });
			const { error } = await service.run({ ...create, name: 'Once' }, { node: again });
			expect(error?.message).toBe(`The service rejected the request: ${reason}`);
			expect(service.calls()).toHaveLength(1);
		},
	);

	it('does so on the error output too, where n8n tries again because of the first item alone', async () => {
		const { service } = test;
		service.fault({ kind: 'failed' });
		const { items, failed } = await service.run(one, {
			items: six,
			node: { ...again, onError: 'continueErrorOutput' },
		});
		expect(failed).toEqual([]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(six.map((_item, item) => ({ item })));
		const names = service.sent().map(({ body }) => body?.name);
		expect(names).toEqual([0, 1, 2, 3, 4, 5, 0].map((index) => `Type ${index}`));
	});

	it('reads and writes again where only a read before the write had failed', async () => {
		const { service } = test;
		service.fault({ kind: 'timeout' });
		const { error } = await service.run(
			{
				resource: 'sender',
				operation: 'update',
				senderId: chosen('81'),
				updateFields: { nickname: 'New' },
				requestOptions: { timeout: 3_000 },
				options: once,
			},
			{ node: again },
		);
		expect(error).toBeUndefined();
		const read = 'GET /sender/details';
		expect(service.calls()).toEqual([read, read, 'POST /sender/update']);
	});
});

it.each([
	[2, '1 other item may have succeeded, too.'],
	[3, '2 other items may have succeeded, too.'],
])('of %i items whose responses are lost, the others are counted', async (count, others) => {
	const { service } = test;
	Object.assign(service.state.settings, { latencyMs: 50 });
	service.fault({ kind: 'reset-after', times: count });
	const { error } = await service.run(
		{ ...create, options: { ...once, parallelRequests: count } },
		{
			items: Array.from({ length: count }, (_value, index) => ({
				json: { name: `Type ${index}` },
			})),
		},
	);
	const failed = count === 2 ? 'Both items failed.' : 'All 3 items failed.';
	expect(error?.description).toBe(
		`The request may have succeeded. Check the service before running it again. If this always happens, check whether "Base URL" in the credential should start with http:// or https://, and check any proxy or firewall in between. ${failed} 0 of ${count} items were completed before item 0 failed. ${others} To continue after failures, set "On Error" of this node to "Continue (using error output)".`,
	);
});
