import { automation, contact, singleSend } from '../records';
import { checkRows, chosen } from '../rows';
import { get, useService } from '../sandbox';

const { utr } = singleSend;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** In the order of the columns of n8n's table. */
const reported = {
	name: 'March newsletter',
	statusLabel: 'ready to send',
	sentAt: null,
	delivered: 0,
	openRatePercent: null,
	unsubscribeRatePercent: null,
	bounceRatePercent: null,
	deliveryRatePercent: null,
	opensPerDelivered: null,
	triggered: 0,
	bounces: 0,
	uniqueOpens: 0,
	totalOpens: 0,
	unsubscribes: 0,
	subject: 'What we roast in March',
	id: 501,
	utr,
	reportedAt: time,
	note: 'No rates yet: nothing has been sent',
};

describe('of a campaign that is not sent yet', () => {
	checkRows('singleSend', [
		{
			operation: 'getReport',
			with: 'no comparison, as preset',
			parameters: { singleSendUtr: chosen(utr) },
			sends: [get('/single-send/details', { utr })],
			gives: [reported],
		},
		{
			operation: 'getReport',
			with: 'a comparison, from the list alone',
			parameters: { singleSendUtr: chosen(utr), options: { compareWithLast: 10 } },
			sends: [get('/single-send/list')],
			gives: [
				{
					...reported,
					comparedWith: 0,
					...{ openRateMedianPercent: null, openRateRank: null },
					...{ unsubscribeRateMedianPercent: null, unsubscribeRateRank: null },
					...{ bounceRateMedianPercent: null, bounceRateRank: null },
					...{ deliveryRateMedianPercent: null, deliveryRateRank: null },
					...{ opensPerDeliveredMedian: null, opensPerDeliveredRank: null },
				},
			],
		},
	]);
});

const previousReport = {
	...{ utr: automation.utr, reportedAt: '2026-03-02T09:00:00.000Z' },
	...{ triggered: 9, delivered: 8, bounces: 1, uniqueOpens: 11, totalOpens: 16, unsubscribes: 0 },
};
const automationReport = {
	...{ name: 'Welcome series', statusLabel: 'live', liveAt: '2026-03-02 10:00:00', delivered: 18 },
	...{ openRatePercent: 61.11, unsubscribeRatePercent: 5.56, bounceRatePercent: 5.26 },
	...{ deliveryRatePercent: 94.74, opensPerDelivered: 0.94 },
	...{ triggered: 19, bounces: 1, uniqueOpens: 11, totalOpens: 17, unsubscribes: 1 },
	...{ id: 30001, utr: automation.utr, reportedAt: time },
};
const details = get('/automations/details', { utr: automation.utr });

describe('of an automation', () => {
	checkRows('automation', [
		{
			operation: 'getReport',
			with: 'the totals',
			parameters: { automationUtr: chosen(automation.utr) },
			sends: [details],
			gives: [automationReport],
		},
		{
			operation: 'getReport',
			with: 'the period since an earlier report',
			parameters: {
				automationUtr: chosen(automation.utr),
				previousReport: JSON.stringify(previousReport),
			},
			sends: [details],
			gives: [
				{
					...automationReport,
					period: {
						...{ from: '2026-03-02T09:00:00.000Z', to: time, isReset: false },
						...{ openRatePercent: 0, unsubscribeRatePercent: 10, bounceRatePercent: 0 },
						...{ deliveryRatePercent: 100, opensPerDelivered: 0.1 },
						...{ triggered: 10, delivered: 10, bounces: 0 },
						...{ uniqueOpens: 0, totalOpens: 1, unsubscribes: 1 },
					},
				},
			],
		},
	]);
});

describe('compared, refused and reset', () => {
	const test = useService();
	const report = async (parameters: object, items = [{ json: {} }]) =>
		await test.service.run({ operation: 'getReport', ...parameters }, { items });

	it('every campaign has its rank and the median of the others, from one read of the list', async () => {
		const { service } = test;
		const sent = [
			[100, 100, 50, 0],
			[100, 80, 20, 1],
			[100, 90, 9, 9],
		].map(([triggered = 0, delivered = 0, unique_opens = 0, unsubscribes = 0], index) =>
			service.state.tables.singleSends.add(
				{
					...{ status: 3, triggered, delivered, bounces: triggered - delivered, unsubscribes },
					...{ unique_opens, total_opens: unique_opens, sent_at: `2026-02-0${index + 1} 09:00:00` },
				},
				service.state.clock.now(),
			),
		);
		const { items, error } = await report(
			{
				resource: 'singleSend',
				singleSendUtr: chosen('={{ $json.utr }}', 'utr'),
				options: { compareWithLast: 10 },
			},
			sent.map(({ utr }) => ({ json: { utr } })),
		);
		expect(error).toBeUndefined();
		expect(service.calls()).toEqual(['GET /single-send/list']);
		expect(items.map(({ json }) => json)).toMatchObject([
			{
				comparedWith: 2,
				...{ deliveryRateMedianPercent: 85, deliveryRateRank: '1 of 3' },
				...{ openRateMedianPercent: 17.5, openRateRank: '1 of 3' },
				...{ bounceRateMedianPercent: 15, bounceRateRank: '1 of 3' },
				...{ unsubscribeRateMedianPercent: 5.63, unsubscribeRateRank: '1 of 3' },
			},
			{
				...{ deliveryRateMedianPercent: 95, deliveryRateRank: '3 of 3' },
				...{ openRateMedianPercent: 30, openRateRank: '2 of 3' },
			},
			{
				deliveryRateRank: '2 of 3',
				...{ unsubscribeRateMedianPercent: 0.63, unsubscribeRateRank: '3 of 3' },
			},
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	it.each([
		['singleSend', { singleSendUtr: chosen(utr) }, 'sentAt'],
		['automation', { automationUtr: chosen(automation.utr) }, 'liveAt'],
	])('the report of a %s starts with its name and status', async (resource, parameters, sentAt) => {
		const { items } = await report({ resource, ...parameters });
		const columns = Object.keys(items[0]?.json ?? {});
		expect(columns.slice(0, 4)).toEqual(['name', 'statusLabel', sentAt, 'delivered']);
	});

	it('a count that went down is called a reset, without rates', async () => {
		const { items } = await report({
			resource: 'automation',
			automationUtr: chosen(automation.utr),
			previousReport: { ...previousReport, totalOpens: 20 },
		});
		expect(items[0]?.json.period).toMatchObject({
			isReset: true,
			note: 'No rates for this period: totalOpens went down since the previous report',
			totalOpens: -3,
			unsubscribes: 1,
			unsubscribeRatePercent: null,
		});
	});

	it.each([
		['{"utr":', '"Previous Report" is not a report: "{"utr":"'],
		['[]', '"Previous Report" is not a report: "[]"'],
		[{ ...previousReport, utr }, `"Previous Report" is about another automation: "${utr}"`],
		[{ utr: automation.utr, totalOpens: 'few' }, /^"Previous Report" has no number for: trigg/],
	])(
		'what is no report of the automation is refused before a request: %j',
		async (given, message) => {
			const { error } = await report({
				resource: 'automation',
				automationUtr: chosen(automation.utr),
				previousReport: given,
			});
			expect(error?.message).toMatch(message);
			expect(test.service.calls()).toEqual([]);
		},
	);

	it('a number of campaigns that is none is refused, and an unknown campaign is not found', async () => {
		const options = { compareWithLast: -1 };
		const parameters = { resource: 'singleSend', singleSendUtr: chosen(utr) };
		const refused = await report({ ...parameters, options });
		expect(refused.error?.message).toBe(
			'"Compare With Last" must be a number of at least 0, but it is "-1"',
		);
		expect(test.service.calls()).toEqual([]);
		const unknown = await report({
			...parameters,
			singleSendUtr: chosen(`not-${contact.id}`),
			options: { compareWithLast: 10 },
		});
		expect(unknown.error?.message).toBe('The service rejected the request: Record not found');
		expect(test.service.calls()).toEqual(['GET /single-send/list', 'GET /single-send/details']);
	});
});
