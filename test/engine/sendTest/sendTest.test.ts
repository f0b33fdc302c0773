import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { outcomeOf, runWorkflow } from '../engine';
import { pauses } from '../faults/pauses';
import { NOW, singleSend } from '../records';
import { chosen } from '../rows';
import { get, multipart, once } from '../sandbox';
import { addTester, onRequest, sendTest, TESTERS, useTests } from './support';

jest.mock<object>('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('../faults/pauses').withoutPauses(),
);

const test = useTests();
beforeEach(() => pauses.reset());
afterEach(() => jest.restoreAllMocks());

const create = 'POST /single/send/create';
const run = async (more: IDataObject = {}) => await test.service.run({ ...sendTest, ...more });
const testName = expect.stringMatching(/^\[Test\] Spring \([0-9a-z]+-[0-9a-z]{6}\)$/) as string;
const utr = expect.any(String) as string;
const output = {
	...{ sent: true, utr, testName, testSubject: '[Test] It is spring' },
	...{ single_send_name: 'Spring', subject: 'It is spring', preheader: 'At last' },
	...{ recipients: TESTERS, recipientCount: 2 },
};

describe('a test of the fields of the item', () => {
	it('is sent to the test list alone, which is read again directly before', async () => {
		const { items, error } = await run();
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([{ ...output, message: 'The test was sent' }]);
		expect(test.service.sent().slice(-2)).toEqual([
			get('/contacts/list'),
			multipart('/single/send/create', {
				single_send_name: testName,
				subject: '[Test] It is spring',
				preheader: 'At last',
				sender_id: '81',
				unsubscribe_group_id: '51',
				template_id: '2',
				'recipient_id[0]': 'contacts_23',
				schedule_type: '0',
			}),
		]);
		expect(test.service.calls().filter((call) => call === 'GET /contacts/list')).toHaveLength(2);
		expect(test.service.violations()).toEqual([]);
		test.service.state.runner.tick(3);
		expect(test.service.state.runner.mails.map(({ email }) => email)).toEqual(TESTERS);
	});

	it('is followed by a hint at the next step, in the editor only', async () => {
		const step =
			'Only the test was sent. Once it looks right in your inbox, set "Operation" of this node to "Create" and choose the recipients, "Send At" and "Account Time Zone"; the content is kept. Until then, every execution sends another test.';
		const items = [{ json: {} }, { json: {} }];
		expect((await test.service.run(sendTest, { items })).notes).toEqual([step]);
		expect((await test.service.run(sendTest, { items, mode: 'trigger' })).notes).toEqual([]);
	});

	it('is sent once if several items have the same', async () => {
		const { items, error } = await test.service.run(sendTest, {
			items: Array(3).fill({ json: {} }),
		});
		expect(error).toBeUndefined();
		const again = {
			sent: false,
			message: 'Not sent again: this is the same test as that of item 0',
		};
		expect(items.map(({ json }) => json)).toEqual([
			{ ...output, message: 'The test was sent' },
			again,
			again,
		]);
		expect(test.service.calls().filter((call) => call === create)).toHaveLength(1);
	});

	it('is sent once, even if a limit of the list differs', async () => {
		const { items } = await test.service.run(
			{ ...sendTest, maxTestRecipients: '={{ $json.most }}' },
			{ items: [20, 25].map((most) => ({ json: { most } })) },
		);
		expect(items.map(({ json }) => json.sent)).toEqual([true, false]);
		expect(test.service.calls().filter((call) => call === create)).toHaveLength(1);
	});

	const inLoop = async (runs: number) => {
		const batches = Array.from({ length: runs }, (_, id) => [{ id }]);
		const node = { onError: 'continueRegularOutput' } as const;
		const run = await runWorkflow({
			...{ baseUrl: test.service.baseUrl, mode: 'trigger' },
			steps: [
				{ name: 'Loop', type: 'loop', parameters: { batches }, to: ['Node'] },
				{ name: 'Node', parameters: sendTest, to: ['Loop'], node },
			],
		});
		return batches.map((_, index) => outcomeOf(run, 'Node', index).items[0]?.json);
	};

	it('is sent once by all runs of a loop, unless its template has changed', async () => {
		const { templates } = test.service.state.tables;
		let tests = 0;
		onRequest(test.service, (_n, _method, path) => {
			if (path !== '/get-design/template') return;
			const isChanged = ++tests === 3;
			const preview_image = `spring.png?signature=${tests}`;
			const updated_at = isChanged ? '2026-03-02 09:00:00' : templates.get(2)?.updated_at;
			templates.put({ ...templates.get(2), preview_image, updated_at } as never);
		});
		const results = await inLoop(3);
		expect(results).toMatchObject([
			{ sent: true },
			{
				sent: false,
				message: 'Not sent again: this is the same test as that of an earlier node or run',
			},
			{ sent: true },
		]);
	});

	it('is sent once if n8n runs the node again', async () => {
		const { service } = test;
		service.state.faults.add({
			kind: 'status',
			status: 429,
			skip: 1,
			match: { path: '/single/send/create' },
		});
		const outcome = await service.run(
			{ ...sendTest, singleSendName: '={{ $json.name }}', options: once },
			{
				items: ['A', 'B', 'A'].map((name) => ({ json: { name } })),
				node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
			},
		);
		expect(outcome.items.map(({ json }) => json.sent)).toEqual([true, true, false]);
		expect(
			service.state.tables.singleSends.all().filter(({ subject }) => subject.startsWith('[Test]')),
		).toHaveLength(2);
	});

	it('is sent once for each item, each checked by itself', async () => {
		const names = ['A', 'B'];
		const { items } = await test.service.run(
			{ ...sendTest, singleSendName: '={{ $json.name }}' },
			{ items: names.map((name) => ({ json: { name } })) },
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		const calls = test.service.calls();
		expect(calls.filter((call) => call === 'GET /contacts/list')).toHaveLength(4);
		expect(calls.filter((call) => call === 'GET /contacts-type')).toHaveLength(1);
	});
});

describe('a test of an existing campaign', () => {
	const existing = { campaign: 'existing', singleSendUtr: chosen(singleSend.utr) };

	it('is sent once if another item has its UTR in another letter case', async () => {
		const utr = 'abababab-abab-4bab-8bab-abababababab';
		const { singleSends } = test.service.state.tables;
		singleSends.add({ ...singleSend, id: 502, utr }, NOW);
		const find = singleSends.byUtr.bind(singleSends);
		jest.spyOn(singleSends, 'byUtr').mockImplementation((one) => find(one.toLowerCase()));
		const items = [utr, utr.toUpperCase()].map((one) => ({ json: { utr: one } }));
		const singleSendUtr = chosen('={{ $json.utr }}', 'utr');
		const sent = await test.service.run({ ...sendTest, ...existing, singleSendUtr }, { items });
		expect(sent.items.map(({ json }) => json.sent)).toEqual([true, false]);
	});

	it.each([
		['a template', {}, { template_id: '2' }],
		[
			'a template, as the option says',
			{ template_html: '<p>Rendered</p>' },
			{ template_id: '2' },
			'template',
		],
		[
			'HTML',
			{ template_id: 1, template_html: '<p>Mine</p>' },
			{ template_id: '1', template_html: '<p>Mine</p>' },
		],
		[
			'JSON',
			{ template_id: 1, template_json: '{"a":1}', template_html: '<p>Rendered</p>' },
			{ template_id: '1', template_json: '{"a":1}' },
			'json',
		],
	])('has its content, but neither its audience nor its time: %s', async (...row) => {
		const [, content, sent, storedContent] = row as [string, IDataObject, IDataObject, string?];
		test.service.state.tables.singleSends.put({ ...singleSend, status: 3, ...content } as never);
		const { items, error, notes } = await run({ ...existing, options: { storedContent } });
		expect(notes).toEqual([
			'Only the test was sent. The campaign itself is completed. To send it again, create another campaign with its content.',
		]);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({
			...{ sent: true, sourceUtr: singleSend.utr, single_send_name: 'March newsletter' },
			...{ subject: 'What we roast in March', preheader: 'Fresh from the roastery' },
		});
		expect(test.service.sent().at(-1)?.body).toEqual({
			single_send_name: expect.stringMatching(/^\[Test\] March newsletter \(/) as string,
			subject: '[Test] What we roast in March',
			preheader: 'Fresh from the roastery',
			...{ sender_id: '81', unsubscribe_group_id: '51', ...sent },
			...{ 'recipient_id[0]': 'contacts_23', schedule_type: '0' },
		});
	});

	it('says how to send a campaign that was not sent yet', async () => {
		test.service.state.tables.singleSends.put({
			...singleSend,
			status: 0,
			schedule_date: '2026-01-01',
		} as never);
		const { notes } = await run(existing);
		expect(notes).toEqual([
			'Only the test was sent. When it looks right in your inbox, schedule the campaign with "Campaign: Update".',
		]);
	});

	it('is another one with other content of the campaign', async () => {
		const content = { template_id: 1, template_json: '{"a":1}', template_html: '<p>Mine</p>' };
		test.service.state.tables.singleSends.put({ ...singleSend, status: 3, ...content } as never);
		const { items } = await test.service.run(
			{ ...sendTest, ...existing, options: { storedContent: '={{ $json.content }}' } },
			{ items: ['html', 'json', 'html'].map((content) => ({ json: { content } })) },
		);
		expect(items.map(({ json }) => json.sent)).toEqual([true, true, false]);
	});
});

it('a test with Batching has the content that the campaign has when it is its turn', async () => {
	const { singleSends } = test.service.state.tables;
	const subjects = ['What we roast in April', 'What we roast in May'];
	onRequest(test.service, (_n, _method, path) => {
		if (path !== '/single/send/create') return;
		Object.assign(singleSends.get(singleSend.id) ?? {}, { subject: subjects.shift() });
	});
	const batching = { batch: { batchSize: 1, batchInterval: 600_000 } };
	const { items } = await test.service.run(
		{
			...{ ...sendTest, campaign: 'existing', singleSendUtr: chosen(singleSend.utr) },
			requestOptions: { batching },
		},
		{ items: [{ json: {} }, { json: {} }] },
	);
	expect(items.map(({ json }) => [json.sent, json.subject])).toEqual([
		[true, singleSend.subject],
		[true, 'What we roast in April'],
	]);
	expect(pauses.taken).toContain(600_000);
});

describe('nothing is sent', () => {
	const nothing = async (more: IDataObject = {}) => {
		const { error, items } = await run(more);
		expect(items).toEqual([]);
		expect(test.service.calls()).not.toContain(create);
		return error?.message;
	};

	it.each<[string, IDataObject, string]>([
		[
			'to a real list',
			{ testContactTypeId: chosen('21') },
			'"Test List" may be a real list: its name "Customers" does not contain the word "test"',
		],
		['to no list', { testContactTypeId: chosen('99') }, '"Test List" does not exist: 99'],
		[
			'to more than allowed',
			{ maxTestRecipients: 1 },
			'"Test List" has 2 contacts, but at most 1 may receive a test',
		],
		[
			'with a higher limit than there is',
			{ maxTestRecipients: '={{ 101 }}' },
			'"Max Test Recipients" must be a whole number from 1 to 100, but it is "101"',
		],
		[
			'without a word',
			{ testListName: '={{ " " }}' },
			'"Test List Name Must Contain" is required but empty',
		],
		['without a subject', { subject: '={{ "" }}' }, '"Subject" is required but empty'],
		['from no sender', { senderId: chosen('99') }, '"Sender" does not exist: 99'],
		[
			'without a body',
			{ templateId: chosen('1') },
			'The email would be empty: "Template" is the blank template "Blank"',
		],
	])('%s', async (_name, more, message) => {
		expect(await nothing(more)).toBe(message);
	});

	it('test-list: to a list whose name has the word only inside another', async () => {
		test.service.state.tables.contactTypes.change(
			test.service.state.tables.contactTypes.get(23) as never,
			{ name: 'Latest customers' },
		);
		expect(await nothing()).toMatch(/^"Test List" may be a real list/);
	});

	it('to an empty list, or one whose people have unsubscribed', async () => {
		const { tables } = test.service.state;
		for (const email_address of ['TESS@example.com', 'tom@example.com']) {
			tables.groupRecipients.add({ unsubscribe_groups_id: 51, email_address }, NOW);
		}
		expect(await nothing()).toBe(
			'No one would receive the test: everyone on "Test List" has unsubscribed',
		);
		for (const { id, contact_type_id } of tables.contacts.all()) {
			if (contact_type_id === 23) tables.contacts.remove(id);
		}
		expect(await nothing()).toBe('"Test List" has no contacts');
	});

	it('in an evaluation', async () => {
		const { error } = await test.service.run(sendTest, { mode: 'evaluation' });
		expect(error?.context.code).toBe('not-in-evaluation');
		expect(test.service.calls()).toEqual([]);
	});

	it('if the list changes between the check and the sending', async () => {
		let reads = 0;
		onRequest(test.service, (_n, _method, path) => {
			if (path === '/contacts/list' && ++reads === 2) {
				addTester(test.service.state, 'boss@example.com');
			}
		});
		expect(await nothing()).toBe('"Test List" changed while the test was being checked');
	});
});

describe('a lost response', () => {
	const match = { path: '/single/send/create' };

	it('is never repeated: the copy is found by its name', async () => {
		test.service.fault({ kind: 'reset-after', match });
		const { items } = await run();
		expect(items[0]?.json).toEqual({ ...output, message: 'The test was sent' });
		expect(test.service.calls().slice(-2)).toEqual([create, 'GET /single-send/list']);
		const sends = test.service.state.tables.singleSends.all();
		expect(sends.map(({ utr }) => utr)).toEqual([singleSend.utr, items[0]?.json.utr]);
	});

	it('is reported as uncertain if there is no copy, also when n8n runs the node again', async () => {
		test.service.fault({ kind: 'reset-before', match });
		const { error } = await test.service.run(sendTest, {
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(error?.message).toBe(
			'The test may have been sent: The connection to the service was lost before the response was complete',
		);
		expect(error?.description).toMatch(
			/^Look for the campaign "\[Test\] Spring \(.*\)" in the service before you send another test\./,
		);
		expect(test.service.calls().filter((call) => call === create)).toHaveLength(1);
	});

	it('is no lost one if the service refuses', async () => {
		test.service.fault({ kind: 'failed', errors: 'Limit reached', match });
		expect((await run()).error?.message).toBe('The service rejected the request: Limit reached');
		expect(test.service.calls().at(-1)).toBe(create);
	});
});

describe('tests of several items', () => {
	const match = { path: '/single/send/create' };
	const names = ['A', 'B', 'C'];
	const runAll = async (node: Partial<INode> = {}) =>
		await test.service.run(
			{ ...sendTest, singleSendName: '={{ $json.name }}' },
			{ items: names.map((name) => ({ json: { name } })), node },
		);
	const created = () =>
		test.service
			.sent()
			.flatMap(({ path, body }) => (path === match.path ? [body?.single_send_name] : []))
			.map((name) => String(name).slice(0, 8));
	const pairs = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
	const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

	it('are sent one after the other, up to the first that fails', async () => {
		test.service.fault({ kind: 'failed', errors: 'Limit reached', match, skip: 1 });
		const { items, error } = await runAll();
		expect(items).toEqual([]);
		expect(created()).toEqual(['[Test] A', '[Test] B']);
		expect(error?.message).toBe('The service rejected the request: Limit reached [item 1]');
		expect(error?.description).toMatch(
			/ 1 of 3 items were completed before item 1 failed\. To continue after failures, set "On Error" /,
		);
	});

	describe('of which the last has no name', () => {
		const runWithout = async (node: Partial<INode> = {}) =>
			await test.service.run(
				{ ...sendTest, singleSendName: '={{ $json.name }}' },
				{ items: ['A', 'B', ''].map((name) => ({ json: { name } })), node },
			);

		it('are refused before anything is sent or read', async () => {
			const { items, error } = await runWithout();
			expect(items).toEqual([]);
			expect([error?.message, error?.description]).toEqual([
				'"Campaign Name" is required but empty [item 2]',
				'Enter a value. If the field contains an expression, it is empty for this item. Nothing was changed for this item. None of the 3 items was completed.',
			]);
			expect(test.service.calls()).toEqual([]);
		});

		it('are sent but for that one if the node continues after a failure', async () => {
			const { items, failed } = await runWithout({ onError: 'continueErrorOutput' });
			expect(created()).toEqual(['[Test] A', '[Test] B']);
			expect([pairs(items), pairs(failed)]).toEqual([[{ item: 0 }, { item: 1 }], [{ item: 2 }]]);
		});
	});

	it('all are sent if the node continues after a failure', async () => {
		test.service.fault({ kind: 'failed', errors: 'Limit reached', match, skip: 1 });
		const { items, failed } = await runAll({ onError: 'continueErrorOutput' });
		expect(created()).toEqual(['[Test] A', '[Test] B', '[Test] C']);
		expect([pairs(items), pairs(failed)]).toEqual([[{ item: 0 }, { item: 2 }], [{ item: 1 }]]);
	});

	it('are not sent again when n8n runs the node again', async () => {
		test.service.fault({ kind: 'failed', errors: 'Limit reached', match, skip: 1 });
		const { items, error } = await runAll(retry);
		expect(error).toBeUndefined();
		expect(created()).toEqual(['[Test] A', '[Test] B', '[Test] B', '[Test] C']);
		expect(pairs(items)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(items.map(({ json }) => json.single_send_name)).toEqual(names);
	});

	it('are all refused if an option of the node is not valid', async () => {
		const proxy = { proxy: 'not a proxy' };
		const { failed } = await test.service.run(
			{ ...sendTest, requestOptions: proxy },
			{ items: names.map(() => ({ json: {} })), node: { onError: 'continueErrorOutput' } },
		);
		expect(pairs(failed)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(test.service.calls()).toEqual([]);
	});

	it('are not sent once the execution was canceled', async () => {
		const canceling = new AbortController();
		onRequest(test.service, (_n, _method, path) => {
			if (path === match.path) canceling.abort();
		});
		await test.service.run(
			{ ...sendTest, singleSendName: '={{ $json.name }}' },
			{ items: names.map((name) => ({ json: { name } })), signal: canceling.signal },
		);
		expect(created()).toEqual(['[Test] A']);
	});
});
