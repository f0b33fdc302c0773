import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { act, type Given, kindsIn, poll, readsAfter } from './evidence.ts';

type Event = IDataObject & { event: string };

const code = (status: number | undefined) => (status === undefined ? null : { code: status });

/** What a poll reports that saw a campaign at one status before and sees it at another now. */
function eventsOf(utr: string, before: number | undefined, now: number | undefined): Event[] {
	const base = {
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

/** Campaigns as polls find them: the status at each poll, from the first that has it to the one at which it is gone. */
const timelines = fc.array(
	fc.record({
		first: fc.option(fc.constant(0), { nil: undefined }),
		startsAt: fc.nat(3),
		steps: fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
		deleted: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 4 },
);

const second = 1_000;

/** The events of each poll, one a second, and what happened in the service before them. */
const story = timelines.map((all) => {
	const polls: Event[][] = Array.from({ length: 10 }, () => []);
	const rows = { first: [] as object[], last: [] as object[] };
	const given = { acts: [] as object[], journal: [] as object[] };
	all.forEach(({ first, startsAt, steps, deleted }, number) => {
		const utr = `send-${number}`;
		let status: number | undefined = first;
		// Campaigns only move on; a step of 0 is a poll that finds nothing new.
		const path: Array<number | undefined> = [];
		for (const step of steps) path.push((path.at(-1) ?? first ?? 0) + step);
		if (deleted) path.push(undefined);
		path.forEach((next, index) => {
			const at = (startsAt + index) * second + 500 + number;
			const change = next === undefined ? 'deleted' : status === undefined ? 'created' : 'status';
			given.acts.push(act(at, { change, table: 'singleSends', key: utr }));
			if (next === undefined) given.journal.push(...readsAfter(at));
			polls[startsAt + index]?.push(...eventsOf(utr, status, next));
			status = next;
		});
		if (first !== undefined) rows.first.push({ utr, status: first });
		if (status !== undefined) rows.last.push({ utr, status });
	});
	const tables = { first: { singleSends: rows.first }, last: { singleSends: rows.last } };
	return { polls, given: { ...tables, ...given } as unknown as Given };
});

const check = ({ polls, given }: { polls: Event[][]; given: Given }) => {
	const ended = polls.map((events, index) => poll(index + 1, events));
	return kindsIn({ ...given, polls: { everything: { ended, open: [] } } });
};

/** The polls with one event treated in some way. */
const changed = (polls: Event[][], pick: number, treat: (event: Event) => Event[]) => {
	const all = polls.flat();
	const chosen = all[pick % all.length];
	return polls.map((events) =>
		events.flatMap((event) => (event === chosen ? treat(event) : [event])),
	);
};

const withEvents = story.filter(({ polls }) => polls.flat().length > 0);

test('what was told truly is in order', () => {
	fc.assert(fc.property(story, (given) => expect(check(given)).toEqual([])));
});

test('an event that is gone is lost', () => {
	fc.assert(
		fc.property(withEvents, fc.nat(), ({ polls, given }, pick) => {
			const chosen = changed(polls, pick, (event) => {
				// The second event of a new campaign says nothing that the first did not.
				const isRepetition =
					event.event === 'singleSendStatusChanged' && event.previousStatus === null;
				return isRepetition ? [event] : [];
			});
			fc.pre(chosen.flat().length < polls.flat().length);
			expect(check({ polls: chosen, given })).toContain('lost');
		}),
	);
});

test('an event that comes again is doubled', () => {
	fc.assert(
		fc.property(withEvents, fc.nat(), ({ polls, given }, pick) => {
			const isMove = ({ event, previousStatus }: Event) =>
				event !== 'singleSendStatusChanged' || previousStatus !== null;
			const again = changed(polls, pick, (event) => (isMove(event) ? [event, event] : [event]));
			fc.pre(again.flat().length > polls.flat().length);
			expect(check({ polls: again, given })).toContain('doubled');
		}),
	);
});
