import fc from 'fast-check';
import { checkTimelines } from '../reconcile/timelines.ts';
import type { Observation, TriggerEvent } from '../reconcile/observations.ts';
import type { Timeline } from '../service.ts';

const code = (status: number | undefined) => (status === undefined ? null : { code: status });

/** What an observation reports that saw a campaign at one status before and sees it at another now. */
function eventsOf(
	utr: string,
	before: number | undefined,
	now: number | undefined,
): TriggerEvent[] {
	const base = {
		occurredAt: null,
		record: { utr },
		previousStatus: code(before),
		status: code(now),
	};
	if (before === now) return [];
	if (now === undefined) return [{ ...base, event: 'singleSendDeleted' }];
	if (before !== undefined) return [{ ...base, event: 'singleSendStatusChanged' }];
	const created = { ...base, event: 'singleSendCreated' };
	return now === 0 ? [created] : [created, { ...base, event: 'singleSendStatusChanged' }];
}

/** Campaigns as observations find them: the status at each observation, from the first that has it to the one at which it is gone. */
const timelines = fc.array(
	fc.record({
		first: fc.option(fc.constant(0), { nil: undefined }),
		startsAt: fc.nat(3),
		steps: fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
		deleted: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 4 },
);

const story = timelines.map((all) => {
	const observations: Observation[] = Array.from({ length: 10 }, (_, index) => ({
		id: index + 1,
		at: index + 1,
		events: [],
		hidden: false,
	}));
	const told = new Map<string, Timeline>();
	all.forEach(({ first, startsAt, steps, deleted }, number) => {
		const utr = `send-${number}`;
		let status: number | undefined = first;
		// Campaigns only move on; a step of 0 is an observation that finds nothing new.
		const path: Array<number | undefined> = [];
		for (const step of steps) path.push((path.at(-1) ?? first ?? 0) + step);
		if (deleted) path.push(undefined);
		path.forEach((next, index) => {
			observations[startsAt + index]?.events.push(...eventsOf(utr, status, next));
			status = next;
		});
		told.set(utr, { utr, first, status, changes: [0] });
	});
	return { observations, told };
});

const check = ({
	observations,
	told,
}: {
	observations: Observation[];
	told: Map<string, Timeline>;
}) => checkTimelines(observations, told, 'singleSend', []).findings.map(({ kind }) => kind);

/** The observations with one event treated in some way, and nothing where there is no event. */
const changed = (
	observations: Observation[],
	pick: number,
	treat: (event: TriggerEvent) => TriggerEvent[],
) => {
	const all = observations.flatMap(({ events }) => events);
	const chosen = all[pick % all.length];
	return observations.map((observation) => ({
		...observation,
		events: observation.events.flatMap((event) => (event === chosen ? treat(event) : [event])),
	}));
};

const withEvents = story.filter(({ observations }) =>
	observations.some(({ events }) => events.length > 0),
);

test('what was told truly is in order', () => {
	fc.assert(fc.property(story, (given) => expect(check(given)).toEqual([])));
});

test('an event that is gone is lost', () => {
	fc.assert(
		fc.property(withEvents, fc.nat(), ({ observations, told }, pick) => {
			const chosen = changed(observations, pick, (event) => {
				// The second event of a new campaign says nothing that the first did not.
				const isRepetition =
					event.event === 'singleSendStatusChanged' && event.previousStatus === null;
				return isRepetition ? [event] : [];
			});
			fc.pre(
				chosen.flatMap(({ events }) => events).length <
					observations.flatMap((l) => l.events).length,
			);
			expect(check({ observations: chosen, told })).toContain('lost');
		}),
	);
});

test('an event that comes again is doubled', () => {
	fc.assert(
		fc.property(withEvents, fc.nat(), ({ observations, told }, pick) => {
			const isMove = ({ event, previousStatus }: TriggerEvent) =>
				event !== 'singleSendStatusChanged' || previousStatus !== null;
			const again = changed(observations, pick, (event) =>
				isMove(event) ? [event, event] : [event],
			);
			fc.pre(
				again.flatMap(({ events }) => events).length > observations.flatMap((l) => l.events).length,
			);
			expect(check({ observations: again, told })).toContain('doubled');
		}),
	);
});
