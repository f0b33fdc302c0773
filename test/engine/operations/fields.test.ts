import { customField } from '../records';
import { chosen, checkRows } from '../rows';
import { del, get, multipart } from '../sandbox';

const reserved = [
	'first_name',
	'last_name',
	'email',
	'alt_email',
	'country',
	'state',
	'city',
	'address_line1',
	'address_line2',
	'state_province_region',
	'postal_code',
	'full_name',
	'created_at',
	'updated_at',
].map((field_name, index) => ({
	id: 101 + index,
	user_id: null,
	field_name,
	field_type: 'text',
	is_reserved: 1,
	created_at: null,
	updated_at: null,
}));

checkRows('customField', [
	{
		operation: 'getReserved',
		parameters: { returnAll: true },
		sends: [get('/reserve-fields')],
		gives: reserved,
	},
	{
		operation: 'getReserved',
		with: 'a limit',
		parameters: { limit: 2 },
		sends: [get('/reserve-fields')],
		gives: reserved.slice(0, 2),
	},
	{
		operation: 'getAll',
		parameters: { returnAll: true },
		sends: [get('/custom-fields')],
		gives: [customField],
	},
	...['text', 'number', 'datetime-local'].map((fieldType) => ({
		operation: 'create',
		with: fieldType,
		parameters: { fieldName: 'favorite_color2', fieldType },
		sends: [
			multipart('/custom-fields/save', {
				field_name: 'favorite_color2',
				field_type: fieldType,
			}),
		],
		gives: [{ created: true, field_name: 'favorite_color2', message: 'Added Successfully' }],
	})),
	{
		operation: 'delete',
		parameters: { customFieldId: chosen('201') },
		sends: [del('/custom-fields/delete', { id: '201' })],
		gives: [{ deleted: true, id: 201, message: 'Deleted Successfully' }],
	},
]);
