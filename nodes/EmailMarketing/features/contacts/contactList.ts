import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { readList, readRecord } from '../../service/envelope';
import type { OutputMapper } from '../../run/operation';
import type { RunContext } from '../../run/runContext';
import { filterOf, listOutputOf } from '../../run/output/listOutput';
import type { Fits } from '../../run/output/listOutput';
import { recordShape, returnedFields } from '../../run/output/simplify';
import { InvalidInput } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { isBlank, locatorValue } from '../../params/values';
import { coerceText, isObject } from '../../util/coerce';
import { normalize } from '../../util/normalize';
import { countriesOf, withCountries } from './countries';

/**
 * The filter by country: by name, ISO code or ID. The list (18) shows names, so IDs and codes are resolved with the
 * lookup (50). If its entries have no recognizable IDs and names, the texts are compared.
 *
 * @throws InvalidInput for a country that the service does not know
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
	const names = [wanted, ...('problem' in found ? [] : [found.id, found.name ?? ''])];
	const known = new Set(names.filter((name) => name !== '').map(normalize));
	return (record) => known.has(normalize(coerceText(record.country).trim()));
}

/**
 * The parameter "Filters" for contacts.
 *
 * @throws InvalidInput
 * @throws ServiceError if the lookup of countries cannot be read
 */
export async function contactFilter(run: RunContext, item: Item): Promise<Fits> {
	const filters = item.param('filters', {}) as IDataObject;
	const fits = filterOf(filters, item.timezone, 'contact');
	const isInCountry = await countryFilter(run, item, filters.country);
	return (record) => fits(record) && isInCountry(record);
}

/** Contact: Get Many. */
export const contactList: OutputMapper = async (run, item) => {
	const toItems = listOutputOf(run, item);
	const { country } = item.param('filters', {}) as IDataObject;
	const isInCountry = await countryFilter(run, item, country);
	const wanted = returnedFields(run, item) ?? [];
	const caller = { run, item, client: run.clientFor(item) };
	return async (response, info) => {
		const contacts = readList(response, endpoints.contact.getAll, info).filter(
			(record): record is IDataObject => isObject(record) && isInCountry(record),
		);
		return toItems(await withCountries(caller, contacts, wanted));
	};
};

/** Contact: Get. */
export const contactRecord: OutputMapper = async (run, item) => {
	const shape = recordShape(run, item);
	const wanted = returnedFields(run, item) ?? [];
	const caller = { run, item, client: run.clientFor(item) };
	return async (response, info) => {
		const contact = readRecord(response, endpoints.contact.get.key, info);
		return (await withCountries(caller, [contact], wanted)).map((one) => ({ json: shape(one) }));
	};
};
