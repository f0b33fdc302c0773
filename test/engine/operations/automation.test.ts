import { uuidFrom } from '../../../sandbox/format.ts';
import { automation, automationSchedule, otherAutomation } from '../records';
import { chosen, checkRows } from '../rows';
import { del, get, multipart, urlencoded } from '../sandbox';

const { utr } = automation;
const draft = otherAutomation.utr;
/** The service of the tests gives this utr to the next automation. */
const nextUtr = uuidFrom('automation 30003');

const rates = {
	...{ openRatePercent: 61.11, unsubscribeRatePercent: 5.56, bounceRatePercent: 5.26 },
	...{ deliveryRatePercent: 94.74, opensPerDelivered: 0.94 },
};

const simplified = {
	id: 30001,
	utr,
	automation_name: 'Welcome series',
	status: 1,
	statusLabel: 'live',
	...rates,
	live_at: '2026-03-02 10:00:00',
	total_triggered: 19,
	total_delivered: 18,
	total_unique_opens: 11,
	total_opens: 17,
	total_bounces: 1,
	total_unsubscribe: 1,
};

checkRows('automation', [
	{
		operation: 'getAll',
		with: 'raw, Return All',
		parameters: { returnAll: true, output: 'raw' },
		sends: [get('/automations')],
		gives: [
			{ ...automation, statusLabel: 'live', ...rates, automation_schedule_count: 1 },
			{ ...otherAutomation, statusLabel: 'draft', ...rates, automation_schedule_count: 0 },
		],
	},
	{
		operation: 'getAll',
		with: 'simplified as preset, a limit',
		settings: { listOrder: 'oldest' },
		parameters: { limit: 1 },
		sends: [get('/automations')],
		gives: [simplified],
	},
	{
		operation: 'get',
		with: 'raw',
		parameters: { automationUtr: chosen(utr), output: 'raw' },
		sends: [get('/automations/details', { utr })],
		gives: [{ ...automation, statusLabel: 'live', ...rates }],
	},
	{
		operation: 'get',
		with: 'simplified as preset',
		parameters: { automationUtr: chosen(utr) },
		sends: [get('/automations/details', { utr })],
		gives: [simplified],
	},
	{
		operation: 'get',
		with: 'selected fields',
		parameters: {
			automationUtr: chosen(utr),
			output: 'selectedFields',
			outputFields: ['status', 'exit_criteria'],
		},
		sends: [get('/automations/details', { utr })],
		gives: [{ id: 30001, utr, status: 1, exit_criteria: 0 }],
	},
	{
		operation: 'create',
		with: 'the minimum',
		parameters: { automationName: 'Birthday', type: 'custom', unsubscribeGroupId: chosen('51') },
		sends: [
			multipart('/automations/create', {
				type: 'custom',
				automation_name: 'Birthday',
				unsubscribe_group_id: '51',
			}),
		],
		gives: [{ created: true, unsubscribe_group_id: 51, automation_name: 'Birthday', utr: nextUtr }],
	},
	{
		operation: 'create',
		with: 'every field',
		parameters: {
			automationName: 'Birthday',
			type: 'welcome',
			automationFor: chosen('segments_301'),
			unsubscribeGroupId: chosen('51'),
		},
		sends: [
			multipart('/automations/create', {
				type: 'welcome',
				automation_name: 'Birthday',
				automation_for: 'segments_301',
				unsubscribe_group_id: '51',
			}),
		],
		gives: [{ created: true, unsubscribe_group_id: 51, automation_name: 'Birthday', utr: nextUtr }],
	},
	{
		operation: 'duplicate',
		with: 'the utr of the copy coming out',
		parameters: { automationUtr: chosen(draft) },
		sends: [
			get('/automations/details', { utr: draft }),
			get('/automations/duplicate', { utr: draft }),
		],
		gives: [{ duplicated: true, sourceUtr: draft, utr: nextUtr }],
	},
	{
		operation: 'pause',
		parameters: { automationUtr: chosen(utr) },
		sends: [get('/automations/pause', { utr })],
		gives: [{ paused: true, utr, message: 'Automation Paused Successfully' }],
	},
	{
		operation: 'setLive',
		parameters: { automationUtr: chosen(draft) },
		sends: [
			get('/automations/details', { utr: draft }),
			get('/automations/set-live', { utr: draft }),
		],
		gives: [{ live: true, utr: draft, message: 'Automation has been set live' }],
	},
	{
		operation: 'delete',
		parameters: { automationUtr: chosen(draft) },
		sends: [del('/automations/delete', { utr: draft })],
		gives: [{ deleted: true, utr: draft, message: 'Deleted Successfully' }],
	},
	{
		operation: 'deleteMany',
		with: 'ids as preset',
		parameters: { automationIds: ['30001', '30002'] },
		settings: { bulkIds: 'id' },
		sends: [urlencoded('/automations/bulk-delete', { 'strIds[0]': '30001', 'strIds[1]': '30002' })],
		gives: [{ deleted: true, ids: [30001, 30002], message: 'Deleted Successfully' }],
	},
	{
		operation: 'deleteMany',
		with: 'utrs',
		parameters: { automationIds: `${utr}, ${draft}`, options: { identifyBy: 'utr' } },
		settings: { bulkIds: 'utr' },
		sends: [urlencoded('/automations/bulk-delete', { 'strIds[0]': utr, 'strIds[1]': draft })],
		gives: [{ deleted: true, utrs: [utr, draft], message: 'Deleted Successfully' }],
	},
]);

const schedule = {
	automationUtr: chosen(draft),
	senderId: chosen('81'),
	subject: 'A cup for you',
};
const scheduleSent = { utr: draft, sender_id: '81', subject: 'A cup for you' };
const scheduled = {
	...{ created: true, automationUtr: draft, sender_id: 81, subject: 'A cup for you' },
	message: 'Schedule Added',
};

const details = get('/automations/details', { utr: draft });

checkRows('automationSchedule', [
	{
		operation: 'getAll',
		with: 'raw, Return All',
		parameters: { automationUtr: chosen(utr), returnAll: true, output: 'raw' },
		sends: [get('/automations/schedule', { utr })],
		gives: [automationSchedule],
	},
	{
		operation: 'getAll',
		with: 'simplified as preset',
		parameters: { automationUtr: chosen(utr) },
		sends: [get('/automations/schedule', { utr })],
		gives: [
			{
				id: 60001,
				utr: automationSchedule.utr,
				automation_id: 30001,
				subject: 'Welcome',
				waiting_period: 3,
				waiting_type: 'days',
				sender_id: 81,
				template_id: 2,
				created_at: '2026-03-02T10:00:00.000000Z',
				updated_at: '2026-03-02T10:00:00.000000Z',
			},
		],
	},
	{
		operation: 'create',
		with: 'the minimum: instantly, with the preview image of the template',
		parameters: { ...schedule, templateId: chosen('2') },
		sends: [
			get('/get-design/template'),
			details,
			multipart('/automations/schedule/create', {
				...scheduleSent,
				waiting_type: 'instantly',
				waiting_period: '1',
				template_id: '2',
				preview_img: 'newsletter.png',
			}),
		],
		gives: [scheduled],
	},
	{
		operation: 'create',
		with: 'instantly, whatever stands as the period',
		parameters: {
			...schedule,
			waitingType: '={{ "instantly" }}',
			waitingPeriod: '={{ "soon" }}',
			templateId: chosen('2'),
			previewImg: 'cup.png',
		},
		sends: [
			details,
			multipart('/automations/schedule/create', {
				...scheduleSent,
				waiting_type: 'instantly',
				waiting_period: '1',
				template_id: '2',
				preview_img: 'cup.png',
			}),
		],
		gives: [scheduled],
	},
	{
		operation: 'create',
		with: 'a period of 0, for the service to judge',
		parameters: {
			...schedule,
			waitingType: 'days',
			waitingPeriod: 0,
			templateId: chosen('2'),
			previewImg: 'cup.png',
		},
		sends: [
			details,
			multipart('/automations/schedule/create', {
				...scheduleSent,
				waiting_type: 'days',
				waiting_period: '0',
				template_id: '2',
				preview_img: 'cup.png',
			}),
		],
		gives: [scheduled],
	},
	{
		operation: 'create',
		with: 'every field, HTML',
		parameters: {
			...schedule,
			waitingType: 'hours',
			waitingPeriod: 12,
			templateSource: 'html',
			templateHtml: '<p>Hi</p>',
			previewImg: 'cup.png',
		},
		sends: [
			details,
			multipart('/automations/schedule/create', {
				...scheduleSent,
				waiting_type: 'hours',
				waiting_period: '12',
				template_id: '1',
				template_html: '<p>Hi</p>',
				preview_img: 'cup.png',
			}),
		],
		gives: [scheduled],
	},
	{
		operation: 'create',
		with: 'every field, JSON',
		parameters: {
			...schedule,
			waitingType: 'days',
			waitingPeriod: 2,
			templateSource: 'json',
			templateJson: '{"body":[]}',
			previewImg: 'cup.png',
		},
		sends: [
			details,
			multipart('/automations/schedule/create', {
				...scheduleSent,
				waiting_type: 'days',
				waiting_period: '2',
				template_id: '1',
				template_json: '{"body":[]}',
				preview_img: 'cup.png',
			}),
		],
		gives: [scheduled],
	},
	{
		operation: 'delete',
		parameters: { automationScheduleUtr: chosen(automationSchedule.utr) },
		sends: [del('/automations/schedule/delete', { utr: automationSchedule.utr })],
		gives: [{ deleted: true, utr: automationSchedule.utr, message: 'Deleted Successfully' }],
	},
]);
