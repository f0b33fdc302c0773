import type { IDataObject } from 'n8n-workflow';

import type { WriteRequest } from '../../run/writer/write';
import type { ContactField } from '../contacts/fields';
import type { RespectedLists } from '../consent/suppressions';
import type { SyncRun } from '../contacts/contactWrites';
import type { RemovalClearance } from '../contacts/removalClearance';
import type { SyncReads } from '../contacts/syncReads';
import type { ClearedBody, ListedContact } from '../contacts/types';
import type { PlanOptions } from './types';

export interface CsvImport {
	/** More new contacts than this are imported as files, and in any case those with custom fields. */
	above: number;
	/** The columns of the file in their order. */
	columns: ReadonlyArray<{ header: string; field: ContactField }>;
	country: 'id' | 'name';
	/** What happens to new contacts with custom fields, `ignore` unless given; in the last case, they are created with them or not at all. */
	customFields?: 'ignore' | 'import' | 'importOrFail';
}

/** A list of recipients that a sync makes equal to its input, in place of the contacts of a type. */
export interface RecipientList {
	/** Names it for other executions and in the memory of the sync. */
	key: string;
	/** What identifies it in the output, such as `{ segmentId: 301 }`. */
	ids: IDataObject;
	/** Whether its entries keep email off: who is removed receives email again. */
	suppresses: boolean;
	takesMany: boolean;
	add(entries: readonly ClearedBody[]): WriteRequest;
	removesMany: boolean;
	remove(ids: readonly number[]): WriteRequest;
}

export interface SyncOptions extends PlanOptions, RespectedLists {
	/** The field of the input with external IDs; none if it is absent. */
	externalIdField?: string;
	dryRun: boolean;
	csvImport?: CsvImport;
	/** Absent for contacts. */
	list?: RecipientList;
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
export function writtenLists({ contactTypeId, missing, list }: SyncOptions): string[] {
	if (list) return [list.key];
	const types = [contactTypeId];
	if (missing.kind === 'moveToContactType') types.push(missing.contactTypeId);
	const lists = types.map((id) => `contacts ${id}`);
	if (missing.kind !== 'addToUnsubscribeGroup') return lists;
	return [...lists, `unsubscribe group ${missing.unsubscribeGroupId}`];
}
