import type { IDataObject } from 'n8n-workflow';

import { automation, otherAutomation, singleSend } from '../records';
import { chosen, newSend } from '../rows';
import { useService } from '../sandbox';
import { check, type Case } from './check';

const test = useService();

const unchanged = 'Nothing was changed.';
const fix = 'Correct this field and run again.';
const fixAll = 'Correct these fields and run again.';
const gone =
	'No record has this ID or UTR. It may have been deleted or belong to another account. Choose it from the list again.';
const group = { groupName: 'News', description: 'What is new' };
/** The failures are those of the write alone. */
const options = { globalUnsubscribes: false };
const person = {
	segmentId: chosen('301'),
	firstName: 'A',
	lastName: 'B',
	email: 'a@example.com',
	options,
};
const shop = {
	fromName: 'Shop',
	fromEmail: 'shop@example.com',
	replyToEmail: 'reply@example.com',
	nickname: 'Shop',
	companyAddress: 'Road 1',
	countryId: chosen('85'),
};
const send = { ...newSend, ifNameExists: 'create' };
const email = {
	automationUtr: chosen(automation.utr),
	senderId: chosen('81'),
	subject: 'Hi',
	templateId: chosen('2'),
	previewImg: 'a.png',
	options: { allowLive: true },
};
const required = (field: string) => `The ${field} field is required.`;
const both = [
	['sender', 'create', shop],
	['singleSend', 'create', send],
	['automationSchedule', 'create', email],
] as const;

/** Each text of the reference that tells a failure, and what the user reads. */
const refused: Array<[string, Case]> = [
	...(
		[
			[
				'globalUnsubscribe',
				'add',
				{ emailAddress: 'a@example.com' },
				'email_address',
				'Email Address',
			],
			['unsubscribeGroup', 'create', group, 'group_name', 'Group Name'],
			['unsubscribeGroup', 'create', group, 'description', 'Description'],
			[
				'unsubscribeGroup',
				'addRecipient',
				{ unsubscribeGroupId: chosen('51'), emailAddress: 'a@example.com' },
				'email_address',
				'Email Address',
			],
			['contactType', 'create', { name: 'Ab' }, 'name', 'Name'],
			[
				'contactType',
				'get',
				{ contactTypeId: chosen('99') },
				'contact_type_id',
				'Contact Type (List)',
			],
			[
				'contact',
				'create',
				{
					contactTypeId: chosen('21'),
					ifContactExists: 'create',
					fields: { mappingMode: 'defineBelow', value: { email: 'a@example.com', country: '85' } },
					options,
				},
				'email',
				'Email',
			],
			['segment', 'addRecipient', person, 'first_name', 'First Name'],
			['segment', 'addRecipient', person, 'last_name', 'Last Name'],
			['segment', 'addRecipient', person, 'email', 'Email'],
			['customField', 'create', { fieldName: 'a' }, 'field_name', 'Field Name'],
			['customField', 'create', { fieldName: 'a' }, 'field_type', 'Field Type'],
			[
				'automation',
				'create',
				{ automationName: 'A', unsubscribeGroupId: chosen('51') },
				'automation_name',
				'Automation Name',
			],
			[
				'notificationRecipient',
				'create',
				{ emailAddress: 'a@example.com', emailOwner: 'A' },
				'email_address',
				'Email Address',
			],
			...[
				'from_name:From Name',
				'from_email:From Email',
				'reply_to_email:Reply To Email',
				'country_id:Country',
				'company_address:Company Address',
				'nickname:Nickname',
			].map((pair) => [...both[0], ...pair.split(':')]),
			...[
				'single_send_name:Campaign Name',
				'sender_id:Sender',
				'subject:Subject',
				'preheader:Preheader',
				'unsubscribe_group_id:Unsubscribe Group',
				'schedule_type:Schedule',
				'recipient_id:Recipient Names or IDs',
			].map((pair) => [...both[1], ...pair.split(':')]),
			...['sender_id:Sender', 'subject:Subject', 'waiting_type:Waiting Type'].map((pair) => [
				...both[2],
				...pair.split(':'),
			]),
		] as Array<[string, string, IDataObject, string, string]>
	).map(([resource, operation, parameters, field, label]): [string, Case] => {
		const text = required(field.replaceAll('_', ' '));
		return [
			`${resource}.${operation}, ${field}`,
			{
				run: [resource, operation, parameters],
				says: { [field]: [text] },
				// The reserved fields are read first, and the lists of unsubscribes.
				...(resource === 'customField' && { path: '/custom-fields/save' }),
				...(resource === 'globalUnsubscribe' && { path: '/global-unsubscribes/save' }),
				...(resource === 'unsubscribeGroup' &&
					operation === 'addRecipient' && { path: '/unsubscribes-groups/manually-add' }),
				message: `The service rejected "${label}": ${text}`,
				description: `${fix}${operation === 'get' ? '' : ` ${unchanged}`}`,
			},
		];
	}),
	[
		'two fields at once, one without a period',
		{
			run: ['notificationRecipient', 'create', { emailAddress: 'a@example.com', emailOwner: 'A' }],
			says: {
				email_address: [required('email address')],
				email_owner: ['The name field is required'],
			},
			message:
				'The service rejected "Email Address", "Email Owner": The email address field is required. The name field is required',
			description: `${fixAll} ${unchanged}`,
		},
	],
	[
		'a field that does not belong to the call',
		{
			run: ['sender', 'create', shop],
			says: { email_address: [required('email address')] },
			message: 'The service rejected "Email Address": The email address field is required.',
			description: `${fix} ${unchanged}`,
		},
	],
	[
		'several texts for one field',
		{
			run: ['contactType', 'create', { name: 'Ab' }],
			says: { name: ['Too short.', 'Taken.'] },
			message: 'The service rejected "Name": Too short. Taken.',
			description: `${fix} ${unchanged}`,
		},
	],
	[
		'an id that is sent as "id"',
		{
			run: ['contactType', 'update', { contactTypeId: chosen('21'), name: 'Ab' }],
			says: { id: ['The selected id is invalid.'] },
			message: 'The service rejected "Contact Type (List)": The selected id is invalid.',
			description: `${fix} ${unchanged}`,
		},
	],
	[
		'one entry of a list',
		{
			run: ['contact', 'deleteMany', { contactIds: ['1', '2'] }],
			says: { 'strIds.1': ['The selected strIds.1 is invalid.'] },
			message: 'The service rejected "Contact Names or IDs": The selected strIds.1 is invalid.',
			description: `${fix} ${unchanged}`,
		},
	],
	[
		'Record Not Found',
		{
			run: ['contact', 'delete', { contactId: chosen('7') }],
			says: 'Record Not Found',
			message: 'The service rejected the request: Record Not Found',
			description: `${gone} ${unchanged}`,
		},
	],
	[
		'Record not found',
		{
			run: ['singleSend', 'get', { singleSendUtr: chosen(singleSend.utr) }],
			says: 'Record not found',
			message: 'The service rejected the request: Record not found',
			description: `${gone} A UTR is the field "utr" of a record, not its "id".`,
		},
	],
	[
		'an automation without a group that is set live',
		{
			run: ['automation', 'setLive', { automationUtr: chosen(otherAutomation.utr) }],
			says: 'Unsubscribe group require to live automation',
			path: '/automations/set-live',
			message: 'The service rejected the request: Unsubscribe group require to live automation',
			description: `Assign an unsubscribe group to the automation in the service, then set it live again. ${unchanged}`,
		},
	],
	[
		'a missing key',
		{
			run: ['sender', 'getAll'],
			says: { SecretKey: ['The secret key field is required.'] },
			message: 'The service did not receive the keys: The secret key field is required.',
			description:
				'Open the credential and enter both keys again. If they are there, a proxy between n8n and the service may be removing the headers PublicKey and SecretKey.',
		},
	],
	...[null, '', [], {}, 12].map((says): [string, Case] => [
		`no reason: ${JSON.stringify(says)}`,
		{
			run: ['contactType', 'create', { name: 'Ab' }],
			says,
			message: 'The service rejected the request: no reason given',
			description: `Check the values of this operation and whether the keys in the credential belong to this account. ${unchanged}`,
		},
	]),
];

describe.each([200, 422] as const)('what the service says at HTTP %i', (status) => {
	it.each(refused)('%s', async (_what, one) => await check(test.service, one, status));
});

it('the answer of another address names the base URL, not a field that nobody has filled', async () => {
	test.service.fault({
		...{ kind: 'status', status: 404 },
		body: { status: 'failed', errors: { path: ['There is no /contacts-type'] } },
	});
	const { error } = await test.service.run({ resource: 'contactType', operation: 'getAll' });
	expect([error?.message, error?.description]).toEqual([
		'There is no such address (HTTP 404)',
		'Check "Base URL" in the credential. It must be the root of the API.',
	]);
});

it('a new contact without a country is told both places for it', async () => {
	const { error } = await test.service.run({
		...{ resource: 'contact', operation: 'create', contactTypeId: chosen('21') },
		fields: { mappingMode: 'defineBelow', value: { email: 'new@example.com' } },
	});
	expect([error?.message, error?.description]).toEqual([
		'"Country" is required but empty',
		'Map it, or choose a "Country for New Contacts". Nothing was changed for this item.',
	]);
});

it.each([200, 404, 422])(
	'a contact type that is refused with fields it does not have may not exist: HTTP %i',
	async (status) => {
		const match = { path: '/contacts-type/view' };
		const errors = { field_name: [required('field name')], field_type: [required('field type')] };
		test.service.fault({ kind: 'failed', status, match, errors });
		const { error } = await test.service.run({
			...{ resource: 'contactType', operation: 'get', contactTypeId: chosen('99') },
		});
		expect(error?.message).toBe(
			'The service rejected the request: The field name field is required. The field type field is required.',
		);
		expect(error?.description).toContain('The record may not exist: check its ID.');
	},
);
