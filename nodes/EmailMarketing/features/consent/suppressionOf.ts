import { readingsOf } from '../../util/addressesIn';
import { addressKey } from '../../util/email';
import type { Suppression, Suppressions } from './types';

/** An address that is on a list, with its entry. */
export interface Suppressed {
	address: string;
	suppression: Suppression;
}

/** The first address in a text that is on a list, however the text is written. */
export function findSuppressed(suppressions: Suppressions, text: string): Suppressed | undefined {
	for (const address of readingsOf(text)) {
		const suppression = suppressions.get(addressKey(address));
		if (suppression) return { address, suppression };
	}
	return undefined;
}

/** Why nothing may be written for a contact: the first of its addresses that is on a list. */
export function suppressionOf(
	suppressions: Suppressions,
	...addresses: Array<string | undefined>
): Suppression | undefined {
	for (const address of addresses) {
		const found = address === undefined ? undefined : findSuppressed(suppressions, address);
		if (found) return found.suppression;
	}
	return undefined;
}
