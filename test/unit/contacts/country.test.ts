import fc from 'fast-check';

import { CountryLookup } from '../../../nodes/EmailMarketing/features/locations/country';
import { readCountries } from '../../../nodes/EmailMarketing/features/locations/countryShape';
import { COUNTRIES } from '../../../sandbox/data/countries.ts';

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

const shapes: Array<[string, unknown[]]> = [
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
	const lookup = new CountryLookup({ countries: list });

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
		['U.S.', '231'],
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
		expect(lookup.find(text)).toEqual({
			code: 'country-unknown',
			problem: expect.stringMatching(problem) as string,
		});
	});
});

test.each<[string, unknown[]]>([
	['plain names', ['Germany', 'Austria']],
	['codes without ids', [{ code: 'DE', name: 'Germany' }]],
	['nothing', []],
	['numbers', [1, 2, 3]],
])('with %s there are no ids: names fail clearly, and ids are taken as they are', (_, list) => {
	const lookup = new CountryLookup({ countries: list });
	expect(lookup.find('82')).toEqual({ id: '82' });
	expect(lookup.find('Germany')).toEqual({
		code: 'country-list-unreadable',
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
	const lookup = new CountryLookup({ countries });
	for (const text of ['82', '0082', 'Germany', 'DE']) {
		expect(lookup.find(text)).toEqual({ id: '82', name: 'Germany' });
	}
});

test('a text that is too long for a country is not searched for', () => {
	const lookup = new CountryLookup({ countries: [{ id: 1, name: 'Germany' }] });
	const found = lookup.find('('.repeat(1_000_000));
	expect('problem' in found && found.problem).toMatch(
		/^is "\(+…", which is not in the country list of the service\. Enter an ID/,
	);
});

describe('a name that several countries may have is not guessed:', () => {
	const unknown = (text: string, closest: string) => ({
		code: 'country-unknown',
		problem: `is "${text}", which is not in the country list of the service. Closest: ${closest}`,
	});

	test.each([
		['Congo', ['Congo (Kinshasa)', 'Congo (Brazzaville)']],
		['Kongo', ['Congo - Kinshasa', 'Congo - Brazzaville']],
		['Korea', ['North Korea', 'South Korea']],
	])('%s', (text, names) => {
		const lookup = new CountryLookup({
			countries: names.map((name, id) => ({ id: id + 1, name })),
		});
		expect(lookup.find(text)).toEqual(unknown(text, names.join(', ')));
		for (const [index, name] of names.entries()) {
			expect(lookup.find(name)).toEqual({ id: String(index + 1), name });
		}
	});

	test.each([
		['Congo', 'CG', 'Congo, the Democratic Republic of the', 'COD'],
		['Korea', 'KR', "Korea (Democratic People's Republic of)", 'KP'],
	])('%s, unless the service lists it', (name, code, other, otherCode) => {
		const countries = [name, other].map((each, id) => ({ id: id + 1, name: each }));
		const lookup = new CountryLookup({ countries });
		for (const text of [name, code]) expect(lookup.find(text)).toEqual({ id: '1', name });
		for (const text of [other, otherCode]) {
			expect(lookup.find(text)).toEqual({ id: '2', name: other });
		}
	});

	test('two entries of one name', () => {
		const countries = [
			{ id: 1, name: 'Korea (Republic of)' },
			{ id: 2, name: 'South Korea' },
			{ id: 3, name: 'Republic of Korea' },
		];
		const lookup = new CountryLookup({ countries });
		const several = (text: string, ids: string) => ({
			code: 'country-ambiguous',
			problem: `is "${text}", which matches several countries of the service (IDs ${ids}). Enter one of these IDs`,
			ids: ids.split(', '),
		});
		expect(lookup.find('korea, REPUBLIC of')).toEqual(several('korea, REPUBLIC of', '1, 3'));
		expect(lookup.find('KR')).toEqual(several('KR', '1, 2, 3'));
		expect(lookup.find('South Korea')).toEqual({ id: '2', name: 'South Korea' });
		// A plan shows the name if there is one, and is planned again with it.
		expect(lookup.find('3')).toEqual({ id: '3', isNameShared: true });
	});

	test('a part of a country that the service lists as well', () => {
		const countries = ['United Kingdom', 'England'].map((name, index) => ({ id: index + 1, name }));
		const lookup = new CountryLookup({ countries });
		expect(lookup.find('England')).toEqual({ id: '2', name: 'England' });
		for (const text of ['UK', 'GB', 'Scotland']) {
			expect(lookup.find(text)).toEqual({ id: '1', name: 'United Kingdom' });
		}
	});

	test('two entries of one name with different codes', () => {
		const countries = [
			{ id: 1, name: 'Korea', iso2: 'KR' },
			{ id: 2, name: 'Korea', iso2: 'KP' },
			{ id: 3, name: 'Germany', iso2: 'DE' },
		];
		const lookup = new CountryLookup({ countries });
		for (const text of ['2', 'KP', 'prk', 'Nordkorea', 'North Korea (KP)']) {
			expect(lookup.find(text)).toEqual({ id: '2', isNameShared: true });
		}
	});
});

describe('what stands in parentheses belongs to the name:', () => {
	const names = COUNTRIES.map(([, name]) => name);
	const lookup = new CountryLookup({
		countries: names.map((name, index) => ({ id: index + 1, name })),
	});
	const nameOf = (text: string) => {
		const found = lookup.find(text);
		return 'problem' in found ? undefined : found.name;
	};

	test.each([
		['China (Hong Kong)', 'Hong Kong SAR China, China'],
		['Sudan (South)', 'South Sudan, Sudan'],
		['Guinea (Equatorial)', 'Equatorial Guinea'],
		['Samoa (American)', 'American Samoa, Samoa'],
		['Georgia (USA)', 'Georgia'],
		['Ireland (Northern)', 'Ireland'],
	])('%s is no country, but like %s', (text, closest) => {
		const found = lookup.find(text);
		expect('problem' in found && found.problem).toContain(`. Closest: ${closest}`);
	});

	test.each([
		['United Kingdom (UK)', 'United Kingdom'],
		['United States (US)', 'United States'],
		['Czech Republic (Czechia)', 'Czechia'],
		['Deutschland (DE)', 'Germany'],
		['Iran (Islamic Republic of)', 'Iran'],
		['Korea (the Republic of)', 'South Korea'],
		['Netherlands (the)', 'Netherlands'],
		['Taiwan (Province of China)', 'Taiwan'],
		['Virgin Islands (British)', 'British Virgin Islands'],
		['Burma', 'Myanmar (Burma)'],
		['England', 'United Kingdom'],
		['United Kingdom (Scotland)', 'United Kingdom'],
		['Guinea (Bissau)', 'Guinea-Bissau'],
	])('%s is %s', (text, name) => expect(nameOf(text)).toBe(name));

	test('a country with something else behind it is never that country', () => {
		const country = fc.constantFrom(...names);
		const behind = fc.oneof(country, fc.string({ minLength: 1, unit: 'grapheme-ascii' }));
		fc.assert(
			fc.property(country, behind, (name, other) => {
				fc.pre(
					/[a-z]/i.test(other) &&
						nameOf(other) !== name &&
						!/^(the|of|and|la|le)$/i.test(other.trim()),
				);
				expect(nameOf(`${name} (${other})`)).not.toBe(name);
			}),
		);
	});
});
