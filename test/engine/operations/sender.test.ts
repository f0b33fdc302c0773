import { sender } from '../records';
import { chosen, checkRows } from '../rows';
import { del, get, multipart } from '../sandbox';

const simplified = {
	id: 81,
	nickname: 'Main sender',
	from_name: 'Roastery',
	from_email: 'hello@example.com',
	reply_to_email: 'support@example.com',
	is_verified: 1,
	statusLabel: 'verified',
	country_id: 85,
	utr: 'k3j9x2m4p1',
	created_at: '2026-03-02T10:00:00.000000Z',
	updated_at: '2026-03-02T10:00:00.000000Z',
};

const required = {
	fromName: 'Shop',
	fromEmail: 'shop@example.com',
	replyToEmail: 'reply@example.com',
	nickname: 'The shop',
	companyAddress: 'Road 1',
	countryId: chosen('85'),
};
const requiredSent = {
	from_name: 'Shop',
	from_email: 'shop@example.com',
	reply_to_email: 'reply@example.com',
	nickname: 'The shop',
	company_address: 'Road 1',
	country_id: '85',
};
const optional = {
	companyAddress2: '3rd floor',
	stateId: chosen('1007'),
	cityId: chosen('5012'),
	zipCode: '01069',
};
const optionalSent = {
	company_address2: '3rd floor',
	state_id: '1007',
	city_id: '5012',
	zip_code: '01069',
};

const names = { from_name: 'Shop', from_email: 'shop@example.com', nickname: 'The shop' };

checkRows('sender', [
	{
		operation: 'getAll',
		with: 'raw, Return All',
		parameters: { returnAll: true, output: 'raw' },
		sends: [get('/senders')],
		gives: [{ ...sender, statusLabel: 'verified' }],
	},
	{
		operation: 'getAll',
		with: 'simplified as preset',
		sends: [get('/senders')],
		gives: [simplified],
	},
	{
		operation: 'get',
		with: 'raw',
		parameters: { senderId: chosen('81'), output: 'raw' },
		sends: [get('/sender/details', { sender_id: '81' })],
		gives: [{ ...sender, statusLabel: 'verified' }],
	},
	{
		operation: 'get',
		with: 'simplified as preset',
		parameters: { senderId: chosen('81') },
		sends: [get('/sender/details', { sender_id: '81' })],
		gives: [simplified],
	},
	{
		operation: 'get',
		with: 'selected fields',
		parameters: {
			senderId: chosen('81'),
			output: 'selectedFields',
			outputFields: ['is_verified', 'zip_code'],
		},
		sends: [get('/sender/details', { sender_id: '81' })],
		gives: [{ id: 81, utr: 'k3j9x2m4p1', is_verified: 1, zip_code: '10115' }],
	},
	{
		operation: 'create',
		with: 'the minimum',
		parameters: required,
		sends: [multipart('/sender/save', requiredSent)],
		gives: [{ created: true, ...names, message: 'Added Successfully' }],
	},
	{
		operation: 'create',
		with: 'every field',
		parameters: { ...required, ...optional },
		sends: [multipart('/sender/save', { ...requiredSent, ...optionalSent })],
		gives: [{ created: true, ...names, message: 'Added Successfully' }],
	},
	{
		operation: 'update',
		with: 'one field; the others are read and sent as they are, but for those that are not set',
		parameters: { senderId: chosen('81'), updateFields: { nickname: 'Weekly' } },
		sends: [
			get('/sender/details', { sender_id: '81' }),
			multipart('/sender/update', {
				sender_id: '81',
				from_name: 'Roastery',
				from_email: 'hello@example.com',
				reply_to_email: 'support@example.com',
				nickname: 'Weekly',
				company_address: 'Chausseestraße 5',
				country_id: '85',
				zip_code: '10115',
			}),
		],
		gives: [
			{
				updated: true,
				id: 81,
				from_name: 'Roastery',
				from_email: 'hello@example.com',
				nickname: 'Weekly',
				message: 'Updated Successfully',
			},
		],
	},
	{
		operation: 'update',
		with: 'every field; the record is not read',
		parameters: { senderId: chosen('81'), updateFields: { ...required, ...optional } },
		sends: [multipart('/sender/update', { sender_id: '81', ...requiredSent, ...optionalSent })],
		gives: [{ updated: true, id: 81, ...names, message: 'Updated Successfully' }],
	},
	{
		operation: 'delete',
		parameters: { senderId: chosen('81') },
		sends: [del('/sender/delete', { sender_id: '81' })],
		gives: [{ deleted: true, id: 81, message: 'Deleted Successfully' }],
	},
	{
		operation: 'resendVerification',
		parameters: { senderId: chosen('81') },
		sends: [get('/sender/resend-mail', { sender_id: '81' })],
		gives: [{ resent: true, id: 81, message: 'Verification Mail Send' }],
	},
]);
