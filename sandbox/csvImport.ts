import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { countryNamed, countryWithId } from './data/locations.ts';
import type { Context } from './endpoint.ts';
import type { Contact, Field } from './model.ts';
import { isEmail } from './params.ts';
import { invalid, success, type Reply } from './replies.ts';
import type { Settings } from './settings.ts';

export const sampleCsv = ({ csvColumns }: Settings): string => stringify([Object.keys(csvColumns)]);

/** #21: what happens to bad rows is not shown, nor when the contacts are there. */
export function importRows(context: Context, contactType: number, bytes: Buffer): Reply {
	let rows: Array<Record<string, string>>;
	try {
		rows = parse(bytes, { bom: true, columns: true, trim: true, relax_column_count: true });
	} catch {
		return invalid({ file: ['The file cannot be read as csv.'] });
	}
	const { clock, settings, imports } = context;
	const { csvBadRow, csvMaxRows, csvDelayMs, csvContactType } = settings;
	if (csvMaxRows !== null && rows.length > csvMaxRows) {
		return invalid({ file: [`The file may not have more than ${csvMaxRows} rows.`] });
	}
	const bad = rows.findIndex((row) => !contactOf(row, settings));
	if (csvBadRow === 'refuse' && bad >= 0) {
		return invalid({ file: [`Row ${bad + 1} of the file is invalid.`] });
	}
	const finish = () => addRows(context, csvContactType === 'none' ? 0 : contactType, rows);
	if (csvDelayMs > 0) imports.push({ due: clock.now() + csvDelayMs, finish });
	else finish();
	return success('Imported Successfully');
}

/** Rows without a valid address or a known country are dropped without a word. */
function addRows(
	{ tables, clock, settings }: Context,
	contactType: number,
	rows: Array<Record<string, string>>,
): void {
	const customFields = settings.csvCustomFields === 'filled' ? tables.customFields.all() : [];
	const taken = new Set<string>();
	if (settings.duplicateEmail === 'refuse') {
		for (const contact of tables.contacts.values()) {
			if (contact.contact_type_id === contactType) taken.add(contact.email.toLowerCase());
		}
	}
	for (const row of rows) {
		const contact = contactOf(row, settings);
		if (!contact || taken.has(contact.email.toLowerCase())) continue;
		if (settings.duplicateEmail === 'refuse') taken.add(contact.email.toLowerCase());
		const custom_field = customValues(row, customFields);
		tables.contacts.add({ ...contact, contact_type_id: contactType, custom_field }, clock.now());
	}
}

function contactOf(row: Record<string, string>, settings: Settings) {
	const fields: Record<string, string> = {};
	for (const [header, field] of Object.entries(settings.csvColumns))
		fields[field] = row[header] ?? '';
	const { country = '', email = '', alt_email, ...texts } = fields;
	const found = /^\d+$/.test(country) ? countryWithId(Number(country)) : countryNamed(country);
	if (!found || !isEmail(email, settings)) return null;
	return { ...(texts as Partial<Contact>), email, country: found.id, alt_email: alt_email || null };
}

function customValues(row: Record<string, string>, fields: Field[]): Contact['custom_field'] {
	const values = fields
		.filter((field) => row[field.field_name] !== undefined)
		.map((field) => {
			const { field_name } = field;
			return [`field_${field.id}`, { field_name, field_value: row[field_name] || null }] as const;
		});
	return values.length ? Object.fromEntries(values) : null;
}
