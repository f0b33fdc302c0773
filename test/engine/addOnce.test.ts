import type { IDataObject } from 'n8n-workflow';

import { NOW } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService({ emptyLists: 'success' });

const operations: Array<[string, string, IDataObject]> = [
	[
		'POST /global-unsubscribes/save',
		'added',
		{ resource: 'globalUnsubscribe', operation: 'add', emailAddress: '={{ $json.email }}' },
	],
	[
		'POST /unsubscribes-groups/manually-add',
		'added',
		{
			...{ resource: 'unsubscribeGroup', operation: 'addRecipient' },
			...{ unsubscribeGroupId: chosen('51'), emailAddress: '={{ $json.email }}' },
		},
	],
	[
		'POST /segment/email/store',
		'added',
		{
			...{ resource: 'segment', operation: 'addRecipient', segmentId: chosen('301') },
			...{ firstName: 'Lin', lastName: 'Dan', email: '={{ $json.email }}' },
		},
	],
	[
		'POST /notification-recipient/save',
		'created',
		{
			...{ resource: 'notificationRecipient', operation: 'create', emailOwner: 'Lin' },
			emailAddress: '={{ $json.email }}',
		},
	],
	[
		'POST /sender/save',
		'created',
		{
			...{ resource: 'sender', operation: 'create', fromName: 'Shop', nickname: 'The shop' },
			...{ replyToEmail: '={{ $json.email }}', companyAddress: 'Road 1' },
			...{ countryId: chosen('85'), fromEmail: '={{ $json.email }}' },
		},
	],
];

it('Global Unsubscribe: Add sends an address with two spellings once', async () => {
	const [[call, , add] = ['', '', {}]] = operations;
	const item = { json: { email: 'o’brien@example.com' } };
	const outcome = await test.service.run(add, { items: [item, item] });
	expect(outcome.items.map(({ json }) => json.added)).toEqual([true, false]);
	expect(test.service.calls().filter((one) => one === call)).toHaveLength(1);
});

describe('Unsubscribe Group: Add Recipient', () => {
	const call = 'POST /unsubscribes-groups/manually-add';
	const add = {
		...{ resource: 'unsubscribeGroup', operation: 'addRecipient' },
		unsubscribeGroupId: chosen('={{ $json.group }}', 'id'),
		emailAddress: 'lin@example.com',
	};
	const calls = () => test.service.calls();

	it('adds an address to each of several groups, whose lists are read once', async () => {
		const { unsubscribeGroups } = test.service.state.tables;
		const { id } = unsubscribeGroups.add({ group_name: 'Other' }, NOW);
		const outcome = await test.service.run(add, {
			items: [51, id, 51].map((group) => ({ json: { group } })),
		});
		expect(outcome.items.map(({ json }) => json.added)).toEqual([true, true, false]);
		expect(calls().filter((one) => one.startsWith('GET'))).toHaveLength(2);
		expect(calls().filter((one) => one === call)).toHaveLength(2);
	});

	it('adds the other addresses of a refused item when it is run again', async () => {
		const { settings, tables } = test.service.state;
		settings.duplicateEmail = 'refuse';
		const several = { ...add, emailAddress: '={{ $json.emails }}' };
		const items = ['a@example.com, b@example.com', 'b@example.com, c@example.com'].map(
			(emails) => ({ json: { group: 51, emails } }),
		);
		const node = { onError: 'continueErrorOutput' } as const;
		const first = await test.service.run(several, { items, node });
		expect(first.failed).toHaveLength(1);
		const again = await test.service.run(several, { items, node });
		expect(again.failed).toEqual([]);
		const added = tables.groupRecipients.all().map(({ email_address }) => email_address);
		expect(added.filter((address) => /^[abc]@/.test(address)).sort()).toEqual(
			['a', 'b', 'c'].map((name) => `${name}@example.com`),
		);
	});

	it('adds all addresses if the list of the group cannot be read', async () => {
		const path = '/unsubscribes-groups/recipients-list';
		test.service.fault({ kind: 'status', status: 403, match: { path } });
		const outcome = await test.service.run(add, { items: [{ json: { group: 51 } }] });
		expect(outcome.items.map(({ json }) => json.added)).toEqual([true]);
		expect(calls().at(-1)).toBe(call);
	});
});

const items = ['lin@example.com', 'LIN@example.com', 'dan@example.com'].map((email) => ({
	json: { email },
}));

describe.each(operations)('%s', (call, did, parameters) => {
	const sent = () => test.service.calls().filter((one) => one === call);

	it('is sent once for an address that several items have', async () => {
		const outcome = await test.service.run(parameters, { items });
		expect(outcome.error).toBeUndefined();
		expect(outcome.items.map(({ json }) => json[did])).toEqual([true, false, true]);
		expect(outcome.items[1]?.json.message).toBe(
			'An earlier item adds this address; nothing was written',
		);
		expect(sent()).toHaveLength(2);
	});

	it('is sent for the later item if the earlier one was rejected, but not if it may have succeeded', async () => {
		const path = call.replace('POST ', '');
		const node = { onError: 'continueErrorOutput' } as const;
		test.service.fault({ kind: 'failed', match: { path }, errors: 'Not now' });
		const rejected = await test.service.run(parameters, { items: items.slice(0, 2), node });
		expect(rejected.items.map(({ json }) => json[did])).toEqual([true]);
		expect(sent()).toHaveLength(2);
		test.service.fault({ kind: 'reset-after', match: { path } });
		const others = ['kim', 'KIM', 'Kim'].map((name) => ({
			json: { email: `${name}@example.com` },
		}));
		const lost = await test.service.run(parameters, { items: others, node });
		expect(lost.failed).toHaveLength(3);
		expect(sent()).toHaveLength(3);
	});
});

describe('Sender: Resend Verification', () => {
	const call = 'GET /sender/resend-mail';
	const sent = () => test.service.calls().filter((one) => one === call);
	const parameters = {
		...{ resource: 'sender', operation: 'resendVerification' },
		senderId: chosen('={{ $json.sender }}', 'id'),
	};
	const senders = (...ids: number[]) => ids.map((sender) => ({ json: { sender } }));

	const node = { onError: 'continueErrorOutput' } as const;

	it('sends one email to a sender that several items name', async () => {
		const outcome = await test.service.run(parameters, { items: senders(81, 999, 81), node });
		expect(outcome.items.map(({ json }) => json)).toEqual([
			{ resent: true, id: 81, message: 'Verification Mail Send' },
			{
				...{ resent: false, id: 81 },
				message: 'An earlier item resent this email; nothing was sent for this item',
			},
		]);
		expect(outcome.failed).toHaveLength(1);
		expect(sent()).toHaveLength(2);
	});

	it('sends it for a later item if the earlier request was rejected, but not if it may have succeeded', async () => {
		const match = { path: '/sender/resend-mail' };
		test.service.fault({ kind: 'failed', match, errors: 'Not now' });
		const rejected = await test.service.run(parameters, { items: senders(81, 81), node });
		expect(rejected.items.map(({ json }) => json.resent)).toEqual([true]);
		expect(sent()).toHaveLength(2);
		test.service.fault({ kind: 'reset-after', match });
		const lost = await test.service.run(parameters, { items: senders(81, 81), node });
		expect(lost.failed[1]?.json.error).toMatchObject({
			message: expect.stringContaining(
				'An earlier item may have sent the verification email of sender 81',
			),
		});
		expect(sent()).toHaveLength(3);
	});
});
