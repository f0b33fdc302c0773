import type { ContactField } from '../contacts/fields';
import type { RespectedLists } from '../consent/suppressions';
import type { SyncRun } from '../contacts/contactWrites';
import type { RemovalClearance } from '../contacts/removalClearance';
import type { SyncReads } from '../contacts/syncReads';
import type { ListedContact } from '../contacts/types';
import type { PlanOptions } from './types';

export interface CsvImport {
	/** More new contacts than this are imported as files. */
	above: number;
	/** The columns of the file in their order. */
	columns: ReadonlyArray<{ header: string; field: ContactField }>;
	country: 'id' | 'name';
}

export interface SyncOptions extends PlanOptions, RespectedLists {
	/** The field of the input with external IDs; none if it is absent. */
	externalIdField?: string;
	dryRun: boolean;
	csvImport?: CsvImport;
}

/** What writing a plan needs. */
export interface WriteOptions {
	reads: SyncReads;
	run: SyncRun;
	options: SyncOptions;
	/** All contacts of the account that the plan is based on. */
	before: readonly ListedContact[];
	/** For the rows that delete contacts. */
	removal: RemovalClearance;
}

/** The lists that no other execution may write at the same time. */
export function writtenLists({ contactTypeId, missing }: SyncOptions): string[] {
	const types = [contactTypeId];
	if (missing.kind === 'moveToContactType') types.push(missing.contactTypeId);
	const lists = types.map((id) => `contacts ${id}`);
	if (missing.kind !== 'addToUnsubscribeGroup') return lists;
	return [...lists, `unsubscribe group ${missing.unsubscribeGroupId}`];
}
