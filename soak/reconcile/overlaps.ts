import { doubled, expected, type Finding } from './finding.ts';
import type { SyncRun } from './runs.ts';
import type { PossibleRun, Write } from './write.ts';

/** Contacts that were there when another of the same address was created. */
export interface SecondCreate {
	email: string;
	/** Undefined where it was there before the first run. */
	first: Write | undefined;
	second: Write;
}

export function secondCreates(
	writes: Write[],
	seeded: ReadonlyMap<number, string>,
): SecondCreate[] {
	const found: SecondCreate[] = [];
	const present = new Map<number, { email: string; write?: Write }>(
		[...seeded].map(([id, email]) => [id, { email }]),
	);
	for (const write of writes.filter(({ carriedOut }) => carriedOut)) {
		const { kind, ids, email } = write;
		if (kind === 'delete') for (const id of ids) present.delete(id);
		if (kind !== 'create') continue;
		const there = [...present.values()].find((one) => one.email === email);
		if (there) found.push({ email, first: there.write, second: write });
		for (const id of ids) present.set(id, { email, write });
	}
	return found;
}

/** Whether two runs that did not know of each other may have created the two: each had read the list before. */
const mayOverlap = ({ first, second }: SecondCreate) =>
	first !== undefined &&
	second.runs.some(({ id, from }) => from < first.at && first.runs.some((one) => one.id !== id));

/** What two runs created at the same time on different workers, which each of them clears up at its end. */
export class Overlaps {
	private readonly found: SecondCreate[];
	private readonly ids: Set<number>;
	private readonly deleted: Set<number>;
	private readonly runs: SyncRun[];

	constructor(writes: Write[], seeded: ReadonlyMap<number, string>, runs: SyncRun[]) {
		this.found = secondCreates(writes, seeded).filter(mayOverlap);
		this.ids = new Set(
			this.found.flatMap(({ first, second }) => [...(first?.ids ?? []), ...second.ids]),
		);
		this.deleted = new Set(
			writes
				.filter(({ kind, carriedOut }) => kind === 'delete' && carriedOut)
				.flatMap(({ ids }) => ids),
		);
		this.runs = runs;
	}

	has(second: Write): boolean {
		return this.found.some((one) => one.second === second);
	}

	/** Of a contact that a run removed since another one had created the same: neither is told. */
	isUndone(id: number): boolean {
		return this.ids.has(id) && this.deleted.has(id);
	}

	/** Why a contact may be there twice at the end, where it may. */
	excuse(email: string): string | undefined {
		const possible = new Set(
			this.found
				.filter((one) => one.email === email)
				.flatMap(({ first, second }) => [...(first?.runs ?? []), ...second.runs])
				.map(({ id }: PossibleRun) => id),
		);
		for (const { execution, isCut } of this.runs.filter((run) => possible.has(run.execution.id))) {
			if (isCut) return `execution ${execution.id} was killed before it could remove duplicates`;
			const row = execution.items?.find(
				(item) => String(item.email).toLowerCase() === email && item.action === 'created',
			);
			const reason = String(row?.reason ?? 'new');
			if (reason !== 'new') return `execution ${execution.id} says of it: ${reason}`;
		}
		return undefined;
	}

	/** That an address is there more than once. */
	duplicate(email: string, times: number): Finding {
		const text = `${email} is there ${times} times`;
		const why = this.excuse(email);
		return why === undefined ? doubled(text) : expected(`${text}: ${why}`);
	}
}
