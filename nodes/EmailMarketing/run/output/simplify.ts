import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { valueRequired } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { choiceParam } from '../../params/givenOption';
import { listOf } from '../../params/values';
import { fieldsOf, isDeleted } from '../../records/recordKind';
import { kindNamed, kindOf } from '../../records/records';
import { countryFields } from '../../records/contactCountry';
import { flatCustomFields } from '../../records/customFields';
import { countsOf, hasStatistics, RATE_NAMES, ratesOf } from '../../records/statistics';
import { isZeroDate } from '../../util/coerce';
import { quote, truncateList } from '../../util/text';
import { labelAfter, withFieldsAfter, withStatusLabel } from '../../records/statusLabels';

/**
 * The record with these fields only, and null in place of a date of zeros. `custom_field` stands for all custom fields
 * of a contact, and is returned flat.
 */
function pick(record: IDataObject, fields: readonly string[], kind: string): IDataObject {
	const custom = flatCustomFields(record);
	const country = kind === 'contact' ? countryFields(record) : {};
	const all = { ...country, ...withAddedFields(record, kind), ...custom };
	const result: IDataObject = {};
	for (const field of fields) {
		if (field === 'custom_field') Object.assign(result, custom);
		else if (Object.hasOwn(all, field)) result[field] = isZeroDate(all[field]) ? null : all[field];
	}
	return result;
}

/** The fields that the node adds behind a status: its label, and the rates of a record with statistics. */
const addedAfter = (field: string, kind: string): string[] => {
	const label = labelAfter(field, kind);
	return label.length > 0 && hasStatistics(kind) ? [...label, ...RATE_NAMES] : label;
};

/** The record with these fields. */
export function withAddedFields(record: IDataObject, kind: string): IDataObject {
	const labeled = withStatusLabel(record, kind);
	if (!hasStatistics(kind)) return labeled;
	const counts = countsOf(kind, record);
	if (Object.values(counts).every((count) => count === null)) return labeled;
	return withFieldsAfter(labeled, 'statusLabel', ratesOf(counts));
}

/** The fields, with those that the node adds. */
const withAdded = (fields: readonly string[], kind: string): string[] =>
	fields.flatMap((field) => [
		field,
		...(kind === 'contact' && field === 'country' ? ['countryName'] : []),
		...addedAfter(field, kind),
	]);

/** All fields that the service returns for the records of an operation, in alphabetical order. */
export function recordFields(resource: string, operation: string): string[] {
	const kind = kindNamed(kindOf(resource, operation));
	if (kind === undefined) return [];
	const absent = operation === 'get' ? (kind.listOnly ?? []) : [];
	return fieldsOf(kind)
		.filter((field) => !absent.includes(field))
		.sort();
}

/** The fields by which such records can be sorted. */
export const sortFields = (resource: string, operation: string): string[] => {
	const unsorted = kindNamed(kindOf(resource, operation))?.unsorted ?? [];
	return recordFields(resource, operation).filter((field) => !unsorted.includes(field));
};

/** All fields of the output, with those that the node adds. */
export function outputFields(resource: string, operation: string): string[] {
	const kind = kindOf(resource, operation);
	const further = kind === 'contact' ? ['countryId'] : [];
	return [...withAdded(recordFields(resource, operation), kind), ...further].sort();
}

function simplifiedFields(kind: string): string[] | undefined {
	const fields = kindNamed(kind)?.simplified;
	return fields && withAdded(fields, kind);
}

const isIdField = (field: string): boolean => /^(?:id|utr)$|_id$|Utr$/.test(field);

/** The record with IDs and UTRs last, because n8n's table has the columns in the order of the keys. */
export function idsLast(record: IDataObject, first: readonly string[] = []): IDataObject {
	const place = (field: string) => (first.includes(field) ? 0 : isIdField(field) ? 2 : 1);
	const entries = Object.entries(record).sort(([one], [other]) => place(one) - place(other));
	// An assignment would treat a field named __proto__ as the prototype.
	return Object.fromEntries(entries) as IDataObject;
}

/** The record with the fields that "Simplified" keeps, and when it was deleted; with all of them if its kind has few anyway. */
export function simplifyRecord(record: IDataObject, kind: string): IDataObject {
	const fields = simplifiedFields(kind);
	return fields === undefined
		? idsLast(record, kindNamed(kind)?.names)
		: pick(record, isDeleted(record) ? [...fields, 'deleted_at'] : fields, kind);
}

/** The operation of the node that returns a list or a record. */
export interface OutputContext {
	readonly resource: string;
	readonly operation: string;
	readonly helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>;
	readonly hasSeveralItems: boolean;
	showHint(message: string): void;
}

/**
 * The parameter "Output": simplified, raw, or with selected fields. The service may return fields that the reference does
 * not show, so only the records tell whether a selected field exists.
 *
 * @returns turns records into the items of the output
 * @throws InvalidInput
 */
export function recordItems(
	context: OutputContext,
	item: Item,
): (records: IDataObject[]) => INodeExecutionData[] {
	const { resource, operation } = context;
	const kind = kindOf(resource, operation);
	const fields = returnedFields(context, item);
	const isSimplified = simplifiedFields(kind) === undefined || outputOf(item) === 'simplified';
	if (fields === undefined || isSimplified) {
		const shape = isSimplified ? simplifyRecord : withAddedFields;
		return (records) => records.map((record) => ({ json: shape(record, kind) }));
	}
	const known = new Set(['id', 'utr', ...outputFields(resource, operation)]);
	const unknown = fields.filter((field) => !known.has(field));
	return (records) => {
		const items = records.map((record) => ({ json: pick(record, fields, kind) }));
		const missing = unknown.filter(
			(field) => !items.some(({ json }) => Object.hasOwn(json, field)),
		);
		// What one item does not find, another may.
		if (missing.length > 0 && items.length > 0 && !context.hasSeveralItems) {
			const names = truncateList(missing.map(quote));
			context.showHint(`Not in any record: ${names}. Check "${outputFieldsLabel}".`);
		}
		return items;
	};
}

const outputOf = (item: Item) =>
	choiceParam(item, 'output', 'Output', ['simplified', 'raw', 'selectedFields']);

/**
 * The fields that "Output" chooses; undefined for all that the service has.
 *
 * @throws InvalidInput
 */
export function returnedFields(
	{ resource, operation }: OutputContext,
	item: Item,
): readonly string[] | undefined {
	const simplified = simplifiedFields(kindOf(resource, operation));
	const output = outputOf(item);
	if (simplified === undefined || output === 'raw') return undefined;
	return output === 'selectedFields' ? selectedFields(item) : simplified;
}

const outputFieldsLabel = 'Output Field Names or IDs';

/** The ID and the UTR of a record are always included. */
function selectedFields(item: Item): string[] {
	const names = listOf(item.param('outputFields', []), outputFieldsLabel);
	if (names.length === 0) {
		throw valueRequired(outputFieldsLabel, 'Choose at least one field, or another "Output".');
	}
	return [...names, 'utr', 'id'];
}
