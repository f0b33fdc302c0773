import type { Evidence, Finding } from './finding.ts';

/** Longer than any run takes. */
const longestMs = 60 * 60_000;

/** Every run of a process that lives ends, and every failure says why with a code. */
export function checkRuns({ entries }: Evidence): Finding[] {
	const end = entries.at(-1)?.at ?? 0;
	const dead = new Set(entries.filter(({ op }) => op === 'killed').map(({ process }) => process));
	const runs = entries.filter(({ op }) => op === 'poll' || op === 'execution');
	const ended = new Set(runs.filter(({ type }) => type !== 'invoke').map(({ id }) => id));
	return [
		...runs
			.filter(({ id, at, process }) => !ended.has(id) && !dead.has(process) && end - at > longestMs)
			.map(({ op, id, at }) => ({
				promise: 'Every run ends',
				what: `${op} ${id}, which began at ${at}, has not ended`,
			})),
		...runs
			.filter(({ type, data }) => type === 'fail' && typeof data?.code !== 'string')
			.map(({ op, id, data }) => ({
				promise: 'Every failure has a code',
				what: `${op} ${id}: ${String(data?.message)}`,
			})),
	];
}
