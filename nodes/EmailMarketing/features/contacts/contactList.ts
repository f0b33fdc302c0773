import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { readList } from '../../service/envelope';
import { fetchLocations } from '../../service/lists';
import type { OutputMapper } from '../../run/operation';
import type { RunContext } from '../../run/runContext';
import { filterOf, listOutputOf } from '../../run/output/listOutput';
import type { Fits } from '../../run/output/listOutput';
import { InvalidInput } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { isBlank, locatorValue } from '../../params/values';
import { coerceText, isObject } from '../../util/coerce';
import { normalize } from '../../util/normalize';
import { createCountryLookup } from '../locations/country';
import { readCountries } from '../locations/countryShape';

/**
 * The filter by country: by name, ISO code or ID. The list (18) shows names, and what an ID or a code stands for is
 * read from the lookup (50). Where that has no IDs and names that can be recognized, the texts are compared.
 *
 * @throws InvalidInput for a country that the service does not know
 */
async function countryFilter(run: RunContext, item: Item, country: unknown): Promise<Fits> {
	if (isBlank(country)) return () => true;
	const wanted = coerceText(locatorValue(country)).trim();
	const lookup = await run.memoize('country filter', async () => {
		const locations = await fetchLocations(run.clientFor(item));
		return readCountries(locations.countries).length > 0
			? createCountryLookup(locations)
			: undefined;
	});
	const names = [wanted];
	if (lookup !== undefined) {
		const found = lookup.find(wanted);
		if ('problem' in found) {
			throw new InvalidInput(
				'filter-invalid',
				`"Country" in Filters ${found.problem}`,
				'Choose it from the list, or enter its name, ISO code or ID.',
			);
		}
		names.push(found.id, found.name ?? '');
	}
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
	return (response, info) =>
		toItems(
			readList(response, endpoints.contact.getAll, info).filter(
				(record) => isObject(record) && isInCountry(record),
			),
		);
};
