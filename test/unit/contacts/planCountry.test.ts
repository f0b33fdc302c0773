import type { ListedContact } from '../../../nodes/EmailMarketing/features/contacts/types';
import type { PlanInput } from '../../../nodes/EmailMarketing/features/sync/types';
import { CountryLookup } from '../../../nodes/EmailMarketing/features/locations/country';
import { contact, COUNTRIES, item, planOf } from './builders';

type Countries = PlanInput['countries'];

/** What becomes of a contact whose city changes. */
const updated = (
	country: unknown,
	options: Partial<PlanInput['options']> = {},
	countries?: Countries,
) =>
	planOf(
		[item('c1@example.com', { city: 'Bonn' })],
		[contact(1, { country } as Partial<ListedContact>)],
		options,
		countries && { countries },
	).rows[0];

describe('the country of a contact', () => {
	test.each([
		['a name in the list', 'Germany', '2'],
		['an ID in the list', 3, '3'],
		['an ID that the service does not list', '500', '500'],
	])('is that of %s', (_, listed, id) => {
		expect(updated(listed)).toMatchObject({ action: 'updated', body: { country: id } });
	});

	test.each([
		['a name that the service does not list', 'Terra', '"Terra"'],
		['a text that begins with digits', '7x', '"7x"'],
		['a text that ends with digits', 'x7', '"x7"'],
		['an object', { id: 2 }, '"{"id":2}"'],
	])('is unknown if it is %s, whatever new contacts get', (_, listed, shown) => {
		expect(updated(listed, { defaultCountry: 'DE' })).toEqual({
			item: 0,
			action: 'failed',
			email: 'c1@example.com',
			contactId: 1,
			code: 'contact-country-unknown',
			field: 'Country',
			value: typeof listed === 'string' ? listed : undefined,
			reason: `Country ${shown} of the contact is not in the country list of the service. Map a country`,
		});
	});

	test('is not clear if several countries have its name', () => {
		const twice = [...COUNTRIES, { id: 4, name: 'Germany', iso2: 'XX' }];
		const countries = new CountryLookup({ countries: twice });
		expect(updated('Germany', {}, countries)).toMatchObject({
			action: 'failed',
			code: 'country-ambiguous',
			reason:
				'Country is "Germany", which matches several countries of the service (IDs 2, 4). Enter one of these IDs',
		});
	});

	test('is missing if the list shows none', () => {
		const reason =
			'Country is missing: the contact has none, but the service requires one. Map a country, or choose a "Country for New Contacts"';
		for (const none of [null, '', 0, '0']) {
			expect(updated(none)).toMatchObject({ action: 'failed', field: 'Country', reason });
			expect(updated(none, { defaultCountry: 'AT' })).toMatchObject({ body: { country: '1' } });
			expect(updated(none, { defaultCountry: 'Terra' })).toMatchObject({
				code: 'default-country-invalid',
				reason: expect.stringMatching(
					/^Country is "Terra", .+ \(from "Country for New Con/,
				) as string,
			});
		}
	});
});

test('a country for new contacts that the service does not have', () => {
	const { rows } = planOf([item('new@example.com')], [], { defaultCountry: 'Terra' });
	expect(rows[0]).toMatchObject({
		action: 'failed',
		field: 'Country',
		reason: expect.stringMatching(
			/^Country is "Terra", .+ \(from "Country for New Contacts"\)$/,
		) as string,
	});
});

test('a new contact without a country', () => {
	expect(planOf([item('new@example.com')], []).rows[0]).toMatchObject({
		field: 'Country',
		reason:
			'Country is missing, but the service requires it for new contacts. Map it, or choose a "Country for New Contacts"',
	});
});
