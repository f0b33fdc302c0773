import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../service/endpoints';
import { call } from '../run/entry';
import { mergeCurrent } from '../run/mergeCurrent';
import { reportCleared } from '../run/reportCleared';
import { createSenderOnce } from '../features/membership/addOnce';
import { onlyOnce } from '../run/sameRecord';
import { done, list, record } from '../run/output/responseMappers';
import { keep, keepId } from '../params/currentValue';
import { email, recordId, text } from '../params/validators';
import type { Inputs } from '../params/validators';
import { allShown, operationsOf, requiredText, showFor, updateFieldsOf } from './fields/kinds';
import { listOrId } from './fields/locator';

/** Where an update reads the current sender. */
const senderDetails = { details: endpoints.sender.get, id: 'sender_id', label: 'Sender' };

/** The fields of a sender (52, 54). */
const senderInputs = (prefix = ''): Inputs => ({
	from_name: text(`${prefix}fromName`, { required: true }),
	from_email: email(`${prefix}fromEmail`, { required: true }),
	reply_to_email: email(`${prefix}replyToEmail`, { required: true }),
	nickname: text(`${prefix}nickname`, { required: true }),
	company_address: text(`${prefix}companyAddress`, { required: true, maxLength: 255 }),
	company_address2: text(`${prefix}companyAddress2`, { maxLength: 255 }),
	country_id: recordId(`${prefix}countryId`, { identifies: false }),
	state_id: recordId(`${prefix}stateId`, { required: false, identifies: false }),
	city_id: recordId(`${prefix}cityId`, { required: false, identifies: false }),
	zip_code: text(`${prefix}zipCode`),
});

/** The fields of a new sender. */
const newSender = allShown(showFor('sender', ['create']), [
	{
		displayName: 'From Name',
		name: 'fromName',
		...requiredText,
		placeholder: 'e.g. Nathan from Example',
		description: 'The sender name shown to recipients',
	},
	{
		displayName: 'From Email',
		name: 'fromEmail',
		...requiredText,
		placeholder: 'e.g. news@example.com',
		description: 'The sender address shown to recipients. The verification email is sent to it.',
	},
	{
		displayName: 'Reply To Email',
		name: 'replyToEmail',
		...requiredText,
		placeholder: 'e.g. support@example.com',
		description: 'The address that replies are sent to',
	},
	{
		displayName: 'Nickname',
		name: 'nickname',
		...requiredText,
		placeholder: 'e.g. Newsletter',
		description: 'The internal name of the sender, not shown to recipients',
	},
	{
		displayName: 'Company Address',
		name: 'companyAddress',
		...requiredText,
		placeholder: 'e.g. 12 Example Street',
		description: 'The postal address legally required in every campaign, at most 255 characters',
	},
	{
		displayName: 'Company Address Line 2',
		name: 'companyAddress2',
		type: 'string',
		default: '',
		placeholder: 'e.g. 3rd floor',
		description: 'The second line of the postal address, at most 255 characters',
	},
	{
		displayName: 'Country',
		name: 'countryId',
		...listOrId('searchCountries'),
		required: true,
		description: 'The country of the postal address',
	},
	{
		displayName: 'State',
		name: 'stateId',
		...listOrId('searchStates'),
		description:
			'The state of the postal address. The list shows the states of the chosen country.',
		typeOptions: { loadOptionsDependsOn: ['countryId.value'] },
	},
	{
		displayName: 'City',
		name: 'cityId',
		...listOrId('searchCities'),
		description: 'The city of the postal address. The list shows the cities of the chosen state.',
		typeOptions: { loadOptionsDependsOn: ['countryId.value', 'stateId.value'] },
	},
	{
		displayName: 'Zip Code',
		name: 'zipCode',
		type: 'string',
		default: '',
		placeholder: 'e.g. 10115',
		description: 'The postal code of the address',
	},
]);

/** Resend Verification (56): a person who gets the same email once per item would report it as spam. */
const resendOnce = onlyOnce(
	'resent',
	'An earlier item resent this email; nothing was sent for this item',
	({ query }) => {
		const id = String(query.sender_id);
		return { key: id, deed: `sent the verification email of sender ${id}` };
	},
);

export const sender: INodeProperties[] = [
	{
		...operationsOf('sender'),
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create sender',
				description: 'Create a sender. It should be verified before campaigns use it.',
				routing: call(endpoints.sender.create, {
					body: senderInputs(),
					plan: { stages: [createSenderOnce] },
					output: done('created'),
				}),
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete sender',
				description: 'Delete a sender. The API cannot restore it.',
				routing: call(endpoints.sender.delete, {
					query: { sender_id: recordId('senderId', { identifies: 'id' }) },
					output: done('deleted'),
				}),
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get sender',
				description: 'Retrieve a sender with its verification status',
				routing: call(endpoints.sender.get, {
					query: { sender_id: recordId('senderId', { identifies: 'id' }) },
					output: record,
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many senders',
				description: 'Retrieve a list of senders with their verification status',
				routing: call(endpoints.sender.getAll, { output: list }),
			},
			{
				name: 'Resend Verification',
				value: 'resendVerification',
				action: 'Resend sender verification',
				description:
					'Send the verification email to the address of the sender again, once per sender and run',
				routing: call(endpoints.sender.resendVerification, {
					query: { sender_id: recordId('senderId', { identifies: 'id' }) },
					plan: { stages: [resendOnce] },
					output: done('resent'),
				}),
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update sender',
				description: 'Update a sender. Fields that are not set keep their values.',
				routing: call(endpoints.sender.update, {
					body: {
						sender_id: recordId('senderId', { identifies: 'id' }),
						...senderInputs('updateFields.'),
					},
					plan: {
						record: 'sender_id',
						stages: [
							mergeCurrent({
								...senderDetails,
								fields: {
									from_name: keep('from_name'),
									from_email: keep('from_email'),
									reply_to_email: keep('reply_to_email'),
									nickname: keep('nickname'),
									company_address: keep('company_address'),
									company_address2: keep('company_address2'),
									country_id: keepId('country_id'),
									state_id: keepId('state_id'),
									city_id: keepId('city_id'),
									zip_code: keep('zip_code'),
								},
							}),
						],
						complete: reportCleared(senderDetails),
					},
					output: done('updated'),
				}),
			},
		],
	},
	{
		displayName: 'Sender',
		name: 'senderId',
		...listOrId('searchSenders'),
		required: true,
		description: 'The sender to delete, get or update, or whose verification email to resend',
		displayOptions: showFor('sender', ['delete', 'get', 'resendVerification', 'update']),
	},
	...newSender,
	updateFieldsOf('sender', newSender, {
		cityId: {
			description:
				'The city of the postal address. The list shows the cities of the state chosen here.',
			typeOptions: { loadOptionsDependsOn: ['&countryId.value', '&stateId.value'] },
		},
		stateId: {
			description:
				'The state of the postal address. The list shows the states of the country chosen here.',
			typeOptions: { loadOptionsDependsOn: ['&countryId.value'] },
		},
	}),
];
