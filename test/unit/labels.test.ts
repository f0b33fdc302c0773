import fc from 'fast-check';

import { labelOf } from '../../nodes/EmailMarketing/transport/labels';

it('gives a label of its own for any name, also for names that every object has', () => {
	fc.assert(
		fc.property(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor')), (name) => {
			expect(typeof labelOf(name)).toBe('string');
			expect(labelOf(name).replace(/[^a-z0-9]/gi, '').length).toBeGreaterThanOrEqual(0);
		}),
	);
	expect(labelOf('constructor')).toBe('Constructor');
	expect(labelOf('toString')).toBe('ToString');
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
