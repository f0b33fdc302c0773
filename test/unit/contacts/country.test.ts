import { createCountryLookup } from '../../../nodes/EmailMarketing/contacts/country';
import { readCountries } from '../../../nodes/EmailMarketing/contacts/countryShape';

const NAMES: Array<[number, string, string, string]> = [
	[14, 'Austria', 'AT', 'AUT'],
	[44, 'China', 'CN', 'CHN'],
	[54, "Côte d'Ivoire", 'CI', 'CIV'],
	[82, 'Germany', 'DE', 'DEU'],
	[104, 'Iran, Islamic Republic of', 'IR', 'IRN'],
	[116, 'Korea, Republic of', 'KR', 'KOR'],
	[152, 'Netherlands (the)', 'NL', 'NLD'],
	[183, 'Saint Lucia', 'LC', 'LCA'],
	[230, 'United Kingdom', 'GB', 'GBR'],
	[231, 'United States of America', 'US', 'USA'],
];

const shapes: Array<[string, unknown]> = [
	['id and name', NAMES.map(([id, name]) => ({ id, name }))],
	[
		'country_id and country_name',
		NAMES.map(([id, name]) => ({ country_id: `${id}`, country_name: name })),
	],
	['value and label', NAMES.map(([value, label]) => ({ value, label }))],
	[
		'sortname and phone code',
		NAMES.map(([id, name, sortname], index) => ({ id, sortname, name, phonecode: 40 + index })),
	],
	[
		'a nested object',
		NAMES.map(([id, name, iso2]) => ({ id, type: 'country', attributes: { name, iso2 } })),
	],
	[
		'other ids and names beside them',
		NAMES.map(([id, name, iso2, iso3], index) => ({
			region_id: index,
			capital: `City ${index}`,
			native: 'x'.repeat(index + 3),
			code: iso3,
			iso_code: iso2,
			id,
			name,
			created_at: '2026-01-01T00:00:00.000000Z',
		})),
	],
	['pairs', NAMES.map(([id, name]) => [id, name])],
	['pairs that begin with the name', NAMES.map(([id, name]) => [name, id])],
];

describe.each(shapes)('a lookup of %s', (_, list) => {
	const lookup = createCountryLookup({ countries: list, states: [], cities: [] });

	test.each([
		['82', '82'],
		['082', '82'],
		['Germany', '82'],
		['  GERMANY', '82'],
		['de', '82'],
		['DEU', '82'],
		['Deutschland', '82'],
		['Allemagne', '82'],
		['Österreich', '14'],
		['cote d ivoire', '54'],
		['Ivory Coast', '54'],
		['CIV', '54'],
		['Iran', '104'],
		['Islamic Republic of Iran', '104'],
		['South Korea', '116'],
		['KR', '116'],
		['The Netherlands', '152'],
		['NL', '152'],
		['St. Lucia', '183'],
		['UK', '230'],
		['GB', '230'],
		['U.S.A.', '231'],
		['USA', '231'],
		['United States', '231'],
		['US', '231'],
		['中国', '44'],
	])('resolves %s', (text, id) => {
		expect(lookup.find(text)).toEqual({
			id,
			name: NAMES.find(([known]) => `${known}` === id)?.[1],
		});
	});

	test.each([
		['Germny', /^is "Germny", which is not in the country list of the service\. Closest: Germany/],
		['Untied Kingdom', /Closest: United Kingdom/],
		['%%%', /Enter an ID, a name or an ISO code/],
		['XX', /not in the country list/],
		['9999', /has the ID 9999, which is not in the country list/],
		['France', /not in the country list/],
	])('does not resolve %s', (text, problem) => {
		expect(lookup.find(text)).toEqual({ problem: expect.stringMatching(problem) as string });
	});
});

test.each([
	['plain names', ['Germany', 'Austria']],
	['codes without ids', [{ code: 'DE', name: 'Germany' }]],
	['nothing', []],
	['no list', undefined],
	['a map in place of the list', { 82: 'Germany' }],
	['numbers', [1, 2, 3]],
])('with %s there are no ids: names fail clearly, and ids are taken as they are', (_, list) => {
	const lookup = createCountryLookup({ countries: list });
	expect(lookup.find('82')).toEqual({ id: '82' });
	expect(lookup.find('Germany')).toEqual({
		problem: expect.stringMatching(
			/the country list of the service cannot be read\. Enter the ID/,
		) as string,
	});
});

test('a country whose ID has lost digits is left out', () => {
	const list = [
		{ id: 1, name: 'Austria' },
		{ id: 2 ** 53, name: 'Germany' },
	];
	expect(readCountries(list)).toEqual([{ id: '1', name: 'Austria' }]);
});

test('an ID that the service lists with zeros before it is sent without them', () => {
	const countries = NAMES.map(([id, name]) => ({ id: `00${id}`, name }));
	const lookup = createCountryLookup({ countries, states: [], cities: [] });
	for (const text of ['82', '0082', 'Germany', 'DE']) {
		expect(lookup.find(text)).toEqual({ id: '82', name: 'Germany' });
	}
});

test('a text that is too long for a country is not searched for', () => {
	const lookup = createCountryLookup({ countries: [{ id: 1, name: 'Germany' }] });
	const found = lookup.find('('.repeat(1_000_000));
	expect('problem' in found && found.problem).toMatch(
		/^is "\(+…", which is not in the country list of the service\. Enter an ID/,
	);
});

test('a name that two countries share is not guessed', () => {
	const lookup = createCountryLookup({
		countries: [
			{ id: 1, name: 'Congo (Kinshasa)' },
			{ id: 2, name: 'Congo (Brazzaville)' },
		],
	});
	expect(lookup.find('Congo')).toMatchObject({
		ambiguous: true,
		problem: expect.stringMatching(/1, 2/) as string,
	});
	expect(lookup.find('congo brazzaville')).toMatchObject({ id: '2' });
	expect(lookup.find('CD')).toMatchObject({ id: '1' });
});

test('a name learned from contact details is known', () => {
	const lookup = createCountryLookup({ countries: [] }, new Map([['Terra', '7']]));
	expect(lookup.find('Terra')).toEqual({ id: '7', name: 'Terra' });
});
