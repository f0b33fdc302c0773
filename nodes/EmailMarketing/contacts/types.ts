import type { CountryLookup } from './country';
import type { EarlierRuns } from './executionRuns';
import type { ContactField, ContactInput, TextField } from './fields';
import type { SyncState } from './syncState';

/** A contact as #18 lists it; only what a plan looks at. */
export interface ListedContact extends Partial<Record<TextField, string | null>> {
	id: number;
	contact_type_id: number | string;
	email: string;
	/** The name of the country; an id is understood too. */
	country?: string | number | null;
	/** The contact endpoints (19, 23) take neither this nor custom fields. */
	alt_email?: string | null;
	/** Whether a custom field has a value. */
	hasCustomValues?: boolean;
	/** Why it is not known which contact this is, as the end of a sentence: whoever it may be is left alone. */
	unclear?: string;
	deleted_at?: string | null;
}

/** One address that unsubscribed. */
export interface Suppression {
	/** ISO 8601 time in UTC, as the service gives it; absent if it gives none. */
	date?: string;
	/** The list that it stands on, for people. */
	list: string;
}

/** By address key (see `addressKey`). */
export type Suppressions = ReadonlyMap<string, Suppression>;

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
	/** Of the items of the last run, how many fewer there may be now. */
	maxInputDecreasePercent?: number;
}

export interface PlanOptions extends PlanLimits {
	contactTypeId: number;
	matchBy: 'email' | 'contactId';
	/** What an empty value in a mapped field means. */
	emptyValues: 'ignore' | 'clear';
	/** Id, name or ISO code for new contacts that come without a country. */
	defaultCountry?: string;
	missing: MissingPolicy;
	/** A contact is removed after it has been missing from so many executions in a row. */
	removeAfter: number;
	/** Remove only contacts that the sync created, and create none again that was removed in the service. */
	onlyAddedBySync: boolean;
	/** Create contacts again that were removed in the service. */
	recreateRemoved: boolean;
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
	/** Items of the last execution that is remembered. */
	lastItems?: number;
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
	/** Country ids read from the details (#22), by contact id; '' when the details show none. */
	countryIds?: ReadonlyMap<number, string>;
	options: PlanOptions;
}

export type Action =
	'created' | 'updated' | 'unchanged' | 'skipped' | 'moved' | 'addedToGroup' | 'deleted' | 'failed';

export type Changes = Partial<Record<ContactField, { from: string | null; to: string }>>;

/** The body of #19, or of #23 without `contact_id`. A field that is '' is to be blanked. */
export type ContactBody = { contact_type_id: number; email: string; country: string } & Partial<
	Record<TextField, string>
>;

/** What is to be done, or was done, about one input item or one contact that no item names. */
export interface PlannedRow {
	/** Index of the input item; absent for contacts that are missing from the input. */
	item?: number;
	action: Action;
	email: string;
	contactId?: number;
	/** Of a skipped row, what stands before a colon is the same for all rows that are skipped for that reason. */
	reason?: string;
	/** When the outcome was known, in ISO 8601; that of a row that needed no write was known with the plan. */
	at?: string;
	/** Label of the field that a failure is about. */
	field?: string;
	suppression?: Suppression;
	changes?: Changes;
	body?: ContactBody;
	/** The ID of the country that the contact has, if it is known and not the one in `body`. */
	countryId?: string;
	/** The group that a missing contact is added to. */
	unsubscribeGroupId?: number;
}

/** A limit that a plan exceeds; nothing may be written then. */
export interface ExceededLimit {
	kind: 'input' | 'removals' | 'failures' | 'updates';
	/** The figures, in a sentence. */
	reason: string;
}

export interface Plan {
	/** One per input item in its order; unless missing contacts are ignored, one per contact that no item names. */
	rows: PlannedRow[];
	/** Contacts whose details (#22) must be read before this plan is complete. */
	detailsNeeded: number[];
	limit?: ExceededLimit;
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
