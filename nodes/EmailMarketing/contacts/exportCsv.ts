import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import { fetchList } from '../api/lists';
import type { RunContext } from '../engine/runContext';
import { filterOf } from '../output/listOutput';
import { recordFields } from '../output/simplify';
import { InvalidInput } from '../params/invalidInput';
import { listOf } from '../params/values';
import { coerceText, isObject } from '../util/coerce';
import { csvText } from '../util/csv';
import { quote } from '../util/text';

/** Columns of a file unless others are chosen: named so that automatic mapping reads them again. */
const COLUMNS: readonly string[] = [
	...['id', 'contact_type', 'email', 'alt_email', 'first_name', 'last_name', 'country', 'state'],
	...['city', 'address_line1', 'address_line2', 'state_province_region', 'postal_code'],
	...['created_at', 'updated_at'],
];

/** @throws InvalidInput for a column that contacts do not have */
function columnsOf(value: unknown): readonly string[] {
	const chosen = listOf(value, 'Columns');
	const known = recordFields('contact', 'getAll');
	const wrong = chosen.find((column) => !known.includes(column));
	if (wrong === undefined) return chosen.length > 0 ? chosen : COLUMNS;
	throw new InvalidInput(
		`"Columns" has a field that contacts do not have: ${quote(wrong)}`,
		`Choose from: ${known.join(', ')}.`,
	);
}

interface CustomField {
	field_name: string;
	field_value: unknown;
}

function customFields({ custom_field: fields }: IDataObject): CustomField[] {
	return isObject(fields)
		? (Object.values(fields).filter(isObject) as unknown as CustomField[])
		: [];
}

function customNames(contacts: IDataObject[]): string[] {
	const names = new Set<string>();
	for (const contact of contacts) {
		for (const { field_name } of customFields(contact)) names.add(field_name);
	}
	return [...names];
}

function* rowsOf(
	contacts: IDataObject[],
	columns: readonly string[],
	names: string[],
): Generator<unknown[]> {
	for (const contact of contacts) {
		const type = contact.contact_type;
		const values = new Map(
			names.length === 0
				? []
				: customFields(contact).map((field) => [field.field_name, field.field_value]),
		);
		yield [
			...columns.map((column) =>
				column === 'contact_type' ? (isObject(type) ? type.name : '') : contact[column],
			),
			...names.map((name) => values.get(name)),
		];
	}
}

/** Contact: Export to CSV. One file for the whole run, however many input items there are. */
export async function exportCsv(run: RunContext): Promise<INodeExecutionData[]> {
	const filters = run.param('filters', {}) as IDataObject;
	const fits = filterOf(filters, run.timezone, 'contact');
	const options = run.param('options', {}) as IDataObject;
	const columns = columnsOf(options.columns);
	const all = await fetchList(run.client, endpoints.contact.getAll);
	const contacts = all.filter((contact) => !contact.deleted_at && fits(contact));
	const names = options.customFields === false ? [] : customNames(contacts);
	const safe = { spreadsheetSafe: options.spreadsheetSafe !== false };
	const text = csvText([...columns, ...names], rowsOf(contacts, columns, names), safe);
	const fileName = coerceText(options.fileName).trim() || 'contacts.csv';
	const property = coerceText(run.param('binaryPropertyName', 'data')).trim() || 'data';
	const file = await run.helpers.prepareBinaryData(Buffer.from(text), fileName, 'text/csv');
	return [
		{
			json: { contacts: contacts.length, fileName },
			binary: { [property]: file },
			pairedItem: { item: 0 },
		},
	];
}
