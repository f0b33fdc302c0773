import type { IDataObject } from 'n8n-workflow';

import { coerceText, isId, withoutLeadingZeros } from '../util/coerce';

/**
 * The country of a contact in fields that always mean the same: `country` is a name in the list (18) and an ID in the
 * details (22).
 *
 * @returns the fields that the contact itself shows; null for one without a country
 */
export function countryFields({ country }: IDataObject): IDataObject {
	const shown = coerceText(country).trim();
	const id = withoutLeadingZeros(shown);
	if (shown === '' || id === '0') return { countryId: null, countryName: null };
	return isId(id) ? { countryId: Number(id) } : { countryName: shown };
}
