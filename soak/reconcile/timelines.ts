import type { Timeline } from '../service.ts';
import { doubled, type Finding } from './finding.ts';
import { type Gap, missing } from './gaps.ts';
import type { Heard, Observation, TriggerEvent } from './observations.ts';

/** What was told last of a record: its status, or that it is gone. */
type State = number | 'gone' | undefined;

/** The state after an event, where the event follows from the state before. */
function after(state: State, { event, previousStatus, status }: TriggerEvent): State | 'no' {
	const next = status?.code;
	if (event.endsWith('Created')) return state === undefined ? next : 'no';
	if (event.endsWith('Deleted')) {
		return state !== undefined && state === previousStatus?.code ? 'gone' : 'no';
	}
	// A record that was new and had moved already has both events in one observation.
	if (previousStatus === null) return state === next ? state : 'no';
	return state === previousStatus?.code && next !== state ? next : 'no';
}

const describe = ({ event, previousStatus, status }: TriggerEvent) =>
	`${event} ${previousStatus?.code ?? '–'}→${status?.code ?? '–'}`;

/**
 * Follows the events of campaigns or automations from observation to observation: each must go on from the status that the one before
 * ended with, up to the status that the record has now. So every change is told exactly once, be it alone or together
 * with others between two observations.
 *
 * @param prefix of the events
 */
export function checkTimelines(
	observations: Observation[],
	timelines: ReadonlyMap<string, Timeline>,
	prefix: string,
	gaps: Gap[],
): Heard {
	const findings: Finding[] = [];
	let events = 0;
	const states = new Map<string, State>([...timelines].map(([utr, { first }]) => [utr, first]));
	const toldAt = new Map<string, number>();
	const told = new Set<string>();
	const miss = (utr: string, text: string, until?: number) =>
		missing(text, gaps, timelines.get(utr)?.changes ?? [], toldAt.get(utr), until);
	for (const { id, at, events: all } of observations) {
		for (const event of all.filter((one) => one.event.startsWith(prefix))) {
			const utr = String(event.record.utr);
			const what = `${describe(event)} of ${utr}`;
			events++;
			let next = after(states.get(utr), event);
			if (next === 'no') {
				const problem = `execution ${id}: ${what} after ${states.get(utr)}`;
				const missed = miss(utr, problem, at);
				findings.push(missed.kind === 'lost' && told.has(what) ? doubled(problem) : missed);
				next = event.status?.code ?? 'gone';
			}
			told.add(what);
			states.set(utr, next);
			toldAt.set(utr, at);
		}
	}
	for (const [utr, { status = 'gone' }] of timelines) {
		const last = states.get(utr);
		if (last !== status)
			findings.push(miss(utr, `${utr} is at ${status}, and ${last} was told last`));
	}
	return { findings, events };
}

/** That each campaign which went out was told once by a trigger that waits for nothing else. */
export function checkCompleted(
	observations: Observation[],
	timelines: ReadonlyMap<string, Timeline>,
	gaps: Gap[],
): Heard {
	const findings: Finding[] = [];
	const told = new Set<string>();
	const all = observations.flatMap(({ id, events }) => events.map((event) => ({ id, event })));
	for (const { id, event } of all) {
		const utr = String(event.record.utr);
		if (told.has(utr)) findings.push(doubled(`execution ${id}: ${describe(event)} of ${utr}`));
		told.add(utr);
	}
	for (const { utr, status, changes } of timelines.values()) {
		if (status !== 3 || told.has(utr)) continue;
		findings.push(missing(`nobody was told that ${utr} has gone out`, gaps, changes.slice(-1)));
	}
	return { findings, events: all.length };
}
