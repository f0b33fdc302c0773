import type { Draft, Leaders, PreparedRequest } from './operation';

/** Groups the requests of a run by record: those of an earlier try of the node first, then the others as they join. */
export class SameRecord {
	private readonly groups = new Map<string, number[]>();

	/** @param keyOf names the record of a request; undefined for a request that is about several */
	constructor(prepared: readonly PreparedRequest[], keyOf: (draft: Draft) => string | undefined) {
		for (const [position, request] of prepared.entries()) {
			const key = 'prior' in request && request.prior ? keyOf(request.prior) : undefined;
			if (key !== undefined) this.groupOf(key).push(position);
		}
	}

	join(key: string, position: number): Leaders {
		const positions = this.groupOf(key);
		positions.push(position);
		return { positions, count: positions.length - 1 };
	}

	private groupOf(key: string): number[] {
		const group = this.groups.get(key) ?? [];
		this.groups.set(key, group);
		return group;
	}
}
