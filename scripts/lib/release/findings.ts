/** What a check found. */
export interface Findings {
	/** Wrong, also in a rehearsal. */
	problems: string[];
	/** Left to do before the release; a rehearsal may go on without it. */
	pending: string[];
}

export const findings = (problems: string[], pending: string[] = []): Findings => ({
	problems,
	pending,
});

export const joined = (all: Findings[]): Findings => ({
	problems: all.flatMap(({ problems }) => problems),
	pending: all.flatMap(({ pending }) => pending),
});
