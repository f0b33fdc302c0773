import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { InvalidInput, valueRequired } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { choiceParam, mayBeEmpty, optionalText } from '../../params/givenOption';
import { fullDate } from '../../params/schedule';
import { instant, sentAtReaderOf } from '../../params/time';
import { asText, isBlank, isOn, listOf, locatorValue, toFlag } from '../../params/values';
import { isDeleted, isUnsent } from '../../records/recordKind';
import { kindNamed, kindOf } from '../../records/records';
import {
	codeText,
	coerceNumber,
	coerceText,
	isEmpty,
	isId,
	isObject,
	isZeroDate,
} from '../../util/coerce';
import { clearAddress } from '../../util/addressesIn';
import { addressKey } from '../../util/email';
import { labelOf } from '../../util/labels';
import { normalize } from '../../util/normalize';
import { quote, truncateList } from '../../util/text';
import { recordItems, sortFields } from './simplify';
import type { OutputContext } from './simplify';
import { isStatusChoice, OTHER_STATUS, recordStatus } from '../../records/statusLabels';
import { isTestSend } from '../../records/testName';

export type Fits = (record: IDataObject) => boolean;

/** Searches the names of a record, or all of its fields if the kind is unknown. */
function contains(part: unknown, kind: string): Fits {
	// The text of an object is '', which every name contains.
	const wanted = normalize(asText(part, filterLabel('text')));
	const fields = kindNamed(kind)?.names;
	return (record) =>
		(fields?.map((field) => record[field]) ?? textsIn(record)).some(
			(value) => typeof value === 'string' && normalize(value).includes(wanted),
		);
}

/** Also those within others: a place may have attributes, or be a pair of ID and name. */
const textsIn = (value: unknown): unknown[] =>
	typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [value];

/**
 * @param name of the filter
 * @throws InvalidInput if all of its entries are empty, which must not match every value
 */
function chosenIn(value: unknown, name: string): Set<string> {
	const chosen = new Set(listOf(value, filterLabel(name)));
	if (chosen.size === 0 && value !== undefined) throw emptyFilter(name, 'a value');
	return chosen;
}

/** @throws InvalidInput for an entry that no record can have, because nothing would be found */
function refuseUnlike(
	chosen: ReadonlySet<string>,
	name: string,
	isPossible: (entry: string) => boolean,
	{ is, remedy }: { is: string; remedy: string },
): void {
	const wrong = [...chosen].find((entry) => !isPossible(entry));
	if (wrong === undefined) return;
	const problem = `"${filterLabel(name)}" in Filters has ${is}: ${quote(wrong)}`;
	throw new InvalidInput('choice-unknown', problem, remedy);
}

/** Matches records with one of the chosen IDs, if there are any. */
function hasId(value: unknown, name: string, fields: string[]): Fits {
	const wanted = chosenIn(value, name);
	refuseUnlike(wanted, name, isId, {
		is: 'an entry that is not an ID',
		remedy: 'Choose from the list, or return an array of IDs, such as [21].',
	});
	return oneOf(wanted, fields);
}

/** Matches records with one of the chosen values, if there are any. */
function oneOf(wanted: ReadonlySet<string>, fields: string[]): Fits {
	return (record) =>
		wanted.size === 0 || fields.some((field) => wanted.has(codeText(record[field])));
}

function hasStatus(value: unknown, kind: string): Fits {
	const wanted = chosenIn(value, 'status');
	refuseUnlike(wanted, 'status', isStatusChoice, {
		is: 'an unknown status',
		remedy: 'Choose from the list, or return an array of status codes, such as ["3"].',
	});
	return (record) => {
		if (wanted.size === 0) return true;
		const status = recordStatus(record, kind);
		if (status === undefined) return false;
		return wanted.has(status.code) || (wanted.has(OTHER_STATUS) && status.label === undefined);
	};
}

/** A text without regard to case, accents and the spaces around it. */
export const comparable = (value: unknown): string => normalize(coerceText(value).trim());

/** Matches a whole text, ignoring case and accents. */
function equals(value: unknown, field: string): Fits {
	const wanted = comparable(asText(value, filterLabel(field)));
	return (record) => comparable(record[field]) === wanted;
}

/** The labels of filters that differ from their name in title case. */
const filterLabels: Record<string, string> = {
	contactTypes: 'Contact Type Names or IDs',
	country: 'Country Name or ID',
	createdAfter: 'Created On or After',
	createdBefore: 'Created Before',
	customFields: 'Custom Fields',
	includeDeleted: 'Include Deleted',
	includeTestSends: 'Include Test Sends',
	isVerified: 'Verified',
	sentAfter: 'Sent On or After',
	sentBefore: 'Sent Before',
	text: 'Name Contains',
	unsubscribeGroups: 'Unsubscribe Group Names or IDs',
	updatedAfter: 'Updated On or After',
	updatedBefore: 'Updated Before',
};

export const filterLabel = (name: string): string => filterLabels[name] ?? labelOf(name);

/** @param what to enter */
export const emptyFilter = (name: string, what: string): InvalidInput =>
	new InvalidInput(
		'filter-empty',
		`"${filterLabel(name)}" in Filters is empty`,
		`Enter ${what}, or remove the filter. If the filter contains an expression, it is empty for this item.`,
	);

const isNothing = (value: unknown) => value === undefined || value === null;

/**
 * An expression that returns nothing, an empty cell, or a list without a choice must not match every record, because
 * the next node may delete the records found. "Name Contains" may be left empty and then matches any name: an agent has
 * no other way to ask for all.
 */
function refuseNothing(filters: IDataObject, item: Pick<Item, 'raw' | 'isTool'>): void {
	const hasNothing = (name: string, value: unknown) => {
		if (Array.isArray(value) && value.length === 0) return true;
		// Array.from makes holes, as in [1, , 3], entries like others.
		if (Array.isArray(value)) return Array.from(value as unknown[]).some(isNothing);
		return name === 'text' && mayBeEmpty(item, `filters.${name}`)
			? isNothing(value)
			: isBlank(value);
	};
	const empty = Object.keys(filters).find(
		(name) => name !== 'email' && hasNothing(name, filters[name]),
	);
	if (empty !== undefined) throw emptyFilter(empty, 'a value');
}

/** An empty address would match every contact, which is never intended. */
function hasEmail(value: unknown): Fits {
	if (isBlank(value)) throw emptyFilter('email', 'an address');
	const text = asText(value, filterLabel('email'));
	const wanted = addressKey(clearAddress(text) ?? text);
	return ({ email }) => addressKey(coerceText(email)) === wanted;
}

function isIncluded(includeDeleted: unknown): Fits {
	if (isOn(includeDeleted, 'Include Deleted')) return () => true;
	return (record) => !isDeleted(record);
}

/** Test sends are listed only on request, because every total would count them as campaigns. */
function isWanted(includeTestSends: unknown): Fits {
	if (isOn(includeTestSends, 'Include Test Sends')) return () => true;
	return (record) => !isTestSend(record);
}

/**
 * Reads `sent_at`, in milliseconds since 1970; NaN if it was not sent.
 *
 * @throws InvalidInput
 */
function sentAtOf(item: Item): (value: unknown) => number {
	const read = sentAtReaderOf(item);
	return (value) => read(value) ?? NaN;
}

/** Filters by time: the field, and whether they match from the time on, or before it. */
const timeFilters: ReadonlyArray<readonly [name: string, field: string, isFrom: boolean]> = [
	['createdAfter', 'created_at', true],
	['createdBefore', 'created_at', false],
	['updatedAfter', 'updated_at', true],
	['updatedBefore', 'updated_at', false],
	['sentAfter', 'sent_at', true],
	['sentBefore', 'sent_at', false],
];

const dateOf = (value: unknown): number => Date.parse(coerceText(value));

/**
 * @param filters the parameter "Filters"
 * @param kind kind of the records
 * @param sentAt reads when a campaign was sent
 * @returns whether a record passes all filters
 * @throws InvalidInput
 */
export function filterOf(
	filters: IDataObject,
	item: Pick<Item, 'raw' | 'isTool' | 'timezone'>,
	kind: string,
	sentAt = dateOf,
): Fits {
	refuseNothing(filters, item);
	const all: Fits[] = [
		...(isEmpty(filters.text) ? [] : [contains(filters.text, kind)]),
		...(filters.isVerified === undefined
			? []
			: [oneOf(chosenIn(toFlag(filters.isVerified, 'Verified'), 'isVerified'), ['is_verified'])]),
		hasStatus(filters.status, kind),
		isIncluded(filters.includeDeleted),
		isWanted(filters.includeTestSends),
		...('email' in filters ? [hasEmail(filters.email)] : []),
		...['city', 'state'].flatMap((field) =>
			isBlank(filters[field]) ? [] : [equals(filters[field], field)],
		),
		hasId(filters.contactTypes, 'contactTypes', ['contact_type_id']),
		hasId(filters.unsubscribeGroups, 'unsubscribeGroups', [
			'unsubscribe_group_id',
			'unsubscribe_groups_id',
		]),
		...timeFilters.flatMap(([name, field, isFrom]) => {
			if (isEmpty(filters[name])) return [];
			const limit = instant(filters[name], item.timezone, filterLabel(name));
			const read = field === 'sent_at' ? sentAt : dateOf;
			// A record without a time, NaN, matches neither.
			return (record: IDataObject) => {
				if (field === 'sent_at' && isUnsent(record)) return false;
				return isFrom ? read(record[field]) >= limit : read(record[field]) < limit;
			};
		}),
	];
	return (record) => all.every((fits) => fits(record));
}

function comparison(): (a: unknown, b: unknown) => number {
	const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
	return (a, b) =>
		typeof a === 'number' && typeof b === 'number'
			? a - b
			: collator.compare(coerceText(a), coerceText(b));
}

/** The value by which a record is sorted; '' for none. A send time is a date and a time in two fields. */
function sortedBy(field: string, record: IDataObject): unknown {
	const { [field]: value } = record;
	if (isZeroDate(value) || (field === 'sent_at' && isUnsent(record))) return '';
	return field === 'schedule_date' && !isEmpty(value)
		? `${fullDate(value)} ${coerceText(record.schedule_time)}`
		: value;
}

type Order = (records: IDataObject[]) => IDataObject[];

/** Records without a value come last in both directions. */
function orderOf(item: Item, known: string[]): Order {
	const label = 'Sort: Field Name or ID';
	const field = optionalText(item, 'sort.field', label, 'keep the order of the service');
	const direction = choiceParam(item, 'sort.direction', 'Sort: Direction', [
		'ascending',
		'descending',
	]);
	const given = item.param('sort', {}) as IDataObject;
	if ('direction' in given && !('field' in given)) {
		throw valueRequired(label, 'Add the field to "Sort", or remove "Direction".');
	}
	if (field === '') return (records) => records;
	if (!known.includes(field)) {
		throw new InvalidInput(
			'field-unknown',
			`"Sort" contains a field that these records cannot be sorted by: ${quote(field)}`,
			`Choose one of: ${truncateList(known, 50)}.`,
		);
	}
	const sign = direction === 'descending' ? -1 : 1;
	const compare = comparison();
	return (records) =>
		[...records].sort((a, b) => {
			const [first, second] = [sortedBy(field, a), sortedBy(field, b)];
			if (isEmpty(first) || isEmpty(second))
				return Number(isEmpty(first)) - Number(isEmpty(second));
			return sign * compare(first, second);
		});
}

function limitOf(item: Item): number {
	if (isOn(item.param('returnAll', true), 'Return All')) return Infinity;
	const limit = coerceNumber(item.param('limit', 50));
	if (Number.isInteger(limit) && limit > 0) return limit;
	throw new InvalidInput(
		'limit-invalid',
		'"Limit" must be a whole number above 0',
		'Correct it, or turn on "Return All".',
	);
}

/**
 * "If Nothing Is Found"
 *
 * @throws InvalidInput for an unknown choice
 */
export const returnsNotFound = (item: Item): boolean =>
	choiceParam(item, 'options.ifNothingFound', 'If Nothing Is Found', ['noItems', 'oneItem']) ===
	'oneItem';

/** Shown once, however many lists were cut. */
const cutHint =
	'At least one list was cut off at "Limit". To get all records, turn on "Return All".';

/** Why a list returns fewer records than the service has; '' if it returns all that match. */
function hintOn(all: number, fitting: number, limit: number, hasFilters: boolean): string {
	if (all > 0 && fitting === 0) {
		return hasFilters
			? `Returned 0 of ${all}: none matches the filters.`
			: `Returned 0 of ${all}: all of them are deleted or test sends. To include them, add a filter.`;
	}
	if (fitting <= limit) return '';
	return `Returned ${limit} of ${fitting}. To get all of them, turn on "Return All".`;
}

/**
 * Chooses and sorts the records of a list to return, as the parameters say.
 *
 * @param further what a record must pass besides
 * @returns turns all records into the items of the output
 * @throws InvalidInput
 */
export function listOutputOf(
	context: OutputContext,
	item: Item,
	further: Fits = () => true,
): (records: unknown[]) => INodeExecutionData[] {
	const { resource, operation } = context;
	const filters = item.param('filters', {}) as IDataObject;
	const fits = filterOf(filters, item, kindOf(resource, operation), sentAtOf(item));
	const order = orderOf(item, sortFields(resource, operation));
	const limit = limitOf(item);
	const toItems = recordItems(context, item);
	const nothing = returnsNotFound(item) ? [{ json: { found: false } }] : [];
	return (records) => {
		const objects = records.map((record) =>
			isObject(record) ? record : ({ name: locatorValue(record) } as IDataObject),
		);
		const fitting = objects.filter((record) => fits(record) && further(record));
		// One line for each item would be too many.
		if (context.hasSeveralItems) {
			if (fitting.length > limit) context.showHint(cutHint);
		} else {
			const hasFilters = Object.keys(filters).length > 0;
			context.showHint(hintOn(objects.length, fitting.length, limit, hasFilters));
		}
		if (fitting.length === 0) return nothing;
		return toItems(order(fitting).slice(0, limit));
	};
}
