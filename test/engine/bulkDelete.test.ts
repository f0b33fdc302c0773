import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Fault } from '../../sandbox/faults.ts';
import { useService } from './sandbox';

const test = useService({ bulkUnknown: 'refuse', deletes: 'gone' });

const remove = { resource: 'contact', operation: 'deleteMany', contactIds: '={{ $json.ids }}' };
const path = '/contacts/bulk-delete';
const confirmation = 'Deleted Successfully';

/** Adds so many contacts and gives their ids. */
function plantContacts(count: number): number[] {
	const { contacts } = test.service.state.tables;
	const now = test.service.state.clock.now();
	return Array.from(
		{ length: count },
		(_value, index) =>
			contacts.add({ email: `bulk${index}@example.com`, contact_type_id: 21 }, now).id,
	);
}

const itemsOf = (idLists: number[][]): INodeExecutionData[] =>
	idLists.map((ids) => ({ json: { ids } }));
/** The ids of each request. */
const requests = () => test.service.sent().map(({ body }) => Object.values(body ?? {}).map(Number));
const left = (ids: number[]) =>
	ids.filter((id) => test.service.state.tables.contacts.get(id) !== undefined);
const errorOf = ({ json }: INodeExecutionData) => json.error as IDataObject;
const goOn = { node: { onError: 'continueErrorOutput' as const } };

describe('bulk deletes of many items', () => {
	it.each([
		['that wait for each other', {}],
		['when failures are survived', goOn],
	])('take one request for a hundred of them, %s', async (_what, rest) => {
		const ids = plantContacts(250);
		const { items, error } = await test.service.run(remove, {
			items: itemsOf(ids.map((id) => [id])),
			...rest,
		});
		expect(error).toBeUndefined();
		expect(test.service.calls()).toEqual(Array(3).fill(`POST ${path}`));
		expect(requests()).toEqual([ids.slice(0, 100), ids.slice(100, 200), ids.slice(200)]);
		expect(left(ids)).toEqual([]);
		expect(items).toEqual(
			ids.map((id, item) => ({
				json: { deleted: true, ids: [id], message: confirmation },
				pairedItem: { item },
			})),
		);
		expect(test.service.violations()).toEqual([]);
	});

	it('send an id once that several items have', async () => {
		const [first = 0, second = 0] = plantContacts(2);
		const { items } = await test.service.run(remove, {
			items: itemsOf([[first, second], [first]]),
		});
		expect(requests()).toEqual([[first, second]]);
		expect(items.map(({ json }) => json.ids)).toEqual([[first, second], [first]]);
	});

	it('stand each for itself when the service refuses them together', async () => {
		const ids = plantContacts(3);
		const gone = 999_999;
		const { items, failed } = await test.service.run(remove, {
			items: itemsOf([...ids.slice(0, 2).map((id) => [id]), [gone], [ids[2] ?? 0]]),
			...goOn,
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 3].map((item) => ({ item })));
		expect(failed).toMatchObject([
			{
				json: { error: { message: 'The service rejected the request: Record Not Found [item 2]' } },
				pairedItem: { item: 2 },
			},
		]);
		expect(requests()[0]).toEqual([...ids.slice(0, 2), gone, ids[2]]);
		expect(requests()).toHaveLength(5);
		expect(left(ids)).toEqual([]);
	});

	it('may be gone after a rejected request, which no message denies', async () => {
		const ids = plantContacts(2);
		test.service.fault({ kind: 'failed', errors: 'Record Not Found', effect: true });
		const { items, failed } = await test.service.run(remove, {
			items: itemsOf(ids.map((id) => [id])),
			...goOn,
		});
		expect(items).toEqual([]);
		expect(requests()).toEqual([ids, ...ids.map((id) => [id])]);
		expect(failed.map((item) => errorOf(item))).toEqual(
			ids.map((_id, item) =>
				expect.objectContaining({
					message: `The service rejected the request: Record Not Found [item ${item}]`,
					description:
						'No record has this ID. Either it never existed, or it was deleted by an earlier request that also contained the IDs of other items. The service rejected that request, but may still have deleted some of its records. Check the list in the service.',
				}),
			),
		);
	});

	it('of one item may be gone after a rejected request, and are not sent again', async () => {
		const ids = plantContacts(2);
		test.service.fault({ kind: 'failed', errors: 'Record Not Found', effect: true });
		const { error } = await test.service.run(remove, {
			items: itemsOf([ids]),
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(requests()).toEqual([ids]);
		expect([error?.message, error?.description]).toEqual([
			'The service rejected the request: Record Not Found',
			'At least one of these IDs does not exist. The service may have deleted the other records before it rejected the request. Check the list in the service. n8n ran this node again; this request was not repeated.',
		]);
	});

	it('go no further after a failure that is not to be survived', async () => {
		const ids = plantContacts(300);
		test.service.fault({ kind: 'reset-before' });
		const { items, error } = await test.service.run(
			{ ...remove, options: { parallelRequests: 1 } },
			{ items: itemsOf(ids.map((id) => [id])) },
		);
		expect(items).toEqual([]);
		expect(error?.message).toContain('was lost before');
		expect(test.service.calls()).toHaveLength(1);
		expect(left(ids)).toEqual(ids);
	});
});

describe('2,000 ids in one item', () => {
	const twoThousand = () => plantContacts(2_000);
	const run = async (ids: number[], rest = {}) =>
		await test.service.run(remove, { items: itemsOf([ids]), ...rest });

	it('go out in chunks', async () => {
		const ids = twoThousand();
		const { items } = await run(ids);
		expect(requests().map((chunk) => chunk.length)).toEqual(Array(20).fill(100));
		expect(items).toEqual([
			{ json: { deleted: true, ids, message: confirmation }, pairedItem: { item: 0 } },
		]);
		expect(left(ids)).toEqual([]);
	});

	it('are reported one and all when chunks of them fail', async () => {
		const ids = twoThousand();
		test.service.fault({ kind: 'failed', errors: 'Locked', skip: 3 });
		test.service.fault({ kind: 'reset-after', skip: 4 });
		const { failed } = await run(ids, goOn);
		const error = errorOf(failed[0] as INodeExecutionData);
		const { deleted, notDeleted, possiblyDeleted } = error as Record<string, string[]>;
		expect([deleted?.length, notDeleted?.length, possiblyDeleted?.length]).toEqual([
			1800, 100, 100,
		]);
		expect(
			[...(deleted ?? []), ...(notDeleted ?? []), ...(possiblyDeleted ?? [])].map(Number).sort(),
		).toEqual([...ids].sort());
		expect(left(ids)).toEqual(notDeleted?.map(Number));
		expect(error.message).toMatch(/^Deletion is confirmed for only 1800 of 2000 IDs: /);
		const shown = notDeleted?.slice(0, 20).join(', ');
		expect(error.description).toContain(`Not deleted: ${shown} and 80 more.`);
		expect(error.description).toContain('Possibly deleted; check the service: ');
	});

	it('are reported where the node stops too, with those that were not sent', async () => {
		const ids = twoThousand();
		test.service.fault({ kind: 'failed', errors: 'Locked', skip: 3 });
		const { error } = await test.service.run(
			{ ...remove, options: { parallelRequests: 1 } },
			{ items: itemsOf([ids]) },
		);
		expect(test.service.calls()).toHaveLength(4);
		expect(error?.message).toBe(
			'Deletion is confirmed for only 300 of 2000 IDs: The service rejected the request: Locked',
		);
		const shown = ids.slice(300, 320).join(', ');
		expect(error?.description).toBe(
			`Not deleted: ${shown} and 1680 more. Run the node again with these IDs only. The error data contains the full lists.`,
		);
		expect(error?.context.report).toEqual({
			deleted: ids.slice(0, 300).map(String),
			notDeleted: ids.slice(300).map(String),
			possiblyDeleted: [],
		});
	});
});

describe('a bulk delete that n8n tries again', () => {
	const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const options = { parallelRequests: 2, retryTemporaryFailures: false };

	it('calls no ID deleted that was never sent, and sends it the second time', async () => {
		const { service } = test;
		const ids = plantContacts(300);
		Object.assign(service.state.settings, { latencyMs: 50 });
		service.fault({ kind: 'status', status: 429 });

		const { items, error } = await service.run(
			{ ...remove, options },
			{ items: itemsOf([ids.slice(0, 100), ids.slice(100)]), node: retry },
		);

		expect(error).toBeUndefined();
		expect(requests().map((chunk) => chunk[0])).toEqual(
			[0, 100, 0, 200].map((index) => ids[index]),
		);
		expect(left(ids)).toEqual([]);
		expect(items.map(({ json }) => (json.ids as number[]).length)).toEqual([100, 200]);
		expect(service.violations()).toEqual([]);
	});

	it('counts the IDs that were deleted before it failed', async () => {
		const { service } = test;
		const ids = plantContacts(1200);
		service.fault({ kind: 'failed', errors: 'Locked', skip: 9 });

		const { error } = await service.run(
			{ ...remove, options: { ...options, parallelRequests: 1 } },
			{ items: itemsOf([ids.slice(0, 900), ids.slice(900)]) },
		);

		expect(error?.description).toContain('900 of 1200 IDs were deleted before item 1 failed');
		expect(left(ids)).toEqual(ids.slice(900));
	});

	it('counts an ID of several items once', async () => {
		const ids = plantContacts(2);
		const { error } = await test.service.run(
			{ ...remove, options: { ...options, parallelRequests: 1 } },
			{ items: itemsOf([ids, ids.slice(1), [999_999]]) },
		);
		expect(error?.description).toContain('2 of 3 IDs were deleted before item 2 failed');
	});

	it('gives the same items for what was deleted the first time', async () => {
		const { service } = test;
		const ids = plantContacts(150);
		service.fault({ kind: 'status', status: 429, skip: 1 });
		const { items, error } = await service.run(
			{ ...remove, options: { ...options, parallelRequests: 1 } },
			{ items: itemsOf([ids.slice(0, 100), ids.slice(100)]), node: retry },
		);
		expect(error).toBeUndefined();
		expect(requests()).toEqual([ids.slice(0, 100), ids.slice(100), ids.slice(100)]);
		expect(items).toEqual(
			[ids.slice(0, 100), ids.slice(100)].map((own, item) => ({
				json: { deleted: true, ids: own, message: confirmation },
				pairedItem: { item },
			})),
		);
	});

	it('says nothing of IDs that are not deleted where there are none', async () => {
		const { service } = test;
		const ids = plantContacts(102);
		service.fault({ kind: 'reset-after', skip: 1 });
		const { error } = await service.run(
			{ ...remove, options: { ...options, parallelRequests: 1 } },
			{ items: itemsOf([ids]) },
		);
		expect([error?.message, error?.description]).toEqual([
			'Deletion is confirmed for only 100 of 102 IDs: The connection to the service was lost before the response was complete',
			`Possibly deleted; check the service: ${ids.slice(100).join(', ')}. Run the node again with these IDs only. The error data contains the full lists.`,
		]);
	});

	it('sends nothing at all if the outcome of an item is not known', async () => {
		const { service } = test;
		const ids = plantContacts(150);
		service.fault({ kind: 'reset-after' });
		const { error } = await service.run(
			{ ...remove, options: { ...options, parallelRequests: 1 } },
			{ items: itemsOf([ids.slice(0, 100), ids.slice(100)]), node: retry },
		);
		expect(error?.message).toContain('was lost before the response was complete [item 0]');
		expect(requests()).toEqual([ids.slice(0, 100)]);
	});

	it('sends nothing again whose outcome is not known', async () => {
		const { service } = test;
		const ids = plantContacts(150);
		service.fault({ kind: 'reset-after' });

		const { error } = await service.run(
			{ ...remove, options: { ...options, parallelRequests: 1 } },
			{ items: itemsOf([ids]), node: retry },
		);

		expect(error?.message).toMatch(/^Deletion is confirmed for only 0 of 150 IDs: /);
		const [notDeleted, possibly] = [ids.slice(100, 120), ids.slice(0, 20)];
		expect(error?.description).toBe(
			`Not deleted: ${notDeleted.join(', ')} and 30 more. Possibly deleted; check the service: ${possibly.join(', ')} and 80 more. Run the node again with these IDs only. The error data contains the full lists.`,
		);
		expect(requests()).toEqual([ids.slice(0, 100)]);
		expect(error?.context.report).toEqual({
			deleted: [],
			notDeleted: ids.slice(100).map(String),
			possiblyDeleted: ids.slice(0, 100).map(String),
		});
	});
});

it('an ID of several items is sent once, also where the service refuses them together', async () => {
	const [first = 0, shared = 0, last = 0] = plantContacts(3);
	const { items, failed } = await test.service.run(remove, {
		items: itemsOf([[first, shared], [shared, last], [999_999]]),
		...goOn,
	});
	expect(items.map(({ json }) => json.ids)).toEqual([
		[first, shared],
		[shared, last],
	]);
	expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }]);
	expect(requests().slice(1)).toEqual([[first, shared], [last], [999_999]]);
	expect(left([first, shared, last])).toEqual([]);
});

it('an ID of several items that is not deleted is told for each of them', async () => {
	const [first = 0, shared = 0, last = 0] = plantContacts(3);
	test.service.fault({ kind: 'failed', errors: 'Locked', times: 3 });
	const { items, failed } = await test.service.run(remove, {
		items: itemsOf([
			[first, shared],
			[shared, last],
		]),
		...goOn,
	});
	expect(items).toEqual([]);
	expect(requests()).toEqual([[first, shared, last], [first, shared], [last]]);
	const rejected = 'The service rejected the request: Locked';
	expect(failed.map((item) => errorOf(item))).toMatchObject([
		{ message: `${rejected} [item 0]` },
		{
			message: `Deletion is confirmed for only 0 of 2 IDs: ${rejected} [item 1]`,
			description: `Not deleted: ${shared}, ${last}. Run the node again with these IDs only. The error data contains the full lists.`,
			deleted: [],
			notDeleted: [shared, last].map(String),
			possiblyDeleted: [],
		},
	]);
});

it('a single ID that does not exist is told as such', async () => {
	const { error } = await test.service.run(remove, { items: itemsOf([[999_999]]) });
	expect([error?.message, error?.description]).toEqual([
		'The service rejected the request: Record Not Found',
		'No record has this ID or UTR. It may have been deleted or belong to another account. Choose it from the list again. Nothing was changed.',
	]);
});

const only = (count: number) =>
	` Item 1: Deletion is confirmed for only ${count} of 200 IDs: The service rejected the request: Locked.`;

it.each<[string, Fault, string]>([
	[
		'deleted in part',
		{ kind: 'failed', errors: 'Locked', skip: 1 },
		`${only(100)} 100 of 300 IDs were deleted before item 0 failed. 1 other item may have succeeded, too. To continue after failures, set "On Error" of this node to "Continue (using error output)".`,
	],
	['not deleted', { kind: 'failed', errors: 'Locked', times: 2 }, only(0)],
])('of a run that stops, an item that was %s counts as such', async (_what, fault, progress) => {
	const { service } = test;
	const ids = plantContacts(300);
	Object.assign(service.state.settings, { latencyMs: 50 });
	service.fault({ kind: 'failed', errors: 'Locked' });
	service.fault(fault);
	const { error } = await service.run(
		{ ...remove, options: { parallelRequests: 3, retryTemporaryFailures: false } },
		{ items: itemsOf([ids.slice(0, 100), ids.slice(100)]) },
	);
	expect(requests()).toHaveLength(3);
	expect([error?.message, error?.description]).toEqual([
		'The service rejected the request: Locked [item 0]',
		`Check the values of this operation and whether the keys in the credential belong to this account. Nothing was changed. Both items failed.${progress}`,
	]);
});

it('says that it is unclear whether an ID is deleted that a refused request had, too', async () => {
	const ids = plantContacts(101);
	test.service.fault({ kind: 'failed', errors: 'Record Not Found', effect: true });
	const { failed } = await test.service.run(remove, {
		items: itemsOf([ids.slice(0, 99), ids.slice(99)]),
		...goOn,
	});
	expect(left(ids)).toEqual([]);
	expect(errorOf(failed[1] as INodeExecutionData)).toMatchObject({
		...{ deleted: [String(ids[100])], notDeleted: [], possiblyDeleted: [String(ids[99])] },
	});
});

it('items that name records by ID and by UTR share no request', async () => {
	const { automations } = test.service.state.tables;
	const now = test.service.state.clock.now();
	const [one, other] = ['A', 'B'].map((name) => automations.add({ automation_name: name }, now));
	const keys = [
		{ kind: 'id', key: one?.id },
		{ kind: 'utr', key: other?.utr },
	];
	const { items } = await test.service.run(
		{
			...{ resource: 'automation', operation: 'deleteMany', automationIds: '={{ $json.key }}' },
			options: { identifyBy: '={{ $json.kind }}' },
		},
		{ items: keys.map((json) => ({ json })) },
	);
	expect(test.service.sent().map(({ body }) => Object.values(body ?? {}))).toEqual([
		[String(one?.id)],
		[other?.utr],
	]);
	expect(items.map(({ json }) => Object.keys(json))).toEqual([
		['deleted', 'ids', 'message'],
		['deleted', 'utrs', 'message'],
	]);
});
