import { automation } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();

it('a count with a point as thousands separator is no count', async () => {
	const { service } = test;
	const { automations } = service.state.tables;
	automations.put({
		...automation,
		...{ total_triggered: 1400, total_delivered: 1300, total_bounces: 100, total_unsubscribe: 10 },
		...{ total_unique_opens: 0, total_opens: 0 },
	});
	// The row of a sheet or an Excel file in German, whose cells show 1.234.
	const previousReport = {
		...{ utr: automation.utr, reportedAt: '2026-03-02T09:00:00.000Z' },
		...{ triggered: '1.334', delivered: '1.234', bounces: '100', uniqueOpens: '0' },
		...{ totalOpens: '0', unsubscribes: '8' },
	};
	const { items, error } = await service.run({
		...{ resource: 'automation', operation: 'getReport' },
		...{ automationUtr: chosen(automation.utr), previousReport: JSON.stringify(previousReport) },
	});
	// 2 of 66 unsubscribed: 3 %. Today, it says 0.15 % of 1298.766 delivered.
	expect(items.map(({ json }) => json.period)).toEqual([]);
	expect(error?.message).toBe('"Previous Report" has no number for: triggered, delivered');
});

it.each([null, ''])(
	'a count that the service did not show the last time has no period: %j',
	async (delivered) => {
		const { service } = test;
		const previousReport = {
			...{ utr: automation.utr, reportedAt: '2026-03-02T09:00:00.000Z' },
			...{ triggered: 10, delivered, bounces: 0, uniqueOpens: 0, totalOpens: 0 },
			unsubscribes: 0,
		};
		const { items, error } = await service.run({
			...{ resource: 'automation', operation: 'getReport' },
			...{ automationUtr: chosen(automation.utr), previousReport: JSON.stringify(previousReport) },
		});
		expect(error).toBeUndefined();
		expect(items[0]?.json.period).toMatchObject({
			delivered: null,
			triggered: automation.total_triggered - 10,
		});
	},
);

it('the service may return its UTR in other letter case', async () => {
	const { service } = test;
	const utr = 'abcdef00-3333-4333-8333-333333333333';
	const message = { automation: { ...automation, utr } };
	const body = { status: 'success', message };
	service.fault({ kind: 'shape', body, match: { path: '/automations/details' } });
	const counts = { triggered: 0, delivered: 0, bounces: 0, uniqueOpens: 0, totalOpens: 0 };
	const { items, error } = await service.run({
		...{ resource: 'automation', operation: 'getReport' },
		automationUtr: chosen(utr.toUpperCase()),
		previousReport: JSON.stringify({ utr, ...counts, unsubscribes: 0 }),
	});
	expect(error).toBeUndefined();
	expect(items[0]?.json.period).toMatchObject({ triggered: automation.total_triggered });
});
