import type { Evidence, Finding } from './evidence.ts';
import type { Entry } from './history.ts';

/** The fields by which requests name the record that they are about. */
const NAMES = /^(?:email|contact_id|strIds)\b/;

/** What a write to contacts is about, as long as it names that. */
function subjectOf({ op, data = {} }: Entry): string | undefined {
	if (!/^(?:POST|DELETE) \/contacts\/(?:add|update|delete|bulk-delete)$/.test(op)) return undefined;
	const fields = Object.entries({ ...Object(data.query), ...Object(data.body) });
	return JSON.stringify([op, ...fields.filter(([name]) => NAMES.test(name))]);
}

/** No run sends a write again, unless it is certain that the first one had no effect. */
function checkRepeated({ entries }: Evidence): Finding[] {
	const failed = new Set(entries.flatMap(({ type, id }) => (type === 'fail' ? [id] : [])));
	const open = new Map<string, number>();
	/** How often each run has read the lists: whatever they show again has certainly not been written. */
	const reads = new Map<number, number>();
	return entries.flatMap((entry): Finding[] => {
		const { id, of, type, at, op } = entry;
		if (type !== 'invoke' || of === undefined) return [];
		if (op === 'GET /global-unsubscribes') reads.set(of, (reads.get(of) ?? 0) + 1);
		const subject = subjectOf(entry);
		if (subject === undefined) return [];
		const key = `${of} ${reads.get(of)} ${subject}`;
		const before = open.get(key);
		if (!failed.has(id)) open.set(key, id);
		if (before === undefined) return [];
		const promise = 'No write is repeated that may have succeeded';
		return [{ promise, what: `${op} ${id} at ${at} repeats ${before}` }];
	});
}

/** Every run of a process that lives ends, every failure says why with a code, and every write is one of a run. */
export function checkRuns(evidence: Evidence): Finding[] {
	const { entries, promises } = evidence;
	const end = entries.at(-1)?.at ?? 0;
	const dead = new Set(entries.filter(({ op }) => op === 'killed').map(({ process }) => process));
	const runs = entries.filter(({ op }) => op === 'poll' || op === 'execution');
	const ended = new Set(runs.filter(({ type }) => type !== 'invoke').map(({ id }) => id));
	return [
		...runs
			.filter(
				({ id, at, process }) =>
					!ended.has(id) && !dead.has(process) && end - at > promises.longestMs,
			)
			.map(({ op, id, at }) => ({
				promise: 'Every run ends',
				what: `${op} ${id}, which began at ${at}, has not ended`,
			})),
		...runs
			.filter(
				({ type, data }) =>
					type === 'fail' && data?.message !== undefined && typeof data.code !== 'string',
			)
			.map(({ op, id, data }) => ({
				promise: 'Every failure has a code',
				what: `${op} ${id}: ${String(data?.message)}`,
			})),
		...entries
			.filter(
				({ op, data }) => op === 'effect' && (data?.runs as unknown[] | undefined)?.length === 0,
			)
			.map(({ data, at }) => ({
				promise: 'Every write is one of a run',
				what: `${data?.write} at ${at}`,
			})),
		...checkRepeated(evidence),
	];
}
