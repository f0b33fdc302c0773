import type { IDataObject } from 'n8n-workflow';

import { singleSend } from '../records';
import { chosen } from '../rows';
import { once } from '../sandbox';
import { sendTest, useTests } from '../sendTest/support';

const test = useTests();

const check: IDataObject = {
	resource: 'singleSend',
	operation: 'check',
	campaign: 'existing',
	singleSendUtr: chosen(singleSend.utr),
};
const allFailed = 'All 3 items failed.';
const stopped = 'None of the 3 items was completed.';
const operations: Array<[string, IDataObject, string]> = [
	['Check', check, allFailed],
	[
		'Check of an automation',
		{ ...check, resource: 'automation', automationUtr: chosen('x') },
		allFailed,
	],
	['Send Test', sendTest, stopped],
	['Send Test of a campaign that exists', { ...check, ...sendTest, campaign: 'existing' }, stopped],
];

describe.each(operations)('a read of %s that fails', (_name, parameters, summary) => {
	it.each(['status', 'reset-after'] as const)('is tried again by n8n: %s', async (kind) => {
		const { service } = test;
		service.fault({ kind });
		const { items, error } = await service.run(
			{ ...parameters, options: once },
			{ node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});

	it('leaves no other item in doubt', async () => {
		const { service } = test;
		service.fault({ kind: 'status', times: 100 });
		const items = [1, 2, 3].map((id) => ({ json: { id } }));
		const { error } = await service.run({ ...parameters, options: once }, { items });
		expect(error?.description).toContain(summary);
		expect(error?.description).not.toContain('may have');
	});
});

const update = {
	resource: 'singleSend',
	operation: 'update',
	singleSendUtr: chosen(singleSend.utr),
};
const contact = { email: 'new@example.com', country: '85' };

describe('a failed read before a write names what was read, and that nothing was changed', () => {
	it.each<[string, IDataObject, string, string]>([
		[
			'Create',
			{
				resource: 'contact',
				operation: 'create',
				contactTypeId: chosen('21'),
				fields: { mappingMode: 'defineBelow', value: contact },
				options: { ...once, globalUnsubscribes: false },
			},
			'/contacts/list',
			'Contact',
		],
		[
			'Update',
			{ ...update, updateFields: { subject: 'New' }, options: once },
			'/single-send/details',
			'Campaign',
		],
		['Send Test', { ...sendTest, options: once }, '/contacts/list', 'Contact'],
	])('%s', async (_name, parameters, path, name) => {
		const { service } = test;
		service.fault({ kind: 'status', status: 500, match: { path } });
		const { error } = await service.run(parameters);
		expect(error?.description).toMatch(
			new RegExp(
				`^"${name}" could not be read, so nothing was changed for this item\\. Try again later\\.`,
			),
		);
		expect(service.sent().filter(({ method }) => method !== 'GET')).toEqual([]);
	});
});
