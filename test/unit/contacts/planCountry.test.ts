import type { ListedContact } from '../../../nodes/EmailMarketing/features/contacts/types';
import type { PlanInput } from '../../../nodes/EmailMarketing/features/sync/types';
import { createCountryLookup } from '../../../nodes/EmailMarketing/features/locations/country';
import { contact, COUNTRIES, item, planOf } from './builders';

type Countries = PlanInput['countries'];

/** What becomes of a contact whose city changes, if its details showed `read`. */
const updated = (country: unknown, read?: string, countries?: Countries) =>
	planOf(
		[item('c1@example.com', { city: 'Bonn' })],
		[contact(1, { country } as Partial<ListedContact>)],
		{},
		{ countryIds: new Map(read === undefined ? [] : [[1, read]]), ...(countries && { countries }) },
	).rows[0];

describe('the country of a contact', () => {
	test.each([
		['an ID in the details', 'Germany', '77', '77'],
		['a known ID in the details', 'Terra', '3', '3'],
		['a name in the details', 'Terra', 'Austria', '1'],
		['the list, where the details show none', 'Germany', '', '2'],
		['an ID in the list', 3, undefined, '3'],
	])('is that of %s', (_, listed, read, id) => {
		expect(updated(listed, read)).toMatchObject({ action: 'updated', body: { country: id } });
	});

	test.each([
		['a name that the service does not list', 'Terra'],
		['a text that begins with digits', '7x'],
		['a text that ends with digits', 'x7'],
	])('is unknown if the details show %s', (_, read) => {
		expect(updated('Terra', read)).toEqual({
			item: 0,
			action: 'failed',
			email: 'c1@example.com',
			contactId: 1,
			code: 'contact-country-unknown',
			field: 'Country',
			reason:
				'Country "Terra" of the contact is not in the country list of the service. Map a country',
		});
	});

	test('is missing if neither the list nor the details show one', () => {
		const reason =
			'Country is missing: the contact has none, but the service requires one. Map a country, or choose a "Country for New Contacts"';
		expect(updated(null, '')).toMatchObject({ action: 'failed', field: 'Country', reason });
		expect(updated('')).toMatchObject({ action: 'failed', field: 'Country', reason });
	});

	test('is unknown if it is an object', () => {
		expect(updated({ id: 2 })).toMatchObject({ action: 'failed', field: 'Country' });
	});
});

describe('until the details are read', () => {
	const items = [1, 2, 3, 4].map((id) => item(`c${id}@example.com`, { city: 'Bonn' }));
	const needed = (listed: Array<string | null>, countries?: Countries) =>
		planOf(
			items,
			listed.map((country, index) => contact(index + 1, { country })),
			{},
			countries && { countries },
		);

	test('nothing is to be done', () => {
		const { rows, detailsNeeded } = needed(['Terra']);
		expect(rows[0]).toEqual({
			...{ item: 0, action: 'unchanged', email: 'c1@example.com', contactId: 1 },
			reason: undefined,
		});
		expect(detailsNeeded).toEqual([1]);
		const missing = { kind: 'moveToContactType', contactTypeId: 8 } as const;
		expect(planOf([], [contact(1, { country: 'Terra' })], { missing }).rows).toEqual([
			{ action: 'unchanged', email: 'c1@example.com', contactId: 1 },
		]);
	});

	test('one contact is enough for each name, but all without a name are needed', () => {
		expect(needed(['Terra', 'Terra', 'Luna', null]).detailsNeeded).toEqual([1, 3, 4]);
		expect(needed([null, '', 'Terra', 'Germany']).detailsNeeded).toEqual([1, 2, 3]);
	});

	test('all with a name that several countries have are needed', () => {
		const twice = [...COUNTRIES, { id: 4, name: 'Germany', iso2: 'XX' }];
		const countries = createCountryLookup({ countries: twice });
		expect(needed(['Germany', 'Germany', 'Austria'], countries).detailsNeeded).toEqual([1, 2]);
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
