import type { IDataObject } from 'n8n-workflow';

import type { WriteRequest } from '../../run/writer/write';
import type { ErrorCode } from '../../service/errorCode';
import type { RespectedLists } from '../consent/suppressions';
import type { Suppressions } from '../consent/types';
import type { ContactField, ContactInput, TextField } from '../contacts/fields';
import type { ClearedBody, ContactRules, ListedContact, PlannedRow } from '../contacts/types';
import type { RemovalClearance, SyncRun } from '../contacts/contactWrites';
import type { SyncReads } from '../contacts/syncReads';
import type { CountryLookup } from '../locations/country';
import type { SyncState } from './memory/syncState';

/** What happens to contacts of the type that are missing from the input. */
export type MissingPolicy =
	| { kind: 'ignore' | 'delete' }
	| { kind: 'moveToContactType'; contactTypeId: number }
	| { kind: 'addToUnsubscribeGroup'; unsubscribeGroupId: number };

/** Limits of a plan. An absent limit does not apply. */
export interface PlanLimits {
	/** The maximum number of removals: deletions, moves, and additions to the unsubscribe group. */
	maxRemovals?: number;
	/** The maximum of removals as a percentage of the contacts that this sync could remove. */
	maxRemovalPercent: number;
	maxAdditions?: number;
	/** As a percentage of the contacts of the type; does not apply if there are none. */
	maxAdditionPercent?: number;
	maxUpdates?: number;
	/** As a percentage of the contacts of the type. */
	maxUpdatePercent?: number;
	maxFailures?: number;
	/** As a percentage of the input items. For the default, see `DEFAULT_FAILURES`. */
	maxFailurePercent?: number;
}

/** A list of recipients that a sync makes match its input, instead of a contact type. */
export interface RecipientList {
	/** Identifies the list in locks and in the memory of the sync. */
	key: string;
	/** Identifies the list in the output, such as `{ segmentId: 301 }`. */
	ids: IDataObject;
	/** Whether its entries are unsubscribes, so that removed people may receive email again. */
	suppresses: boolean;
	/** The fields that a new entry requires besides its address. Entries are never updated. */
	fields: readonly TextField[];
	/** Whether one of them is enough. */
	needsOne?: boolean;
	/** The values of new entries whose items have none. */
	fallbacks?: Partial<Record<TextField, string>>;
	/** The key of an address in the list; `addressKey` if absent. */
	keyOf?: (address: string) => string;
	takesMany: boolean;
	add(entries: readonly ClearedBody[]): WriteRequest;
	removesMany: boolean;
	remove(ids: readonly number[]): WriteRequest;
}

export interface CsvImport {
	/** Above this number, new contacts are imported as files. Those with custom fields to import always are. */
	above: number;
	/** The columns of the file, in order. */
	columns: ReadonlyArray<{ header: string; field: ContactField }>;
	country: 'id' | 'name';
	/** Absent if custom fields are not imported. With `importOrFail`, new contacts are created with theirs or not at all. */
	customFields?: 'import' | 'importOrFail';
}

export interface PlanOptions extends PlanLimits, ContactRules {
	/** Absent for contacts. */
	list?: RecipientList;
	missing: MissingPolicy;
	/** A contact is removed once it was missing from this number of executions in a row. */
	removeAfter: number;
	/** Remove only contacts that the sync created. Removed ones are created again only with `recreateRemoved`. */
	onlyAddedBySync: boolean;
	/** Create contacts again after they were removed in the service. */
	recreateRemoved: boolean;
	csvImport?: CsvImport;
	/** The plan of a dry run also has what further executions would remove. */
	dryRun?: boolean;
}

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

/** The facts that decide whether a run may remove anybody. */
export interface ExecutionFacts {
	isRetry: boolean;
	isEvaluation: boolean;
	/** n8n saves no state for a manual execution, so it does not count. */
	isManual: boolean;
	/** Whether another workflow called the one that called this. */
	isCalledByCalled: boolean;
	/** Whether another workflow called this one several times in one of the latest executions. */
	isCalledRepeatedly: boolean;
	/** Whether n8n may run the node again in this execution, with other items. */
	mayRunAgain: boolean;
	/** Whether an earlier run of this execution ended without noting the addresses in its input. */
	isIncomplete: boolean;
	/** Whether a later execution has been counted since. */
	isOverlapped: boolean;
	/** Whether no execution is remembered. */
	isFirst: boolean;
}

/** The execution that a run belongs to. */
export interface SyncExecution {
	facts: ExecutionFacts;
	/** Whether the run counts for those who are missing: it has the whole input of its execution. */
	raises: boolean;
	/** How many executions more than "Remove After" a contact must be missing. */
	delay: number;
	/** What its earlier runs have noted, so that this one removes nobody in their input. */
	earlier: { isUncertain: boolean; named: ReadonlySet<string> };
}

export interface PlanInput {
	items: readonly ContactInput[];
	/** All contacts of the account, including deleted ones and those of other contact types. */
	contacts: readonly ListedContact[];
	suppressions: Suppressions;
	/** Spelling keys of the unsubscribe group that missing contacts are added to. */
	groupMembers?: ReadonlySet<string>;
	countries: CountryLookup;
	/** Finds a custom field of the service (32); absent if none is imported, or they are unknown. */
	findCustomField?: (name: string) => string | undefined;
	/** The memory of earlier runs; absent if no option needs it. */
	state?: SyncState;
	execution: SyncExecution;
	/** IDs of contacts whose removal was approved. If set, they take the place of the contacts that the sync created. */
	approved?: ReadonlySet<number>;
	options: PlanOptions;
}

/** A limit that a plan exceeds, so that nothing may be written. */
export interface ExceededLimit {
	kind: 'removals' | 'failures' | 'additions' | 'updates';
	code: ErrorCode;
	/** The figures as a sentence. */
	reason: string;
	/** The exceeded limits, each with a value that allows the plan; empty if no value does. */
	toRaise: Array<{ limit: keyof PlanLimits; value: number }>;
}

export interface Plan {
	/** One row per input item, in order, followed by rows of missing contacts. */
	rows: PlannedRow[];
	limit?: ExceededLimit;
	/** Covers the contacts that passed the removal gate. */
	removal: RemovalClearance;
	/** The contacts of the type before the run. */
	contacts: readonly ListedContact[];
	/** Who is held back. */
	suppressions: Suppressions;
	/** All contacts of the account before the run. */
	listed: readonly ListedContact[];
	/** Contacts of the type that no item of the execution names. */
	missingCount: number;
	/** The emails of those that are left unchanged because the sync did not create them. */
	notAdded: readonly string[];
	/** Set if the run may remove nobody: the reason, and how many of the other missing contacts it applies to. */
	held?: { why: string; count: number };
	/** How many the next execution removes if they are missing from it, too. */
	removedNextCount: number;
	/** In a dry run: how many missing contacts further executions would remove, and the limit that would stop these. */
	removedLaterCount: number;
	limitLater?: ExceededLimit;
	/** Missing contacts for which this execution counts toward "Remove After"; none if an item may mean anyone. */
	counted: readonly ListedContact[];
	/** The items that may mean anyone, with the email of those that have one. */
	unreadable: ReadonlyArray<{ item: number; email: string }>;
	/** Address keys that the items name; absent if an item may mean anyone. */
	named?: string[];
	/** New contacts whose external ID could not be compared, because no earlier run with this field is remembered. */
	uncomparedCount: number;
	/** New contacts that had previously been removed in the service. */
	recreatedCount: number;
}
