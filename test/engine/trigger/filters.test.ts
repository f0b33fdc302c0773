import type { INodeParameters } from 'n8n-workflow';

import { emptySandbox, Poller } from './poller';

const threshold = { statistic: 'bounces', unit: 'percent', value: 5 };

it.each<[INodeParameters, string]>([
	[
		{ events: ['singleSendCompleted'], singleSendFilters: { utrs: '={{ undefined }}' } },
		'"Campaign Names or IDs" in "Campaign Filters" is empty or not text: empty',
	],
	[
		{ events: ['automationStatusChanged'], automationFilters: { toStatus: '={{ [""] }}' } },
		'"To Status" in "Automation Filters" is empty or not text: ',
	],
	[
		{ events: ['singleSendStatusChanged'], singleSendFilters: { toStatus: ['3', 'completed'] } },
		'"To Status" in "Campaign Filters" has an unknown status: "completed"',
	],
	[
		{ events: ['automationStatusChanged'], automationFilters: { fromStatus: '={{ "Live" }}' } },
		'"From Status" in "Automation Filters" has an unknown status: "Live"',
	],
	...['={{ [501] }}', '={{ "March newsletter" }}', '={{ "a-1, 501" }}'].map(
		(utrs): [INodeParameters, string] => [
			{ events: ['singleSendCompleted'], singleSendFilters: { utrs } },
			'"Campaign Names or IDs" in "Campaign Filters" accepts only UTRs, but it has "',
		],
	),
	[
		{ events: ['automationStatusChanged'], automationFilters: { utrs: '={{ "," }}' } },
		'"Automation Names or IDs" in "Automation Filters" accepts only UTRs, but it has ',
	],
	...['={{ undefined }}', '={{ null }}', '={{ "" }}', 'percentage', 'Percent'].map(
		(unit): [INodeParameters, string] => [
			{
				events: ['singleSendStatisticReached'],
				singleSendThresholds: { threshold: [{ ...threshold, unit }] },
			},
			'"Campaign Thresholds" has an unknown "Unit": ',
		],
	),
	[{ events: ['singleSendCompleted', 'other'] }, '"Events" has an unknown event: "other"'],
	[
		{ events: '={{ "singleSendCompleted, singleSendCreated" }}' },
		'"Events" has an unknown event: "singleSendCompleted, singleSendCreated"',
	],
	[
		{ events: ['singleSendCompleted'], singleSendFilters: { utrs: '={{ [] }}' } },
		'"Campaign Names or IDs" in "Campaign Filters" is empty or not text',
	],
	[
		{ events: ['singleSendStatusChanged'], singleSendFilters: { toStatus: '={{ [] }}' } },
		'"To Status" in "Campaign Filters" is empty or not text',
	],
	...['={{ undefined }}', '={{ null }}', '={{ [] }}'].map((events): [INodeParameters, string] => [
		{ events },
		'"Events" is required but empty',
	]),
	[
		{
			events: ['singleSendStatisticReached'],
			singleSendThresholds: { threshold: [{ ...threshold, minimumMessages: '={{ undefined }}' }] },
		},
		'"Minimum Messages" in "Campaign Thresholds" must be 0 or more',
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

it('UTRs may be separated by commas', async () => {
	const sandbox = await emptySandbox();
	const { singleSends } = sandbox.state.store.tables;
	const [one, two, other] = [1, 2, 3].map(() => singleSends.add({ status: 2 }, 0));
	const poller = new Poller(sandbox, {
		events: ['singleSendCompleted'],
		singleSendFilters: { utrs: `={{ "${one?.utr}, ${two?.utr}" }}` },
	});
	await poller.poll();
	for (const send of [one, two, other]) if (send) singleSends.change(send, { status: 3 });
	expect(await poller.poll()).toMatchObject(
		[one, two].map((send) => ({ record: { utr: send?.utr } })),
	);
	await sandbox.close();
});
