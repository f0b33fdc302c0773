import type { Item } from '../../params/item';
import { shortHash } from '../../util/text';
import type { RunContext } from '../runContext';

/**
 * The sends that an execution has started, or may have. n8n keeps them until it has ended, so that they hold for other
 * nodes and for later runs of the node in a loop, too.
 */
export class Starts {
	/** Those of this run and its further tries, by item. */
	private readonly own: Map<string, number>;
	private readonly all: Record<string, true>;

	constructor({ ledger, flowData }: Pick<RunContext, 'ledger' | 'flowData'>) {
		const data: { emailMarketingStarts?: Record<string, true> } = flowData;
		this.own = ledger.starts;
		this.all = data.emailMarketingStarts ??= {};
	}

	/** What has started it before the item, in words; undefined if nothing else has. */
	starterOf(subject: string, { index }: Item): string | undefined {
		const starter = this.own.get(subject);
		if (starter === index) return undefined;
		if (starter !== undefined) return `item ${starter}`;
		return this.all[keyOf(subject)] ? 'an earlier node or run' : undefined;
	}

	note(subject: string, { index }: Item): void {
		if (!this.own.has(subject)) this.own.set(subject, index);
		this.all[keyOf(subject)] = true;
	}

	/** After this, another node may start it again. */
	forget(subject: string): void {
		delete this.all[keyOf(subject)];
	}
}

const keyOf = (subject: string): string => shortHash(subject, 16);
