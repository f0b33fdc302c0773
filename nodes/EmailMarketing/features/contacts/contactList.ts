import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { readList, readRecord } from '../../service/envelope';
import type { OutputMapper } from '../../run/operation';
import type { RunContext } from '../../run/runContext';
import {
	comparable,
	emptyFilter,
	filterLabel,
	filterOf,
	listOutputOf,
} from '../../run/output/listOutput';
import type { Fits } from '../../run/output/listOutput';
import { recordItems, returnedFields } from '../../run/output/simplify';
import { InvalidInput } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { asText, isBlank, isExpression, locatorValue } from '../../params/values';
import { coerceText, isObject } from '../../util/coerce';
import { normalize } from '../../util/normalize';
import { quote, truncateList } from '../../util/text';
import { customFieldsOf, nameFinder } from '../../records/customFields';
import { countriesOf, withCountries } from './countries';
import { requireSame } from '../../run/sameForAll';

/** Of a country. Some lists have these three as names. */
const ID_OR_CODE = /^(?!(?:usa|uk|uae)$)(?:\d+|[a-z]{2,3})$/i;

/**
 * The filter by country: by name, ISO code or ID. The list (18) shows names, so IDs and codes are resolved with the
 * lookup (50). If its entries have no recognizable IDs and names, only names can be compared.
 *
 * @throws InvalidInput for a country that the service does not know, or whose name does not identify it or is unknown
 */
async function countryFilter(run: RunContext, item: Item, country: unknown): Promise<Fits> {
	if (isBlank(country)) return () => true;
	const wanted = coerceText(locatorValue(country)).trim();
	const found = (await countriesOf({ run, client: run.clientFor(item) })).find(wanted);
	if ('problem' in found && found.code !== 'country-list-unreadable') {
		throw new InvalidInput(
			'filter-invalid',
			`"Country" in Filters ${found.problem}`,
			'Choose it from the list, or enter its name, ISO code or ID.',
		);
	}
	if ('isNameShared' in found) {
		throw new InvalidInput(
			'filter-invalid',
			`"Country" in Filters has the ID ${found.id}, but other countries of the service have the same name`,
			'The list of contacts shows only the names of countries. Remove the filter and use "City" or "State" instead, or check "countryId" in the output of Contact: Get.',
		);
	}
	const isUnreadable = 'problem' in found || found.name === undefined;
	if (isUnreadable && ID_OR_CODE.test(wanted)) {
		throw new InvalidInput(
			'country-list-unreadable',
			`"Country" in Filters is ${quote(wanted)}, but the country list of the service cannot be read`,
			'Enter the name as the list of contacts shows it.',
		);
	}
	const names = [wanted, ...('problem' in found ? [] : [found.id, found.name ?? ''])];
	const known = new Set(names.filter((name) => name !== '').map(normalize));
	return (record) => known.has(normalize(coerceText(record.country).trim()));
}

/** The entries of "Custom Fields" in Filters. */
function customFieldRows(item: Item, value: unknown): Array<{ name: string; value: string }> {
	const rows = isObject(value) && Array.isArray(value.field) ? value.field.filter(isObject) : [];
	if (value !== undefined && rows.length === 0) throw emptyFilter('customFields', 'a field');
	return rows.map((row, index) => {
		const { name, value: text = '' } = row;
		const place = `filters.customFields.field[${index}]`;
		const isFromExpression =
			Object.hasOwn(row, 'value') && isExpression(item.raw(`${place}.value`));
		if (text === null || (isBlank(row.value) && isFromExpression)) {
			throw emptyFilter('customFields', 'a value');
		}
		if (isBlank(name)) {
			throw new InvalidInput(
				'filter-without-field',
				'"Custom Fields" in Filters contains an entry without a field',
				'Choose a field for the entry, or remove the entry.',
			);
		}
		const label = filterLabel('customFields');
		return {
			name: asText(name, label).trim(),
			value: comparable(typeof text === 'boolean' ? text : asText(text, label)),
		};
	});
}

/**
 * The filter by custom fields, by name or ID. An empty value matches contacts with an empty field, so a field that does
 * not exist would match all of them.
 *
 * @throws InvalidInput for a field that the service does not have, or a name that differs from several in case only
 */
async function customFieldFilter(run: RunContext, item: Item, value: unknown): Promise<Fits> {
	const rows = customFieldRows(item, value);
	if (rows.length === 0) return () => true;
	const caller = { run, item, client: run.clientFor(item) };
	const fields = await run.cachedList(caller, endpoints.customField.getAll);
	const nameOf = ({ field_name: name }: IDataObject): string => coerceText(name).trim();
	const names = fields.map(nameOf);
	const find = nameFinder(names);
	const wanted = rows.map(({ name, value: text }) => {
		const withId = fields.find(({ id }) => coerceText(id) === name);
		const known = find(name) ?? (withId && nameOf(withId));
		if (known !== undefined) return { known, text };
		throw new InvalidInput(
			'field-unknown',
			`"Custom Fields" in Filters has a field that does not exist: ${quote(name)}`,
			fields.length === 0
				? 'The service has no custom fields. Remove the filter, or create the field.'
				: `Choose from the list, or enter one of: ${truncateList(names, 10)}.`,
		);
	});
	return (record) => {
		const values = new Map(
			customFieldsOf(record).map((own) => [find(own.name), comparable(own.value)]),
		);
		return wanted.every(({ known, text }) => (values.get(known) ?? '') === text);
	};
}

/**
 * The parameter "Filters" for contacts.
 *
 * @throws InvalidInput
 * @throws ServiceError if the lookup of countries cannot be read
 */
export async function contactFilter(run: RunContext, item: Item): Promise<Fits> {
	const filters = item.param('filters', {}) as IDataObject;
	const fits = filterOf(filters, item, 'contact');
	const isInCountry = await countryFilter(run, item, filters.country);
	const hasCustomFields = await customFieldFilter(run, item, filters.customFields);
	return (record) => fits(record) && isInCountry(record) && hasCustomFields(record);
}

/**
 * For operations that run once for all items. Times are not compared, since `$now` differs for each item.
 *
 * @throws NodeOperationError if other filters of items differ
 */
export function requireSameFilters(run: RunContext): void {
	const names = Object.keys((run.node.parameters.filters ?? {}) as IDataObject);
	const compared = names.filter((name) => !/^(created|updated)(After|Before)$/.test(name));
	requireSame(
		run,
		Object.fromEntries(compared.map((name) => [`filters.${name}`, filterLabel(name)])),
	);
}

/** Contact: Get Many. */
export const contactList: OutputMapper = async (run, item) => {
	const { country, customFields } = item.param('filters', {}) as IDataObject;
	const hasCustomFields = await customFieldFilter(run, item, customFields);
	const isInCountry = await countryFilter(run, item, country);
	const toItems = listOutputOf(
		run,
		item,
		(record) => isInCountry(record) && hasCustomFields(record),
	);
	const wanted = returnedFields(run, item) ?? [];
	const caller = { run, item, client: run.clientFor(item) };
	return async (response, info) => {
		const contacts = readList(response, endpoints.contact.getAll, info).filter(isObject);
		return toItems(await withCountries(caller, contacts, wanted));
	};
};

/** Contact: Get. */
export const contactRecord: OutputMapper = async (run, item) => {
	const toItems = recordItems(run, item);
	const wanted = returnedFields(run, item) ?? [];
	const caller = { run, item, client: run.clientFor(item) };
	return async (response, info) => {
		const contact = readRecord(response, endpoints.contact.get.key, info);
		return toItems(await withCountries(caller, [contact], wanted));
	};
};
