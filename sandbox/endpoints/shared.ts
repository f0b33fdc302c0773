import type { Recipient } from '../model.ts';
import type { Settings } from '../settings.ts';
import type { Table, Tables } from '../store.ts';

export function recipientExists(tables: Tables, { id, table }: Recipient): boolean {
	const audience = table === 'contacts_' ? tables.contactTypes : tables.segments;
	return audience.get(Number(id)) !== undefined;
}

/** What the strIds of #43 and #49b identify is not shown: an id, a utr or either, as settings.bulkIds says. */
export function byReference<R extends { id: number }>(
	table: Table<R>,
	reference: string,
	{ bulkIds }: Settings,
): R | undefined {
	const byId =
		bulkIds !== 'utr' && /^\d+$/.test(reference) ? table.get(Number(reference)) : undefined;
	return byId ?? (bulkIds === 'id' ? undefined : table.byUtr(reference));
}
