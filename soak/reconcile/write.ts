import type { SuppressionList } from '../service.ts';

/** A run that may have sent a write. */
export interface PossibleRun {
	id: number;
	/** When it began to read. */
	from: number;
	/** When it read each suppression list, or at the earliest. */
	readAt: Record<SuppressionList, number>;
}

/** A write that the sandbox got. */
export interface Write {
	n: number;
	at: number;
	kind: 'create' | 'update' | 'delete';
	/** The contacts, by id; a create has one only where it was carried out. */
	ids: number[];
	/** Of a create and of an update. */
	email: string;
	body: Record<string, string>;
	carriedOut: boolean;
	/** What the caller saw left no doubt that it was not carried out. */
	turnedAway: boolean;
	/** One, unless several ran at the same time on different workers. */
	runs: PossibleRun[];
}
