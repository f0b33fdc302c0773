import { contact, contactType, otherContact, otherContactType } from '../records';
import { chosen, checkRows } from '../rows';
import { del, get, multipart, urlencoded } from '../sandbox';

// The list shows the name of the country and the contact type; the details show the country's id.
const listed = [
	{ ...contact, country: 'Germany', contact_type: contactType },
	{ ...otherContact, country: 'India', contact_type: otherContactType },
];
const simplified = {
	id: 1000001,
	contact_type_id: 21,
	email: 'ada@example.com',
	first_name: 'Ada',
	last_name: 'Okafor',
	country: 'Germany',
	countryName: 'Germany',
	city: 'Berlin',
	custom_field_company: 'Okafor & Co',
	created_at: '2026-03-02T10:00:00.000000Z',
	updated_at: '2026-03-02T10:00:00.000000Z',
};

const mapped = (value: Record<string, string | number | null>) => ({
	mappingMode: 'defineBelow',
	value,
});
const everyText = {
	first_name: 'Zoë',
	last_name: "O'Neill",
	state: 'Karnataka',
	city: '東京',
	address_line1: '1 Mill Lane\nRear',
	address_line2: 'c/o "Smith"',
	state_province_region: 'South',
	postal_code: '00560',
};

checkRows('contact', [
	{
		operation: 'getAll',
		with: 'raw, Return All',
		parameters: { returnAll: true, output: 'raw' },
		sends: [get('/contacts/list')],
		gives: listed,
	},
	{
		operation: 'getAll',
		with: 'simplified as preset, a limit',
		settings: { listOrder: 'oldest' },
		parameters: { limit: 1 },
		sends: [get('/contacts/list')],
		gives: [simplified],
	},
	{
		operation: 'getAll',
		with: 'selected fields',
		parameters: { returnAll: true, output: 'selectedFields', outputFields: ['email', 'fullname'] },
		sends: [get('/contacts/list')],
		gives: [
			{ id: 1000001, email: 'ada@example.com', fullname: 'Ada Okafor' },
			{ id: 1000002, email: 'ben@example.com', fullname: 'Ben' },
		],
	},
	{
		operation: 'get',
		with: 'raw',
		parameters: { contactId: chosen('1000001'), output: 'raw' },
		sends: [get('/contacts/details', { contact_id: '1000001' })],
		gives: [contact],
	},
	{
		operation: 'get',
		with: 'simplified as preset',
		parameters: { contactId: chosen(1000001, 'id') },
		sends: [get('/contacts/details', { contact_id: '1000001' }), get('/get/country-state-city')],
		gives: [{ ...simplified, country: '85' }],
	},
	{
		operation: 'get',
		with: 'selected fields from an expression',
		parameters: {
			contactId: chosen('1000001'),
			output: 'selectedFields',
			outputFields: "={{ 'email, country' }}",
		},
		sends: [get('/contacts/details', { contact_id: '1000001' })],
		gives: [{ id: 1000001, email: 'ada@example.com', country: '85' }],
	},
	{
		operation: 'create',
		with: 'the minimum',
		parameters: {
			contactTypeId: chosen('21'),
			fields: mapped({ email: 'new@example.com', country: 104 }),
		},
		sends: [
			get('/global-unsubscribes'),
			get('/contacts/list'),
			multipart('/contacts/add', {
				contact_type_id: '21',
				email: 'new@example.com',
				country: '104',
			}),
		],
		gives: [
			{
				created: true,
				contact_type_id: 21,
				email: 'new@example.com',
				message: 'Contact Added Successfully',
			},
		],
	},
	{
		operation: 'create',
		with: 'every field',
		parameters: {
			contactTypeId: chosen('22'),
			fields: mapped({ email: 'new@example.com', country: '104', ...everyText }),
		},
		sends: [
			get('/global-unsubscribes'),
			get('/contacts/list'),
			multipart('/contacts/add', {
				contact_type_id: '22',
				email: 'new@example.com',
				country: '104',
				...everyText,
			}),
		],
		gives: [
			{
				created: true,
				contact_type_id: 22,
				email: 'new@example.com',
				first_name: 'Zoë',
				last_name: "O'Neill",
				message: 'Contact Added Successfully',
			},
		],
	},
	{
		operation: 'create',
		with: 'blank optional fields, which are left out',
		parameters: {
			contactTypeId: chosen('21'),
			fields: mapped({ email: 'new@example.com', country: '104', first_name: '', city: null }),
		},
		sends: [
			get('/global-unsubscribes'),
			get('/contacts/list'),
			multipart('/contacts/add', {
				contact_type_id: '21',
				email: 'new@example.com',
				country: '104',
			}),
		],
		gives: [
			{
				created: true,
				contact_type_id: 21,
				email: 'new@example.com',
				message: 'Contact Added Successfully',
			},
		],
	},
	{
		operation: 'update',
		with: 'one field; the others are read and sent as they are',
		parameters: { contactId: chosen('1000001'), fields: mapped({ city: 'Potsdam' }) },
		sends: [
			get('/contacts/details', { contact_id: '1000001' }),
			multipart('/contacts/update', {
				contact_id: '1000001',
				contact_type_id: '21',
				email: 'ada@example.com',
				country: '85',
				first_name: 'Ada',
				last_name: 'Okafor',
				state: 'Berlin',
				city: 'Potsdam',
				address_line1: '1 Harbour Street',
				address_line2: 'Second floor',
				state_province_region: 'Berlin',
				postal_code: '10115',
			}),
		],
		gives: [
			{
				updated: true,
				id: 1000001,
				email: 'ada@example.com',
				first_name: 'Ada',
				last_name: 'Okafor',
				message: 'Contact Updated Successfully',
			},
		],
	},
	{
		operation: 'update',
		with: 'every field; only what the check for unsubscribes needs is read',
		parameters: {
			contactId: chosen('1000001'),
			fields: mapped({
				contact_type_id: 22,
				email: 'ada@example.org',
				country: '104',
				...everyText,
			}),
		},
		sends: [
			get('/contacts/details', { contact_id: '1000001' }),
			get('/global-unsubscribes'),
			multipart('/contacts/update', {
				contact_id: '1000001',
				contact_type_id: '22',
				email: 'ada@example.org',
				country: '104',
				...everyText,
			}),
		],
		gives: [
			{
				updated: true,
				id: 1000001,
				email: 'ada@example.org',
				first_name: 'Zoë',
				last_name: "O'Neill",
				message: 'Contact Updated Successfully',
			},
		],
	},
	{
		operation: 'delete',
		parameters: { contactId: chosen('1000001') },
		sends: [del('/contacts/delete', { contact_id: '1000001' })],
		gives: [{ deleted: true, id: 1000001, message: 'Deleted Successfully' }],
	},
	{
		operation: 'deleteMany',
		parameters: { contactIds: ['1000001', '1000002'] },
		sends: [
			urlencoded('/contacts/bulk-delete', { 'strIds[0]': '1000001', 'strIds[1]': '1000002' }),
		],
		gives: [{ deleted: true, ids: [1000001, 1000002], message: 'Deleted Successfully' }],
	},
	{
		operation: 'getCsvSample',
		with: 'a service that has none',
		settings: { csvSample: 'object' },
		sends: [get('/contacts/csv-sample/download')],
		gives: [
			{
				available: false,
				message: 'The service provides no sample file',
			},
		],
	},
]);
