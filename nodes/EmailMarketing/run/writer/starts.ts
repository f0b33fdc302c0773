import type { Item } from '../../params/item';
import { shortHash } from '../../util/text';
import type { RunContext } from '../runContext';

/**
 * The sends that a node has started in an execution, or may have. n8n keeps them until it has ended, so that they hold
 * for later runs of the node in a loop, too.
 */
export class Starts {
	/** Those of this run and its further tries, by item. */
	private readonly own: Map<string, number>;
	private readonly all: Record<string, true>;

	constructor({ ledger, executionData }: Pick<RunContext, 'ledger' | 'executionData'>) {
		const data: { starts?: Record<string, true> } = executionData;
		this.own = ledger.starts;
		this.all = data.starts ??= {};
	}

	/** What has started it before the item, in words; undefined if nothing else has. */
	starterOf(subject: string, { index }: Item): string | undefined {
		const starter = this.own.get(subject);
		if (starter === index) return undefined;
		if (starter !== undefined) return `item ${starter}`;
		return this.all[keyOf(subject)] ? 'an earlier run of this node' : undefined;
	}

	note(subject: string, { index }: Item): void {
		if (!this.own.has(subject)) this.own.set(subject, index);
		this.all[keyOf(subject)] = true;
	}
}

const keyOf = (subject: string): string => shortHash(subject, 16);
