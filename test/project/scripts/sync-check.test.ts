import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countryWithCode } from '../../../sandbox/data/locations.ts';
import type { Contact } from '../../../sandbox/model.ts';
import { expectSync, syncDifferences, syncSummary } from '../../../scripts/lib/sync-check.ts';
import { root } from './freshHome';

const germany = countryWithCode('DE').id;

const contact = (id: number, fields: Partial<Contact>): Contact => ({
	id,
	user_id: 1,
	created_at: '2026-01-01T00:00:00Z',
	updated_at: '2026-01-01T00:00:00Z',
	contact_type_id: 22,
	first_name: '',
	last_name: '',
	email: `${id}@example.com`,
	alt_email: null,
	country: germany,
	state: '',
	city: '',
	address_line1: '',
	address_line2: '',
	state_province_region: '',
	postal_code: '',
	custom_field: null,
	deleted_at: null,
	...fields,
});

const csv = [
	'First Name,Last Name,E-mail,Country,State,City,Address Line 1,Zip',
	'Ada,Old, ADA@example.com ,DE,Berlin,Berlin,,10115',
	'Ben,Same,ben@example.com,Germany,,,,',
	'Cy,Gone,cy@example.com,DE,,,,',
	'Dora,Early,dora@example.com,DE,,,,',
	'Dora,Late,dora@example.com,USA,Oregon,Portland,"1 Mill Lane\r\nFloor 2",97201',
	'Eve,Wrong,eve example.com,DE,,,,',
].join('\n');

const ada = contact(1, { email: 'ada@example.com', last_name: 'Young', city: 'Bonn' });
const ben = contact(2, { email: 'ben@example.com', first_name: 'Ben', last_name: 'Same' });
const other = contact(3, { email: 'cy@example.com', contact_type_id: 21 });
const deleted = contact(4, { email: 'dora@example.com', deleted_at: '2026-02-01T00:00:00Z' });
const before = { contacts: [ada, ben, other, deleted], unsubscribed: ['CY@example.com'] };
const expected = expectSync(csv, 22, before);

const adaNow = {
	...ada,
	first_name: 'Ada',
	last_name: 'Old',
	state: 'Berlin',
	city: 'Berlin',
	postal_code: '10115',
	country: germany,
};
const dora = contact(5, {
	email: 'dora@example.com',
	first_name: 'Dora',
	last_name: 'Late',
	country: Number(expected.contacts.get('dora@example.com')?.country),
	state: 'Oregon',
	city: 'Portland',
	address_line1: '1 Mill Lane\nFloor 2',
	postal_code: '97201',
});
const good = {
	outcomes: ['updated', 'unchanged', 'skipped', 'skipped', 'created', 'failed'],
	contacts: [adaNow, ben, other, deleted, dora],
};

it('expects what the sync does', () => {
	expect(expected.outcomes).toEqual({
		created: 1,
		updated: 1,
		unchanged: 1,
		skipped: 2,
		failed: 1,
	});
	expect(syncDifferences(expected, good)).toEqual([]);
	expect(syncSummary(expected)).toContain('6 rows of contacts.csv');
	expect(syncSummary(expected)).toContain('holds the 3 expected contacts');
});

it('expects nothing to change the second time', () => {
	const again = expectSync(csv, 22, { ...before, contacts: good.contacts });
	expect(again.outcomes).toEqual({
		created: 0,
		updated: 0,
		unchanged: 3,
		skipped: 2,
		failed: 1,
	});
});

it.each<[string, Partial<typeof good>, string[]]>([
	[
		'a row without an outcome',
		{ outcomes: good.outcomes.slice(1) },
		['6 rows went in, and 5 outcomes came back', '0 rows were updated, and 1 should be'],
	],
	[
		'a missing contact',
		{ contacts: [adaNow, ben, other, deleted] },
		['dora@example.com is missing'],
	],
	[
		'somebody who unsubscribed',
		{ contacts: [...good.contacts, contact(6, { email: 'cy@example.com' })] },
		['cy@example.com should not be there'],
	],
	[
		'an address twice',
		{ contacts: [...good.contacts, { ...dora, id: 7, email: 'Dora@example.com' }] },
		['dora@example.com is there more than once'],
	],
	[
		'a contact of another type that was changed',
		{ contacts: [adaNow, ben, { ...other, city: 'Rome' }, deleted, dora] },
		['Contact 3 of another contact type was changed'],
	],
])('reports %s', (_, change, lines) => {
	expect(syncDifferences(expected, { ...good, ...change })).toEqual(lines);
});

it('reports a wrong value, with the right one', () => {
	const contacts = [ada, ...good.contacts.slice(1)];
	const [line = '', ...rest] = syncDifferences(expected, { ...good, contacts });
	expect(rest).toEqual([]);
	expect(line).toMatch(/^ada@example\.com should have .*city "Berlin".* and has .*city "Bonn"/);
});

it('reads the whole file of the example', () => {
	const file = readFileSync(join(root, 'examples', 'data', 'contacts.csv'), 'utf8');
	const { rows, outcomes, contacts } = expectSync(file, 22, { contacts: [], unsubscribed: [] });
	expect(rows).toBe(1200);
	expect(outcomes).toMatchObject({ updated: 0, unchanged: 0, failed: 3 });
	expect(contacts.size).toBe(outcomes.created);
	expect([...contacts.values()].filter(({ country }) => country === undefined)).toEqual([]);
});
