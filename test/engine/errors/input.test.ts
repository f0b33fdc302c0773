import type { IDataObject } from 'n8n-workflow';

import { removal } from '../../../scripts/lib/workflow-json.ts';
import { singleSend } from '../records';
import { chosen } from '../rows';
import { once, useService } from '../sandbox';
import { check, type Case } from './check';

const test = useService();

/** A value that only comes about when the workflow runs; n8n itself looks at the others. */
const given = (value: unknown) => `={{ ${JSON.stringify(value)} }}`;
const byId = (value: unknown) => chosen(given(value), 'id');

const person = { segmentId: chosen('301'), firstName: 'A', lastName: 'B', email: 'a@example.com' };
const shop = {
	fromName: 'Shop',
	fromEmail: 'shop@example.com',
	replyToEmail: 'reply@example.com',
	nickname: 'Shop',
	companyAddress: 'Road 1',
	countryId: chosen('85'),
};

const fillIn = 'Enter a value. If the field contains an expression, it is empty for this item.';
const chooseId = (label: string) => `Choose "${label}" from the list, or enter its numeric ID.`;

const seen: Array<[string, Case['run'], message: string, remedy: string]> = [
	[
		'a blank name',
		['contactType', 'create', { name: given(' ') }],
		'"Name" is required but empty',
		fillIn,
	],
	[
		'nothing chosen',
		['contact', 'get', { contactId: byId('') }],
		'"Contact" is required but empty',
		fillIn,
	],
	[
		'two empty fields',
		['unsubscribeGroup', 'create', { groupName: given(null), description: given('') }],
		'"Group Name", "Description" are required but empty',
		fillIn,
	],
	[
		'no entries at all',
		['contact', 'deleteMany', { contactIds: given([]) }],
		'"Contact Names or IDs" is required but empty',
		fillIn,
	],
	[
		'an id with letters',
		['sender', 'get', { senderId: byId('81a') }],
		'"Sender" must be a whole number, but it is "81a"',
		chooseId('Sender'),
	],
	[
		'an id that is a whole record',
		['sender', 'get', { senderId: byId({ id: 81 }) }],
		'"Sender" must be text, but it is "{"id":81}"',
		'Set "Sender" to a single text value, such as one field of the input.',
	],
	[
		'an id that would leave its place in the address',
		['sender', 'get', { senderId: byId('81&sender_id=82') }],
		'"Sender" must be a whole number, but it is "81&sender_id=82"',
		chooseId('Sender'),
	],
	[
		'a utr with a slash',
		['automation', 'get', { automationUtr: chosen(given('../x'), 'utr') }],
		'"Automation" is not valid: "../x"',
		'Choose from the list, or enter the UTR from an earlier node. A UTR consists of letters, digits and dashes, such as 0d6f7c3e-6a34-4d7c-9a54-1b1f0c6c2d11.',
	],
	[
		'no email address',
		['segment', 'addRecipient', { ...person, email: 'a.example.com' }],
		'"Email" is not an email address: "a.example.com"',
		'An address begins with a letter or a digit, and has no spaces or commas. After the @, it has a domain with a dot, such as example.com.',
	],
	[
		'two addresses where one is asked for',
		['segment', 'addRecipient', { ...person, email: 'a@example.com,b@example.com' }],
		'"Email" is not an email address: "a@example.com,b@example.com"',
		'An address begins with a letter or a digit, and has no spaces or commas. After the @, it has a domain with a dot, such as example.com.',
	],
	[
		'a list of addresses with a wrong one',
		['globalUnsubscribe', 'add', { emailAddress: 'a@example.com, b' }],
		'"Email Address" accepts only email addresses, but it has "b"',
		'An address begins with a letter or a digit, and has no spaces or commas. After the @, it has a domain with a dot, such as example.com. Separate entries with commas, semicolons or line breaks.',
	],
	[
		'a field name with a hyphen',
		['customField', 'create', { fieldName: 'my-field' }],
		'"Field Name" is not valid: "my-field"',
		'Use letters A to Z, digits and underscores only, such as favorite_color.',
	],
	[
		'an unknown choice',
		['customField', 'create', { fieldName: 'a', fieldType: given('date') }],
		'"Field Type" cannot be "date"',
		'Choose one of: text, number, datetime-local.',
	],
	[
		'a long address',
		['sender', 'create', { ...shop, companyAddress: 'x'.repeat(256) }],
		'"Company Address" is too long: it has 256 characters, but at most 255 are allowed',
		'Shorten it to at most 255 characters.',
	],
	[
		'a country that is not among the ids',
		['sender', 'create', { ...shop, countryId: byId('Germany') }],
		'"Country" must be a whole number, but it is "Germany"',
		chooseId('Country'),
	],
	[
		'neither true nor false',
		[
			'unsubscribeGroup',
			'create',
			{ groupName: 'A', description: 'B', isDisplay: given('perhaps') },
		],
		'"Show on Preferences Page" must be true or false, but it is "perhaps"',
		'Turn it on or off, or return true or false from the expression.',
	],
];

it.each(seen)(
	'names field and remedy for %s, and sends nothing; only of a write does it say so',
	async (_what, run, message, remedy) => {
		const unchanged = run[1] === 'get' ? '' : ' Nothing was changed for this item.';
		const description = `${remedy}${unchanged}`;
		await check(test.service, { run, message, description });
	},
);

const campaign = {
	...{ singleSendName: 'Spring', ifNameExists: 'create', subject: 'It is spring' },
	...{ preheader: 'At last', senderId: chosen('81'), unsubscribeGroupId: chosen('51') },
	...{ recipientId: ['contacts_21'], templateSource: 'html', templateHtml: '<p>Hi</p>' },
	...{ scheduleType: 'scheduled', scheduleAt: '2099-05-04T09:30:00' },
};
const sync = {
	...{ contactTypeId: chosen('21'), missing: 'delete' },
	fields: { mappingMode: 'defineBelow', value: { email: 'a@example.com', country: 'DE' } },
};
const create = ['singleSend', 'create', campaign] as const;
const duplicate = ['singleSend', 'duplicate', { singleSendUtr: chosen(singleSend.utr) }] as const;
const deleteMany = ['automation', 'deleteMany', { automationIds: ['30001'] }] as const;

type Run = readonly [resource: string, operation: string, parameters: IDataObject];

async function refused([resource, operation, parameters]: Run, options: IDataObject) {
	const { error } = await test.service.run({ resource, operation, ...parameters, options });
	const writes = test.service.calls().filter((call) => !call.startsWith('GET'));
	return { message: error?.message, code: error?.context.code, remedy: error?.description, writes };
}

it.each<[label: string, option: string, wrong: string, choices: string, run: Run]>([
	['Time Format', 'timeFormat', 'HH:MM', 'HH:mm:ss, HH:mm', create],
	['Date Format', 'dateFormat', 'YY-MM-DD', 'yyyy-MM-dd, yy-MM-dd', create],
	['Unused Content', 'unusedContent', 'Send Empty', 'omit, empty', create],
	['Bulk Delete Identifier', 'identifyBy', 'UTR', 'id, utr', deleteMany],
	['Request Method', 'requestMethod', 'get', 'POST, GET', duplicate],
])(
	'refuses what is no choice of "Compatibility: %s"',
	async (label, option, wrong, choices, run) => {
		expect(await refused(run, { [option]: given(wrong) })).toEqual({
			message: `"Compatibility: ${label}" cannot be "${wrong}"`,
			code: 'choice-invalid',
			remedy: `Choose one of: ${choices}. Nothing was changed for this item.`,
			writes: [],
		});
	},
);

const neither = given('yes');
it.each<[label: string, options: IDataObject, run: Run]>([
	['Custom Fields', { customFields: neither }, ['contact', 'exportCsv', {}]],
	['For Spreadsheets', { forSpreadsheets: neither }, ['contact', 'exportCsv', {}]],
	['Allow Sending Again', { allowSendingAgain: neither }, duplicate],
	['Check Before Sending', { preflight: neither }, create],
	['Respect Global Unsubscribes', { globalUnsubscribes: neither }, ['contact', 'sync', sync]],
	['Only Added by Sync', removal({ onlyAddedBySync: neither }), ['contact', 'sync', sync]],
	['Recreate Removed', removal({ recreateRemoved: neither }), ['contact', 'sync', sync]],
])('refuses what is neither true nor false as "%s"', async (label, options, run) => {
	expect(await refused(run, options)).toEqual({
		message: `"${label}" must be true or false, but it is "yes"`,
		code: 'boolean-expected',
		remedy: expect.stringMatching(
			/^Turn it on or off, or return true or false from the expression\./,
		) as string,
		writes: [],
	});
	expect(test.service.calls()).toEqual([]);
});

describe('keys', () => {
	const list: IDataObject = { resource: 'sender', operation: 'getAll' };

	it('are named when they are wrong', async () => {
		const { service } = test;
		const { baseUrl } = service;
		const { error } = await service.run(list, {
			credential: { baseUrl, publicKey: 'wrong', secretKey: 'wrong' },
		});
		expect(error?.message).toBe('The service rejected the keys: Invalid credentials');
		expect(error?.description).toBe(
			'Copy the public key and the secret key from the account page of the service into the credential again.',
		);
	});

	it.each([
		['Sender domain authentication is pending', 200, false],
		['Authentication failed', 200, true],
		['The public key does not exist', 200, true],
		['Unauthenticated.', 401, true],
		['No.', 401, true],
		['The authentication of a server failed', 500, false],
		['The keyword is too short', 200, false],
		['The primary key exists already', 200, false],
	])('are in doubt only if the service speaks of them: %s (%d)', async (errors, status, isKeys) => {
		const { service } = test;
		service.fault({ kind: 'failed', status, errors, times: 9 });
		const { error } = await service.run({ ...list, options: once });
		expect(error?.message).toBe(
			`The service rejected the ${isKeys ? 'keys' : 'request'}: ${errors}`,
		);
	});

	it.each([
		[{ publicKey: '' }, 'Public Key is missing: copy it from the account page of the service'],
		[{ secretKey: 'a b' }, 'Secret Key contains a space or a special character: copy it again'],
		[
			{ baseUrl: '' },
			'Base URL is missing: enter the address of the API, such as https://api.example.com',
		],
		[
			{ baseUrl: 'ftp://x' },
			'Base URL is not valid: it must start with https:// or http://, such as https://api.example.com, and must not contain ? or #',
		],
	])('are asked for when the credential has %p', async (change, message) => {
		const { service } = test;
		const { baseUrl } = service;
		const credential = { baseUrl, publicKey: 'a', secretKey: 'b', ...change };
		const { error } = await service.run(list, { credential });
		expect(error?.message).toBe(message);
		expect(error?.description).toBe('Open the credential and correct it.');
		expect(service.calls()).toEqual([]);
	});
});
