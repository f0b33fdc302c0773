/** Records as they are stored; what an answer adds or turns round is done by the endpoints. */

interface Stamped {
	id: number;
	user_id: number;
	created_at: string;
	updated_at: string;
}

export interface Unsubscriber extends Stamped {
	unsubscribe_groups_id: number | null;
	email_address: string;
}

export interface UnsubscribeGroup extends Stamped {
	rand_id: string;
	group_name: string;
	description: string;
	is_display: number;
}

export interface ContactType extends Stamped {
	name: string;
	deleted_at: string | null;
}

export interface Contact extends Stamped {
	contact_type_id: number;
	first_name: string;
	last_name: string;
	email: string;
	alt_email: string | null;
	country: number;
	state: string;
	city: string;
	address_line1: string;
	address_line2: string;
	state_province_region: string;
	postal_code: string;
	custom_field: Record<string, { field_name: string; field_value: string | null }> | null;
	deleted_at: string | null;
}

export interface Segment extends Stamped {
	contact_type_id: number;
	segment_name: string;
	select_field: string[];
	select_operator: string[];
	value: string[];
	query_type: string | null;
	deleted_at: string | null;
}

export interface SegmentRecipient extends Stamped {
	segment_id: number;
	contact_id: number | null;
	first_name: string;
	last_name: string;
	email: string;
	country: string | null;
	state: string | null;
	city: string | null;
	address_line1: string | null;
}

export interface Field {
	id: number;
	user_id: number | null;
	field_name: string;
	field_type: string;
	is_reserved: number;
	created_at: string | null;
	updated_at: string | null;
}

export interface Template {
	id: number;
	template_name: string;
	preview_image: string;
	json_code: string;
	html_code: string;
	is_blank: number;
	created_at: string | null;
	updated_at: string | null;
}

export interface Recipient {
	id: string;
	table: string;
}

export interface SingleSend extends Stamped {
	template_id: number;
	recipient_id: Recipient[];
	exclude_specific_recipient_id: Recipient[];
	sender_id: number;
	unsubscribe_group_id: number;
	single_send_name: string;
	from_sender: string;
	reply_to: string;
	sender_name: string | null;
	sender_address: string | null;
	subject: string;
	preheader: string;
	schedule_type: number;
	schedule_date: string;
	schedule_time: string;
	status: number;
	utr: string;
	template_json: string | null;
	template_html: string | null;
	triggered: number;
	delivered: number;
	unique_opens: number;
	total_opens: number;
	bounces: number;
	unsubscribes: number;
	unique_open_token: Record<string, string>;
	sent_at: string;
}

export interface Automation extends Stamped {
	automation_for: number;
	automation_for_table: string;
	automation_name: string;
	exit_criteria: number;
	unsubscribe_group_id: string;
	automation_type: number;
	utr: string;
	status: number;
	live_at: string | null;
	total_triggered: number;
	total_delivered: number;
	total_unique_opens: number;
	total_opens: number;
	total_bounces: number;
	total_unsubscribe: number;
	deleted_at: string | null;
}

export interface AutomationSchedule extends Stamped {
	automation_id: number;
	sender_id: number;
	subject: string;
	waiting_period: number;
	waiting_type: string;
	utr: string;
	template_id: number;
	preview_img: string;
	template_json: string;
	template_html: string;
	design_url: string;
	image: string;
}

export interface NotificationRecipient extends Stamped {
	email_address: string;
	email_owner: string;
}

export interface Sender extends Stamped {
	from_name: string;
	from_email: string;
	reply_to_email: string;
	country_id: number;
	state_id: number;
	city_id: number;
	zip_code: string;
	company_address: string;
	company_address2: string;
	nickname: string;
	is_verified: number;
	utr: string;
	send_at: string;
	deleted_at: string | null;
}

export interface Records {
	globalUnsubscribes: Unsubscriber;
	unsubscribeGroups: UnsubscribeGroup;
	groupRecipients: Unsubscriber;
	contactTypes: ContactType;
	contacts: Contact;
	segments: Segment;
	segmentRecipients: SegmentRecipient;
	reservedFields: Field;
	customFields: Field;
	templates: Template;
	singleSends: SingleSend;
	automations: Automation;
	automationSchedules: AutomationSchedule;
	notificationRecipients: NotificationRecipient;
	senders: Sender;
}

export type TableName = keyof Records;
