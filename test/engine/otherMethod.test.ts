import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { methods } from '../../nodes/EmailMarketing/methods';
import { editorContext, keys } from './engine';
import { sender } from './records';
import { chosen } from './rows';
import { once, useService } from './sandbox';

/** The reference lists a method for the senders (51), and its sample request uses another. */
const test = useService({ methods: 'both' });
const list = { resource: 'sender', operation: 'getAll', output: 'raw' };
const both = ['GET /senders', 'POST /senders'];
const match = { method: 'GET', path: '/senders' };

it('senders are read with the method that is listed, where the one that is shown is not allowed', async () => {
	test.service.state.settings.methods = 'listed';
	const { items, error } = await test.service.run(list);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.id)).toEqual([sender.id]);
	expect(test.service.calls()).toEqual(both);
	expect(test.service.violations()).toEqual([]);
});

it.each([404, 405])('they are where the first method has no address: HTTP %i', async (status) => {
	test.service.fault({ kind: 'html', status, match });
	const { items, error } = await test.service.run(list);
	expect([items.length, error]).toEqual([1, undefined]);
	expect(test.service.calls()).toEqual(both);
});

it.each([200, 400])('they are where the service says so itself: HTTP %i', async (status) => {
	const errors = 'The GET method is not supported for this route.';
	test.service.fault({ kind: 'failed', status, errors, match });
	const { items, error } = await test.service.run(list);
	expect([items.length, error]).toEqual([1, undefined]);
	expect(test.service.calls()).toEqual(both);
});

it('a person is found in an account without senders', async () => {
	test.service.state.settings.methods = 'shown';
	const times = 2;
	test.service.fault({ kind: 'failed', status: 404, errors: 'Record Not Found', match, times });
	const { items, error } = await test.service.run({
		...{ resource: 'person', operation: 'find', person: chosen('eve@example.com', 'email') },
	});
	expect(error).toBeUndefined();
	expect(items[0]?.json).toMatchObject({ found: false, senders: 0 });
	expect(test.service.calls()).not.toContain('POST /senders');
});

it('the editor offers them as well', async () => {
	test.service.state.settings.methods = 'listed';
	const search = methods?.listSearch?.searchSenders as (
		this: ILoadOptionsFunctions,
	) => Promise<INodeListSearchResult>;
	const context = editorContext({}, { baseUrl: test.service.baseUrl, ...keys });
	expect((await search.call(context)).results).toHaveLength(1);
});

it.each([
	['no address', { kind: 'html', status: 404, times: 2 }, both],
	['no senders', { kind: 'failed', status: 404, errors: 'Record Not Found' }, both.slice(0, 1)],
	['trouble', { kind: 'status', status: 500 }, both.slice(0, 1)],
	['denied access', { kind: 'status', status: 403 }, both.slice(0, 1)],
] as const)('it is tried once, and only for want of an address: %s', async (_, fault, calls) => {
	test.service.fault({ ...fault, match: { path: '/senders' } });
	await test.service.run({ ...list, options: once });
	expect(test.service.calls()).toEqual(calls);
});
