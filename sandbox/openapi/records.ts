import type { Schema } from '../params.ts';

/** The records of the API reference, field by field, as JSON schemas. */

const text = { type: 'string' };
const integer = { type: 'integer' };
const flag = { type: 'integer', enum: [0, 1] };
const orNull = ({ type, ...rest }: Schema) => ({ type: [type, 'null'], ...rest });
const timestamp = { type: 'string', format: 'date-time' };
const dateTime = { type: 'string', description: '`YYYY-MM-DD HH:MM:SS`' };
const texts = { type: 'array', items: text };
const stamps = { created_at: timestamp, updated_at: timestamp };
const nullableStamps = { created_at: orNull(timestamp), updated_at: orNull(timestamp) };

const as = (schema: Schema, description: string) => ({ ...schema, description });

export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const record = (properties: Record<string, Schema>, description?: string) => ({
	type: 'object',
	...(description !== undefined && { description }),
	required: Object.keys(properties),
	properties,
});

/** A record with the fields that only the response of its list has. */
const listed = (name: string, properties: Record<string, Schema>) => ({
	allOf: [reference(name), record(properties)],
});

const unsubscriber = record({
	id: integer,
	user_id: as(integer, 'Owner'),
	unsubscribe_groups_id: as(orNull(integer), 'null for entries not in a group'),
	email_address: text,
	...stamps,
});

const contact = {
	id: integer,
	user_id: integer,
	contact_type_id: integer,
	first_name: text,
	last_name: text,
	email: text,
	alt_email: as(orNull(text), 'Empty or null when absent'),
	country: as(text, 'Name of the country in the list, id of the country in the details'),
	state: text,
	city: text,
	address_line1: text,
	address_line2: text,
	state_province_region: text,
	postal_code: text,
	custom_field: {
		type: ['object', 'null'],
		description: 'By the key of the custom field',
		additionalProperties: record({ field_name: text, field_value: orNull(text) }),
	},
	deleted_at: orNull(timestamp),
	...stamps,
	fullname: as(text, 'First and last name'),
};

export const records: Record<string, Schema> = {
	Unsubscriber: unsubscriber,
	UnsubscribeGroup: record({
		id: integer,
		user_id: integer,
		rand_id: text,
		group_name: text,
		description: text,
		is_display: as(flag, '1: shown on the unsubscribe preferences page'),
		...stamps,
	}),
	ListedUnsubscribeGroup: listed('UnsubscribeGroup', { unsubscribe_clients_count: integer }),
	ContactType: record({
		id: integer,
		user_id: integer,
		name: text,
		deleted_at: orNull(timestamp),
		...stamps,
	}),
	ListedContactType: listed('ContactType', { contacts_count: integer }),
	Contact: record(contact),
	ListedContact: listed('Contact', { contact_type: reference('ContactType') }),
	Segment: record({
		id: integer,
		user_id: integer,
		contact_type_id: integer,
		segment_name: text,
		select_field: as(texts, 'Ids of fields'),
		select_operator: as(texts, 'Such as `is after` or `is between`; other values are not shown'),
		value: as(texts, 'One or two entries, depending on the operator'),
		query_type: orNull(text),
		deleted_at: orNull(timestamp),
		...stamps,
		segment_emails_count: integer,
	}),
	SegmentRecipient: record({
		id: integer,
		user_id: integer,
		segment_id: integer,
		contact_id: orNull(integer),
		first_name: text,
		last_name: text,
		email: text,
		country: orNull(text),
		state: orNull(text),
		city: orNull(text),
		address_line1: orNull(text),
		...stamps,
		fullname: text,
	}),
	Field: record({
		id: integer,
		user_id: as(orNull(integer), 'null for reserved fields'),
		field_name: text,
		field_type: as(text, '`text`, `number` or `datetime-local`'),
		is_reserved: flag,
		...nullableStamps,
	}),
	DesignTemplate: record(
		{
			id: integer,
			template_name: text,
			preview_image: as(text, 'Name of a file'),
			json_code: text,
			html_code: text,
			is_blank: flag,
			...nullableStamps,
		},
		'Id 1 is the blank template, used when supplying a custom one',
	),
	AudienceEntry: record({
		id: text,
		table: as(text, 'Such as `contacts_` or `segments_`'),
	}),
	SingleSend: record({
		id: integer,
		user_id: integer,
		template_id: integer,
		recipient_id: { type: 'array', items: reference('AudienceEntry') },
		exclude_specific_recipient_id: { type: 'array' },
		sender_id: integer,
		unsubscribe_group_id: integer,
		single_send_name: text,
		from_sender: text,
		reply_to: text,
		sender_name: orNull(text),
		sender_address: orNull(text),
		subject: text,
		preheader: text,
		schedule_type: as(flag, '0: send immediately, 1: send at the scheduled date and time'),
		schedule_date: as(text, '`0000-00-00` when immediate'),
		schedule_time: as(text, '`00:00:00` when immediate'),
		status: as(integer, '0 initiate, 1 ready to send, 2 running, 3 completed'),
		utr: text,
		template_json: orNull(text),
		template_html: orNull(text),
		triggered: integer,
		delivered: integer,
		unique_opens: integer,
		total_opens: integer,
		bounces: integer,
		unsubscribes: integer,
		unique_open_token: { type: 'object', additionalProperties: text },
		sent_at: dateTime,
		...stamps,
	}),
	Automation: record({
		id: integer,
		user_id: integer,
		automation_for: as(integer, 'Id of the contact type or segment'),
		automation_for_table: as(text, 'Such as `contacts_`'),
		automation_name: text,
		exit_criteria: as(integer, 'Meaning of the values: not shown'),
		unsubscribe_group_id: as(text, 'An id, returned as a string'),
		automation_type: as(integer, 'Meaning of the values: not shown'),
		utr: text,
		status: as(integer, '0 draft, 1 live; after a pause: not shown'),
		live_at: as(orNull(text), 'null while draft; else `YYYY-MM-DD HH:MM:SS`'),
		total_triggered: integer,
		total_delivered: integer,
		total_unique_opens: integer,
		total_opens: integer,
		total_bounces: integer,
		total_unsubscribe: integer,
		deleted_at: orNull(timestamp),
		...nullableStamps,
	}),
	ListedAutomation: listed('Automation', { automation_schedule_count: integer }),
	AutomationSchedule: record({
		id: integer,
		user_id: integer,
		automation_id: integer,
		sender_id: integer,
		subject: text,
		waiting_period: integer,
		waiting_type: { type: 'string', enum: ['instantly', 'days', 'hours'] },
		utr: text,
		template_id: integer,
		preview_img: text,
		template_json: text,
		template_html: text,
		...stamps,
		design_url: as(text, 'Address of the design editor'),
		image: as(text, 'Address of the preview image'),
	}),
	NotificationRecipient: record({
		id: integer,
		user_id: integer,
		email_address: text,
		email_owner: text,
		...stamps,
	}),
	Sender: record({
		id: integer,
		user_id: integer,
		from_name: text,
		from_email: text,
		reply_to_email: text,
		country_id: integer,
		state_id: integer,
		city_id: integer,
		zip_code: text,
		company_address: { type: 'string', maxLength: 255 },
		company_address2: { type: 'string', maxLength: 255 },
		nickname: text,
		is_verified: flag,
		utr: text,
		send_at: dateTime,
		...nullableStamps,
		deleted_at: orNull(timestamp),
	}),
};
