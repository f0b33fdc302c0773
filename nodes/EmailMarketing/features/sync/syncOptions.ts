import type { RespectedLists } from '../consent/suppressions';
import type { Suppressions } from '../consent/types';
import type { SyncRun } from '../contacts/contactWrites';
import type { RemovalClearance } from '../contacts/removalClearance';
import type { SyncReads } from '../contacts/syncReads';
import type { ListedContact } from '../contacts/types';
import type { PlanOptions } from './types';

export interface SyncOptions extends PlanOptions, RespectedLists {
	/** The input field with external IDs; absent if none is used. */
	externalIdField?: string;
	dryRun: boolean;
}

export interface WriteOptions {
	reads: SyncReads;
	run: SyncRun;
	options: SyncOptions;
	/** All contacts of the account at the time of the plan. */
	before: readonly ListedContact[];
	/** Who is held back: a file must not name them in any column. */
	suppressions: Suppressions;
	/** Covers the rows that delete contacts. */
	removal: RemovalClearance;
}

/** The lists that no other execution may write at the same time. */
export function writtenLists({ contactTypeId, missing, list }: SyncOptions): string[] {
	if (list) return [list.key];
	const types = [contactTypeId];
	if (missing.kind === 'moveToContactType') types.push(missing.contactTypeId);
	const lists = types.map((id) => `contacts ${id}`);
	if (missing.kind !== 'addToUnsubscribeGroup') return lists;
	return [...lists, `unsubscribe group ${missing.unsubscribeGroupId}`];
}
