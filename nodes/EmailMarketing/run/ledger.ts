import type { IDataObject, IExecuteData, INodeExecutionData } from 'n8n-workflow';

import { ServiceError } from '../service/failure';
import type { Failure } from '../service/failure';

/** What is known about the IDs of a bulk delete. */
export interface Deletions {
	deleted: Set<string>;
	/** Sent, with an outcome that is not known. */
	uncertain: Array<{ ids: string[]; failure: Failure }>;
}

/**
 * What the writes of one execution of the node came to, by item. n8n's "Retry On Fail" runs the whole node again: what
 * has been written by then is not written a second time.
 */
export class Ledger {
	/** The items that start the sending of a record. */
	readonly starts = new Map<string, number>();
	private readonly outcomes = new Map<number, INodeExecutionData[] | Error>();
	private readonly deletions = new Map<number, Deletions>();
	private readonly lookups = new Map<number, Map<string, string>>();

	/** The items of an earlier write, or why it must not be sent again; undefined if it may be sent. */
	priorOutcome(itemIndex: number): INodeExecutionData[] | Error | undefined {
		return this.outcomes.get(itemIndex);
	}

	recordItems(itemIndex: number, items: INodeExecutionData[]): void {
		this.outcomes.set(itemIndex, items);
	}

	/** After a failure that leaves it open whether the request had its effect. */
	recordUncertain(itemIndex: number, failure: Failure): void {
		this.outcomes.set(itemIndex, new ServiceError(notRepeated(failure)));
	}

	/** After it was refused for what may have been written for another item, which no further try can find out. */
	recordRefusal(itemIndex: number, error: Error): void {
		this.outcomes.set(itemIndex, error);
	}

	deletionsOf(itemIndex: number): Deletions {
		const deletions = this.deletions.get(itemIndex) ?? { deleted: new Set(), uncertain: [] };
		this.deletions.set(itemIndex, deletions);
		return deletions;
	}

	/** The records that were found, by what was entered: a list lacks what has been deleted since. */
	lookupsOf(itemIndex: number): Map<string, string> {
		const lookups = this.lookups.get(itemIndex) ?? new Map<string, string>();
		this.lookups.set(itemIndex, lookups);
		return lookups;
	}
}

export function notRepeated(failure: Failure): Failure {
	const sentence = 'n8n ran this node again; this request was not repeated.';
	const { description } = failure;
	if (description.endsWith(sentence)) return failure;
	return { ...failure, description: `${description} ${sentence}` };
}

const ledgers = new WeakMap<object, Ledger>();

/**
 * The ledger of one execution of a node, or of one call of a tool by an agent.
 *
 * @param owner what n8n hands out to all tries of it: the execution data, or the arguments of the call
 */
export function ledgerOf(owner: IExecuteData | IDataObject): Ledger {
	const ledger = ledgers.get(owner) ?? new Ledger();
	ledgers.set(owner, ledger);
	return ledger;
}
