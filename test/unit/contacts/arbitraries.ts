import fc from 'fast-check';
import type { MappedContact } from '../../../nodes/EmailMarketing/features/contacts/fields';
import type { ListedContact } from '../../../nodes/EmailMarketing/features/contacts/types';
import type { MissingPolicy } from '../../../nodes/EmailMarketing/features/sync/types';
import { TYPE, options, suppressed } from './builders';

export const OTHER_TYPE = 8;

// Few addresses and values, so that matches, duplicates and equal values are frequent.
const address = fc.integer({ min: 1, max: 12 }).map((n) => `c${n}@example.com`);
const spelling = fc
	.tuple(address, fc.constantFrom('same', 'upper', 'blanks'))
	.map(([email, how]) =>
		how === 'upper' ? email.toUpperCase() : how === 'blanks' ? `  ${email}\t` : email,
	);
const text = fc.constantFrom('Ann', 'Bob', 'Zoë', 'Zoë', 'x', ' x ');
const empty = fc.constantFrom('', null, undefined, '  ');
const country = fc.constantFrom('Germany', 'AUSTRIA', 'ch', 2, '3', 'Österreich', 'CHE');
const badCountry = fc.constantFrom('Atlantis', 99);
const badAddress = fc.constantFrom('', 'nobody', 'a@b', 'a b@example.com', null, { a: 1 });

const value = fc.oneof({ arbitrary: text, weight: 3 }, { arbitrary: empty, weight: 1 });

export const goodItem: fc.Arbitrary<MappedContact> = fc
	.record(
		{
			email: spelling,
			country,
			first_name: value,
			last_name: value,
			postal_code: fc.oneof(value, fc.integer({ min: 1000, max: 1002 })),
		},
		{ requiredKeys: ['email', 'country'] },
	)
	.map((values) => ({ values }));

export const anyItem: fc.Arbitrary<MappedContact> = fc
	.record(
		{
			email: fc.oneof({ arbitrary: spelling, weight: 8 }, { arbitrary: badAddress, weight: 1 }),
			country: fc.oneof(
				{ arbitrary: country, weight: 6 },
				{ arbitrary: badCountry, weight: 1 },
				{ arbitrary: empty, weight: 1 },
			),
			first_name: value,
			city: fc.oneof({ arbitrary: value, weight: 9 }, { arbitrary: fc.constant([1]), weight: 1 }),
		},
		{ requiredKeys: [] },
	)
	.chain((values) =>
		fc
			.option(fc.oneof(fc.integer({ min: 1, max: 14 }), fc.constantFrom('3', 'x', '')))
			.map((contactId) => ({ values, ...(contactId !== null && { contactId }) })),
	);

const listed = fc.record({
	contact_type_id: fc.constantFrom<number | string>(TYPE, TYPE, TYPE, String(TYPE), OTHER_TYPE),
	email: address,
	country: fc.constantFrom('Germany', 'Austria', 'Switzerland'),
	first_name: fc.constantFrom<string | null>('Ann', 'Zoë', '', null),
	last_name: fc.constantFrom('Bob', 'x ', ''),
	city: fc.constantFrom('Köln', ''),
	postal_code: fc.constantFrom('1000', '1001', ''),
	deleted_at: fc.constantFrom(null, null, null, '2026-01-01T00:00:00.000000Z'),
});

export const contactList: fc.Arbitrary<ListedContact[]> = fc
	.array(listed, { maxLength: 14 })
	.map((rows) => rows.map((row, index) => ({ ...row, id: index + 1 })));

export const suppressionList = fc
	.uniqueArray(address, { maxLength: 5 })
	.map((addresses) => suppressed(...addresses));

export const anyPolicy: fc.Arbitrary<MissingPolicy> = fc.constantFrom<MissingPolicy>(
	{ kind: 'ignore' },
	{ kind: 'delete' },
	{ kind: 'moveToContactType', contactTypeId: OTHER_TYPE },
	{ kind: 'addToUnsubscribeGroup', unsubscribeGroupId: 51 },
);

/** Address keys. */
export const groupMembers: fc.Arbitrary<Set<string>> = fc
	.uniqueArray(address, { maxLength: 4 })
	.map((addresses) => new Set(addresses));

export const anyOptions = fc
	.record({
		matchBy: fc.constantFrom('email', 'contactId'),
		emptyValues: fc.constantFrom('ignore', 'clear'),
		missing: anyPolicy,
		defaultCountry: fc.constantFrom(undefined, 'DE'),
	})
	.map((changed) => options(changed));
