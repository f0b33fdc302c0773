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
	/** Above this number, new contacts are imported as files. Those with custom fields to import always are. */
	above: number;
	/** The columns of the file, in order. */
	columns: ReadonlyArray<{ header: string; field: ContactField }>;
	country: 'id' | 'name';
	/** `ignore` if absent. With `importOrFail`, new contacts are created with their custom fields or not at all. */
	customFields?: 'ignore' | 'import' | 'importOrFail';
}

/** A list of recipients that a sync makes match its input, instead of a contact type. */
export interface RecipientList {
	/** Identifies the list in locks and in the memory of the sync. */
	key: string;
	/** Identifies the list in the output, such as `{ segmentId: 301 }`. */
	ids: IDataObject;
	/** Whether its entries are unsubscribes, so that removed people may receive email again. */
	suppresses: boolean;
	takesMany: boolean;
	add(entries: readonly ClearedBody[]): WriteRequest;
	removesMany: boolean;
	remove(ids: readonly number[]): WriteRequest;
}

export interface SyncOptions extends PlanOptions, RespectedLists {
	/** The input field with external IDs; absent if none is used. */
	externalIdField?: string;
	dryRun: boolean;
	csvImport?: CsvImport;
	/** Absent for contacts. */
	list?: RecipientList;
}

export interface WriteOptions {
	reads: SyncReads;
	run: SyncRun;
	options: SyncOptions;
	/** All contacts of the account at the time of the plan. */
	before: readonly ListedContact[];
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
