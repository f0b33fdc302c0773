import { deleteMany, endpoint } from '../endpoint.ts';
import { listOf, ordered } from '../lists.ts';
import { email, integer, integers, text } from '../params.ts';
import { notFound, success } from '../replies.ts';

export const notifications = [
	endpoint({
		number: '50a',
		method: 'GET',
		path: '/notification-recipients',
		run: (_input, { tables, settings }) =>
			listOf('notifications', ordered(tables.notificationRecipients, settings)),
	}),
	endpoint({
		number: '50b',
		method: 'POST',
		path: '/notification-recipient/save',
		body: {
			email_address: email,
			// The one text of its kind: another name, and no period.
			email_owner: text({ requiredText: 'The name field is required' }),
		},
		run: (fields, { tables, clock }) => {
			tables.notificationRecipients.add(fields, clock.now());
			return success('Added Successfully');
		},
	}),
	endpoint({
		number: '50c',
		method: 'DELETE',
		path: '/notification-recipient/delete',
		query: { id: integer },
		run: ({ id }, { tables }) => {
			if (!tables.notificationRecipients.get(id)) return notFound('Record Not Found');
			tables.notificationRecipients.remove(id);
			return success('Deleted Successfully');
		},
	}),
	endpoint({
		number: '50d',
		method: 'POST',
		path: '/notification-recipient/bulk-delete',
		body: { strIds: integers },
		urlencoded: true,
		run: ({ strIds }, { tables, settings }) => {
			const table = tables.notificationRecipients;
			const rows = strIds.map((id) => table.get(id));
			return (
				deleteMany(rows, settings, 'Record Not Found', (row) => table.remove(row.id)) ??
				success('Deleted Successfully')
			);
		},
	}),
];
