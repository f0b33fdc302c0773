import type { IDataObject } from 'n8n-workflow';

import { endpoints, type KeyedEndpoint } from '../../service/endpoints';
import { operationError } from '../../service/errors';
import type { Fields } from '../../service/form';
import { isDeleted } from '../../records/recordKind';
import { groupOf } from '../../records/unsubscribes';
import type { RunContext } from '../../run/runContext';
import { coerceText, toJson } from '../../util/coerce';
import { sanitize } from '../../util/text';
import { GLOBAL_LIST } from './types';
import type { SuppressedAddress } from './types';

/** Reads the lists: global unsubscribes (1), recipients of a group (10). */
export interface SuppressionReader {
	listGlobalUnsubscribes(): Promise<SuppressedAddress[]>;
	listGroupRecipients(groupId: number): Promise<SuppressedAddress[]>;
}

/** An entry of one of the lists, whatever it has as its address. */
export const suppressedBy = (entry: IDataObject): SuppressedAddress => ({
	email_address: coerceText(entry.email_address),
	isDeleted: isDeleted(entry),
	group: groupOf(entry),
});

/** @throws NodeOperationError for an entry without an address: it could stand for anybody who unsubscribed, so stop */
function toSuppressed({ node }: RunContext, list: string, row: IDataObject): SuppressedAddress {
	const { email_address: address, created_at: since } = row;
	if (typeof address !== 'string' || address.trim() === '') {
		throw operationError(
			node,
			'record-unclear',
			`The service lists an entry without an address under ${list}`,
			{
				description: `No address that needs this check was written, because it is unclear who this entry is for: ${sanitize(toJson(row) ?? '', 200)}. Check the entry in the service.`,
			},
		);
	}
	const isKnown = typeof since === 'string' && since !== '';
	return {
		email_address: address,
		...(isDeleted(row) && { isDeleted: true }),
		...(isKnown && { created_at: since }),
	};
}

/** @param read reads a list, or takes it from where it was kept */
export const suppressionReader = (
	run: RunContext,
	read: (endpoint: KeyedEndpoint, query?: Fields) => Promise<IDataObject[]>,
): SuppressionReader => ({
	async listGlobalUnsubscribes() {
		const rows = await read(endpoints.globalUnsubscribe.getAll);
		return rows.map((row) => ({
			...toSuppressed(run, GLOBAL_LIST, row),
			group: groupOf(row),
		}));
	},
	async listGroupRecipients(groupId) {
		const query = { groupId: String(groupId) };
		const rows = await read(endpoints.unsubscribeGroup.getRecipients, query);
		return rows.map((row) => toSuppressed(run, 'the unsubscribe group', row));
	},
});
