import type { ErrorCode } from '../../service/errorCode';
import type { Suppressions } from '../consent/types';
import type { ContactInput, TextField } from '../contacts/fields';
import type { ContactRules, ListedContact, PlannedRow } from '../contacts/types';
import type { RemovalClearance } from '../contacts/removalClearance';
import type { CountryLookup } from '../locations/country';
import type { EarlierRuns } from './executionRuns';
import type { SyncState } from './memory/syncState';

/** What happens to contacts of the type that the input does not name. */
export type MissingPolicy =
	| { kind: 'ignore' | 'delete' }
	| { kind: 'moveToContactType'; contactTypeId: number }
	| { kind: 'addToUnsubscribeGroup'; unsubscribeGroupId: number };

/** Limits on what a plan may do; none where absent. */
export interface PlanLimits {
	/** More removals (deletions, moves, additions to the group) than this stop the run. */
	maxDeletions?: number;
	/** More removals than this share of the contacts that could be removed stop the run, in percent. */
	maxDeletionPercent: number;
	maxUpdates?: number;
	/** Of the contacts of the type. */
	maxUpdatePercent?: number;
	maxFailures?: number;
	/** Of the input items; by default, half of the items of an input that is not small. */
	maxFailurePercent?: number;
}

export interface PlanOptions extends PlanLimits, ContactRules {
	/** What a new entry needs besides its address, where the list is not one of contacts: its entries are never updated. */
	entryFields?: readonly TextField[];
	/** The key of an address in the list, where another than `addressKey`. */
	keyOf?: (address: string) => string;
	missing: MissingPolicy;
	/** A contact is removed after it has been missing from so many executions in a row. */
	removeAfter: number;
	/** Remove only contacts that the sync created, and create none again that was removed in the service. */
	onlyAddedBySync: boolean;
	/** Create contacts again that were removed in the service. */
	recreateRemoved: boolean;
	/** Whether new contacts with custom fields are imported as a file. */
	importsCustomFields?: boolean;
}

/** What decides whether a run may remove anybody. */
export interface ExecutionFacts {
	isRetry: boolean;
	/** n8n saves nothing of it, so it does not count. */
	isManual: boolean;
	/** Whether another workflow called this one. */
	isCalled: boolean;
	/** Whether it has done so several times in one of the last executions. */
	isCalledRepeatedly: boolean;
	/** Whether n8n may run the node again in this execution, with other items. */
	mayRunAgain: boolean;
	/** Whether an earlier run of this execution ended without saying whom its items name. */
	isIncomplete: boolean;
	/** Whether a later execution has begun. */
	isOverlapped: boolean;
	/** Whether no execution is remembered. */
	isFirst: boolean;
}

/** The execution that a run belongs to. */
export interface SyncExecution {
	facts: ExecutionFacts;
	/** Whether this is its first run, and it counts. */
	isNew: boolean;
	earlier: EarlierRuns;
}

export interface PlanInput {
	items: readonly ContactInput[];
	/** All contacts of the account, also of other contact types and deleted ones. */
	contacts: readonly ListedContact[];
	suppressions: Suppressions;
	/** Spelling keys of the unsubscribe group that missing contacts are added to. */
	groupMembers?: ReadonlySet<string>;
	countries: CountryLookup;
	/** What the sync remembers of earlier runs; absent where nothing depends on it. */
	state?: SyncState;
	/** Unless given, one that has no other run, and may remove contacts. */
	execution?: SyncExecution;
	/** The IDs of contacts whose removal somebody has approved, in place of whoever is missing. */
	approved?: ReadonlySet<number>;
	options: PlanOptions;
}

/** A limit that a plan exceeds; nothing may be written then. */
export interface ExceededLimit {
	kind: 'removals' | 'failures' | 'updates';
	code: ErrorCode;
	/** The figures, in a sentence. */
	reason: string;
	/** The limits that block, each with the value that would do; none where no value would. */
	toRaise: Array<{ limit: keyof PlanLimits; value: number }>;
}

export interface Plan {
	/** One per input item in its order; unless missing contacts are ignored, one per contact that no item names. */
	rows: PlannedRow[];
	limit?: ExceededLimit;
	/** For whom the removal gate has cleared. */
	removal: RemovalClearance;
	/** The contacts of the type before the run. */
	contacts: readonly ListedContact[];
	/** All contacts of the account before the run. */
	listed: readonly ListedContact[];
	/** Contacts of the type that no item of the execution names. */
	missingCount: number;
	/** Those of them that are left as they are, since the sync did not create them. */
	notAddedCount: number;
	/** Why none of the others is removed, where that is not about single contacts, and how many there are. */
	held?: { why: string; count: number };
	/** How many would be removed by the next execution if they are missing from it as well. */
	removedNextCount: number;
	/** Those of the missing contacts whose executions are counted; none if an item may be about anyone. */
	counted: readonly ListedContact[];
	/** Address keys of whom the items name; absent if they may be about anyone. */
	named?: string[];
	/** New contacts with an external ID that nothing is remembered to compare with. */
	uncomparedCount: number;
	/** New contacts although the sync knows that they were removed in the service. */
	recreatedCount: number;
}
