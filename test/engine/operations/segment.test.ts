import { segment, segmentRecipient } from '../records';
import { chosen, checkRows } from '../rows';
import { del, get, multipart } from '../sandbox';

const created_at = '2026-03-02T10:00:00.000000Z';
const updated_at = created_at;

checkRows('segment', [
	{
		operation: 'getAll',
		settings: { segmentCounts: 'recipients' },
		with: 'raw, Return All',
		parameters: { returnAll: true, output: 'raw' },
		sends: [get('/segment/list')],
		gives: [{ ...segment, segment_emails_count: 1 }],
	},
	{
		operation: 'getAll',
		settings: { segmentCounts: 'recipients' },
		with: 'simplified as preset',
		sends: [get('/segment/list')],
		gives: [
			{
				id: 301,
				segment_name: 'Recent customers',
				contact_type_id: 21,
				segment_emails_count: 1,
				select_field: ['113'],
				select_operator: ['is between'],
				value: ['2026-01-01', '2026-03-31'],
				created_at,
				updated_at,
			},
		],
	},
	{
		operation: 'getAll',
		settings: { segmentCounts: 'recipients' },
		with: 'selected fields',
		parameters: { output: 'selectedFields', outputFields: ['segment_name', 'query_type'] },
		sends: [get('/segment/list')],
		gives: [{ id: 301, segment_name: 'Recent customers', query_type: null }],
	},
	{
		operation: 'getRecipients',
		settings: { segmentCounts: 'recipients' },
		with: 'raw, Return All',
		parameters: { segmentId: chosen('301'), returnAll: true, output: 'raw' },
		sends: [get('/segment/email/list', { segment_id: '301' })],
		gives: [segmentRecipient],
	},
	{
		operation: 'getRecipients',
		settings: { segmentCounts: 'recipients' },
		with: 'simplified as preset',
		parameters: { segmentId: chosen('301') },
		sends: [get('/segment/email/list', { segment_id: '301' })],
		gives: [
			{
				id: 500001,
				segment_id: 301,
				contact_id: 1000001,
				email: 'ada@example.com',
				first_name: 'Ada',
				last_name: 'Okafor',
				country: 'Germany',
				city: null,
				created_at,
				updated_at,
			},
		],
	},
	{
		operation: 'addRecipient',
		parameters: {
			segmentId: chosen('301'),
			firstName: 'Lin',
			lastName: 'Dan',
			email: 'lin@example.com',
		},
		sends: [
			get('/global-unsubscribes'),
			multipart('/segment/email/store', {
				segment_id: '301',
				first_name: 'Lin',
				last_name: 'Dan',
				email: 'lin@example.com',
			}),
		],
		gives: [
			{
				added: true,
				segment_id: 301,
				first_name: 'Lin',
				last_name: 'Dan',
				email: 'lin@example.com',
				message: 'Added Successfully',
			},
		],
	},
	{
		operation: 'deleteRecipient',
		parameters: { segmentRecipientId: chosen('500001') },
		sends: [del('/segment/email/delete', { segment_recipient_id: '500001' })],
		gives: [{ deleted: true, id: 500001, message: 'Deleted Successfully' }],
	},
	{
		operation: 'delete',
		parameters: { segmentId: chosen('301') },
		sends: [del('/segment/delete', { segment_id: '301' })],
		gives: [{ deleted: true, id: 301, message: 'Deleted Successfully' }],
	},
]);
