import type { IDataObject } from 'n8n-workflow';

import type { Records } from '../../sandbox/model.ts';
import type { Entry } from './history.ts';

const NO_RECORDS = {
	...{ contacts: [], segmentRecipients: [], groupRecipients: [], globalUnsubscribes: [] },
	...{ singleSends: [], automations: [], automationSchedules: [], senders: [] },
};

/** The records of the service that checkers look at, by table. */
export type Tables = { [T in keyof typeof NO_RECORDS]: Array<Records[T]> };

export const TABLES = Object.keys(NO_RECORDS) as Array<keyof Tables>;

/** @returns tables without records, but for those that are given */
export const tablesWith = (tables: Partial<Tables>): Tables => ({ ...NO_RECORDS, ...tables });

/** A time in which n8n may have lost what a poll found. */
export interface Gap {
	/** When the loss can show first. */
	at: number;
	/** What is lost happened at this time or later. */
	since: number;
	why: string;
}

/** A trigger, and what it reports. */
export interface Trigger {
	/** In the data of its polls and events, where a history has several triggers. */
	workflow?: string;
	events: readonly string[];
	/** Only changes to this status are reported; campaigns do not leave it again. */
	toStatus?: number;
	/** Of bounces. */
	threshold?: number;
	/** The contact type and the unsubscribe group that are watched; all of them unless given. */
	contactType?: number;
	group?: number;
	gaps: readonly Gap[];
}

/** Of what a run may write. */
export interface Limit {
	kind: string;
	value: number;
}

/** What becomes of contacts that items name. */
export interface ContactRules {
	/** The contact type. */
	type: number;
	/** Whether an empty cell empties the field. */
	emptyValues: 'ignore' | 'clear';
	/** Whether people have an ID in the other system, by which they are known if their address changes. */
	hasIds: boolean;
	/** What becomes of the custom fields that people have; undefined if they have none. */
	customFields?: 'ignore' | 'import' | 'importOrFail';
}

/** A list that a workflow keeps as its input says. */
export interface KeptList {
	workflow: string;
	list: string;
	/** To which whoever is missing is added, in place of a removal. */
	leftList?: string;
	removal: {
		missing: string;
		removeAfter: number;
		onlyAddedBySync: boolean;
		isApproved?: boolean;
		limits?: readonly Limit[];
	};
	contacts?: ContactRules;
	/** Whether n8n runs the node again after a failure: then, what the first try did is there already. */
	isRetried: boolean;
	/** Values that the last run leaves behind, where its input has them. */
	compares: readonly string[];
	/** What is to be on the list in the end, where all goes well long enough; otherwise, the rows of the last run say it. */
	settlesAt?: readonly IDataObject[];
}

/** What the workflows of a history promise. */
export interface Promises {
	lists: readonly KeptList[];
	triggers: readonly Trigger[];
	/** Lists that all workflows respect. */
	suppressing: readonly string[];
	/** Whoever is added to these gets less email. */
	keepingOff: readonly string[];
	/** Lists of contacts that no workflow writes to. */
	untouched: readonly string[];
	/** The only recipients of a test. */
	testList?: string;
	/** Until the contacts of an accepted file are listed. */
	csvDelayMs: number;
	/** Longer than any run takes. */
	longestMs: number;
}

export const NO_PROMISES: Promises = {
	...{ lists: [], triggers: [], suppressing: [], keepingOff: [], untouched: [] },
	...{ csvDelayMs: 0, longestMs: Infinity },
};

/** What a checker looks at: a history, what it began and ended with, and what was promised. */
export interface Evidence {
	entries: readonly Entry[];
	/** The records of the service as the triggers saw them first, and at the end. */
	first: Tables;
	last: Tables;
	promises: Promises;
	/** When the history begins, in milliseconds as the records have them. */
	start: number;
	/** When it ends, or the last trouble does. */
	end: number;
}

/** A promise that was not kept. */
export interface Finding {
	/** The promise. */
	promise: string;
	what: string;
	/** Why this may happen without a mistake of the nodes. */
	expected?: string;
}

/** The trouble that people and the environment made, by what it was. */
export const troubles = (entries: readonly Entry[], key: string) =>
	entries.filter(({ process, data }) => process === 'trouble' && data?.[key] !== undefined);
