import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { endpoints } from '../../../service/endpoints';
import { fetchList } from '../../../service/lists';
import type { RunContext } from '../../../run/runContext';
import { requireSameOptions } from '../../../run/sameForAll';
import { flatCustomFields } from '../../../records/customFields';
import { recordFields } from '../../../run/output/simplify';
import { outputFieldOf } from '../../../params/file';
import { emptyExpression, mayBeEmpty } from '../../../params/givenOption';
import { InvalidInput } from '../../../params/invalidInput';
import type { Item } from '../../../params/item';
import { isOn, listOf } from '../../../params/values';
import { coerceText, isObject } from '../../../util/coerce';
import { byteOrderMark, csvText } from '../../../util/csv';
import { settleAll } from '../../../util/promises';
import { quote } from '../../../util/text';
import { suppressionReader } from '../../consent/entries';
import { suppressionOf } from '../../consent/guard';
import { readSuppressions } from '../../consent/suppressions';
import type { Suppressions } from '../../consent/types';
import { contactFilter, requireSameFilters } from '../contactList';

/** The columns of a file unless others are chosen, with names that automatic mapping understands. */
export const COLUMNS: readonly string[] = [
	...['id', 'contact_type', 'email', 'alt_email', 'first_name', 'last_name', 'country', 'state'],
	...['city', 'address_line1', 'address_line2', 'state_province_region', 'postal_code'],
	...['created_at', 'updated_at'],
];

/**
 * @param hasDeleted whether deleted contacts are among them
 * @param mustChoose whether an empty value is an error instead of meaning all columns
 * @throws InvalidInput for a column that contacts do not have
 */
function columnsOf(value: unknown, hasDeleted: boolean, mustChoose: boolean): readonly string[] {
	const chosen = listOf(value, 'Columns');
	if (chosen.length === 0 && mustChoose) throw emptyExpression('Columns', 'export all columns');
	const known = recordFields('contact', 'getAll');
	const wrong = chosen.find((column) => !known.includes(column));
	if (wrong === undefined) {
		const columns = hasDeleted ? [...COLUMNS, 'deleted_at'] : COLUMNS;
		return chosen.length > 0 ? chosen : columns;
	}
	throw new InvalidInput(
		'field-unknown',
		`"Columns" contains a field that contacts do not have: ${quote(wrong)}`,
		`Choose from: ${known.join(', ')}.`,
	);
}

/** The columns of the custom fields that any of the contacts has, as Get Many names them. */
function customColumns(contacts: IDataObject[]): string[] {
	return [...new Set(contacts.flatMap((contact) => Object.keys(flatCustomFields(contact))))];
}

function* rowsOf(
	contacts: IDataObject[],
	columns: readonly string[],
	custom: string[],
): Generator<unknown[]> {
	for (const contact of contacts) {
		const type = contact.contact_type;
		const values = custom.length === 0 ? {} : flatCustomFields(contact);
		yield [
			...columns.map((column) =>
				column === 'contact_type' ? (isObject(type) ? type.name : '') : contact[column],
			),
			...custom.map((column) => values[column]),
		];
	}
}

/** Who is on the global unsubscribes (1). Nothing is written, so the error for an unreadable list needs no advice. */
const unsubscribesOf = async (run: RunContext): Promise<Suppressions> =>
	await readSuppressions(
		suppressionReader(run, async (...list) => await fetchList(run.client, ...list)),
		{ globalUnsubscribes: true, unsubscribeGroupIds: [] },
		(error) => error,
	);

/** Contact: Export to CSV. One file for the whole run, however many input items there are. */
export async function exportCsv(run: RunContext): Promise<INodeExecutionData[]> {
	const item = run.items[0] as Item;
	requireSameFilters(run);
	requireSameOptions(run, { 'options.customFields': 'Custom Fields' });
	const options = run.param('options', {}) as IDataObject;
	const filters = item.param('filters', {}) as IDataObject;
	const columns = columnsOf(
		options.columns,
		isOn(filters.includeDeleted, 'Include Deleted'),
		!mayBeEmpty(item, 'options.columns'),
	);
	const hasCustomFields = isOn(options.customFields, 'Custom Fields', true);
	const spreadsheetSafe = isOn(options.forSpreadsheets, 'For Spreadsheets', true);
	const fits = await contactFilter(run, item);
	const leavesOut = isOn(options.leaveOutGlobalUnsubscribes, 'Leave Out Global Unsubscribes');
	const [all, unsubscribed] = await settleAll([
		fetchList(run.client, endpoints.contact.getAll),
		leavesOut ? unsubscribesOf(run) : undefined,
	]);
	const found = all.filter(fits);
	const contacts = found.filter(
		({ email, alt_email: other }) =>
			!unsubscribed || !suppressionOf(unsubscribed, coerceText(email), coerceText(other)),
	);
	const leftOutCount = found.length - contacts.length;
	const custom = hasCustomFields ? customColumns(contacts) : [];
	const text = csvText([...columns, ...custom], rowsOf(contacts, columns, custom), {
		spreadsheetSafe,
	});
	const fileName = coerceText(options.fileName).trim() || 'contacts.csv';
	run.showHint(
		leavesOut
			? `Exported contacts: ${contacts.length}. Left out because they are on the global unsubscribe list: ${leftOutCount}.`
			: `Exported contacts: ${contacts.length}. Some may have unsubscribed. To leave out those on the global unsubscribe list, add "Leave Out Global Unsubscribes" in Options.`,
	);
	const content = Buffer.from(spreadsheetSafe ? byteOrderMark + text : text);
	const file = await run.helpers.prepareBinaryData(content, fileName, 'text/csv');
	return [
		{
			json: { contacts: contacts.length, ...(leavesOut && { leftOutCount }), fileName },
			binary: { [outputFieldOf(item)]: file },
			pairedItem: { item: run.firstIndex },
		},
	];
}
