/** Cases of one kind that one process runs. */
export interface Part {
	kind: string;
	/** Of the whole run. */
	seed: number;
	/** What the cases of this part come from; of the first part, the seed itself. */
	partSeed: number;
	cases: number;
}

/** A part that has ended. */
export interface Done extends Part {
	ok: boolean;
	done: number;
	/** Processor time, start included. */
	cpuMs: number;
	/** The most memory that its process had. */
	megabytes: number;
}

/** Few enough that no processor is left with much at the end, and enough to be worth the start of a process. */
const casesOfPart = 25_000;
/** Apart by more than there are seeds. */
const seedStep = 1_000_003;

/** Milliseconds of a case, as measured; what is not here takes less. */
const costs: Record<string, number> = { sync: 9, mapper: 8, trigger: 8, inputs: 6, answers: 5 };

/** All that is to be run, what takes longest first. */
export function partsOf(kinds: string[], seeds: number[], cases: number): Part[] {
	const count = Math.ceil(cases / casesOfPart);
	const parts = kinds.flatMap((kind) =>
		seeds.flatMap((seed) =>
			Array.from({ length: count }, (_, index) => ({
				kind,
				seed,
				partSeed: (seed + index * seedStep) % 2 ** 31,
				cases: Math.min(casesOfPart, cases - index * casesOfPart),
			})),
		),
	);
	const cost = (part: Part) => part.cases * (costs[part.kind] ?? 4);
	return parts.sort((a, b) => cost(b) - cost(a));
}

const columns = ['Kind', 'Seed', 'Cases', 'CPU time', 'Per case', 'Memory', ''] as const;

/** Cases, time and memory of each kind and seed. */
export function fuzzTable(parts: Done[]): string {
	const groups = Map.groupBy(parts, ({ kind, seed }) => `${kind} ${seed}`);
	const lines = [...groups.values()].map((group) => {
		const { kind, seed } = group[0] as Done;
		const sum = (name: 'done' | 'cpuMs') => group.reduce((total, part) => total + part[name], 0);
		return [
			kind,
			String(seed),
			sum('done').toLocaleString('en'),
			`${Math.round(sum('cpuMs') / 1000)} s`,
			sum('done') === 0 ? '' : `${(sum('cpuMs') / sum('done')).toFixed(1)} ms`,
			`${Math.max(...group.map(({ megabytes }) => megabytes))} MB`,
			group.every(({ ok }) => ok) ? '' : 'failed',
		];
	});
	const rows = [[...columns], ...lines.sort()];
	const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
	return rows
		.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
		.map((row) => row.trimEnd())
		.join('\n');
}
