import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../scripts/lib/workflow-json.ts';
import { outcomeOf, runWorkflow } from './engine';
import { singleSend } from './records';
import { chosen, newSend } from './rows';
import { get, multipart, useService } from './sandbox';
import { plantTesters } from './sendTest/support';

const test = useService();

/** Lets an agent call the node as a tool, once with each of the arguments. */
async function call(
	parameters: IDataObject,
	calls: IDataObject[],
	{ atOnce = false, items = 1, json = {} as IDataObject, node = {} } = {},
): Promise<IDataObject> {
	const noCalls = Array.from({ length: items - 1 }, () => ({ json: { calls: [] } }));
	const run = await runWorkflow({
		baseUrl: test.service.baseUrl,
		items: [{ json: { ...json, calls } }, ...noCalls],
		steps: [
			{ name: 'Agent', type: 'agent', parameters: { atOnce } },
			{
				name: 'Email Marketing',
				type: 'emailMarketingTool',
				parameters: { descriptionType: 'auto', ...parameters },
				toolOf: 'Agent',
				node,
			},
		],
	});
	const { items: given, error } = outcomeOf(run, 'Agent');
	if (error !== undefined) throw error;
	return given[0]?.json ?? {};
}

const fromAi = (key: string) => `={{ $fromAI('${key}', '', 'string') }}`;
const createType = { resource: 'contactType', operation: 'create', name: fromAi('name') };
const done = {
	response: [{ created: true, name: expect.any(String) as string, message: 'Added Successfully' }],
};
const tooShort = {
	error: expect.stringMatching(
		/^"Name" is too short: it must have at least 2 characters\n\nDetails: Enter at least 2 characters instead of "a"\. Nothing was changed/,
	) as string,
};

describe('as a tool of an agent', () => {
	it('is described by its operation, and gives back the items', async () => {
		const answer = await call({ resource: 'contactType', operation: 'getAll' }, [{}]);

		expect(answer).toEqual({
			name: 'Email_Marketing',
			description: 'Get many contact types in Email Marketing',
			results: [
				{
					response: [
						expect.objectContaining({ id: 21, name: 'Customers', contacts_count: 1 }),
						expect.objectContaining({ id: 22, name: 'Subscribers', contacts_count: 1 }),
					],
				},
			],
		});
	});

	it.each([1, 3])(
		'takes what the model fills in, whatever %d items the agent has',
		async (items) => {
			const { results } = await call(createType, [{ name: 'Wholesale' }], { items });

			expect(results).toEqual([done]);
			expect(test.service.sent()).toEqual([multipart('/contacts-type/add', { name: 'Wholesale' })]);
		},
	);

	it('takes fields that were dragged in from the item of the agent', async () => {
		const value = { email: fromAi('email'), country: '85', first_name: '={{ $json.first }}' };
		const { results } = await call(
			{
				resource: 'contact',
				operation: 'create',
				contactTypeId: chosen('21'),
				fields: { mappingMode: 'defineBelow', value },
			},
			[{ email: 'grace@example.com' }],
			{ json: { first: 'Grace' } },
		);

		expect(results).toHaveLength(1);
		expect(test.service.sent()).toEqual([
			get('/global-unsubscribes'),
			get('/contacts/list'),
			multipart('/contacts/add', {
				contact_type_id: '21',
				email: 'grace@example.com',
				country: '85',
				first_name: 'Grace',
			}),
		]);
	});

	it('tells the model what was wrong, and goes on with its next call', async () => {
		const { results } = await call(createType, [{ name: 'a' }, { name: 'Wholesale' }]);

		expect(results).toEqual([tooShort, done]);
		expect(test.service.calls()).toEqual(['POST /contacts-type/add']);
	});

	it('never sends again what may have been carried out, when n8n tries a call again', async () => {
		test.service.fault({ kind: 'reset-after' });
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { results } = await call(createType, [{ name: 'Wholesale' }], { node: retry });

		expect(results).toEqual([
			{ error: expect.stringContaining('this request was not repeated.') as string },
		]);
		expect(test.service.calls()).toEqual(['POST /contacts-type/add']);
	});

	it('keeps calls at the same time apart', async () => {
		const { service } = test;
		Object.assign(service.state.settings, { latencyMs: 20 });

		const { results } = await call(
			createType,
			[{ name: 'One' }, { name: 'a' }, { name: 'Three' }],
			{
				atOnce: true,
			},
		);

		expect(results).toEqual([done, tooShort, done]);
		expect(service.state.tables.contactTypes.all().map(({ name }) => name)).toEqual([
			'Customers',
			'Subscribers',
			'One',
			'Three',
		]);
	});

	it('carries out the operations that look at all items at once', async () => {
		const { results } = await call(
			{
				resource: 'contact',
				operation: 'upsert',
				contactTypeId: chosen('21'),
				fields: {
					mappingMode: 'defineBelow',
					value: { email: fromAi('email'), first_name: fromAi('first_name') },
				},
				defaultCountry: chosen('DE', 'name'),
			},
			[
				{ email: 'ada@example.com', first_name: 'Augusta' },
				{ email: 'grace@example.com', first_name: 'Grace' },
			],
		);

		expect(results).toEqual([
			{ response: [expect.objectContaining({ email: 'ada@example.com', action: 'updated' })] },
			{ response: [expect.objectContaining({ email: 'grace@example.com', action: 'created' })] },
		]);
		expect(test.service.violations()).toEqual([]);
	});

	it('lets the model leave a field empty, which other expressions may not', async () => {
		const update = (recipientId: string) => ({
			...{ resource: 'singleSend', operation: 'update' },
			singleSendUtr: chosen(singleSend.utr, 'utr'),
			updateFields: { subject: fromAi('subject'), recipientId },
		});
		const said = { subject: 'New', to: '' };
		const { results: kept } = await call(update(fromAi('to')), [said]);
		expect(kept).toEqual([{ response: [expect.objectContaining({ updated: true })] }]);
		expect(test.service.sent().at(-1)?.body).toMatchObject({
			...{ subject: 'New', 'recipient_id[0]': 'contacts_21' },
		});
		test.service.state.journal.clear();
		const { results: refused } = await call(update('={{ $json.to }}'), [said]);
		expect(refused).toEqual([
			{ error: expect.stringContaining('an expression that returned nothing') as string },
		]);
		expect(test.service.sent()).toEqual([]);
		const sort = { field: fromAi('sort'), direction: 'ascending' };
		const listTypes = { resource: 'contactType', operation: 'getAll', sort };
		const { results: listed } = await call(listTypes, [{ sort: '' }]);
		expect(listed).toMatchObject([{ response: [{ id: 21 }, { id: 22 }] }]);
	});

	it('does not create a campaign again whose response was lost', async () => {
		test.service.fault({ kind: 'reset-before', match: { path: '/single/send/create' } });
		const create = { ...newSend, ifNameExists: 'fail', options: { preflight: false } };
		const { results } = await call(create, [{}, {}]);
		expect(results).toMatchObject([
			{ error: expect.stringContaining('may have succeeded') as string },
			{ error: expect.stringContaining('may have been saved by an earlier node or run') as string },
		]);
		expect(test.service.calls().filter((one) => one === 'POST /single/send/create')).toHaveLength(
			1,
		);
	});

	it('tells an agent whether the package fits the service', async () => {
		const { results } = await call({ resource: 'account', operation: 'check' }, [{}]);

		const [{ response } = { response: [] }] = results as Array<{ response: IDataObject[] }>;
		expect(response.at(-1)).toMatchObject({ type: 'conclusion', result: 'fits' });
		expect(test.service.violations()).toEqual([]);
	});
});

describe('as a tool that n8n itself runs for the agent', () => {
	const run = async (parameters: IDataObject, json: IDataObject, node = {}) =>
		outcomeOf(
			await runWorkflow({
				baseUrl: test.service.baseUrl,
				items: [{ json }],
				steps: [
					{
						name: 'Email Marketing',
						type: 'emailMarketingTool',
						parameters: { descriptionType: 'auto', ...parameters },
						node: { rewireOutputLogTo: 'ai_tool', ...node },
					},
				],
			}),
			'Email Marketing',
		).run.data.resultData.runData['Email Marketing']?.[0];
	const named = { ...createType, name: '={{ $json.name }}' };

	it('gives the items', async () => {
		const ran = await run(named, { name: 'Wholesale' });
		expect(ran?.data?.ai_tool).toEqual([
			[
				{
					json: { created: true, name: 'Wholesale', message: 'Added Successfully' },
					pairedItem: { item: 0 },
				},
			],
		]);
		expect(test.service.sent()).toEqual([multipart('/contacts-type/add', { name: 'Wholesale' })]);
	});

	it('never sends again what may have been carried out, when n8n tries it again', async () => {
		test.service.fault({ kind: 'reset-after' });
		const ran = await run(
			named,
			{ name: 'Wholesale' },
			{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		);
		expect(ran?.error?.description).toContain('this request was not repeated.');
		expect(test.service.calls()).toEqual(['POST /contacts-type/add']);
	});
});

describe('as a node that n8n runs for one of its own agents', () => {
	const people = ['ada', 'grace', 'katherine'].map((name) => ({
		json: { email: `${name}@example.org`, country: '85' },
	}));
	const contact = {
		resource: 'contact',
		contactTypeId: chosen('21'),
		fields: { mappingMode: 'autoMapInputData', value: null },
	};

	it.each(['create', 'upsert'])('maps its items automatically: %s', async (operation) => {
		const { service } = test;
		const { items, error } = await service.run(
			{ ...contact, operation },
			{ items: people, type: 'emailMarketingRouted' },
		);

		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		const { contacts } = service.state.tables;
		const added = contacts.all().filter(({ email }) => email.endsWith('@example.org'));
		expect(added.map(({ email }) => email).sort()).toEqual(people.map(({ json }) => json.email));
		expect(service.violations()).toEqual([]);
	});

	it('creates a contact once where several items have its address', async () => {
		const { service } = test;
		Object.assign(service.state.settings, { latencyMs: 20 });
		const [ada] = people;
		const { items, error } = await service.run(
			{ ...contact, operation: 'create' },
			{ items: [ada, ada] as never, type: 'emailMarketingRouted' },
		);

		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.created)).toEqual([true, false]);
		expect(service.calls().filter((call) => call.startsWith('POST'))).toEqual([
			'POST /contacts/add',
		]);
	});

	it('sends the same test once', async () => {
		const { service } = test;
		const testContactTypeId = chosen(plantTesters(service));
		const sendTest = {
			...{ resource: 'singleSend', operation: 'sendTest', campaign: 'existing' },
			...{ singleSendUtr: chosen(singleSend.utr, 'utr'), testContactTypeId },
		};
		const { items, error } = await service.run(sendTest, {
			...{ items: [{ json: {} }, { json: {} }], type: 'emailMarketingRouted' },
		});

		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.sent)).toEqual([true, false]);
		expect(service.calls().filter((call) => call.startsWith('POST'))).toEqual([
			'POST /single/send/create',
		]);
	});

	it('starts a send', async () => {
		const { service } = test;
		const sendNow = { operation: 'update', updateFields: { scheduleType: 'immediately' } };
		const { items, error } = await service.run(
			{ resource: 'singleSend', ...sendNow, singleSendUtr: chosen(singleSend.utr, 'utr') },
			{ type: 'emailMarketingRouted' },
		);

		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { updated: true } }]);
		expect(service.calls().at(-1)).toBe('POST /single/send/update');
	});

	it.each([
		{ missing: 'delete' },
		{ missing: 'moveToContactType', missingContactTypeId: chosen(22) },
		{ missing: 'addToUnsubscribeGroup', missingUnsubscribeGroupId: chosen(51) },
	])('refuses to change what each item alone does not name: $missing', async (parameters) => {
		const { error } = await test.service.run(
			{
				...contact,
				...parameters,
				operation: 'sync',
				options: { ...limits({ maxRemovalPercent: 100 }) },
			},
			{ items: people, type: 'emailMarketingRouted' },
		);

		expect(error?.message).toMatch(/^An agent runs this node once per item/);
		expect(test.service.calls()).toEqual([]);
	});

	it('tells no item what was done for another one', async () => {
		const match = { method: 'GET', path: '/contacts/list' };
		// Each item is read before and after its write.
		test.service.fault({ kind: 'status', status: 403, match, skip: 2, times: 9 });
		const { items, failed } = await test.service.run(
			{ ...contact, operation: 'upsert' },
			{
				items: people.slice(0, 2),
				...{ type: 'emailMarketingRouted', node: { onError: 'continueErrorOutput' } },
			},
		);
		expect(items.map(({ json, pairedItem }) => [json.action, pairedItem])).toEqual([
			['created', { item: 0 }],
		]);
		expect(failed).toMatchObject([{ pairedItem: { item: 1 } }]);
	});

	it('puts what fails on the error output, paired', async () => {
		const items = [...people.slice(0, 1), { json: { email: 'nobody', country: '85' } }];
		const { items: created, failed } = await test.service.run(
			{ ...contact, operation: 'create' },
			{ items, type: 'emailMarketingRouted', node: { onError: 'continueErrorOutput' } },
		);

		expect(created.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(failed).toMatchObject([
			{
				json: { error: { message: '"Email" is not an email address: "nobody" [item 1]' } },
				pairedItem: { item: 1 },
			},
		]);
	});
});

describe('n8n\'s "Retry On Fail"', () => {
	it('sends again what failed', async () => {
		const { service } = test;
		Object.assign(service.state.settings, { listOrder: 'oldest' });
		service.fault({ kind: 'status', status: 500, match: { path: '/contacts-type' } });

		const { items, error } = await service.run(
			{ resource: 'contactType', operation: 'getAll', limit: 1 },
			{ node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
		);

		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.name)).toEqual(['Customers']);
		expect(service.calls()).toEqual(['GET /contacts-type', 'GET /contacts-type']);
	});
});
