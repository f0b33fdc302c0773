import { notificationRecipient } from '../records';
import { chosen, checkRows } from '../rows';
import { del, get, multipart, urlencoded } from '../sandbox';

checkRows('notificationRecipient', [
	{
		operation: 'getAll',
		parameters: { returnAll: true },
		sends: [get('/notification-recipients')],
		gives: [notificationRecipient],
	},
	{
		operation: 'create',
		parameters: { emailAddress: 'ops@example.com', emailOwner: 'Operations' },
		sends: [
			multipart('/notification-recipient/save', {
				email_address: 'ops@example.com',
				email_owner: 'Operations',
			}),
		],
		gives: [
			{
				created: true,
				email_address: 'ops@example.com',
				email_owner: 'Operations',
				message: 'Added Successfully',
			},
		],
	},
	{
		operation: 'delete',
		parameters: { notificationRecipientId: chosen('401') },
		sends: [del('/notification-recipient/delete', { id: '401' })],
		gives: [{ deleted: true, id: 401, message: 'Deleted Successfully' }],
	},
	{
		operation: 'deleteMany',
		parameters: { notificationRecipientIds: '401' },
		sends: [urlencoded('/notification-recipient/bulk-delete', { 'strIds[0]': '401' })],
		gives: [{ deleted: true, ids: [401], message: 'Deleted Successfully' }],
	},
]);
