import { globalUnsubscribe } from '../records';
import { chosen, checkRows } from '../rows';
import { del, get, multipart, urlencoded } from '../sandbox';

checkRows('globalUnsubscribe', [
	{
		operation: 'getAll',
		settings: { groupEntries: 'apart' },
		with: 'Return All',
		parameters: { returnAll: true },
		sends: [get('/global-unsubscribes')],
		gives: [globalUnsubscribe],
	},
	{
		operation: 'getAll',
		settings: { groupEntries: 'apart' },
		with: 'the limit that is preset',
		sends: [get('/global-unsubscribes')],
		gives: [globalUnsubscribe],
	},
	{
		operation: 'add',
		with: 'one address',
		parameters: { emailAddress: ' stop@example.com ' },
		sends: [
			get('/global-unsubscribes'),
			multipart('/global-unsubscribes/save', { email_address: 'stop@example.com' }),
		],
		gives: [{ added: true, email_address: 'stop@example.com', message: 'Added Successfully' }],
	},
	{
		operation: 'add',
		with: 'several addresses',
		parameters: { emailAddress: 'a@example.com, b@example.com;c@example.com\na@example.com' },
		sends: [
			get('/global-unsubscribes'),
			multipart('/global-unsubscribes/save', {
				email_address: 'a@example.com,b@example.com,c@example.com',
			}),
		],
		gives: [
			{
				added: true,
				email_address: 'a@example.com,b@example.com,c@example.com',
				message: 'Added Successfully',
			},
		],
	},
	{
		operation: 'add',
		with: 'an array from an expression',
		parameters: { emailAddress: "={{ ['a@example.com', 'b@example.com'] }}" },
		sends: [
			get('/global-unsubscribes'),
			multipart('/global-unsubscribes/save', { email_address: 'a@example.com,b@example.com' }),
		],
		gives: [
			{ added: true, email_address: 'a@example.com,b@example.com', message: 'Added Successfully' },
		],
	},
	{
		operation: 'add',
		with: 'an address that is on the list already, next to a new one',
		parameters: { emailAddress: `${globalUnsubscribe.email_address}, new@example.com` },
		sends: [
			get('/global-unsubscribes'),
			multipart('/global-unsubscribes/save', { email_address: 'new@example.com' }),
		],
		gives: [
			{
				added: true,
				email_address: 'new@example.com',
				alreadyListed: globalUnsubscribe.email_address,
				message: 'Added Successfully',
			},
		],
	},
	{
		operation: 'add',
		with: 'only an address that is on the list already',
		parameters: { emailAddress: globalUnsubscribe.email_address },
		sends: [get('/global-unsubscribes')],
		gives: [
			{
				added: false,
				email_address: globalUnsubscribe.email_address,
				message: 'Already on the global unsubscribe list; nothing was written',
			},
		],
	},
	{
		operation: 'delete',
		parameters: { globalUnsubscribeId: chosen('100001') },
		sends: [del('/global-unsubscribes/delete', { id: '100001' })],
		gives: [{ deleted: true, id: 100001, message: 'Deleted Successfully' }],
	},
	{
		operation: 'deleteMany',
		parameters: { globalUnsubscribeIds: ['100001'] },
		sends: [urlencoded('/global-unsubscribes/bulk-delete', { 'strIds[0]': '100001' })],
		gives: [{ deleted: true, ids: [100001], message: 'Deleted Successfully' }],
	},
]);
