import type { IDataObject, IExecuteData } from 'n8n-workflow';

import { ServiceError } from '../../service/failure';
import type { Failure } from '../../service/failure';
import type { Item } from '../../params/item';
import type { Outcome } from './outcome';

/** How the ledger names the request of an item. */
export const itemKey = ({ index }: Pick<Item, 'index'>): string => `item ${index}`;

/**
 * The outcomes of the writes of one execution of the node. n8n's "Retry On Fail" runs the whole node again; writes that
 * succeeded, or may have, are then not repeated.
 */
export class Ledger {
	/** The item of this run that started each send. */
	readonly starts = new Map<string, number>();
	private readonly outcomes = new Map<string, Outcome>();
	private readonly notes = new Map<string, Map<string, unknown>>();
	private readonly lookups = new Map<number, Map<string, string[]>>();

	/** The outcome of an earlier write that must not be sent again; undefined if it may be sent. */
	priorOutcome(key: string): Outcome | undefined {
		return this.outcomes.get(key);
	}

	/** Notes writes that must not be sent again. */
	record(keys: readonly string[], outcome: Outcome): void {
		const last = lasting(outcome);
		for (const key of last ? keys : []) this.outcomes.set(key, last as Outcome);
	}

	/** What an operation notes for its output in further tries, by its own keys. */
	notesOf<Note>(subject: string): Map<string, Note> {
		const notes = this.notes.get(subject) ?? new Map<string, unknown>();
		this.notes.set(subject, notes);
		return notes as Map<string, Note>;
	}

	/**
	 * The records that were found, by the entered value, since a record that was deleted since is no longer in the list.
	 */
	lookupsOf(itemIndex: number): Map<string, string[]> {
		const lookups = this.lookups.get(itemIndex) ?? new Map<string, string[]>();
		this.lookups.set(itemIndex, lookups);
		return lookups;
	}
}

/** The outcome for a further try of the node instead of sending it; undefined if it may be sent. */
function lasting(outcome: Outcome): Outcome | undefined {
	if (outcome.kind !== 'failed') return outcome.kind === 'items' ? outcome : undefined;
	const { error, effect, isFinal } = outcome;
	if (effect !== 'unknown' || !(error instanceof ServiceError))
		return isFinal ? outcome : undefined;
	return { ...outcome, error: new ServiceError(notRepeated(error.failure)) };
}

function notRepeated(failure: Failure): Failure {
	const description = `${failure.description} n8n ran this node again; this request was not repeated.`;
	return { ...failure, description };
}

const ledgers = new WeakMap<object, Ledger>();

/**
 * The ledger of one execution of a node, or of one call of a tool by an agent.
 *
 * @param owner an object that n8n passes to all tries: the execution data, or the arguments of the call
 */
export function ledgerOf(owner: IExecuteData | IDataObject): Ledger {
	const ledger = ledgers.get(owner) ?? new Ledger();
	ledgers.set(owner, ledger);
	return ledger;
}
