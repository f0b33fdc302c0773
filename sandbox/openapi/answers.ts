import type { Schema } from '../params.ts';
import { reference } from './records.ts';

/** What the API reference says that an endpoint does and answers. */
export interface Answer {
	summary: string;
	/** JSON schema of the whole response of a success. */
	success: Schema;
	/** Failures other than those of the credential. */
	fails: string;
	note?: string;
}

const envelope = (key: 'message' | 'errors', schema: Schema) => ({
	type: 'object',
	required: ['status', key],
	properties: { status: { const: 'success' }, [key]: schema },
});

const under = (properties: Record<string, Schema>) =>
	envelope('message', { type: 'object', required: Object.keys(properties), properties });

const list = (key: string, record: string) =>
	under({ [key]: { type: 'array', items: reference(record) } });
const one = (key: string, record: string) => under({ [key]: reference(record) });
const says = (text: string) => envelope('message', { const: text });
const utr = under({ utr: { type: 'string' } });
const deleted = says('Deleted Successfully');
const added = says('Added Successfully');
const updated = says('Updated Successfully');
/** #17, #30 and #55. */
const deletedUnderErrors = envelope('errors', { const: 'Deleted Successfully' });

const N = '`Record Not Found`';
const n = '`Record not found`';
const keyed = (...names: string[]) => `keyed by ${names.map((name) => `\`${name}\``).join(', ')}`;
const none = '';

const row = (summary: string, success: Schema, fails: string, note?: string): Answer => ({
	summary,
	success,
	fails,
	...(note !== undefined && { note }),
});

export const answers: Record<string, Answer> = {
	1: row('List global unsubscribes', list('unSubscribers', 'Unsubscriber'), none),
	2: row('Add global unsubscribes', added, keyed('email_address')),
	3: row('Delete a global unsubscribe', deleted, N),
	4: row('Delete global unsubscribes', deleted, N),
	5: row('List unsubscribe groups', list('unsubscribesGroups', 'ListedUnsubscribeGroup'), none),
	6: row(
		'Create an unsubscribe group',
		says('Saved Successfully'),
		keyed('group_name', 'description'),
	),
	7: row('Get an unsubscribe group', one('unsubscribesGroup', 'UnsubscribeGroup'), N),
	8: row('Update an unsubscribe group', updated, keyed('group_name', 'description')),
	9: row('Add recipients to an unsubscribe group', added, keyed('email_address')),
	10: row('List the recipients of an unsubscribe group', list('recipients', 'Unsubscriber'), N),
	11: row('Delete a recipient of an unsubscribe group', deleted, N),
	12: row('Delete recipients of unsubscribe groups', deleted, N),
	13: row('List contact types', list('contactTypes', 'ListedContactType'), none),
	14: row('Create a contact type', added, keyed('name')),
	15: row('Get a contact type', one('contactType', 'ContactType'), 'an object'),
	16: row('Update a contact type', updated, N),
	17: row('Delete a contact type', deletedUnderErrors, N),
	18: row('List contacts', list('contacts', 'ListedContact'), none),
	19: row('Create a contact', says('Contact Added Successfully'), keyed('email')),
	20: row(
		'Download a CSV sample',
		{ type: 'object' },
		N,
		'An empty object is all that is given; the CSV layout is not shown.',
	),
	21: row(
		'Import contacts from a CSV file',
		says('Imported Successfully'),
		keyed('contact_type_id', 'file'),
	),
	22: row('Get a contact', one('contact', 'Contact'), N),
	23: row('Update a contact', says('Contact Updated Successfully'), keyed('email')),
	24: row('Delete a contact', deleted, N),
	25: row('Delete contacts', deleted, N),
	26: row('List segments', list('segments', 'Segment'), none),
	27: row('List the recipients of a segment', list('contactEmails', 'SegmentRecipient'), n),
	28: row('Add a recipient to a segment', added, keyed('first_name', 'last_name', 'email')),
	29: row('Delete a recipient of a segment', deleted, N),
	30: row('Delete a segment', deletedUnderErrors, N),
	31: row('List reserved fields', list('reservedFields', 'Field'), none),
	32: row('List custom fields', list('customFields', 'Field'), none),
	33: row(
		'Create a custom field',
		added,
		keyed('field_name', 'field_type'),
		'`field_name`: letters A-Z, digits 0-9 and underscores, and not a reserved name.',
	),
	34: row('Delete a custom field', deleted, N),
	35: row('List design templates', list('templates', 'DesignTemplate'), N),
	36: row(
		'List the placeholders of dynamic content',
		under({ contents: { type: 'array', items: { type: 'string' } } }),
		N,
	),
	37: row('List single sends', list('singleSends', 'SingleSend'), none),
	38: row(
		'Create a single send',
		utr,
		'an object',
		'Send `template_id` 1 to supply a custom template. When `template_json` is given, `template_html` is empty, and the other way round.',
	),
	39: row(
		'Duplicate a single send',
		says('Duplicated Successfully'),
		n,
		'The reference lists the method as GET, and its sample request uses POST.',
	),
	40: row(
		'Get a single send',
		under({ singleSend: { type: 'array', items: reference('SingleSend') } }),
		n,
		'The array holds the one record.',
	),
	41: row('Update a single send', utr, 'an object'),
	42: row('Delete a single send', deleted, n),
	43: row('Delete single sends', deleted, n),
	44: row('List automations', list('automations', 'ListedAutomation'), N),
	45: row(
		'Create an automation',
		utr,
		keyed('automation_name'),
		'The reference lists `automation_name` as optional, and shows that it is refused when missing.',
	),
	46: row('Duplicate an automation', utr, 'not shown', 'Changes data. The `utr` is of the copy.'),
	47: row('Get an automation', one('automation', 'Automation'), N),
	48: row(
		'Pause an automation',
		says('Automation Paused Successfully'),
		n,
		'Changes data. Only live automations can be paused.',
	),
	49: row(
		'Set an automation live',
		says('Automation has been set live'),
		'`Unsubscribe group require to live automation`',
		'Changes data.',
	),
	'49a': row('Delete an automation', deleted, n),
	'49b': row('Delete automations', deleted, n),
	'49c': row(
		'List the emails of an automation',
		list('automation_schedules', 'AutomationSchedule'),
		n,
	),
	'49d': row(
		'Add an email to an automation',
		says('Schedule Added'),
		keyed('sender_id', 'subject', 'waiting_type'),
		'`waiting_period`: days or hours to wait, 1 for an instant email. `preview_img`: the preview image of the template.',
	),
	'49e': row('Delete an email of an automation', deleted, n),
	50: row(
		'List countries, states and cities',
		under({ countries: { type: 'array' }, states: { type: 'array' }, cities: { type: 'array' } }),
		none,
		'The fields of the entries are not shown.',
	),
	'50a': row('List notification recipients', list('notifications', 'NotificationRecipient'), none),
	'50b': row('Create a notification recipient', added, keyed('email_address', 'email_owner')),
	'50c': row('Delete a notification recipient', deleted, N),
	'50d': row('Delete notification recipients', deleted, N),
	51: row(
		'List senders',
		list('senders', 'Sender'),
		none,
		'The reference lists the method as POST, and its sample request uses GET.',
	),
	52: row(
		'Create a sender',
		added,
		keyed('from_name', 'from_email', 'reply_to_email', 'country_id', 'company_address', 'nickname'),
	),
	53: row('Get a sender', one('sender', 'Sender'), N),
	54: row('Update a sender', updated, 'an object'),
	55: row('Delete a sender', deletedUnderErrors, N),
	56: row(
		'Send the verification mail of a sender again',
		says('Verification Mail Send'),
		N,
		'Changes data.',
	),
};
