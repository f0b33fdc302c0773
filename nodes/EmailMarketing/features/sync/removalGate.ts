/**
 * Nobody is removed by mistake:
 *
 * - The inputs of one execution count as one input: nobody that one of its items may mean is removed.
 * - A contact is removed once it was missing from several executions in a row ("Remove After"). Those that overlap count as
 *   one. The counts go on only if every run of the node notes whom its items name (`resetCountsUnlessNoted`).
 * - By default, only contacts that the sync created are removed.
 * - A run that may not know its whole input, or whether it is the latest one, removes nobody (`HOLDS`).
 * - The percentage limit on removals refers to the contacts that the sync could remove.
 * - These rules do not apply to contacts that an item, a person to erase, or an approved plan names. A duplicate is
 *   removed only if this run created it.
 *
 * Every deletion of a contact needs a clearance. Those of contacts that an item names come from `run/plan.ts`, because of
 * the row's gate `chosenContacts`; all others come from this file. Which contacts are missing, and what is done with
 * them, is planned in `plan/planMissing.ts`. If `plan/planLimits.ts` finds that a run would remove too many, `syncContacts.ts`
 * stops it.
 */
import { InvalidInput } from '../../params/invalidInput';
import type { ExecutionFacts, PlanOptions } from './types';
import { RemovalClearance } from '../contacts/contactWrites';
import type { Gate } from '../../run/operation';
import type { ListedContact, PlannedRow } from '../contacts/types';

/** How n8n runs a node. */
interface Caller {
	isTool: boolean;
	isItemByItem: boolean;
	executesOnce: boolean;
}

/** @throws InvalidInput if a node never receives its whole input, so that nobody may count as missing */
export function requireWholeInput({ isTool, isItemByItem, executesOnce }: Caller): void {
	const orIgnore = 'or choose "Ignore" for "Missing From Input".';
	if (isTool || isItemByItem) {
		throw new InvalidInput(
			'items-run-separately',
			'An agent runs this node once per item, so the people in all other items would count as missing',
			`Run "Sync" in a workflow, ${orIgnore}`,
		);
	}
	if (!executesOnce) return;
	throw new InvalidInput(
		'only-first-item',
		'"Execute Once" passes only the first item to this node, so everyone else would be missing from the input',
		`Turn off "Execute Once" in the settings of the node, ${orIgnore}`,
	);
}

type Options = Pick<PlanOptions, 'missing' | 'onlyAddedBySync' | 'removeAfter'>;

interface Facts extends ExecutionFacts {
	/** Whether the list has a contact that cannot be identified. */
	isListUnclear: boolean;
}

/** What a dry run shows in spite of it. */
export const MANUAL_HOLD =
	'manual executions remove nobody unless "Remove After" is "1 Execution" and no other workflow calls this one';

/** Why a run removes nobody. */
const HOLDS: ReadonlyArray<[applies: (facts: Facts, options: Options) => boolean, why: string]> = [
	[({ isRetry }) => isRetry, 'this execution is a retry'],
	[({ isEvaluation }) => isEvaluation, 'an evaluation runs one row of a dataset at a time'],
	[({ isListUnclear }) => isListUnclear, 'the service lists an entry that cannot be identified'],
	[({ isManual }, { removeAfter }) => isManual && removeAfter > 1, MANUAL_HOLD],
	[({ mayRunAgain }) => mayRunAgain, 'n8n may run this node again in this execution'],
	[({ isIncomplete }) => isIncomplete, 'an earlier run of this node in this execution failed'],
	[({ isOverlapped }) => isOverlapped, 'another execution has started since'],
	[
		({ isCalledRepeatedly }) => isCalledRepeatedly,
		'another workflow calls this one several times in one execution',
	],
	[
		({ isCalledByCalled }) => isCalledByCalled,
		'the workflow that calls this one was itself called, and may belong to a larger execution',
	],
	[
		({ isFirst }, { removeAfter }) => isFirst && removeAfter > 1,
		'this node remembers no earlier run',
	],
];

/** The sync's memory of a contact. */
export interface RemovalMemory {
	isAdded(contact: ListedContact): boolean;
	/** In how many counted executions in a row the contact was missing from the input, including this one. */
	timesMissing(contact: ListedContact): number;
}

type Row = Pick<PlannedRow, 'action' | 'contactId'>;

const deletedIn = (rows: readonly Row[]): number[] =>
	rows.flatMap(({ action, contactId }) => (action === 'deleted' ? (contactId ?? []) : []));

export type Verdict =
	| { kind: 'notAdded' | 'held' | 'uncertain' | 'removable' }
	/** It has been missing from too few executions. */
	| { kind: 'notYet'; times: number };

/** Every removal by a sync passes this gate, which knows all facts about the execution. */
export class RemovalGate {
	/** Why this run removes nobody. */
	readonly hold?: string;
	private readonly removable = new Set<number>();
	private readonly isUncertain: boolean;
	private readonly memory: RemovalMemory;
	private readonly options: Options;

	/** @param isUncertain whether an unreadable item of this execution may mean any contact */
	constructor(facts: Facts, isUncertain: boolean, options: Options, memory: RemovalMemory) {
		this.hold = HOLDS.find(([applies]) => applies(facts, options))?.[1];
		this.isUncertain = isUncertain;
		this.memory = memory;
		this.options = options;
	}

	/** @param contact a contact that no item of this execution names, in any reading */
	judge(contact: ListedContact): Verdict {
		if (!this.isOwn(contact)) return { kind: 'notAdded' };
		if (this.hold !== undefined) return { kind: 'held' };
		if (this.isUncertain) return { kind: 'uncertain' };
		const times = Math.max(1, this.memory.timesMissing(contact));
		if (times < this.options.removeAfter) return { kind: 'notYet', times };
		this.removable.add(contact.id);
		return { kind: 'removable' };
	}

	/** Covers the contacts that the plan deletes, if `judge` found them removable. */
	clearance(rows: readonly Row[]): RemovalClearance {
		return new RemovalClearance(deletedIn(rows).filter((id) => this.removable.has(id)));
	}

	/** How many contacts this sync could remove. The percentage limit on removals refers to this number. */
	countRemovable(
		contacts: readonly ListedContact[],
		isRemovable: (contact: ListedContact) => boolean,
	): number {
		return contacts.filter((contact) => this.isOwn(contact) && isRemovable(contact)).length;
	}

	private isOwn(contact: ListedContact): boolean {
		return !this.options.onlyAddedBySync || this.memory.isAdded(contact);
	}
}

/** Contact: Delete, Delete Many (24, 25). The items themselves name the contacts. */
export const chosenContacts: Gate<'removal'> = { name: 'removal' };

/**
 * Person: Erase. An item names the person, and these contacts have only that address as their email. It is on the
 * global unsubscribe list by then, unless the unsubscribes are removed as well.
 */
export const clearErased = (contactIds: readonly number[]) => new RemovalClearance(contactIds);

/** Apply Plan. Somebody has approved the rows, and their contacts or recipients have not changed since. */
export const clearApproved = (rows: readonly Row[]) => new RemovalClearance(deletedIn(rows));

/** A run that leaves missing contacts alone. */
export const clearNobody = () => new RemovalClearance([]);

/** Duplicates that this run created, because another run or source had added the same address. */
export const clearOwnDuplicates = (contactIds: readonly number[]) =>
	new RemovalClearance(contactIds);
