import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import type { Endpoint } from '../service/endpoints';
import { codeText, coerceText, isEmpty, isObject } from '../util/coerce';
import { isUnsent } from './recordKind';
import type { RecordKind } from './recordKind';
import { isOfNoGroup } from './unsubscribes';

const fields = (names: string): string[] => names.trim().split(/\s+/);

export const joined = (...parts: string[]): string =>
	parts.filter((part) => part !== '').join(' · ');

const day = (value: unknown): string => coerceText(value).slice(0, 10);

const changedOn = ({ updated_at }: IDataObject): string =>
	isEmpty(updated_at) ? '' : `changed ${day(updated_at)}`;

const personOf = ({ fullname, first_name, last_name }: IDataObject): string =>
	coerceText(fullname) || joined(coerceText(first_name), coerceText(last_name));

const contactTypeOf = ({ contact_type: type }: IDataObject): string =>
	isObject(type) ? coerceText(type.name) : '';

const createdOn = ({ created_at }: IDataObject): string => day(created_at);

/** Whether a single send, a request or a record, has a time to be sent at. */
export const isScheduled = ({ schedule_type: type }: { schedule_type?: unknown }): boolean =>
	codeText(type) === '1';

/** When a single send was sent or will be, or else when it was created; a date of zeros is none. */
function sendTimeOf(send: IDataObject): string {
	const [sent, planned] = [coerceText(send.sent_at), coerceText(send.schedule_date)];
	// A copy may keep when its original was sent.
	if (/^[1-9]/.test(sent) && !isUnsent(send)) return `sent ${day(sent)}`;
	const isPlanned = isScheduled(send) && /^[1-9]/.test(planned);
	if (!isPlanned) return createdOn(send);
	return `sends ${day(planned)} ${coerceText(send.schedule_time).slice(0, 5)}`.trim();
}

const unsubscriber = fields('id user_id unsubscribe_groups_id email_address created_at updated_at');

/** Every kind of record, as the reference describes it, under the name that outputs and operations use. */
export const records = {
	automation: {
		list: endpoints.automation.getAll,
		key: 'utr',
		names: ['automation_name'],
		detail: createdOn,
		status: { field: 'status', labels: { '0': 'draft', '1': 'live' } },
		statistics: {
			triggered: 'total_triggered',
			delivered: 'total_delivered',
			bounces: 'total_bounces',
			uniqueOpens: 'total_unique_opens',
			totalOpens: 'total_opens',
			unsubscribes: 'total_unsubscribe',
		},
		sentAt: 'live_at',
		simplified: fields(`
			automation_name status live_at total_triggered total_delivered total_unique_opens total_opens
			total_bounces total_unsubscribe utr id
		`),
		further: fields(`
			user_id automation_for automation_for_table exit_criteria unsubscribe_group_id automation_type
			deleted_at created_at updated_at automation_schedule_count
		`),
		listOnly: ['automation_schedule_count'],
	},
	automationSchedule: {
		list: endpoints.automationSchedule.getAll,
		parent: { field: 'utr', parameter: 'automationUtr', label: 'Automation' },
		key: 'utr',
		names: ['subject'],
		detail: ({ waiting_type: type, waiting_period: period }) =>
			type === 'instantly' ? type : `after ${coerceText(period)} ${coerceText(type)}`,
		simplified: fields(`
			subject waiting_period waiting_type created_at updated_at utr automation_id sender_id
			template_id id
		`),
		further: fields('user_id preview_img template_json template_html design_url image'),
		unsorted: ['template_json', 'template_html'],
	},
	contact: {
		list: endpoints.contact.getAll,
		key: 'id',
		names: ['email', 'alt_email', 'first_name', 'last_name', 'fullname'],
		email: 'email',
		twin: contactTypeOf,
		detail: (contact) => joined(personOf(contact), contactTypeOf(contact)),
		simplified: fields(`
			email first_name last_name country city custom_field created_at updated_at contact_type_id id
		`),
		further: fields(`
			user_id alt_email state address_line1 address_line2 state_province_region postal_code
			deleted_at fullname contact_type
		`),
		unsorted: ['contact_type', 'custom_field'],
		listOnly: ['contact_type'],
	},
	contactType: {
		list: endpoints.contactType.getAll,
		key: 'id',
		names: ['name'],
		count: { field: 'contacts_count', one: 'contact', many: 'contacts' },
		further: fields('id user_id name deleted_at created_at updated_at contacts_count'),
	},
	customField: {
		list: endpoints.customField.getAll,
		key: 'id',
		names: ['field_name'],
		detail: ({ field_type }) => coerceText(field_type),
		further: fields('id user_id field_name field_type is_reserved created_at updated_at'),
	},
	designTemplate: {
		list: endpoints.designTemplate.getAll,
		key: 'id',
		names: ['template_name'],
		detail: (template) =>
			joined(codeText(template.is_blank) === '1' ? 'blank' : '', changedOn(template)),
		further: fields(`
			id template_name preview_image json_code html_code is_blank created_at updated_at
		`),
		unsorted: ['json_code', 'html_code'],
	},
	dynamicContent: {
		list: endpoints.designTemplate.getDynamicContent,
		key: 'name',
		names: ['name'],
		further: ['name'],
	},
	globalUnsubscribe: {
		list: endpoints.globalUnsubscribe.getAll,
		includes: isOfNoGroup,
		key: 'id',
		names: ['email_address'],
		email: 'email_address',
		isUnsubscribe: true,
		detail: createdOn,
		further: unsubscriber,
	},
	notificationRecipient: {
		list: endpoints.notificationRecipient.getAll,
		key: 'id',
		names: ['email_address', 'email_owner'],
		email: 'email_address',
		twin: ({ email_owner }) => coerceText(email_owner),
		detail: ({ email_owner }) => coerceText(email_owner),
		further: fields('id user_id email_address email_owner created_at updated_at'),
	},
	segment: {
		list: endpoints.segment.getAll,
		key: 'id',
		names: ['segment_name'],
		count: { field: 'segment_emails_count', one: 'recipient', many: 'recipients' },
		simplified: fields(`
			segment_name segment_emails_count select_field select_operator value created_at updated_at
			contact_type_id id
		`),
		further: ['user_id', 'query_type', 'deleted_at'],
		unsorted: ['select_field', 'select_operator', 'value'],
	},
	segmentRecipient: {
		list: endpoints.segment.getRecipients,
		parent: { field: 'segment_id', parameter: 'segmentId', label: 'Segment' },
		key: 'id',
		names: ['email', 'first_name', 'last_name', 'fullname'],
		email: 'email',
		twin: personOf,
		detail: personOf,
		simplified: fields(`
			email first_name last_name country city created_at updated_at segment_id contact_id id
		`),
		further: ['user_id', 'state', 'address_line1', 'fullname'],
	},
	sender: {
		list: endpoints.sender.getAll,
		key: 'id',
		names: ['nickname', 'from_email', 'from_name'],
		shownNames: 2,
		status: { field: 'is_verified', labels: { '0': 'unverified', '1': 'verified' } },
		simplified: fields(`
			nickname from_name from_email is_verified reply_to_email created_at updated_at country_id utr id
		`),
		further: fields(`
			user_id state_id city_id zip_code company_address company_address2 send_at deleted_at
		`),
	},
	singleSend: {
		list: endpoints.singleSend.getAll,
		key: 'utr',
		names: ['single_send_name', 'subject'],
		detail: sendTimeOf,
		status: {
			field: 'status',
			labels: { '0': 'initiate', '1': 'ready to send', '2': 'running', '3': 'completed' },
		},
		statistics: {
			triggered: 'triggered',
			delivered: 'delivered',
			bounces: 'bounces',
			uniqueOpens: 'unique_opens',
			totalOpens: 'total_opens',
			unsubscribes: 'unsubscribes',
		},
		sentAt: 'sent_at',
		simplified: fields(`
			single_send_name subject status sent_at schedule_date schedule_time schedule_type triggered
			delivered unique_opens total_opens bounces unsubscribes utr id
		`),
		further: fields(`
			user_id template_id recipient_id exclude_specific_recipient_id sender_id unsubscribe_group_id
			from_sender reply_to sender_name sender_address preheader template_json template_html
			unique_open_token created_at updated_at
		`),
		unsorted: fields(`
			recipient_id exclude_specific_recipient_id template_json template_html unique_open_token
			schedule_time
		`),
	},
	unsubscribeGroup: {
		list: endpoints.unsubscribeGroup.getAll,
		key: 'id',
		names: ['group_name', 'description'],
		count: { field: 'unsubscribe_clients_count', one: 'unsubscribed', many: 'unsubscribed' },
		further: fields(`
			id user_id rand_id group_name description is_display created_at updated_at
			unsubscribe_clients_count
		`),
	},
	unsubscribeGroupRecipient: {
		list: endpoints.unsubscribeGroup.getRecipients,
		parent: { field: 'groupId', parameter: 'unsubscribeGroupId', label: 'Unsubscribe Group' },
		key: 'id',
		names: ['email_address'],
		email: 'email_address',
		isUnsubscribe: true,
		detail: createdOn,
		further: unsubscriber,
	},
} satisfies Record<string, RecordKind>;

export type RecordName = keyof typeof records;

/** Undefined for places, of which the reference does not show the fields (50). */
export const kindNamed = (name: string): RecordKind | undefined =>
	Object.hasOwn(records, name) ? records[name as RecordName] : undefined;

/** The kind of the records that an operation returns. */
export function kindOf(resource: string, operation: string): string {
	const operations: Record<string, Endpoint> = endpoints[resource as keyof typeof endpoints] ?? {};
	const list = operations[operation];
	const kind = Object.entries<RecordKind>(records).find(([, record]) => record.list === list);
	return kind?.[0] ?? resource;
}
