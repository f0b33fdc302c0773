import fc from 'fast-check';

import { labelOf } from '../../nodes/EmailMarketing/util/labels';

it('keeps every letter of a name that it does not know', () => {
	fc.assert(
		fc.property(fc.stringMatching(/^x[a-z0-9_]{0,30}$/), (name) => {
			expect(labelOf(name).replaceAll(' ', '').toLowerCase()).toBe(name.replaceAll('_', ''));
		}),
	);
});

it('gives a label of its own also for names that every object has', () => {
	expect(['constructor', 'toString', '__proto__'].map(labelOf)).toEqual([
		'Constructor',
		'ToString',
		'  Proto  ',
	]);
});

it.each([
	['reply_to_email', 'Reply To Email'],
	['zip_code', 'Zip Code'],
	['address_line1', 'Address Line 1'],
	['company_address2', 'Company Address Line 2'],
	['schedule_date', 'Send At'],
	['recipient_id', 'Recipient Names or IDs'],
])('calls %s "%s"', (name, label) => {
	expect(labelOf(name)).toBe(label);
});
