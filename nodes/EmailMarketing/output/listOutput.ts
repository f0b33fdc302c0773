import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import { instant } from '../params/time';
import { listOf, locatorValue, toFlag } from '../params/values';
import { coerceNumber, coerceText, isEmpty, isObject } from '../util/coerce';
import { labelOf } from '../util/labels';
import { normalize } from '../util/normalize';
import { quote } from '../util/text';
import { kindOf, recordFields, recordShape } from './simplify';
import type { OutputContext } from './simplify';

type Fits = (record: IDataObject) => boolean;

/** The fields in which "Name Contains" looks, by kind of record; in all of them where the kind is not listed. */
const nameFields: Record<string, string[]> = {
	automation: ['automation_name'],
	automationSchedule: ['subject'],
	contact: ['email', 'alt_email', 'first_name', 'last_name', 'fullname'],
	contactType: ['name'],
	customField: ['field_name'],
	designTemplate: ['template_name'],
	globalUnsubscribe: ['email_address'],
	notificationRecipient: ['email_address', 'email_owner'],
	segment: ['segment_name'],
	segmentRecipient: ['email', 'first_name', 'last_name', 'fullname'],
	sender: ['nickname', 'from_name', 'from_email'],
	singleSend: ['single_send_name', 'subject'],
	unsubscribeGroup: ['group_name', 'description'],
	unsubscribeGroupRecipient: ['email_address'],
};

function contains(part: unknown, kind: string): Fits {
	const wanted = normalize(coerceText(part));
	const fields = nameFields[kind];
	return (record) =>
		(fields?.map((field) => record[field]) ?? Object.values(record)).some(
			(value) => typeof value === 'string' && normalize(value).includes(wanted),
		);
}

/** Fits what has one of the values, where the user has chosen any. */
function oneOf(value: unknown, label: string, fields: string[]): Fits {
	const wanted = new Set(listOf(value, label));
	return (record) =>
		wanted.size === 0 || fields.some((field) => wanted.has(coerceText(record[field])));
}

/** Fits times from the limit on, or before it; what has no time fits neither. */
function limited(limit: number, field: string, isFrom: boolean): Fits {
	return (record) => {
		const time = Date.parse(coerceText(record[field]));
		return isFrom ? time >= limit : time < limit;
	};
}

/**
 * @param filters the parameter "Filters"
 * @param timezone the zone in which times without an offset are meant
 * @param kind kind of the records
 * @returns whether a record passes all filters
 * @throws InvalidInput
 */
export function filterOf(filters: IDataObject, timezone: string, kind: string): Fits {
	const time = (name: string, label: string, field: string, isFrom: boolean): Fits[] =>
		isEmpty(filters[name]) ? [] : [limited(instant(filters[name], timezone, label), field, isFrom)];
	const all: Fits[] = [
		...(isEmpty(filters.text) ? [] : [contains(filters.text, kind)]),
		...(filters.isVerified === undefined
			? []
			: [oneOf(toFlag(filters.isVerified, 'Verified'), 'Verified', ['is_verified'])]),
		oneOf(filters.status, 'Status', ['status']),
		oneOf(filters.contactTypes, 'Contact Type Names or IDs', ['contact_type_id']),
		oneOf(filters.unsubscribeGroups, 'Unsubscribe Group Names or IDs', [
			'unsubscribe_group_id',
			'unsubscribe_groups_id',
		]),
		...time('createdAfter', 'Created After', 'created_at', true),
		...time('createdBefore', 'Created Before', 'created_at', false),
		...time('updatedAfter', 'Updated After', 'updated_at', true),
		...time('updatedBefore', 'Updated Before', 'updated_at', false),
	];
	return (record) => all.every((fits) => fits(record));
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function compare(a: unknown, b: unknown): number {
	return typeof a === 'number' && typeof b === 'number'
		? a - b
		: collator.compare(coerceText(a), coerceText(b));
}

type Order = (records: IDataObject[]) => IDataObject[];

/** Records without a value come last, whichever way the others are sorted. */
function orderOf(item: Item, known: string[]): Order {
	const field = coerceText(item.param('sort.field', '')).trim();
	if (field === '') return (records) => records;
	if (known.length > 0 && !known.includes(field)) {
		throw new InvalidInput(
			`"Sort" has a field that these records do not have: ${quote(field)}`,
			`Choose one of: ${known.map(labelOf).join(', ')}.`,
		);
	}
	const sign = item.param('sort.direction', 'ascending') === 'descending' ? -1 : 1;
	return (records) =>
		[...records].sort((a, b) => {
			const [first, second] = [a[field], b[field]];
			if (isEmpty(first) || isEmpty(second))
				return Number(isEmpty(first)) - Number(isEmpty(second));
			return sign * compare(first, second);
		});
}

function limitOf(item: Item): number {
	const returnAll = item.param('returnAll', true);
	if (toFlag(returnAll, 'Return All') === '1') return Infinity;
	const limit = coerceNumber(item.param('limit', 50));
	if (Number.isInteger(limit) && limit > 0) return limit;
	throw new InvalidInput(
		'"Limit" must be a whole number above 0',
		'Correct it, or switch on "Return All".',
	);
}

/**
 * Which records of a list are returned, and in which order, as the parameters say.
 *
 * @returns turns all records into the items of the output
 * @throws InvalidInput
 */
export function listOutputOf(
	context: OutputContext,
	item: Item,
): (records: unknown[]) => INodeExecutionData[] {
	const { resource, operation } = context;
	const filters = item.param('filters', {}) as IDataObject;
	const fits = filterOf(filters, item.timezone, kindOf(resource, operation));
	const order = orderOf(item, recordFields(resource, operation));
	const limit = limitOf(item);
	const shape = recordShape(context, item);
	const nothing =
		item.param('options.ifNothingFound', 'noItems') === 'oneItem'
			? [{ json: { found: false } }]
			: [];
	return (records) => {
		const objects = records.map((record) =>
			isObject(record) ? record : ({ name: locatorValue(record) } as IDataObject),
		);
		const fitting = objects.filter(fits);
		if (fitting.length === 0) return nothing;
		return order(fitting)
			.slice(0, limit)
			.map((record) => ({ json: shape(record) }));
	};
}
