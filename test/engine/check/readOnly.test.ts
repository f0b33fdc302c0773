import type { IDataObject } from 'n8n-workflow';

import { automation, singleSend } from '../records';
import { chosen } from '../rows';
import { useService } from '../sandbox';
import { onRequest } from '../sendTest/support';
import { checkNew } from './support';

const test = useService();
afterEach(() => jest.restoreAllMocks());

/** GETs that have an effect. */
const writes = /set-live|pause|duplicate/;
const rules = { nameUsed: true, subjectUsed: true, minHours: 24, maxRecipients: 1 };

it.each<[string, IDataObject]>([
	['of a new campaign', checkNew],
	[
		'of an existing campaign',
		{ ...checkNew, campaign: 'existing', singleSendUtr: chosen(singleSend.utr) },
	],
	[
		'of an automation',
		{ resource: 'automation', operation: 'check', automationUtr: chosen(automation.utr) },
	],
])('a check %s that is canceled at any of its requests writes nothing', async (_name, given) => {
	const { service } = test;
	const run = async (signal?: AbortSignal) =>
		await service.run(
			{ ...given, rules: given.resource === 'singleSend' ? rules : {} },
			{ signal },
		);
	await run();
	const requests = service.calls().length;
	expect(requests).toBeGreaterThan(4);
	for (let at = 0; at < requests; at++) {
		jest.restoreAllMocks();
		service.reset();
		const before = JSON.stringify([
			service.state.tables.singleSends.all(),
			service.state.tables.automations.all(),
		]);
		const canceling = new AbortController();
		onRequest(service, (n) => {
			if (n === at) canceling.abort();
		});
		await run(canceling.signal);
		expect(
			service.journal.filter(({ method, path }) => method !== 'GET' || writes.test(path)),
		).toEqual([]);
		expect(
			JSON.stringify([
				service.state.tables.singleSends.all(),
				service.state.tables.automations.all(),
			]),
		).toBe(before);
	}
});
