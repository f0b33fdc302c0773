import type { Tables } from '../../sandbox/store.ts';

/** The time at which the clock of the service stands, and its form in records. */
export const NOW = Date.parse('2026-03-02T10:00:00Z');
const stamps = {
	created_at: '2026-03-02T10:00:00.000000Z',
	updated_at: '2026-03-02T10:00:00.000000Z',
};
const owner = { user_id: 1207 };

/** What happens in 2026-03-02T10:00:00Z, as `sent_at`, `live_at` and `send_at` have it. */
export const AT = '2026-03-02 10:00:00';

export const GERMANY = 85;
export const INDIA = 104;

/**
 * The records of the service before each test, field by field as the reference lists them. Fields
 * that only some answers have (counts, country names) are added by the tests.
 */
export const contactType = {
	id: 21,
	...owner,
	name: 'Customers',
	deleted_at: null,
	...stamps,
};
export const otherContactType = { ...contactType, id: 22, name: 'Subscribers' };

export const contact = {
	id: 1000001,
	...owner,
	contact_type_id: 21,
	first_name: 'Ada',
	last_name: 'Okafor',
	email: 'ada@example.com',
	alt_email: null,
	country: '85',
	state: 'Berlin',
	city: 'Berlin',
	address_line1: '1 Harbour Street',
	address_line2: 'Second floor',
	state_province_region: 'Berlin',
	postal_code: '10115',
	custom_field: { field_201: { field_name: 'company', field_value: 'Okafor & Co' } },
	deleted_at: null,
	...stamps,
	fullname: 'Ada Okafor',
};
export const otherContact = {
	id: 1000002,
	...owner,
	contact_type_id: 22,
	first_name: 'Ben',
	last_name: '',
	email: 'ben@example.com',
	alt_email: 'b@example.org',
	country: '104',
	state: '',
	city: '',
	address_line1: '',
	address_line2: '',
	state_province_region: '',
	postal_code: '',
	custom_field: null,
	deleted_at: null,
	...stamps,
	fullname: 'Ben',
};

export const segment = {
	id: 301,
	...owner,
	contact_type_id: 21,
	segment_name: 'Recent customers',
	select_field: ['113'],
	select_operator: ['is between'],
	value: ['2026-01-01', '2026-03-31'],
	query_type: null,
	deleted_at: null,
	...stamps,
};
export const segmentRecipient = {
	id: 500001,
	...owner,
	segment_id: 301,
	contact_id: 1000001,
	first_name: 'Ada',
	last_name: 'Okafor',
	email: 'ada@example.com',
	country: 'Germany',
	state: null,
	city: null,
	address_line1: null,
	...stamps,
	fullname: 'Ada Okafor',
};

export const customField = {
	id: 201,
	...owner,
	field_name: 'company',
	field_type: 'text',
	is_reserved: 0,
	...stamps,
};

export const template = {
	id: 2,
	template_name: 'Monthly newsletter',
	preview_image: 'newsletter.png',
	json_code: '{"body":[]}',
	html_code: '<h1>News</h1>',
	is_blank: 0,
	...stamps,
};

export const globalUnsubscribe = {
	id: 100001,
	...owner,
	unsubscribe_groups_id: null,
	email_address: 'no.more@example.com',
	...stamps,
};
export const unsubscribeGroup = {
	id: 51,
	...owner,
	rand_id: '1234567890',
	group_name: 'Offers',
	description: 'Discounts and special offers',
	is_display: 1,
	...stamps,
};
export const groupRecipient = {
	id: 300001,
	...owner,
	unsubscribe_groups_id: 51,
	email_address: 'left.us@example.com',
	...stamps,
};

export const notificationRecipient = {
	id: 401,
	...owner,
	email_address: 'maya@example.com',
	email_owner: 'Maya Lindt',
	...stamps,
};

export const sender = {
	id: 81,
	...owner,
	from_name: 'Roastery',
	from_email: 'hello@example.com',
	reply_to_email: 'support@example.com',
	country_id: GERMANY,
	state_id: 0,
	city_id: 0,
	zip_code: '10115',
	company_address: 'Chausseestraße 5',
	company_address2: '',
	nickname: 'Main sender',
	is_verified: 1,
	utr: 'k3j9x2m4p1',
	send_at: AT,
	deleted_at: null,
	...stamps,
};

export const singleSend = {
	id: 501,
	...owner,
	template_id: 2,
	recipient_id: [
		{ id: '21', table: 'contacts_' },
		{ id: '301', table: 'segments_' },
	],
	exclude_specific_recipient_id: [{ id: '22', table: 'contacts_' }],
	sender_id: 81,
	unsubscribe_group_id: 51,
	single_send_name: 'March newsletter',
	from_sender: 'hello@example.com',
	reply_to: 'support@example.com',
	sender_name: 'Roastery',
	sender_address: 'Chausseestraße 5',
	subject: 'What we roast in March',
	preheader: 'Fresh from the roastery',
	schedule_type: 1,
	schedule_date: '2099-03-20',
	schedule_time: '09:30:00',
	status: 1,
	utr: '11111111-1111-4111-8111-111111111111',
	template_json: null,
	template_html: null,
	triggered: 0,
	delivered: 0,
	unique_opens: 0,
	total_opens: 0,
	bounces: 0,
	unsubscribes: 0,
	unique_open_token: {},
	sent_at: '0000-00-00 00:00:00',
	...stamps,
};

export const automation = {
	id: 30001,
	...owner,
	automation_for: 21,
	automation_for_table: 'contacts_',
	automation_name: 'Welcome series',
	exit_criteria: 0,
	unsubscribe_group_id: '51',
	automation_type: 1,
	utr: '22222222-2222-4222-8222-222222222222',
	status: 1,
	live_at: AT,
	total_triggered: 19,
	total_delivered: 18,
	total_unique_opens: 11,
	total_opens: 17,
	total_bounces: 1,
	total_unsubscribe: 1,
	deleted_at: null,
	...stamps,
};
/** A draft. */
export const otherAutomation = {
	...automation,
	id: 30002,
	automation_name: 'Win back',
	utr: '33333333-3333-4333-8333-333333333333',
	status: 0,
	live_at: null,
};

export const automationSchedule = {
	id: 60001,
	...owner,
	automation_id: 30001,
	sender_id: 81,
	subject: 'Welcome',
	waiting_period: 3,
	waiting_type: 'days',
	utr: '44444444-4444-4444-8444-444444444444',
	template_id: 2,
	preview_img: 'newsletter.png',
	template_json: '{"body":[]}',
	template_html: '<h1>News</h1>',
	...stamps,
	design_url: 'https://design.example.com/schedule/4444',
	image: 'https://design.example.com/preview/newsletter.png',
};

/** Puts the records into a service that has nothing but the reserved fields and the blank template. */
export function plant(tables: Tables): void {
	for (const row of [contactType, otherContactType]) tables.contactTypes.add(row, NOW);
	for (const { fullname: _, ...row } of [contact, otherContact]) {
		tables.contacts.add({ ...row, country: Number(row.country) }, NOW);
	}
	const { fullname: _, ...recipient } = segmentRecipient;
	tables.segments.add(segment, NOW);
	tables.segmentRecipients.add(recipient, NOW);
	tables.customFields.add(customField, NOW);
	tables.templates.add(template, NOW);
	tables.globalUnsubscribes.add(globalUnsubscribe, NOW);
	tables.unsubscribeGroups.add(unsubscribeGroup, NOW);
	tables.groupRecipients.add(groupRecipient, NOW);
	tables.notificationRecipients.add(notificationRecipient, NOW);
	tables.senders.add(sender, NOW);
	tables.singleSends.add(singleSend, NOW);
	for (const row of [automation, otherAutomation]) tables.automations.add(row, NOW);
	tables.automationSchedules.add(automationSchedule, NOW);
}
