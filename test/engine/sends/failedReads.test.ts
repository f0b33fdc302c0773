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
const operations: Array<[string, IDataObject]> = [
	['Check', check],
	['Check of an automation', { ...check, resource: 'automation', automationUtr: chosen('x') }],
	['Send Test', sendTest],
	['Send Test of a campaign that exists', { ...check, ...sendTest, campaign: 'existing' }],
];

describe.each(operations)('a read of %s that fails', (_name, parameters) => {
	it.each(['status', 'reset-after'] as const)('is tried again by n8n: %s', async (kind) => {
		const { service } = test;
		service.fault({ kind });
		const { items, error } = await service.run(
			{ ...parameters, options: once },
			{ node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 } },
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});

	it('leaves no other item in doubt', async () => {
		const { service } = test;
		service.fault({ kind: 'status', times: 100 });
		const items = [1, 2, 3].map((id) => ({ json: { id } }));
		const { error } = await service.run({ ...parameters, options: once }, { items });
		expect(error?.description).toContain('None of the 3 items was completed.');
		expect(error?.description).not.toContain('may have');
	});
});
