import { json, useAccount } from '../contacts/support';

const given = useAccount({ emptyParents: 'success' });

it.each([
	['globalUnsubscribe', {}, '/global-unsubscribes/save'],
	[
		'unsubscribeGroup',
		{ unsubscribeGroupId: { __rl: true, mode: 'id', value: '51' } },
		'/unsubscribes-groups/manually-add',
	],
])(
	'%s: an unsubscribe that the list read afterwards does not have is not "added"',
	async (resource, list, path) => {
		const { account } = given;
		account.state.tables.unsubscribeGroups.add({ id: 51, group_name: 'News' }, 0);
		// The service takes the request with both addresses, but not both addresses.
		const message = { status: 'success', message: 'Added Successfully' };
		account.state.faults.add({ kind: 'shape', body: message, match: { path } });
		const outcome = await account.run(
			{ resource, operation: 'syncRecipients', missing: 'ignore', ...list },
			[{ email: 'a@example.com' }, { email: 'b@example.com' }],
		);
		expect(account.state.tables.globalUnsubscribes.size).toBe(0);
		expect(account.state.tables.groupRecipients.size).toBe(0);
		// The list was read after the write, and has neither.
		expect(account.reads()).toHaveLength(2);
		expect(json(outcome).map(({ action }) => action)).toEqual(['failed', 'failed']);
	},
);
