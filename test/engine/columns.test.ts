import type { IDataObject } from 'n8n-workflow';

import { kindNamed, kindOf } from '../../nodes/EmailMarketing/records/records';
import { singleSend } from './records';
import { chosen, listOperations, newSend } from './rows';
import { useService } from './sandbox';

const test = useService({ emptyLists: 'success' });

const isId = (key: string) => /^(?:id|utr)$|_id$|Utr$/.test(key);

async function columnsOf(parameters: IDataObject): Promise<string[]> {
	const { items, error } = await test.service.run(parameters);
	expect(error).toBeUndefined();
	return Object.keys(items[0]?.json ?? {});
}

describe("n8n's table has names first and IDs last", () => {
	it.each(listOperations)('%s.%s', async (resource, operation, parent) => {
		const columns = await columnsOf({ resource, operation, ...parent });
		if (columns.length === 0) return;
		expect(kindNamed(kindOf(resource, operation))?.names).toContain(columns[0]);
		const ids = columns.filter(isId);
		expect(columns.slice(columns.length - ids.length)).toEqual(ids);
	});

	it('the status of a campaign stands beside its name', async () => {
		const parameters = { resource: 'singleSend', operation: 'getAll' };
		expect((await columnsOf(parameters)).slice(0, 4)).toEqual([
			...['single_send_name', 'subject', 'status', 'statusLabel'],
		]);
	});

	it('a new campaign', async () => {
		const columns = await columnsOf(newSend);
		expect(columns.slice(0, 4)).toEqual([
			...['created', 'single_send_name', 'subject', 'scheduleLabel'],
		]);
		expect(columns.indexOf('recipient_id')).toBeGreaterThan(columns.indexOf('schedule_type'));
	});

	it('a checked campaign', async () => {
		const columns = await columnsOf({
			...{
				resource: 'singleSend',
				operation: 'check',
				campaign: 'existing',
				singleSendUtr: chosen(singleSend.utr),
			},
		});
		expect(columns.slice(0, 6)).toEqual([
			...['message', 'canSend', 'single_send_name', 'subject', 'status', 'statusLabel'],
		]);
		expect(columns.slice(-5).filter(isId)).toHaveLength(5);
	});

	it('selected fields come before the IDs', async () => {
		const output = { output: 'selectedFields', outputFields: ['email'] };
		expect(await columnsOf({ resource: 'contact', operation: 'getAll', ...output })).toEqual([
			...['email', 'id'],
		]);
	});
});
