import type { IDataObject } from 'n8n-workflow';

import { Clearance, NotCleared } from '../../service/clearance';
import { AT, readingsOf } from '../../util/addressesIn';
import { addressKey } from '../../util/email';
import { GLOBAL_LIST } from './types';
import type { Suppression, Suppressions } from './types';

declare const isCleared: unique symbol;
/** An address that is on no respected list, so it may be added. Only `checkConsent` makes one. */
export type ClearedAddress = string & { readonly [isCleared]: true };

/** An address that is held back, and why. */
export interface Suppressed {
	address: string;
	suppression: Suppression;
}

/** Whoever left everything is not shown as having left one group; otherwise, the first counts. */
const widest = (found: Suppressed[]): Suppressed | undefined =>
	found.find(({ suppression }) => suppression.list === GLOBAL_LIST) ?? found[0];

/** An address in a text that is on a list, in any spelling. */
function findSuppressed(suppressions: Suppressions, text: string): Suppressed | undefined {
	return widest(
		readingsOf(text).flatMap((address) => {
			const suppression = suppressions.get(addressKey(address));
			return suppression ? [{ address, suppression }] : [];
		}),
	);
}

/** The same in a cell of a file: the reference does not say in which column the service expects the address (21). */
export const findInCell = (suppressions: Suppressions, cell: string): Suppressed | undefined =>
	AT.test(cell) ? findSuppressed(suppressions, cell) : undefined;

/** Why nothing may be written for a contact: one of its addresses that is on a list. */
export function suppressionOf(
	suppressions: Suppressions,
	...addresses: Array<string | undefined>
): Suppression | undefined {
	const found = addresses.flatMap((address) =>
		address === undefined ? [] : (findSuppressed(suppressions, address) ?? []),
	);
	return widest(found)?.suppression;
}

/**
 * @param address the one that is to be written
 * @param others those that the person has as well, such as the one before the change
 */
export function checkConsent(
	suppressions: Suppressions,
	address: string,
	...others: Array<string | undefined>
): { suppression: Suppression } | { cleared: ClearedAddress } {
	const suppression = suppressionOf(suppressions, address, ...others);
	return suppression ? { suppression } : { cleared: address as ClearedAddress };
}

/** From which list somebody unsubscribed, and when, in the output. */
export const unsubscribeOf = ({ date, list }: Partial<Suppression> = {}): IDataObject => ({
	...(date !== undefined && { unsubscribedAt: date }),
	...(list !== undefined && { unsubscribedFrom: list }),
});

/** The row of somebody who is held back. */
export const skippedFor = (suppression: Suppression) => ({
	action: 'skipped' as const,
	reason: suppression.reason,
	suppression,
});

/** For the request that puts these addresses on a list. */
export function consentOf(...addresses: ClearedAddress[]): Clearance<'consent'> {
	if (addresses.length === 0) throw new NotCleared('consent');
	return new Clearance('consent');
}
