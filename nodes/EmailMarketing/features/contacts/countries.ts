import type { IDataObject } from 'n8n-workflow';

import { ServiceError, serviceErrorOf } from '../../service/failure';
import { fetchLocations } from '../../service/lists';
import type { Caller } from '../../run/operation';
import { coerceText } from '../../util/coerce';
import { countryFields } from '../../records/contactCountry';
import { CountryLookup } from '../locations/country';

/**
 * The countries of the lookup (50), read once for all items.
 *
 * @throws ServiceError
 */
export const countriesOf = async ({
	run,
	client,
}: Pick<Caller, 'run' | 'client'>): Promise<CountryLookup> =>
	await run.memoize('countries', async () => new CountryLookup(await fetchLocations(client)));

/** Undefined, with a hint, if the list cannot be read: contacts are returned even without their countries. */
async function countriesIfKnown(caller: Caller): Promise<CountryLookup | undefined> {
	const countries = await countriesOf(caller).catch(serviceErrorOf);
	if (!(countries instanceof ServiceError)) return countries;
	const hint = `Countries are incomplete: their list could not be read. ${countries.message}`;
	caller.run.showHint(hint, 'warning');
	return undefined;
}

/**
 * The contacts with ID and name of their country. The lookup is read only if a wanted field of a country is missing; if
 * the lookup does not have it either, it is null.
 *
 * @param wanted the fields that are returned
 */
export async function withCountries(
	caller: Caller,
	contacts: IDataObject[],
	wanted: readonly string[],
): Promise<IDataObject[]> {
	const fields = ['countryId', 'countryName'].filter((field) => wanted.includes(field));
	const isIncomplete = (contact: IDataObject) =>
		fields.some((field) => !(field in countryFields(contact)));
	if (!contacts.some(isIncomplete)) return contacts;
	const countries = await countriesIfKnown(caller);
	return contacts.map((contact) => {
		const shown = countryFields(contact);
		const found = countries?.find(coerceText(contact.country).trim());
		const known = found && 'id' in found ? found : undefined;
		return {
			...contact,
			countryId: known ? Number(known.id) : null,
			countryName: known?.name ?? null,
			...shown,
		};
	});
}
