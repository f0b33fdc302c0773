import type { INodeExecutionData } from 'n8n-workflow';

import { outcomeOf, runWorkflow } from './engine';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();

/** Every tenth name is too short for a contact type, which is seen before sending. */
const tooShort = (index: number) => index % 10 === 3;
const hundred: INodeExecutionData[] = Array.from({ length: 100 }, (_value, index) => ({
	json: { index, name: tooShort(index) ? 'X' : `Type ${index}` },
}));
const numbers = hundred.map((_item, index) => index);
const good = numbers.filter((index) => !tooShort(index));
const bad = numbers.filter(tooShort);

const create = {
	resource: 'contactType',
	operation: 'create',
	name: '={{ $json.name }}',
};
const problem = (index: number) =>
	`"Name" is too short: it must have at least 2 characters [item ${index}]`;
const reason = (index: number) => ({
	message: problem(index),
	description: 'Enter at least 2 characters instead of "X". Nothing was changed for this item.',
});
const created = {
	created: true,
	name: expect.any(String) as string,
	message: 'Added Successfully',
};

describe('one bad item of many', () => {
	it('stops everything before anything is sent, and names item, label and remedy', async () => {
		const { service } = test;
		const items = hundred.map(({ json }, index) => ({
			json: { ...json, name: index === 97 ? 'X' : `Type ${index}` },
		}));

		const { error, items: out } = await service.run(create, { items });

		expect(service.calls()).toEqual([]);
		expect(out).toEqual([]);
		expect(error?.message).toBe(problem(97));
		expect(error?.description).toBe(
			'Enter at least 2 characters instead of "X". Nothing was changed for this item. None of the 100 items was completed.',
		);
		expect(error?.context).toMatchObject({ itemIndex: 97 });
	});

	it.each([
		[[0, 4], '2 items failed: 0, 4.'],
		[[0, 4, 7, 8, 99], '5 items failed: 0, 4, 7 and 2 more.'],
	])('is named first, and the others with it: %j', async (wrong, summary) => {
		const items = hundred.map(({ json }, index) => ({
			json: { ...json, name: wrong.includes(index) ? 'X' : `Type ${index}` },
		}));
		const { error } = await test.service.run(create, { items });
		expect(error?.message).toBe(problem(0));
		expect(error?.description).toBe(
			`Enter at least 2 characters instead of "X". Nothing was changed for this item. ${summary} None of the 100 items was completed.`,
		);
		expect(test.service.calls()).toEqual([]);
	});

	it('tells the reasons of the others, each once', async () => {
		const names = ['X', 'Fine', '', 'Y', { first: 'Ada' }, ''];
		const items = names.map((name) => ({ json: { name } }));
		const { error } = await test.service.run(create, { items });
		expect(error?.message).toBe(problem(0));
		expect(error?.description).toContain(
			'5 items failed: 0, 2, 3 and 2 more. Item 2: "Name" is required but empty. Item 4: "Name" must be text, but it is "{"first":"Ada"}". None of the 6 items was completed.',
		);
	});

	it('tells reasons that the editor shows as they are', async () => {
		const items = ['X', { name: '<b>Ada</b> & Ben' }].map((name) => ({ json: { name } }));
		const { error } = await test.service.run(create, { items });
		expect(error?.description).toContain('it is "{"name":"&lt;b>Ada&lt;/b> &amp; Ben"}".');
	});

	it('stops everything when it is an expression that fails', async () => {
		const { service } = test;
		const { error } = await service.run(
			{ ...create, name: '={{ $json.index === 7 ? $("Nowhere").item.json.name : "Fine" }}' },
			{ items: hundred.slice(0, 10) },
		);
		expect(error?.message).toContain("Referenced node doesn't exist");
		expect(error?.context).toMatchObject({ itemIndex: 7 });
		expect(service.calls()).toEqual([]);
	});
});

describe('a failure of the service in the middle', () => {
	it('lets nothing more go out, and says how many items were completed', async () => {
		const { service } = test;
		service.fault({ kind: 'failed', errors: 'Account suspended', skip: 4 });

		const { error } = await service.run(
			{ ...create, options: { parallelRequests: 1 } },
			{ items: hundred.filter((_item, index) => !tooShort(index)) },
		);

		expect(service.calls()).toHaveLength(5);
		expect(service.state.tables.contactTypes.size).toBe(2 + 4);
		expect(error?.message).toBe('The service rejected the request: Account suspended [item 4]');
		expect(error?.description).toBe(
			'Check the values of this operation and whether the keys in the credential belong to this account. Nothing was changed. ' +
				'4 of 90 items were completed before item 4 failed. ' +
				'To continue after failures, set "On Error" of this node to "Continue (using error output)".',
		);
	});

	it('waits for what is under way, and counts it', async () => {
		const { service } = test;
		Object.assign(service.state.settings, { latencyMs: 30 });
		service.fault({ kind: 'status', status: 503, effect: false, skip: 3 });

		const { error } = await service.run(
			{ ...create, options: { parallelRequests: 4 } },
			{ items: hundred.filter((_item, index) => !tooShort(index)) },
		);

		const effect = service.state.tables.contactTypes.size - 2;
		expect(service.state.journal.inFlight).toBe(0);
		expect(service.calls()).toHaveLength(effect + 1);
		expect(error?.description).toContain(`${effect} of 90 items were completed`);
	});
});

describe('On Error: Continue (using error output)', () => {
	it('gives 90 to the success output and 10 to the error output, each from its own source', async () => {
		const { service } = test;
		const reader = (name: string) => ({
			name,
			type: 'reader' as const,
			parameters: { value: "={{ $('Items').item.json.name }}" },
		});

		const run = await runWorkflow({
			baseUrl: service.baseUrl,
			items: hundred,
			steps: [
				{
					name: 'Create',
					parameters: create,
					node: { onError: 'continueErrorOutput' },
					to: ['Made'],
					onFailure: ['Failed'],
				},
				reader('Made'),
				reader('Failed'),
			],
		});

		const { items, failed } = outcomeOf(run, 'Create');
		expect(items).toEqual(good.map((item) => ({ json: created, pairedItem: { item } })));
		expect(failed).toEqual(
			bad.map((item) => ({
				json: { ...hundred[item]?.json, error: reason(item) },
				pairedItem: { item },
			})),
		);
		const values = (name: string) => outcomeOf(run, name).items.map(({ json }) => json.value);
		expect(values('Made')).toEqual(good.map((index) => `Type ${index}`));
		expect(values('Failed')).toEqual(bad.map(() => 'X'));
		expect(service.calls()).toHaveLength(90);
	});

	it('does the same for what the service refuses', async () => {
		const { service } = test;
		const { items, failed } = await service.run(
			{
				resource: 'contact',
				operation: 'delete',
				contactId: chosen('={{ $json.id }}', 'id'),
			},
			{
				items: [{ json: { id: 1000001 } }, { json: { id: 99 } }, { json: { id: 1000002 } }],
				node: { onError: 'continueErrorOutput' },
			},
		);
		const done = { deleted: true, message: 'Deleted Successfully' };
		expect(items).toEqual([
			{ json: { ...done, id: 1000001 }, pairedItem: { item: 0 } },
			{ json: { ...done, id: 1000002 }, pairedItem: { item: 2 } },
		]);
		expect(failed).toEqual([
			{
				json: {
					id: 99,
					error: {
						message: 'The service rejected the request: Record Not Found [item 1]',
						description:
							'No record has this ID or UTR. It may have been deleted or belong to another account. Choose it from the list again. Nothing was changed.',
					},
				},
				pairedItem: { item: 1 },
			},
		]);
	});

	it('lets the others go on when an expression fails for one, which is paired too', async () => {
		const { service } = test;
		const { items, failed } = await service.run(
			{ ...create, name: '={{ $json.index === 1 ? $("Nowhere").item.json.name : "Fine" }}' },
			{ items: hundred.slice(0, 3), node: { onError: 'continueErrorOutput' } },
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(failed).toEqual([
			{
				json: {
					...hundred[1]?.json,
					error: {
						message: "Referenced node doesn't exist [item 1]",
						description: 'Correct the expression. Nothing was changed for this item.',
					},
				},
				pairedItem: { item: 1 },
			},
		]);
	});

	it('fails an item whose request options are wrong', async () => {
		const { service } = test;
		const { items, failed } = await service.run(
			{ ...create, requestOptions: { proxy: "={{ $json.index === 1 ? 'proxy' : '' }}" } },
			{ items: hundred.slice(0, 3), node: { onError: 'continueErrorOutput' } },
		);
		expect(items).toEqual([0, 2].map((item) => ({ json: created, pairedItem: { item } })));
		expect(failed).toEqual([
			{
				json: {
					...hundred[1]?.json,
					error: {
						message: '"Proxy" in Request Options is not valid [item 1]',
						description: 'Enter it as http://host:port, or remove it.',
					},
				},
				pairedItem: { item: 1 },
			},
		]);
	});
});

describe('On Error: Continue', () => {
	it('gives everything to the one output, failures with their reason', async () => {
		const { service } = test;
		const { items, failed, error } = await service.run(create, {
			items: hundred,
			node: { onError: 'continueRegularOutput' },
		});

		expect(error).toBeUndefined();
		expect(failed).toEqual([]);
		expect(items).toEqual(
			numbers.map((item) => ({
				json: tooShort(item) ? { error: reason(item) } : created,
				pairedItem: { item },
			})),
		);
	});
});
