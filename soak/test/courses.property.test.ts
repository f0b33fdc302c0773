import fc from 'fast-check';
import { checkCourses } from '../reconcile/courses.ts';
import type { Look, TriggerEvent } from '../reconcile/looks.ts';
import type { Course } from '../service.ts';

const code = (status: number | undefined) => (status === undefined ? null : { code: status });

/** What a look tells that saw a campaign at one status before and sees it at another now. */
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

/** Campaigns as looks find them: the status at each look, from the first that has it to the one at which it is gone. */
const courses = fc.array(
	fc.record({
		first: fc.option(fc.constant(0), { nil: undefined }),
		startsAt: fc.nat(3),
		steps: fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
		deleted: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 4 },
);

const story = courses.map((all) => {
	const looks: Look[] = Array.from({ length: 10 }, (_, index) => ({
		id: index + 1,
		at: index + 1,
		events: [],
		hidden: false,
	}));
	const told = new Map<string, Course>();
	all.forEach(({ first, startsAt, steps, deleted }, number) => {
		const utr = `send-${number}`;
		let status: number | undefined = first;
		// Campaigns only move on; a step of 0 is a look that finds nothing new.
		const path: Array<number | undefined> = [];
		for (const step of steps) path.push((path.at(-1) ?? first ?? 0) + step);
		if (deleted) path.push(undefined);
		path.forEach((next, index) => {
			looks[startsAt + index]?.events.push(...eventsOf(utr, status, next));
			status = next;
		});
		told.set(utr, { utr, first, status, changes: [0] });
	});
	return { looks, told };
});

const check = ({ looks, told }: { looks: Look[]; told: Map<string, Course> }) =>
	checkCourses(looks, told, 'singleSend', []).findings.map(({ kind }) => kind);

/** The looks with one event treated in some way, and nothing where there is no event. */
const changed = (looks: Look[], pick: number, treat: (event: TriggerEvent) => TriggerEvent[]) => {
	const all = looks.flatMap(({ events }) => events);
	const chosen = all[pick % all.length];
	return looks.map((look) => ({
		...look,
		events: look.events.flatMap((event) => (event === chosen ? treat(event) : [event])),
	}));
};

const withEvents = story.filter(({ looks }) => looks.some(({ events }) => events.length > 0));

test('what was told truly is in order', () => {
	fc.assert(fc.property(story, (given) => expect(check(given)).toEqual([])));
});

test('an event that is gone is lost', () => {
	fc.assert(
		fc.property(withEvents, fc.nat(), ({ looks, told }, pick) => {
			const chosen = changed(looks, pick, (event) => {
				// The second event of a new campaign says nothing that the first did not.
				const isRepetition =
					event.event === 'singleSendStatusChanged' && event.previousStatus === null;
				return isRepetition ? [event] : [];
			});
			fc.pre(chosen.flatMap(({ events }) => events).length < looks.flatMap((l) => l.events).length);
			expect(check({ looks: chosen, told })).toContain('lost');
		}),
	);
});

test('an event that comes again is doubled', () => {
	fc.assert(
		fc.property(withEvents, fc.nat(), ({ looks, told }, pick) => {
			const isMove = ({ event, previousStatus }: TriggerEvent) =>
				event !== 'singleSendStatusChanged' || previousStatus !== null;
			const again = changed(looks, pick, (event) => (isMove(event) ? [event, event] : [event]));
			fc.pre(again.flatMap(({ events }) => events).length > looks.flatMap((l) => l.events).length);
			expect(check({ looks: again, told })).toContain('doubled');
		}),
	);
});
