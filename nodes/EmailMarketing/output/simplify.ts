import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import { listOf } from '../params/values';
import { flatCustomFields } from './customFields';
import { addedFields, withStatusLabel } from './statusLabels';

/** The fields of a record that "Simplified" keeps, per resource: those that people act on. */
const simplifiedFields: Record<string, string[]> = {
	automation: [
		'id',
		'utr',
		'automation_name',
		'status',
		'statusLabel',
		'live_at',
		'total_triggered',
		'total_delivered',
		'total_unique_opens',
		'total_opens',
		'total_bounces',
		'total_unsubscribe',
	],
	automationSchedule: [
		'id',
		'utr',
		'automation_id',
		'subject',
		'waiting_period',
		'waiting_type',
		'sender_id',
		'template_id',
		'created_at',
		'updated_at',
	],
	contact: [
		'id',
		'contact_type_id',
		'email',
		'first_name',
		'last_name',
		'country',
		'city',
		'custom_field',
		'created_at',
		'updated_at',
	],
	segment: [
		'id',
		'segment_name',
		'contact_type_id',
		'segment_emails_count',
		'select_field',
		'select_operator',
		'value',
		'created_at',
		'updated_at',
	],
	segmentRecipient: [
		'id',
		'segment_id',
		'contact_id',
		'email',
		'first_name',
		'last_name',
		'country',
		'city',
		'created_at',
		'updated_at',
	],
	sender: [
		'id',
		'nickname',
		'from_name',
		'from_email',
		'reply_to_email',
		'is_verified',
		'statusLabel',
		'country_id',
		'utr',
		'created_at',
		'updated_at',
	],
	singleSend: [
		'id',
		'utr',
		'single_send_name',
		'subject',
		'status',
		'statusLabel',
		'schedule_type',
		'schedule_date',
		'schedule_time',
		'sent_at',
		'triggered',
		'delivered',
		'unique_opens',
		'total_opens',
		'bounces',
		'unsubscribes',
	],
};

/** The record with these fields only. `custom_field` stands for all custom fields of a contact, and is returned flat. */
function pick(record: IDataObject, fields: string[], kind: string): IDataObject {
	const custom = kind === 'contact' ? flatCustomFields(record) : {};
	const all = { ...withStatusLabel(record, kind), ...custom };
	const result: IDataObject = {};
	for (const field of fields) {
		if (field === 'custom_field') Object.assign(result, custom);
		else if (Object.hasOwn(all, field)) result[field] = all[field];
	}
	return result;
}

const unsubscriber = [
	'id',
	'user_id',
	'unsubscribe_groups_id',
	'email_address',
	'created_at',
	'updated_at',
];

/** Fields of the records beyond those that "Simplified" keeps. */
const furtherFields: Record<string, string[]> = {
	automation: [
		'user_id',
		'automation_for',
		'automation_for_table',
		'exit_criteria',
		'unsubscribe_group_id',
		'automation_type',
		'deleted_at',
		'created_at',
		'updated_at',
		'automation_schedule_count',
	],
	automationSchedule: [
		'user_id',
		'preview_img',
		'template_json',
		'template_html',
		'design_url',
		'image',
	],
	contact: [
		'user_id',
		'alt_email',
		'state',
		'address_line1',
		'address_line2',
		'state_province_region',
		'postal_code',
		'deleted_at',
		'fullname',
		'contact_type',
	],
	contactType: [
		'id',
		'user_id',
		'name',
		'deleted_at',
		'created_at',
		'updated_at',
		'contacts_count',
	],
	customField: [
		'id',
		'user_id',
		'field_name',
		'field_type',
		'is_reserved',
		'created_at',
		'updated_at',
	],
	designTemplate: [
		'id',
		'template_name',
		'preview_image',
		'json_code',
		'html_code',
		'is_blank',
		'created_at',
		'updated_at',
	],
	dynamicContent: ['name'],
	globalUnsubscribe: unsubscriber,
	notificationRecipient: [
		'id',
		'user_id',
		'email_address',
		'email_owner',
		'created_at',
		'updated_at',
	],
	segment: ['user_id', 'query_type', 'deleted_at'],
	segmentRecipient: ['user_id', 'state', 'address_line1', 'fullname'],
	sender: [
		'user_id',
		'state_id',
		'city_id',
		'zip_code',
		'company_address',
		'company_address2',
		'send_at',
		'deleted_at',
	],
	singleSend: [
		'user_id',
		'template_id',
		'recipient_id',
		'exclude_specific_recipient_id',
		'sender_id',
		'unsubscribe_group_id',
		'from_sender',
		'reply_to',
		'sender_name',
		'sender_address',
		'preheader',
		'template_json',
		'template_html',
		'unique_open_token',
		'created_at',
		'updated_at',
	],
	unsubscribeGroup: [
		'id',
		'user_id',
		'rand_id',
		'group_name',
		'description',
		'is_display',
		'created_at',
		'updated_at',
		'unsubscribe_clients_count',
	],
	unsubscribeGroupRecipient: unsubscriber,
};

/** Operations that return records of another kind than their resource. */
const kinds: Record<string, string> = {
	'designTemplate.getDynamicContent': 'dynamicContent',
	'segment.getRecipients': 'segmentRecipient',
	'unsubscribeGroup.getRecipients': 'unsubscribeGroupRecipient',
};

/** What kind of records an operation returns. */
export function kindOf(resource: string, operation: string): string {
	return kinds[`${resource}.${operation}`] ?? resource;
}

/** Fields that only the lists have, not the details of one record. */
const listOnly = new Set(['automation_schedule_count', 'contact_type']);

/** All fields of the records that an operation returns, in alphabetical order. */
export function outputFields(resource: string, operation: string): string[] {
	const kind = kindOf(resource, operation);
	return [...(simplifiedFields[kind] ?? []), ...(furtherFields[kind] ?? [])]
		.filter((field) => operation !== 'get' || !listOnly.has(field))
		.sort();
}

/** The same without the fields that the node adds: what the service has for the records of an operation. */
export function recordFields(resource: string, operation: string): string[] {
	const added = addedFields(kindOf(resource, operation));
	return outputFields(resource, operation).filter((field) => !added.includes(field));
}

/** The record with the fields that "Simplified" keeps; unchanged if its kind has few anyway. */
export function simplifyRecord(record: IDataObject, kind: string): IDataObject {
	const fields = simplifiedFields[kind];
	return fields === undefined ? record : pick(record, fields, kind);
}

/** Where a list or a record is returned: by which operation of the node. */
export interface OutputContext {
	readonly resource: string;
	readonly operation: string;
	readonly helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>;
}

type Shape = (record: IDataObject) => IDataObject;

/**
 * The parameter "Output": simplified, raw, or with selected fields.
 *
 * @throws InvalidInput
 */
export function recordShape({ resource, operation }: OutputContext, item: Item): Shape {
	const kind = kindOf(resource, operation);
	const simplified = simplifiedFields[kind];
	if (simplified === undefined) return (record) => record;
	const output = item.param('output', 'simplified');
	if (output === 'raw') return (record) => withStatusLabel(record, kind);
	const fields = output === 'selectedFields' ? selectedFields(item) : simplified;
	return (record) => pick(record, fields, kind);
}

/** What distinguishes a record is always among its fields. */
function selectedFields(item: Item): string[] {
	const label = 'Output Field Names or IDs';
	const names = listOf(item.param('outputFields', []), label);
	if (names.length === 0) {
		throw new InvalidInput(
			`"${label}" is required but empty`,
			'Choose at least one field, or another "Output".',
		);
	}
	return ['id', 'utr', ...names];
}
