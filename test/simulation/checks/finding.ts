import type { Entry } from '../history.ts';
import type { Simulation } from '../simulate.ts';

/** What a checker looks at: a history, what it began and ended with, and what was promised. */
export type Evidence = Pick<Simulation, 'choice' | 'first' | 'last' | 'quiet'> & {
	entries: readonly Entry[];
};

/** A promise that was not kept. */
export interface Finding {
	/** The promise. */
	promise: string;
	what: string;
}

/** The trouble that people and the environment made, by what it was. */
export const troubles = (entries: readonly Entry[], key: string) =>
	entries.filter(({ process, data }) => process === 'trouble' && data?.[key] !== undefined);
