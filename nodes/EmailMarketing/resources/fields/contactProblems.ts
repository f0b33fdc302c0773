import type { INodeProperties } from 'n8n-workflow';

import { showFor } from './kinds';

/** What "Find Problems" looks for; its operation stands with those of the contact, its filters with those of lists. */
export const contactProblems: INodeProperties = {
	displayName: 'Problems',
	name: 'problems',
	type: 'multiOptions',
	required: true,
	default: [
		...['duplicate', 'inSeveralTypes', 'invalidEmail', 'misspelledDomain', 'roleAddress'],
		'unsubscribedInSegment',
	],
	description: 'What to look for. By default, everything except Gmail variants and missing names.',
	displayOptions: showFor('contact', ['findProblems']),
	options: [
		{
			name: 'Duplicate',
			value: 'duplicate',
			description: 'A contact type has several contacts with the same address',
		},
		{
			name: 'Gmail Variant',
			value: 'gmailVariant',
			description:
				'Gmail addresses in one contact type that differ only in dots or in the part after a plus sign',
		},
		{
			name: 'In Several Contact Types',
			value: 'inSeveralTypes',
			description: 'The same address is in several contact types',
		},
		{
			name: 'Invalid Email',
			value: 'invalidEmail',
			description: 'Not an email address, or no dot after the @',
		},
		{
			name: 'Missing Name',
			value: 'missingName',
			description: 'The first or last name is missing',
		},
		{
			name: 'Misspelled Domain',
			value: 'misspelledDomain',
			description: 'One typo away from a big email provider, such as gmial.com',
		},
		{ name: 'Role Address', value: 'roleAddress', description: 'Such as info@ and sales@' },
		{
			name: 'Unsubscribed but in Segment',
			value: 'unsubscribedInSegment',
			description: 'Has unsubscribed, but is still in a segment. All segments are checked.',
		},
	],
};
