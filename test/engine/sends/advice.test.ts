import type { IDataObject } from 'n8n-workflow';

import { checkNew } from '../check/support';
import { otherAutomation } from '../records';
import { chosen } from '../rows';
import { sendTest, useTests } from '../sendTest/support';

const test = useTests();

const findingsOf = async (parameters: IDataObject) => {
	const { items, error } = await test.service.run({ ...checkNew, ...parameters });
	expect(error).toBeUndefined();
	return items[0]?.json.findings as IDataObject[];
};

describe('Check of a campaign with a time zone that is not known', () => {
	const scheduled = { scheduleType: 'scheduled', timezone: 'Mars/Olympus', senderId: chosen('99') };
	const problem = '"Account Time Zone" is not a known time zone: "Mars/Olympus"';

	it.each(['2099-05-04T09:30:00', '2099-05-04T09:30:00Z'])(
		'finds that along with all else: %s',
		async (scheduleAt) => {
			const findings = await findingsOf({ ...scheduled, scheduleAt, rules: { minHours: 24 } });
			const texts = findings.map(({ text }) => text);
			expect(texts).toContain('"Sender" does not exist: 99');
			expect(texts.filter((text) => text === problem)).toHaveLength(1);
		},
	);
});

it('a placeholder in another writing is the only one that is suggested', async () => {
	const [finding] = await findingsOf({ subject: 'Hi ((First Name))' });
	expect(finding?.remedy).toBe(
		'Correct them. The most similar known placeholder is ((first_name)). To list the others, use "Design Template: Get Dynamic Content".',
	);
});

it('a test that the service turns away for now is not sent again', async () => {
	const path = '/single/send/create';
	const headers = { 'retry-after': '0' };
	test.service.fault({ kind: 'status', status: 429, headers, match: { path } });
	const { error } = await test.service.run(sendTest);
	expect(error?.httpCode).toBe('429');
	expect(test.service.calls().filter((call) => call.endsWith(path))).toHaveLength(1);
});

it('the pause of a draft says what can be paused', async () => {
	const { error } = await test.service.run({
		...{ resource: 'automation', operation: 'pause' },
		automationUtr: chosen(otherAutomation.utr),
	});
	expect([error?.message, error?.description]).toEqual([
		'The service rejected the request: Record not found',
		'Only live automations can be paused: check whether this one is a draft. No record has this ID or UTR. It may have been deleted or belong to another account. Choose it from the list again. Nothing was changed.',
	]);
});

it.each([
	['an object', [501, {}], '"{}"'],
	['a list', [501, [502]], '"[502]"'],
])('a list of IDs with %s gets advice that fits', async (_what, ids, shown) => {
	const { error } = await test.service.run(
		{ resource: 'singleSend', operation: 'deleteMany', singleSendIds: '={{ $json.ids }}' },
		{ items: [{ json: { ids } }] },
	);
	expect([error?.message, error?.description]).toEqual([
		`Entry 2 of "Campaign Names or IDs" must be text or a number, but it is ${shown}`,
		'Return a list of plain values from the expression, such as {{ $json.records.map(one => one.id) }}. Nothing was changed for this item.',
	]);
	expect(test.service.calls()).toEqual([]);
});
