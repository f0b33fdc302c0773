import {
	createAutomaticMapping,
	mapKeys,
} from '../../../nodes/EmailMarketing/features/contacts/fields';

test.each([
	['email', ['email', 'E-mail', 'EMAIL', 'Mail', 'e_mail', 'Email Address', 'E-Mail-Adresse']],
	['first_name', ['first_name', 'First Name', 'firstName', 'Given Name', 'Vorname', 'Prénom']],
	['last_name', ['last-name', 'Surname', 'Family name', 'Nachname', 'Apellido']],
	['country', ['Country', 'country_id', 'Country Code', 'Land', 'País']],
	['state', ['STATE', 'Bundesland']],
	['city', ['City', 'Town', 'Ort', 'Ville']],
	['address_line1', ['addressLine1', 'Address', 'Street', 'Straße', 'Address 1']],
	['address_line2', ['address_line_2', 'Street 2']],
	['state_province_region', ['State/Province/Region', 'Region', 'Province']],
	['postal_code', ['Zip', 'ZIP Code', 'Postcode', 'PLZ', 'postalCode']],
	['contact_id', ['contact_id', 'Contact ID', 'contactId']],
])('%s is found under its usual names', (field, keys) => {
	// A state counts beside a city only.
	const beside = field === 'state' ? ['city'] : [];
	for (const key of keys) {
		expect(mapKeys([key, ...beside])).toEqual([
			[field, [key]],
			...beside.map((one) => [one, [one]]),
		]);
	}
});

test('"state" alone is that of an account, unless its name says otherwise', () => {
	expect(mapKeys(['email', 'State'])).toEqual([['email', ['email']]]);
	expect(mapKeys(['Bundesland'])).toEqual([['state', ['Bundesland']]]);
	expect(mapKeys(['state', 'country'])).toHaveLength(2);
});

test('what is not a field of a contact is left out', () => {
	expect(mapKeys(['id', 'alt_email', 'Name', 'custom_field', 'Phone', 'constructor'])).toEqual([]);
});

test('of several keys for one field the API name comes first, then the closest, then the first', () => {
	expect(mapKeys(['Mail', 'E-Mail', 'email'])).toEqual([['email', ['email', 'E-Mail', 'Mail']]]);
	expect(mapKeys(['Mail', 'E-Mail', 'EMAIL'])).toEqual([['email', ['E-Mail', 'EMAIL', 'Mail']]]);
	expect(mapKeys(['Post Code', 'Zip'])).toEqual([['postal_code', ['Zip', 'Post Code']]]);
});

test('a key without a value does not hide another one for the same field', () => {
	const read = createAutomaticMapping();
	expect(read({ email: ' ', Mail: 'a@example.com', city: null, Ort: 'Bonn' }).values).toEqual({
		email: 'a@example.com',
		city: 'Bonn',
	});
	expect(read({ city: '', Ort: null }).values).toEqual({ city: '' });
	// The calling code is not that of a country.
	expect(read({ 'Country Code': '+49', Land: '' }).values).toEqual({ country: '' });
	expect(read({ 'Country Code': '+49' }).values).toEqual({});
});

test('items of different make are mapped each in their own way', () => {
	const read = createAutomaticMapping();
	expect(read({ 'E-Mail': 'a@example.com', Zip: 12345, Other: true })).toEqual({
		values: { email: 'a@example.com', postal_code: 12345 },
	});
	expect(read({ 'Contact ID': 4, Town: null })).toEqual({ contactId: 4, values: { city: null } });
	expect(read({})).toEqual({ values: {} });
});

test('keys that look alike when they are put together are told apart', () => {
	const read = createAutomaticMapping();
	read({ 'x\u0000email': 'nobody@example.com' });
	expect(read({ x: '', email: 'ada@example.com' }).values).toEqual({ email: 'ada@example.com' });
});
