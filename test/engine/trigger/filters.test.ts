import type { INodeParameters } from 'n8n-workflow';

import { emptySandbox, Poller } from './poller';

const threshold = { statistic: 'bounces', unit: 'percent', value: 5 };

it.each<[INodeParameters, string]>([
	[
		{ events: ['singleSendCompleted'], singleSendFilters: { utrs: '={{ undefined }}' } },
		'"Only These Single Send Names or IDs" in "Single Send Filters" is empty or not text: empty',
	],
	[
		{ events: ['automationStatusChanged'], automationFilters: { toStatus: '={{ [""] }}' } },
		'"To Status" in "Automation Filters" is empty or not text: ',
	],
	[
		{
			events: ['singleSendStatisticReached'],
			singleSendThresholds: { threshold: [{ ...threshold, minimumMessages: '={{ undefined }}' }] },
		},
		'"Minimum Messages" in "Single Send Thresholds" must be 0 or more',
	],
])(
	'an expression that gives nothing is no filter for everything: %j',
	async (parameters, message) => {
		const sandbox = await emptySandbox();
		const failure = await new Poller(sandbox, parameters).poll().catch((error: unknown) => error);
		expect((failure as Error).message).toContain(message);
		expect(sandbox.state.journal.entries).toEqual([]);
		await sandbox.close();
	},
);
