import { addressKey } from '../util/email';
import type { Suppression, Suppressions } from './types';

/** Why nothing may be written for a contact: the first of its addresses that is on a list. */
export function suppressionOf(
	suppressions: Suppressions,
	...addresses: Array<string | undefined>
): Suppression | undefined {
	for (const address of addresses) {
		const suppression = address === undefined ? undefined : suppressions.get(addressKey(address));
		if (suppression) return suppression;
	}
	return undefined;
}
