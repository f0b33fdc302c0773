/** As much as is used of https://github.com/stryker-mutator/mutation-testing-elements: its report as JSON. */
export interface MutationReport {
	files: Record<string, { mutants: Array<{ status: string }> }>;
}

export interface Figures {
	part: string;
	mutants: number;
	killed: number;
	timeout: number;
	survived: number;
	noCoverage: number;
	/** Percentage of the mutants that a test noticed. */
	score: number;
	minutes: number;
}

/** What a run showed. Mutants that could not be tested, and those of tables, count nowhere. */
export function figuresOf(part: string, { files }: MutationReport, ms: number): Figures {
	const counts = new Map<string, number>();
	for (const { status } of Object.values(files).flatMap(({ mutants }) => mutants)) {
		counts.set(status, (counts.get(status) ?? 0) + 1);
	}
	const of = (status: string) => counts.get(status) ?? 0;
	const [killed, timeout, survived] = [of('Killed'), of('Timeout'), of('Survived')];
	const noCoverage = of('NoCoverage');
	const mutants = killed + timeout + survived + noCoverage;
	return {
		part,
		mutants,
		killed,
		timeout,
		survived,
		noCoverage,
		score: mutants === 0 ? 100 : (100 * (killed + timeout)) / mutants,
		minutes: ms / 60_000,
	};
}

const heading = [
	'Part',
	'Mutants',
	'Killed',
	'Timeout',
	'Survived',
	'Not covered',
	'Score',
	'Minutes',
];

/** As a table for docs/dev/mutation.md. */
export function figuresTable(figures: Figures[]): string {
	const rows = figures.map((one) => [
		one.part,
		...[one.mutants, one.killed, one.timeout, one.survived, one.noCoverage].map(String),
		`${one.score.toFixed(1)} %`,
		one.minutes.toFixed(0),
	]);
	return [heading, heading.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}
