import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';

import { contact, NOW, segmentRecipient } from '../records';
import { chosen } from '../rows';
import { useService } from '../sandbox';

const test = useService({ segmentCounts: 'recipients' });
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

async function exported(email: string) {
	const { items, error, notes } = await test.service.run({
		...{ resource: 'person', operation: 'export', person: chosen(email, 'email') },
		binaryPropertyName: 'file',
	});
	expect(error).toBeUndefined();
	expect(notes[0]).toContain('which campaigns a person received');
	const [item] = items;
	const file = item?.binary?.file;
	expect(file).toMatchObject({ fileName: 'person.csv', mimeType: 'text/csv' });
	const text = Buffer.from(file?.data ?? '', 'base64').toString();
	expect(text.startsWith('\ufeff')).toBe(true);
	const rows: Array<Record<string, string>> = parse(text, { bom: true, columns: true });
	return { json: item?.json ?? {}, rows, notes };
}

it('returns all that is stored of a person, with source, endpoint and time', async () => {
	Object.assign(test.service.state.settings, { nulls: 'shown' });
	const { json, rows } = await exported('ADA@example.com');
	expect(json).toMatchObject({ found: true, contacts: 1, segmentRecipients: 1, exportedAt: time });
	expect(json.records).toEqual([
		{
			...{ source: 'Contacts', endpoint: 'GET /contacts/list', readAt: time, list: 'Customers' },
			...{ isDeleted: false, addressField: 'email' },
			record: expect.objectContaining({ ...contact, country: 'Germany' }) as unknown,
		},
		{
			...{ source: 'Segments', endpoint: 'GET /segment/email/list', readAt: time },
			...{ list: 'Recent customers', isDeleted: false, addressField: 'email' },
			record: segmentRecipient,
		},
	]);
	expect(json.notIncluded).toHaveLength(5);
	const origin = {
		...{ source: 'Contacts', endpoint: 'GET /contacts/list', read_at: time, list: 'Customers' },
		...{ record_id: '1000001', deleted: 'no', address_field: 'email' },
	};
	expect(rows).toContainEqual({ ...origin, field: 'postal_code', value: '10115' });
	expect(rows).toContainEqual({ ...origin, field: 'custom_field_company', value: 'Okafor & Co' });
	expect(new Set(rows.map(({ record_id }) => record_id))).toEqual(new Set(['1000001', '500001']));
	expect(test.service.violations()).toEqual([]);
});

it('marks deleted records', async () => {
	const { contacts } = test.service.state.tables;
	const ada = contacts.get(contact.id);
	if (ada) contacts.change(ada, { deleted_at: new Date(NOW).toISOString() });
	const { json, rows } = await exported('ada@example.com');
	expect(json).toMatchObject({ contacts: 0, deletedRecords: 1 });
	expect((json.records as IDataObject[]).map(({ isDeleted }) => isDeleted)).toEqual([true, false]);
	const deleted = new Map(rows.map(({ record_id, deleted }) => [record_id, deleted]));
	expect([...deleted]).toEqual([
		['1000001', 'yes'],
		['500001', 'no'],
	]);
});

it("shows which field of somebody else's contact has the address", async () => {
	const { contacts } = test.service.state.tables;
	const ada = contacts.get(contact.id);
	if (ada) contacts.change(ada, { alt_email: 'bob@example.com' });
	const { json, rows } = await exported('bob@example.com');
	expect(json.records).toMatchObject([{ addressField: 'alt_email' }]);
	expect(new Set(rows.map(({ address_field }) => address_field))).toEqual(new Set(['alt_email']));
});

it('says that nothing is stored, with a file that has only its header', async () => {
	const { json, rows, notes } = await exported('nobody@example.com');
	expect(json).toMatchObject({ found: false, records: [] });
	expect(notes[1]).toBe('Nothing was found for nobody@example.com. Check the spelling.');
	expect(rows).toEqual([]);
});

it('writes values that a spreadsheet could run as a formula with an apostrophe', async () => {
	const { contacts } = test.service.state.tables;
	const ada = contacts.get(contact.id);
	if (ada) contacts.change(ada, { city: '=1+1' });
	const { json, rows } = await exported('ada@example.com');
	expect(rows.find(({ field }) => field === 'city')?.value).toBe("'=1+1");
	expect((json.records as IDataObject[])[0]?.record).toMatchObject({ city: '=1+1' });
});
