import type { IDataObject } from 'n8n-workflow';

import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService({ emptyLists: 'success' });
const again = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

it.each<[string, string, IDataObject]>([
	[
		'/notification-recipient/save',
		'created',
		{
			...{ resource: 'notificationRecipient', operation: 'create', emailOwner: 'Lin' },
			emailAddress: '={{ $json.email }}',
		},
	],
	[
		'/segment/email/store',
		'added',
		{
			...{ resource: 'segment', operation: 'addRecipient', segmentId: chosen('301') },
			...{ firstName: 'Lin', lastName: 'Dan', email: '={{ $json.email }}' },
		},
	],
])(
	'%s: an address that an earlier try has added is not added again by a later item',
	async (path, did, parameters) => {
		const { service } = test;
		// The second item is refused once; the third one has the address of the first.
		service.fault({ kind: 'failed', match: { path }, skip: 1 });
		const items = ['lin', 'dan', 'LIN'].map((name) => ({
			json: { email: `${name}@example.com` },
		}));
		const outcome = await service.run(
			{ ...parameters, options: { parallelRequests: 1 } },
			{ items, node: again },
		);
		expect(outcome.error).toBeUndefined();
		const sent = service.sent().filter((one) => one.path === path);
		const addresses = sent.map(({ body }) => String(body?.email ?? body?.email_address));
		expect(addresses).toEqual(['lin@example.com', 'dan@example.com', 'dan@example.com']);
		expect(outcome.items.map(({ json }) => json[did])).toEqual([true, true, false]);
	},
);

it('an address that a later item has added is not added again for the first one, which n8n runs again', async () => {
	const { service } = test;
	const path = '/notification-recipient/save';
	service.fault({ kind: 'failed', match: { path } });
	const items = ['lin', 'LIN'].map((name) => ({ json: { email: `${name}@example.com` } }));
	await service.run(
		{
			...{ resource: 'notificationRecipient', operation: 'create', emailOwner: 'Lin' },
			emailAddress: '={{ $json.email }}',
		},
		{ items, node: { ...again, onError: 'continueErrorOutput' } },
	);
	const added = service.state.tables.notificationRecipients
		.all()
		.filter(({ email_address }) => /^lin@/i.test(email_address));
	expect(added).toHaveLength(1);
});
