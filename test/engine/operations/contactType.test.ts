import { contactType, otherContactType } from '../records';
import { chosen, checkRows } from '../rows';
import { del, get, multipart } from '../sandbox';

const listed = [
	{ ...contactType, contacts_count: 1 },
	{ ...otherContactType, contacts_count: 1 },
];

checkRows('contactType', [
	{
		operation: 'getAll',
		with: 'Return All',
		parameters: { returnAll: true },
		sends: [get('/contacts-type')],
		gives: listed,
	},
	{
		operation: 'getAll',
		with: 'a limit',
		settings: { listOrder: 'oldest' },
		parameters: { limit: 1 },
		sends: [get('/contacts-type')],
		gives: listed.slice(0, 1),
	},
	{
		operation: 'create',
		parameters: { name: 'Wholesale & more' },
		sends: [multipart('/contacts-type/add', { name: 'Wholesale & more' })],
		gives: [{ created: true, name: 'Wholesale & more', message: 'Added Successfully' }],
	},
	{
		operation: 'get',
		parameters: { contactTypeId: chosen('21') },
		sends: [get('/contacts-type/view', { contact_type_id: '21' })],
		gives: [contactType],
	},
	{
		operation: 'update',
		parameters: { contactTypeId: chosen(21, 'id'), name: 'Clients' },
		sends: [multipart('/contacts-type/update', { id: '21', name: 'Clients' })],
		gives: [{ updated: true, id: 21, name: 'Clients', message: 'Updated Successfully' }],
	},
	{
		operation: 'delete',
		parameters: { contactTypeId: chosen('21') },
		sends: [del('/contacts-type/delete', { contact_type_id: '21' })],
		gives: [{ deleted: true, id: 21, message: 'Deleted Successfully' }],
	},
]);
