import {
	CONTACT_FIELDS,
	type MappedContact,
} from '../../../nodes/EmailMarketing/features/contacts/fields';
import { chooseTrial, filesOf } from '../../../nodes/EmailMarketing/features/sync/importFile';
import type { PlannedRow } from '../../../nodes/EmailMarketing/features/contacts/types';
import type { CsvImport } from '../../../nodes/EmailMarketing/features/sync/types';
import { Cancelled } from '../../../nodes/EmailMarketing/util/pool';
import { contact, item, planOf } from './builders';
import { InMemoryService, syncOptions } from './inMemoryService';
import { runOf, syncOnce } from './syncRun';

const everyField: CsvImport = {
	above: 1,
	columns: CONTACT_FIELDS.map((field) => ({ header: field, field })),
	country: 'id',
};

const people = (count: number, values: MappedContact['values'] = { city: 'Bonn' }) =>
	Array.from({ length: count }, (_, n) => item(`n${n}@x.org`, { country: 'DE', ...values }));

async function run(
	service: InMemoryService,
	items: MappedContact[],
	changed: Partial<CsvImport> = {},
	pool = runOf(service),
) {
	const csvImport = { ...everyField, ...changed };
	const { rows, notes } = await syncOnce(items, service, syncOptions({ csvImport }), pool);
	return {
		rows: rows.map(({ action, reason, contactId }) => ({ action, reason, contactId })),
		notes,
	};
}

const uploads = ({ calls }: InMemoryService) => calls.filter((call) => call === 'upload').length;

test('a trial of one contact is read again, and then the others are imported', async () => {
	const service = new InMemoryService();
	const { rows, notes } = await run(service, people(4));
	expect(rows).toEqual(
		[100, 101, 102, 103].map((contactId) => ({ action: 'created', reason: undefined, contactId })),
	);
	expect(notes).toEqual([]);
	expect(service.calls.slice(3)).toEqual(['upload', 'list', 'upload', 'list']);
	expect(service.csv.split('\r\n').length).toBe(5);
});

test('columns and the country are written as chosen', async () => {
	const service = new InMemoryService();
	service.csvColumns = { 'E-Mail': 'email', Land: 'country', City: 'city' };
	const columns = [
		{ header: 'E-Mail', field: 'email' },
		{ header: 'Land', field: 'country' },
		{ header: 'City', field: 'city' },
	] as const;
	const items = [
		item('n1@x.org', { country: 'AT', city: 'Bonn, "Süd"' }),
		item('n2@x.org', { country: 'DE' }),
	];
	await run(service, items, { columns, country: 'name' });
	const lines = ['E-Mail,Land,City', 'n1@x.org,Austria,"Bonn, ""Süd"""', 'n2@x.org,Germany,', ''];
	expect(service.csv).toBe(lines.join('\r\n'));
	// Both are in the trial: only one of them has a city.
	expect(service.writes).toEqual(['upload']);
});

test('the trial has the first contact, and each other one with a field or a kind of text that none before it has', () => {
	const items = [
		item('a@x.org', { country: 'DE', city: 'Bonn' }),
		item('b@x.org', { country: 'DE', city: 'Köln', postal_code: '01234' }),
		item('c@x.org', { country: 'DE', city: 'Ulm', first_name: 'Ann "A"' }),
		item('d@x.org', { country: 'DE', city: 'Bonn' }),
	];
	const chosen = (given: MappedContact[], country: CsvImport['country'] = 'id') => {
		const contacts = planOf(given, []).rows.map((row, index) => ({ index, row }));
		return chooseTrial(contacts, { country }).map(({ index }) => index);
	};
	expect(chosen(items)).toEqual([0, 1, 2]);
	expect(chosen(items.slice(1, 2))).toEqual([0]);
	expect(chosen([items[0], items[3]] as MappedContact[])).toEqual([0]);
	const countries = ['DE', 'AT', 'AT', 'CH'].map((country, n) => item(`n${n}@x.org`, { country }));
	expect(chosen(countries)).toEqual([0, 1]);
	expect(chosen(countries, 'name')).toEqual([0, 1]);
	const { rows } = planOf(countries, []);
	const named = ['Germany', 'Austria', 'Åland Islands', 'Korea, Republic of'].map((to, index) => ({
		index,
		row: { ...(rows[index] as PlannedRow), changes: { country: { from: null, to } } },
	}));
	expect(chooseTrial(named, { country: 'id' })).toEqual(named.slice(0, 2));
	expect(chooseTrial(named, { country: 'name' })).toEqual(named);
});

test('a file has at most 5,000 contacts and 1 MB', () => {
	const filled = (count: number, city: string) =>
		planOf(people(count, { city }), []).rows.map((row, index) => ({ index, row }));
	const sizes = (contacts: ReturnType<typeof filled>) =>
		[...filesOf(contacts, everyField)].map((file) => file.contacts.length);
	expect(sizes(filled(10_001, 'Bonn'))).toEqual([5_000, 5_000, 1]);
	const long = [...filesOf(filled(2_500, 'ü'.repeat(400)), everyField)];
	expect(long.map(({ contacts }) => contacts.length)).toEqual([1_216, 1_215, 69]);
	for (const { text } of long) expect(Buffer.byteLength(text)).toBeLessThan(1_000_200);
	expect(sizes(filled(2, 'x'.repeat(2_000_000)))).toEqual([1, 1]);
	expect(sizes([])).toEqual([]);
});

test('few contacts, and contacts that a file cannot hold, are created one by one', async () => {
	const service = new InMemoryService([
		contact(1, { email: 'n0@x.org', contact_type_id: 8 }),
		contact(2, { email: 'n1@x.org', deleted_at: '2026-01-01T00:00:00.000000Z' }),
	]);
	const columns = everyField.columns.filter(({ field }) => field !== 'state');
	const items = [
		...people(4),
		item('s@x.org', { country: 'DE', state: 'NRW' }),
		item('u@x.org', { country: 77 }),
	];
	const { rows, notes } = await run(service, items, { columns });
	expect(rows.map(({ action }) => action)).toEqual([...Array(5).fill('created'), 'failed']);
	expect(service.writes).toEqual([
		...['upload', 'upload', 'create n0@x.org', 'create n1@x.org', 'create s@x.org'],
	]);
	expect(notes).toEqual([]);

	const other = new InMemoryService();
	await run(other, people(2), { above: 2 });
	expect(other.writes).toEqual(['create n0@x.org', 'create n1@x.org']);
});

const sent = (count: number, why: string) => [
	`New contacts sent one by one instead of as a file: ${count}. ${why}`,
];
const LATE =
	'The contact was not found after the import. This contact may still appear: check the service before you run this again';
const created = { action: 'created', reason: undefined };

test.each([
	['nothing', { action: 'failed', reason: LATE }, 'The imported contact is not in the list'],
	['much later', { action: 'failed', reason: LATE }, 'The imported contact is not in the list'],
	[
		'without a type',
		{
			action: 'failed',
			reason:
				'The contact was not found after the import. Contact 100 with this address was added to contact type 0 during the run, by the import or by someone else. This contact may still appear: check the service before you run this again',
		},
		'Contact 100 with this address was added to contact type 0 during the run, by the import or by someone else',
	],
	[
		'without the city',
		{
			...created,
			reason:
				'The import stored other values in City. Check the contact, or run again to update it',
		},
		'The import stored other values in City',
	],
	[
		'twice',
		{ action: 'unchanged', reason: 'Another run or source added this address at the same time' },
		'The imported contact is in the list several times',
	],
	[
		'with a stranger',
		created,
		'Other contacts were added, changed or removed during the trial import',
	],
	[
		'in place of another',
		created,
		'Other contacts were added, changed or removed during the trial import',
	],
	['a part, then refused', created, 'The service rejected "Email".'],
] as const)(
	'after an import of the trial as "%s", the others are created one by one',
	async (style, first, why) => {
		const service = new InMemoryService();
		service.imports = style;
		const { rows, notes } = await run(service, people(3));
		const isRefused = style === 'a part, then refused';
		expect(rows).toMatchObject([first, created, created]);
		expect(uploads(service)).toBe(1);
		expect(notes).toEqual(sent(isRefused ? 3 : 2, why));
		service.arrive();
		const ids = service.contacts.filter(({ email }) => email === 'n0@x.org');
		expect(ids).toHaveLength(style === 'nothing' ? 0 : 1);
	},
);

test('an import that appears a little later is waited for', async () => {
	const service = new InMemoryService();
	service.imports = 'a little later';
	const { rows, notes } = await run(service, people(3));
	expect(rows).toMatchObject([created, created, created]);
	expect(notes).toEqual([]);
	const look = ['upload', 'list', 'wait 5000', 'list'];
	expect(service.calls.slice(3)).toEqual([...look, ...look]);
});

test.each([
	['rejected', { action: 'created' }, ['create n0@x.org', 'create n1@x.org', 'create n2@x.org']],
	['lost before', { action: 'failed' }, ['create n1@x.org', 'create n2@x.org']],
	[
		'lost after',
		{
			...{ action: 'created', contactId: 100 },
			reason: 'The response was lost, but the list is as planned',
		},
		['create n1@x.org', 'create n2@x.org'],
	],
] as const)('a trial that is %s is not repeated', async (fault, first, creates) => {
	const service = new InMemoryService();
	service.faults = [['upload', fault]];
	const { rows, notes } = await run(service, people(3));
	expect(rows).toMatchObject([first, { action: 'created' }, { action: 'created' }]);
	expect(service.writes).toEqual(['upload', ...creates]);
	const why = fault === 'rejected' ? 'The service rejected "Email".' : 'The connection broke off.';
	expect(notes).toEqual(sent(creates.length, why));
});

test('a later file that is lost is not repeated, and the next one is sent', async () => {
	const service = new InMemoryService();
	service.onWrite = () =>
		(service.faults = uploads(service) === 2 ? [['upload', 'lost before']] : []);
	const { rows } = await run(service, people(6_002));
	expect(service.writes).toEqual(['upload', 'upload', 'upload']);
	expect(rows[0]).toMatchObject(created);
	expect(rows[5_000]).toMatchObject({
		action: 'failed',
		reason:
			'The contact was not found after the import. The connection broke off. This contact may still appear: check the service before you run this again',
	});
	expect(rows[5_001]).toMatchObject(created);
});

test('after a later file that is refused, what is not in the list is created one by one', async () => {
	const service = new InMemoryService();
	service.imports = 'refused above two rows';
	const { rows, notes } = await run(service, people(4));
	expect(rows).toMatchObject([created, created, created, created]);
	expect(service.calls.slice(3)).toEqual([
		...['upload', 'list', 'upload', 'list'],
		...['create n1@x.org', 'create n2@x.org', 'create n3@x.org', 'list'],
	]);
	expect(notes).toEqual(sent(3, 'The service rejected "Email".'));
});

test('if the list cannot be read after the trial, it says so', async () => {
	const service = new InMemoryService();
	service.failReadsAfter = 3;
	const { rows, notes } = await run(service, people(2));
	expect(rows[0]).toMatchObject({
		action: 'failed',
		reason:
			'The file was imported. The list could not be read afterwards (The service is down). Run again: people already on the list are not written twice.',
	});
	expect(service.writes).toEqual(['upload', 'create n1@x.org']);
	expect(notes).toEqual(
		sent(1, 'The list could not be read after the trial import (The service is down)'),
	);
});

test('nothing is sent any more once the run is canceled', async () => {
	const service = new InMemoryService();
	const canceled = new AbortController();
	service.onWrite = () => canceled.abort();
	const pool = runOf(service, { signal: canceled.signal });
	await expect(run(service, people(3), {}, pool)).rejects.toBeInstanceOf(Cancelled);
	expect(service.writes).toEqual(['upload']);
});
