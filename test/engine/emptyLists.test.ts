import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { methods } from '../../nodes/EmailMarketing/methods';
import { editorContext, keys } from './engine';
import { automation } from './records';
import { chosen, newSend } from './rows';
import { once, useService } from './sandbox';

const test = useService();

/** Empties the lists whose reference names "Record Not Found" as their failure, and has them say so. */
beforeEach(() => {
	const { state } = test.service;
	state.settings.emptyLists = 'failed';
	for (const table of [state.tables.automations, state.tables.templates]) {
		for (const { id } of table.all()) table.remove(id);
	}
	const match = { path: '/get-dynamic/content' };
	test.service.fault({ kind: 'failed', errors: 'Record Not Found', match, times: 10 });
});
afterEach(() => (test.service.state.settings.emptyLists = 'success'));

const lists: Array<[string, string, string]> = [
	['automation', 'getAll', 'GET /automations'],
	['designTemplate', 'getAll', 'GET /get-design/template'],
	['designTemplate', 'getDynamicContent', 'GET /get-dynamic/content'],
];

describe.each(lists)('an empty list that says "Record Not Found": %s, %s', (...list) => {
	const [resource, operation, call] = list;

	it('is an empty list', async () => {
		const { items, failed, error } = await test.service.run({ resource, operation });
		expect([items, failed, error]).toEqual([[], [], undefined]);
		expect(test.service.calls()).toEqual([call]);
	});

	it('is what "If Nothing Is Found" is about', async () => {
		const options = { ifNothingFound: 'oneItem' };
		const { items } = await test.service.run({ resource, operation, options });
		expect(items).toEqual([{ json: { found: false }, pairedItem: { item: 0 } }]);
	});

	it.each([
		['another reason', 'request-rejected', { kind: 'failed', errors: 'Something went wrong' }],
		['another field', 'field-rejected', { kind: 'failed', errors: { id: ['Record Not Found'] } }],
		['too many requests', 'rate-limit-reached', { kind: 'status', status: 429, body: notFound() }],
		[
			'a service that is busy',
			'request-rejected',
			{ kind: 'status', status: 503, body: notFound() },
		],
		['a redirect', 'redirected', { kind: 'status', status: 302, body: notFound() }],
	] as const)('is not taken for one because of %s', async (_name, code, fault) => {
		const { service } = test;
		service.state.faults.clear();
		service.fault({ ...fault });
		const { items, error } = await service.run({ resource, operation, options: once });
		expect(items).toEqual([]);
		expect(error?.context.code).toBe(code);
	});

	it.each([404, 422, 500])('may come with status %i', async (status) => {
		const { service } = test;
		service.state.faults.clear();
		service.fault({ kind: 'failed', status, errors: 'record not found' });
		const { items, error } = await service.run({ resource, operation });
		expect([items, error, service.calls()]).toEqual([[], undefined, [call]]);
	});
});

function notFound() {
	return { status: 'failed', errors: 'Record Not Found' };
}

it.each(['searchAutomations', 'searchDesignTemplates'])('%s offers none', async (name) => {
	const search = methods?.listSearch?.[name] as (
		this: ILoadOptionsFunctions,
	) => Promise<INodeListSearchResult>;
	const context = editorContext({}, { baseUrl: test.service.baseUrl, ...keys });
	expect(await search.call(context)).toEqual({ results: [] });
});

it('checks before sending take the lists for empty', async () => {
	const create: IDataObject = {
		...newSend,
		subject: 'Hello ((first_name))',
		options: { preflight: true },
	};
	const { error } = await test.service.run(create);
	// Without known placeholders, none can be called unknown.
	expect(error?.message).toBe('"Template" does not exist: 2');
	expect(test.service.calls()).toContain('GET /get-dynamic/content');
	expect(test.service.calls()).toContain('GET /get-design/template');
	expect(test.service.calls().filter((call) => !call.startsWith('GET'))).toEqual([]);
});

it('an email with HTML of its own needs a preview image', async () => {
	const { error } = await test.service.run({
		...{ resource: 'automationSchedule', operation: 'create' },
		...{ automationUtr: chosen(automation.utr), senderId: chosen('81'), subject: 'Hello' },
		...{ waitingType: 'instantly', templateSource: 'html', templateHtml: '<p>Hello</p>' },
	});
	expect(error?.message).toBe('"Preview Image" is required but empty');
	expect(test.service.calls()).toEqual(['GET /get-design/template']);
});

it('a list that needs the ID of a record still fails when there is no such record', async () => {
	const { error } = await test.service.run({
		resource: 'segment',
		operation: 'getRecipients',
		segmentId: chosen('999'),
	});
	expect(error?.message).toMatch(/record not found/i);
});
