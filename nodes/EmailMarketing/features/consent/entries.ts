import type { NodeOperationError } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { operationError } from '../../service/errors';
import { isDeleted } from '../../records/recordKind';
import { groupOf } from '../../records/unsubscribes';
import type { RunContext } from '../../run/runContext';
import { toJson } from '../../util/coerce';
import { sanitize } from '../../util/text';
import type { SuppressedAddress } from './types';

/** An entry without an address could stand for anybody who unsubscribed, so stop. */
function malformed({ node }: RunContext, what: string, row: object): NodeOperationError {
	return operationError(node, 'record-unclear', `The service lists ${what}`, {
		description: `Nothing was written, because it is unclear which contact this entry means: ${sanitize(toJson(row) ?? '', 200)}. Check the entry in the service.`,
	});
}

/**
 * The entries of the global unsubscribes (1).
 *
 * @throws NodeOperationError for an entry without an address, which could be anybody
 */
export const toGlobalEntries = (run: RunContext, rows: readonly IDataObject[]) =>
	toSuppressed(run, 'Global Unsubscribes', rows).map((entry, index) => ({
		...entry,
		group: groupOf(rows[index] as IDataObject),
	}));

/**
 * The addresses on a list of unsubscribes (1, 10).
 *
 * @throws NodeOperationError for an entry without an address, which could be anybody
 */
export function toSuppressed(
	run: RunContext,
	list: string,
	rows: readonly IDataObject[],
): SuppressedAddress[] {
	return rows.map((row) => {
		const { email_address: address, created_at: since } = row;
		if (typeof address !== 'string' || address.trim() === '') {
			throw malformed(run, `an entry without an address under ${list}`, row);
		}
		const isKnown = typeof since === 'string' && since !== '';
		return {
			email_address: address,
			...(isDeleted(row) && { isDeleted: true }),
			...(isKnown && { created_at: since }),
		};
	});
}
