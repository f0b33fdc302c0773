import type { IDataObject } from 'n8n-workflow';

import { useService } from '../sandbox';
import { asShown } from '../readings/underReading';

const test = useService(asShown);

async function run(): Promise<{ requests: IDataObject[]; readings: unknown[] }> {
	const { items, error } = await test.service.run({ resource: 'account', operation: 'check' });
	expect(error).toBeUndefined();
	const rows = items.map(({ json }) => json);
	const readings = rows.at(-1)?.readings as IDataObject[];
	return { requests: rows, readings: readings.map(({ name }) => name) };
}

/** Changes all campaigns to something that the reference does not show. */
function changeSends(values: IDataObject): void {
	test.service.holdsOddRecords = true;
	const { singleSends } = test.service.state.tables;
	for (const send of singleSends.all()) singleSends.change(send, values as object);
}

describe('Account: Check reads as the other operations do', () => {
	it.each<[IDataObject, boolean]>([
		[{ template_json: '{ }' }, true],
		[{ template_json: {} }, true],
		[{ template_json: '{"a":1}' }, true],
		[{ template_id: 1, template_json: '{"a":1}' }, false],
		[{ template_id: 1, template_json: '""' }, false],
	])('the content %j', async (content, isUnclear) => {
		changeSends(content);
		const { readings } = await run();
		expect(readings.includes('unclearContentStored')).toBe(isUnclear);
	});

	it.each<[string, boolean]>([
		['2999-01-01T00:00:00Z', true],
		['2999-01-01', false],
	])('a send time of %s', async (sentAt, isRead) => {
		changeSends({ status: 3, sent_at: sentAt });
		const { readings } = await run();
		expect(readings.includes('sentAtNotUtc')).toBe(isRead);
	});

	it('a copy that has not been sent may keep when its original was', async () => {
		changeSends({ status: 0, sent_at: '2020-01-01 00:00:00' });
		expect((await run()).readings).not.toContain('sentAtNotUtc');
	});

	const csv = { 'content-type': 'text/csv' };
	it.each<[string, string, Record<string, string>, string]>([
		['a file of no type', 'email;name\n', { 'content-type': '' }, 'Works: a file.'],
		['an empty object sent as CSV', '{}', csv, 'Works. The service has no sample file.'],
		[
			'a web page sent as CSV',
			'<!DOCTYPE html><p>Hi',
			csv,
			'Expected sample csv file. Received a web page (HTTP 200).',
		],
	])('%s', async (_what, body, headers, message) => {
		const match = { path: '/contacts/csv-sample/download' };
		test.service.fault({ kind: 'status', status: 200, body, headers, match });
		const { requests } = await run();
		const sample = requests.find(({ endpoint }) => endpoint === `GET ${match.path}`);
		expect(sample?.message).toBe(message);
	});
});
