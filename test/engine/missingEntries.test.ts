import type { IDataObject } from 'n8n-workflow';

import { chosen, newSend } from './rows';
import { useService } from './sandbox';

const test = useService({ unusedBody: 'any', timeFormat: 'any' });

const addresses = '={{ [$json.email, $json.work_mail] }}';

it.each<[string, IDataObject]>([
	['Email Address', { resource: 'globalUnsubscribe', operation: 'add', emailAddress: addresses }],
	[
		'Email Address',
		{
			...{ resource: 'unsubscribeGroup', operation: 'addRecipient' },
			...{ unsubscribeGroupId: chosen('51'), emailAddress: addresses },
		},
	],
	[
		'Recipient Names or IDs',
		{ ...newSend, ifNameExists: 'create', recipientId: '={{ ["contacts_21", $json.segment] }}' },
	],
	[
		'Contact Names or IDs',
		{ resource: 'contact', operation: 'deleteMany', contactIds: '={{ [1000001, $json.id] }}' },
	],
])('an empty entry of an array is refused: %s of %j', async (label, parameters) => {
	const { error } = await test.service.run(parameters, {
		items: [{ json: { email: 'ada@example.com' } }],
	});
	expect(error?.message).toBe(`Entry 2 of "${label}" is empty`);
	expect(test.service.calls()).toEqual([]);
});

it.each(['ada@example.com, ', '={{ $json.email + ";" }}', '={{ ["ada@example.com"] }}'])(
	'a text may end with a separator: %s',
	async (emailAddress) => {
		const { items } = await test.service.run(
			{ resource: 'globalUnsubscribe', operation: 'add', emailAddress },
			{ items: [{ json: { email: 'ada@example.com' } }] },
		);
		expect(items[0]?.json).toMatchObject({ added: true, email_address: 'ada@example.com' });
	},
);
