import { uuidFrom } from '../../../sandbox/format.ts';
import { singleSend } from '../records';
import { chosen, checkRows } from '../rows';
import { del, emptyPost, get, multipart, urlencoded } from '../sandbox';

const { utr } = singleSend;
/** The service of the tests gives this utr to the next single send. */
const nextUtr = uuidFrom('single send 502');

/** Nothing has been sent. */
const noRates = {
	...{ openRatePercent: null, unsubscribeRatePercent: null, bounceRatePercent: null },
	...{ deliveryRatePercent: null, opensPerDelivered: null },
};

const simplified = {
	...noRates,
	id: 501,
	utr,
	single_send_name: 'March newsletter',
	subject: 'What we roast in March',
	status: 1,
	statusLabel: 'ready to send',
	schedule_type: singleSend.schedule_type,
	schedule_date: singleSend.schedule_date,
	schedule_time: singleSend.schedule_time,
	sent_at: null,
	triggered: 0,
	delivered: 0,
	unique_opens: 0,
	total_opens: 0,
	bounces: 0,
	unsubscribes: 0,
};

const required = {
	singleSendName: 'Spring',
	subject: 'It is spring',
	preheader: 'At last',
	senderId: chosen('81'),
	unsubscribeGroupId: chosen('51'),
	recipientId: ['contacts_21'],
};
const requiredSent = {
	single_send_name: 'Spring',
	subject: 'It is spring',
	preheader: 'At last',
	sender_id: '81',
	unsubscribe_group_id: '51',
	'recipient_id[0]': 'contacts_21',
};
const create = { ...required, ifNameExists: 'create' };
const created = {
	created: true,
	sender_id: 81,
	unsubscribe_group_id: 51,
	utr: nextUtr,
	single_send_name: 'Spring',
	subject: 'It is spring',
	recipient_id: ['contacts_21'],
	exclude_specific_recipient_id: [],
	schedule_type: 0,
	scheduleLabel: 'Immediately',
};
/** What an update returns of what it keeps. */
const kept = {
	single_send_name: 'March newsletter',
	recipient_id: ['contacts_21', 'segments_301'],
	exclude_specific_recipient_id: ['contacts_22'],
	schedule_type: 1,
	schedule_date: '2099-03-20',
	schedule_time: '09:30:00',
	scheduleLabel: '2099-03-20 09:30:00',
	sender_id: 81,
	unsubscribe_group_id: 51,
};

checkRows('singleSend', [
	{
		operation: 'getAll',
		with: 'raw, Return All',
		parameters: { returnAll: true, output: 'raw' },
		sends: [get('/single-send/list')],
		gives: [{ ...singleSend, statusLabel: 'ready to send', ...noRates }],
	},
	{
		operation: 'getAll',
		with: 'simplified as preset',
		sends: [get('/single-send/list')],
		gives: [simplified],
	},
	{
		operation: 'get',
		with: 'raw: the one record of the array',
		settings: { storedContent: 'sent' },
		parameters: { singleSendUtr: chosen(utr), output: 'raw' },
		sends: [get('/single-send/details', { utr })],
		gives: [{ ...singleSend, statusLabel: 'ready to send', ...noRates }],
	},
	{
		operation: 'get',
		with: 'simplified as preset',
		parameters: { singleSendUtr: chosen(utr, 'utr') },
		sends: [get('/single-send/details', { utr })],
		gives: [simplified],
	},
	{
		operation: 'get',
		with: 'selected fields',
		parameters: {
			singleSendUtr: chosen(utr),
			output: 'selectedFields',
			outputFields: ['status', 'recipient_id'],
		},
		sends: [get('/single-send/details', { utr })],
		gives: [
			{
				id: 501,
				utr,
				status: 1,
				recipient_id: [
					{ id: '21', table: 'contacts_' },
					{ id: '301', table: 'segments_' },
				],
			},
		],
	},
	{
		operation: 'create',
		with: 'the minimum, sent immediately, if its name is new',
		parameters: { ...required, templateId: chosen('2'), scheduleType: 'immediately' },
		sends: [
			get('/single-send/list'),
			multipart('/single/send/create', { ...requiredSent, template_id: '2', schedule_type: '0' }),
		],
		gives: [created],
	},
	{
		operation: 'create',
		with: 'every field, HTML, scheduled',
		parameters: {
			...create,
			recipientId: ['contacts_21', 'segments_301'],
			excludeSpecificRecipientId: ['contacts_22'],
			templateSource: 'html',
			templateHtml: '<p>Hello ((first_name))</p>',
			scheduleType: 'scheduled',
			scheduleAt: '2026-05-04T09:30:00',
		},
		sends: [
			multipart('/single/send/create', {
				...requiredSent,
				'recipient_id[1]': 'segments_301',
				'exclude_specific_recipient_id[0]': 'contacts_22',
				template_id: '1',
				template_html: '<p>Hello ((first_name))</p>',
				schedule_type: '1',
				schedule_date: '2026-05-04',
				schedule_time: '09:30:00',
			}),
		],
		gives: [
			{
				...created,
				recipient_id: ['contacts_21', 'segments_301'],
				exclude_specific_recipient_id: ['contacts_22'],
				schedule_type: 1,
				schedule_date: '2026-05-04',
				schedule_time: '09:30:00',
				timezone: 'Europe/Berlin',
				scheduleLabel: '2026-05-04 09:30:00, if the account time zone is Europe/Berlin',
			},
		],
	},
	{
		operation: 'create',
		with: 'JSON',
		parameters: {
			...create,
			templateSource: 'json',
			templateJson: '{"body": [1]}',
			scheduleType: 'immediately',
		},
		sends: [
			multipart('/single/send/create', {
				...requiredSent,
				template_id: '1',
				template_json: '{"body": [1]}',
				schedule_type: '0',
			}),
		],
		gives: [created],
	},
	{
		operation: 'duplicate',
		with: 'the copy looked up',
		settings: { copies: 'asOriginal' },
		parameters: { singleSendUtr: chosen(utr) },
		sends: [
			get('/single-send/list'),
			get('/single-send/details', { utr }),
			emptyPost('/single/send/duplicate', { utr }),
			get('/single-send/list'),
		],
		gives: [
			{
				duplicated: true,
				sourceUtr: utr,
				utr: nextUtr,
				message: 'Duplicated Successfully',
			},
		],
	},
	{
		operation: 'update',
		with: 'one field; the others are read and sent as they are',
		parameters: { singleSendUtr: chosen(utr), updateFields: { subject: 'New' } },
		sends: [
			get('/single-send/details', { utr }),
			multipart('/single/send/update', {
				utr,
				single_send_name: 'March newsletter',
				subject: 'New',
				preheader: 'Fresh from the roastery',
				sender_id: '81',
				unsubscribe_group_id: '51',
				'recipient_id[0]': 'contacts_21',
				'recipient_id[1]': 'segments_301',
				'exclude_specific_recipient_id[0]': 'contacts_22',
				template_id: '2',
				schedule_type: '1',
				schedule_date: '2099-03-20',
				schedule_time: '09:30:00',
			}),
		],
		gives: [{ updated: true, utr, ...kept, subject: 'New' }],
	},
	{
		operation: 'update',
		with: 'every field; only the body that is not given is looked up',
		settings: { storedContent: 'sent', timeFormat: 'any' },
		parameters: {
			singleSendUtr: chosen(utr),
			updateFields: {
				...required,
				excludeSpecificRecipientId: 'segments_301',
				templateHtml: '<p>New</p>',
				scheduleType: 'scheduled',
				scheduleAt: '2026-06-01T18:00:00',
			},
			options: { timeFormat: 'HH:mm' },
		},
		sends: [
			get('/single-send/details', { utr }),
			multipart('/single/send/update', {
				utr,
				...requiredSent,
				'exclude_specific_recipient_id[0]': 'segments_301',
				template_id: '1',
				template_html: '<p>New</p>',
				schedule_type: '1',
				schedule_date: '2026-06-01',
				schedule_time: '18:00',
			}),
		],
		gives: [
			{
				updated: true,
				utr,
				sender_id: 81,
				unsubscribe_group_id: 51,
				single_send_name: 'Spring',
				subject: 'It is spring',
				recipient_id: ['contacts_21'],
				exclude_specific_recipient_id: ['segments_301'],
				schedule_type: 1,
				schedule_date: '2026-06-01',
				schedule_time: '18:00',
				timezone: 'Europe/Berlin',
				scheduleLabel: '2026-06-01 18:00, if the account time zone is Europe/Berlin',
			},
		],
	},
	{
		operation: 'delete',
		parameters: { singleSendUtr: chosen(utr) },
		sends: [del('/single/send/delete', { utr })],
		gives: [{ deleted: true, utr, message: 'Deleted Successfully' }],
	},
	{
		operation: 'deleteMany',
		with: 'ids as preset',
		parameters: { singleSendIds: ['501'] },
		settings: { bulkIds: 'id' },
		sends: [urlencoded('/single/send/bulk-delete', { 'strIds[0]': '501' })],
		gives: [{ deleted: true, ids: [501], message: 'Deleted Successfully' }],
	},
	{
		operation: 'deleteMany',
		with: 'utrs',
		parameters: { singleSendIds: [utr], options: { identifyBy: 'utr' } },
		settings: { bulkIds: 'utr' },
		sends: [urlencoded('/single/send/bulk-delete', { 'strIds[0]': utr })],
		gives: [{ deleted: true, utrs: [utr], message: 'Deleted Successfully' }],
	},
]);
