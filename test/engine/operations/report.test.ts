import { automation, contact, singleSend } from '../records';
import { checkRows, chosen } from '../rows';
import { get, useService } from '../sandbox';

const { utr } = singleSend;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const reported = {
	id: 501,
	utr,
	single_send_name: 'March newsletter',
	subject: 'What we roast in March',
	status: 1,
	statusLabel: 'ready to send',
	sent_at: '0000-00-00 00:00:00',
	triggered: 0,
	delivered: 0,
	bounces: 0,
	unique_opens: 0,
	total_opens: 0,
	unsubscribes: 0,
	reportedAt: time,
};
const nothing = (base: string) => ({ percent: null, count: 0, base, baseCount: 0 });
const notSentRates = {
	delivery: nothing('triggered'),
	bounce: nothing('triggered'),
	uniqueOpen: nothing('delivered'),
	open: nothing('delivered'),
	unsubscribe: nothing('delivered'),
};
const unranked = { medianPercent: null, rank: null, of: null, rankLabel: null };

describe('of a single send that is not sent yet', () => {
	checkRows('singleSend', [
		{
			operation: 'getReport',
			with: 'the comparison as preset, from the list alone',
			parameters: { singleSendUtr: chosen(utr) },
			sends: [get('/single-send/list')],
			gives: [
				{
					...reported,
					rates: notSentRates,
					comparison: {
						singleSends: 0,
						...{ delivery: unranked, bounce: unranked, uniqueOpen: unranked },
						...{ open: unranked, unsubscribe: unranked },
					},
				},
			],
		},
		{
			operation: 'getReport',
			with: 'no comparison',
			parameters: { singleSendUtr: chosen(utr), options: { compareWithLast: 0 } },
			sends: [get('/single-send/details', { utr })],
			gives: [{ ...reported, rates: notSentRates }],
		},
	]);
});

const previousReport = {
	...{ utr: automation.utr, reportedAt: '2026-03-02T09:00:00.000Z' },
	...{ total_triggered: 9, total_delivered: 8, total_bounces: 1 },
	...{ total_unique_opens: 11, total_opens: 16, total_unsubscribe: 0 },
};
const automationReport = {
	...{ id: 30001, utr: automation.utr, automation_name: 'Welcome series' },
	...{ status: 1, statusLabel: 'live', live_at: '2026-03-02 10:00:00' },
	...{ total_triggered: 19, total_delivered: 18, total_bounces: 1 },
	...{ total_unique_opens: 11, total_opens: 17, total_unsubscribe: 1 },
	reportedAt: time,
	rates: {
		delivery: { percent: 94.74, count: 18, base: 'total_triggered', baseCount: 19 },
		bounce: { percent: 5.26, count: 1, base: 'total_triggered', baseCount: 19 },
		uniqueOpen: { percent: 61.11, count: 11, base: 'total_delivered', baseCount: 18 },
		open: { percent: 94.44, count: 17, base: 'total_delivered', baseCount: 18 },
		unsubscribe: { percent: 5.56, count: 1, base: 'total_delivered', baseCount: 18 },
	},
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
						...{ total_triggered: 10, total_delivered: 10, total_bounces: 0 },
						...{ total_unique_opens: 0, total_opens: 1, total_unsubscribe: 1 },
						rates: {
							delivery: { percent: 100, count: 10, base: 'total_triggered', baseCount: 10 },
							bounce: { percent: 0, count: 0, base: 'total_triggered', baseCount: 10 },
							uniqueOpen: { percent: 0, count: 0, base: 'total_delivered', baseCount: 10 },
							open: { percent: 10, count: 1, base: 'total_delivered', baseCount: 10 },
							unsubscribe: { percent: 10, count: 1, base: 'total_delivered', baseCount: 10 },
						},
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

	it('every single send has its rank and the median of the others, from one read of the list', async () => {
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
			{ resource: 'singleSend', singleSendUtr: chosen('={{ $json.utr }}', 'utr') },
			sent.map(({ utr }) => ({ json: { utr } })),
		);
		expect(error).toBeUndefined();
		expect(service.calls()).toEqual(['GET /single-send/list']);
		expect(items.map(({ json }) => json.comparison)).toMatchObject([
			{
				singleSends: 2,
				delivery: { medianPercent: 85, rank: 1, of: 3, rankLabel: '1 of 3' },
				uniqueOpen: { medianPercent: 17.5, rank: 1 },
				bounce: { medianPercent: 15, rank: 1 },
				unsubscribe: { medianPercent: 5.63, rank: 1 },
			},
			{ delivery: { medianPercent: 95, rank: 3 }, uniqueOpen: { medianPercent: 30, rank: 2 } },
			{ delivery: { medianPercent: 90, rank: 2 }, unsubscribe: { medianPercent: 0.63, rank: 3 } },
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	it('a count that went down is called a reset, without rates', async () => {
		const { items } = await report({
			resource: 'automation',
			automationUtr: chosen(automation.utr),
			previousReport: { ...previousReport, total_opens: 20 },
		});
		expect(items[0]?.json.period).toMatchObject({
			isReset: true,
			note: 'No rates for this period: total_opens went down since the previous report',
			total_opens: -3,
			rates: { unsubscribe: { percent: null, count: 1, baseCount: 10 } },
		});
	});

	it.each([
		['{"utr":', '"Previous Report" is not valid JSON: "{"utr":"'],
		['[]', '"Previous Report" is not a report: "[]"'],
		[{ ...previousReport, utr }, `"Previous Report" is about another automation: "${utr}"`],
		[{ utr: automation.utr, total_opens: 'few' }, /^"Previous Report" has no number in: total_tr/],
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
		const unknown = await report({ ...parameters, singleSendUtr: chosen(`not-${contact.id}`) });
		expect(unknown.error?.message).toBe('The service rejected the request: Record not found');
		expect(test.service.calls()).toEqual(['GET /single-send/list', 'GET /single-send/details']);
	});
});
