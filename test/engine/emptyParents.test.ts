import type { IDataObject } from 'n8n-workflow';

import type { Tables } from '../../sandbox/store.ts';
import { automation, NOW, segment, unsubscribeGroup } from './records';
import { chosen } from './rows';
import { once, useService } from './sandbox';
import { Poller } from './trigger/poller';

/** What exists and is empty, and of which the service says the same as of what does not exist. */
const test = useService({ segmentCounts: 'recipients' });
beforeEach(() => {
	test.service.state.settings.emptyParents = 'failed';
});

const missing = 'The service rejected the request: Record Not Found';

interface Parent {
	parameters: IDataObject;
	/** The same for a parent that does not exist. */
	unknown: IDataObject;
	calls: [list: string, parents: string];
	children: keyof Tables;
	key: string;
}

const parents: Record<string, Parent> = {
	'unsubscribe group': {
		parameters: {
			...{ resource: 'unsubscribeGroup', operation: 'getRecipients' },
			unsubscribeGroupId: chosen(unsubscribeGroup.id),
		},
		unknown: { unsubscribeGroupId: chosen(999) },
		calls: ['GET /unsubscribes-groups/recipients-list', 'GET /unsubscribes-groups'],
		children: 'groupRecipients',
		key: 'recipients',
	},
	segment: {
		parameters: {
			...{ resource: 'segment', operation: 'getRecipients' },
			segmentId: chosen(segment.id),
		},
		unknown: { segmentId: chosen(999) },
		calls: ['GET /segment/email/list', 'GET /segment/list'],
		children: 'segmentRecipients',
		key: 'contactEmails',
	},
	automation: {
		parameters: {
			...{ resource: 'automationSchedule', operation: 'getAll' },
			automationUtr: chosen(automation.utr),
		},
		unknown: { automationUtr: chosen('99999999-9999-4999-8999-999999999999') },
		calls: ['GET /automations/schedule', 'GET /automations'],
		children: 'automationSchedules',
		key: 'automation_schedules',
	},
};

function empty(name: keyof Tables): void {
	const table = test.service.state.tables[name];
	for (const { id } of table.all()) table.remove(id);
}

describe.each(Object.entries(parents))('an empty %s', (kind, parent) => {
	const { parameters, unknown, calls, children, key } = parent;

	it.each(['shown', 'asText'] as const)('has no entries, with numbers %s', async (numbers) => {
		test.service.state.settings.numbers = numbers;
		empty(children);
		const { items, error } = await test.service.run(parameters);
		expect([items, error]).toEqual([[], undefined]);
		expect(test.service.calls()).toEqual(calls);
	});

	it('is not taken for one that does not exist', async () => {
		const { items, error } = await test.service.run({ ...parameters, ...unknown });
		expect(items).toEqual([]);
		expect(error?.message.toLowerCase()).toBe(missing.toLowerCase());
	});

	it('is not taken for one whose entries are counted', async () => {
		const [list = ''] = calls;
		const match = { path: list.replace('GET ', '') };
		test.service.fault({ kind: 'failed', errors: 'Record Not Found', match });
		const { items, error } = await test.service.run(parameters);
		expect(items).toEqual([]);
		expect(error?.message).toBe(
			`Unexpected response: the list "${key}" is missing, although its count is 1`,
		);
	});

	it('is not known to be empty where the parents cannot be read', async () => {
		empty(children);
		const match = { path: calls[1].replace('GET ', '') };
		test.service.fault({ kind: 'status', status: 500, match });
		const { items, error } = await test.service.run({ ...parameters, options: once });
		expect(items).toEqual([]);
		expect(error?.message).toBe('The service is temporarily unavailable (HTTP 500)');
	});

	if (kind !== 'unsubscribe group') {
		it('is not taken for one that is deleted', async () => {
			empty(children);
			const { segments, automations } = test.service.state.tables;
			const deleted_at = '2026-03-01T10:00:00.000000Z';
			segments.put({ ...segment, deleted_at });
			automations.put({ ...automation, deleted_at });
			const { error } = await test.service.run(parameters);
			expect(error?.message.toLowerCase()).toBe(missing.toLowerCase());
		});
	}
});

it('recipients are added to a segment and a list that are empty', async () => {
	const { service } = test;
	empty('segmentRecipients');
	const { items, error } = await service.run(
		{
			...{ resource: 'segment', operation: 'syncRecipients', segmentId: chosen(segment.id) },
			fields: { mappingMode: 'autoMapInputData', value: null },
		},
		{ items: [{ json: { email: 'new@example.com', first_name: 'New', last_name: 'Person' } }] },
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(service.state.tables.segmentRecipients.all().map(({ email }) => email)).toEqual([
		'new@example.com',
	]);
});

it('the first recipient of a watched group is reported', async () => {
	const { service } = test;
	empty('groupRecipients');
	const poller = new Poller(service.sandbox, {
		events: ['unsubscribeGroupRecipientAdded'],
		unsubscribeGroupId: chosen(unsubscribeGroup.id),
	});
	expect(await poller.poll()).toEqual([]);
	service.state.tables.groupRecipients.add(
		{ email_address: 'gone@example.com', unsubscribe_groups_id: unsubscribeGroup.id },
		NOW,
	);
	expect((await poller.poll()).map(({ event }) => event)).toEqual([
		'unsubscribeGroupRecipientAdded',
	]);
});
