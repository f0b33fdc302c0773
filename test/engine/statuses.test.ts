import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { methods } from '../../nodes/EmailMarketing/methods';
import { editorContext, keys } from './engine';
import { NOW } from './records';
import { asShown } from './readings/underReading';
import { listOperations } from './rows';
import { useService } from './sandbox';

const test = useService({ listOrder: 'oldest' });

async function listed(resource: string, parameters: IDataObject = {}): Promise<IDataObject[]> {
	const all = { resource, operation: 'getAll', returnAll: true };
	const { items, error } = await test.service.run({ ...all, ...parameters });
	expect(error).toBeUndefined();
	return items.map(({ json }) => json);
}

beforeEach(() => {
	test.service.holdsOddRecords = true;
	const { tables } = test.service.state;
	tables.automations.add({ automation_name: 'Paused', status: 2 }, NOW);
	tables.automations.add({ automation_name: 'None', status: null as never }, NOW);
	tables.singleSends.add({ single_send_name: 'Failed', status: 9 }, NOW);
	tables.senders.add({ nickname: 'New', is_verified: 0 }, NOW);
});

describe.each(['simplified', 'raw'])('%s records have a label beside their status', (output) => {
	const labels = async (resource: string) =>
		(await listed(resource, { output })).map(({ statusLabel }) => statusLabel);

	it('also for a code that the reference does not name, but not without a code', async () => {
		expect(await labels('automation')).toEqual(['live', 'draft', 'unknown (2)', undefined]);
		expect(await labels('singleSend')).toEqual(['ready to send', 'unknown (9)']);
		expect(await labels('sender')).toEqual(['verified', 'unverified']);
	});

	it('right after the code', async () => {
		const [first] = await listed('automation', { output });
		const fields = Object.keys(first ?? {});
		expect(fields[fields.indexOf('status') + 1]).toBe('statusLabel');
	});
});

it('the label can be selected', async () => {
	const parameters = { output: 'selectedFields', outputFields: ['statusLabel'] };
	const [first] = await listed('automation', parameters);
	expect(first).toEqual({ id: 30001, utr: expect.any(String), statusLabel: 'live' });
});

it.each<[string, unknown, string[]]>([
	['automation', ['other'], ['Paused']],
	['automation', ['other', 0], ['Win back', 'Paused']],
	['automation', 'other, 1', ['Welcome series', 'Paused']],
	['automation', [2], ['Paused']],
	['singleSend', ['other'], ['Failed']],
	['singleSend', ['other', 1], ['March newsletter', 'Failed']],
])('%s: the filter %j leaves %j', async (resource, status, names) => {
	const records = await listed(resource, { filters: { status } as IDataObject });
	const nameOf = (record: IDataObject) => record.automation_name ?? record.single_send_name;
	expect(records.map(nameOf)).toEqual(names);
});

describe('the fields that are offered', () => {
	beforeEach(() => void Object.assign(test.service.state.settings, asShown));

	const offered = async (method: string, resource: string, operation: string) => {
		const load = methods?.loadOptions?.[method] as (
			this: ILoadOptionsFunctions,
		) => Promise<INodePropertyOptions[]>;
		const context = editorContext({ resource, operation }, { baseUrl: '', ...keys });
		return (await load.call(context)).map(({ value }) => String(value));
	};

	it.each([
		['automation', 'automation_schedule_count'],
		['contact', 'contact_type'],
	])('of a %s have %s in the list only', async (resource, field) => {
		expect(await offered('getOutputFields', resource, 'getAll')).toContain(field);
		expect(await offered('getOutputFields', resource, 'get')).not.toContain(field);
	});

	it.each(listOperations)(
		'of a %s, %s, are those that are returned',
		async (resource, operation, parameters) => {
			const fields = await offered('getOutputFields', resource, operation);
			const [record] = await listed(resource, { operation, output: 'raw', ...parameters });
			const added = resource === 'contact' ? ['countryId', 'countryName'] : [];
			expect(fields).toEqual([...Object.keys(record ?? {}), ...added].sort());
		},
	);

	it.each(['automation', 'singleSend', 'sender'])(
		'of a %s for sorting have no label, which the service does not have',
		async (resource) => {
			expect(await offered('getOutputFields', resource, 'getAll')).toContain('statusLabel');
			expect(await offered('getSortFields', resource, 'getAll')).not.toContain('statusLabel');
		},
	);
});
