import type { Contact } from '../../sandbox/model.ts';
import { checkCompleted, checkTimelines } from '../reconcile/timelines.ts';
import { checkEntries } from '../reconcile/entries.ts';
import { type Gap, gapsOf } from '../reconcile/gaps.ts';
import {
	type Observation,
	observationsOf,
	type TriggerEvent,
	withoutEvents,
} from '../reconcile/observations.ts';
import type { Timeline } from '../service.ts';

const UTR = 'a';

const second = 1_000;

/** Of one that changed in the second before each observation, unless it is said when. */
const timeline = (status: number | undefined, first?: number, changes?: number[]): Timeline => ({
	utr: UTR,
	first,
	status,
	changes: changes ?? [0, 1, 2, 3].map((observation) => observation * second + 500),
});

const code = (value: number | null) => (value === null ? null : { code: value });
const created: TriggerEvent = {
	event: 'singleSendCreated',
	occurredAt: '',
	previousStatus: null,
	status: { code: 0 },
	record: { utr: UTR },
};
const moved = (from: number | null, to: number): TriggerEvent => ({
	...created,
	event: 'singleSendStatusChanged',
	previousStatus: code(from),
	status: { code: to },
});
const deleted = (from: number): TriggerEvent => ({
	...created,
	event: 'singleSendDeleted',
	previousStatus: { code: from },
	status: null,
});

const KILL = 'kill';
const HIDDEN = 'hidden';
type Step = TriggerEvent[] | typeof KILL | typeof HIDDEN;

/** Observations with these events, a second after each other; a kill comes in place of one. */
const observations = (...steps: Step[]): Observation[] =>
	steps.flatMap((step, index): Observation[] => {
		const hidden = step === HIDDEN;
		const observation = { id: index + 1, at: (index + 1) * second };
		return step === KILL ? [] : [{ ...observation, events: hidden ? [] : step, hidden }];
	});

/** Where events may go, with durable cursors and without them. */
function gaps(...steps: Step[]): { durable: Gap[]; plain: Gap[] } {
	const kills = steps.flatMap((step, index) =>
		step === KILL ? [new Date((index + 1) * second)] : [],
	);
	const given = observations(...steps);
	return { durable: gapsOf(given, []), plain: gapsOf(given, kills) };
}

type Case = [what: string, steps: Step[], final: Timeline, durable: string[], plain: string[]];

const whole = [[created], [moved(0, 1)], [moved(1, 3)], [deleted(3)]];

test.each<Case>([
	['each once', whole, timeline(undefined), [], []],
	['several steps at once', [[created, moved(0, 3)]], timeline(3), [], []],
	['one that was there before', [[moved(0, 1)]], timeline(1, 0), [], []],
	['a step that is not told', [[created], [moved(1, 3)]], timeline(3), ['lost'], ['lost']],
	['the last step not told', [[created], [moved(0, 1)]], timeline(3), ['lost'], ['lost']],
	['nothing told at all', [], timeline(0), ['lost'], ['lost']],
	['a deletion not told', [[created]], timeline(undefined), ['lost'], ['lost']],
	[
		'a step twice',
		[[created], [moved(0, 1)], [moved(0, 1)]],
		timeline(1),
		['doubled'],
		['doubled'],
	],
	[
		'a step told again after a kill',
		[[created], [moved(0, 1)], KILL, [moved(0, 1)]],
		timeline(1, undefined, [500, 1_500]),
		['doubled'],
		['doubled'],
	],
	[
		'a step gone with a kill',
		[[created], KILL, [moved(1, 2)]],
		timeline(2),
		['lost'],
		['expected'],
	],
	['the last step gone with a kill', [[created], KILL], timeline(1), ['lost'], ['expected']],
	[
		'a step that was gone long before the kill',
		[[created], [], [], [], [], [], [], [], [], [], [], [], KILL, [moved(1, 2)]],
		timeline(2, undefined, [500, 1_500]),
		['lost'],
		['lost'],
	],
	[
		'a step after the kill',
		[[created], KILL, [], [moved(1, 2)]],
		timeline(2, undefined, [500, 2_500]),
		['lost'],
		['lost'],
	],
	[
		'a step gone before the kill, and others told since',
		[[created], [moved(1, 2)], KILL, [moved(2, 3)]],
		timeline(3),
		['lost'],
		['lost'],
	],
	[
		'there and back, the way back gone with a kill',
		[[moved(1, 2)], KILL, [moved(1, 2)]],
		timeline(2, 1),
		['doubled'],
		['expected'],
	],
	['hidden', [[created], HIDDEN, [moved(1, 2)]], timeline(2), ['expected'], ['expected']],
	['the end hidden', [[created], HIDDEN], timeline(1), ['expected'], ['expected']],
])('campaigns: %s', (_what, steps, final, durable, plain) => {
	const kinds = (given: Gap[]) =>
		checkTimelines(
			observations(...steps),
			new Map([[UTR, final]]),
			'singleSend',
			given,
		).findings.map(({ kind }) => kind);
	const given = gaps(...steps);
	expect({ durable: kinds(given.durable), plain: kinds(given.plain) }).toEqual({ durable, plain });
});

const done = (status: number | undefined) => timeline(status, undefined, [500]);

test.each<Case>([
	['once', [[moved(2, 3)]], done(3), [], []],
	['one that is gone', [[moved(2, 3)]], done(undefined), [], []],
	['not yet', [], done(2), [], []],
	['never', [], done(3), ['lost'], ['lost']],
	['twice', [[moved(2, 3)], [moved(2, 3)]], done(3), ['doubled'], ['doubled']],
	['again after a kill', [[moved(2, 3)], KILL, [moved(2, 3)]], done(3), ['doubled'], ['doubled']],
	['gone with a kill', [KILL], done(3), ['lost'], ['expected']],
	['hidden', [HIDDEN], done(3), ['expected'], ['expected']],
])('campaigns that went out: %s', (_what, steps, final, durable, plain) => {
	const kinds = (given: Gap[]) =>
		checkCompleted(observations(...steps), new Map([[UTR, final]]), given).findings.map(
			({ kind }) => kind,
		);
	const given = gaps(...steps);
	expect({ durable: kinds(given.durable), plain: kinds(given.plain) }).toEqual({ durable, plain });
});

test('an expected loss says why it was to be expected', () => {
	const steps: Step[] = [[created], KILL];
	const timelines = new Map([[UTR, timeline(1)]]);
	expect(
		checkTimelines(observations(...steps), timelines, 'singleSend', gaps(...steps).plain),
	).toEqual({
		findings: [
			{
				kind: 'expected',
				text:
					'a is at 1, and 0 was told last: n8n was killed at 1970-01-01T00:00:02.000Z, ' +
					'maybe before it had saved the execution',
			},
		],
		events: 1,
	});
});

const time = (seconds: number) => new Date(seconds * second).toISOString();
const contact = (updated: number): Partial<Contact> => ({
	id: 7,
	email: 'a@example.com',
	contact_type_id: 21,
	created_at: time(0),
	updated_at: time(updated),
});
const told = (event: 'contactAdded' | 'contactUpdated', at: number): TriggerEvent => ({
	event,
	occurredAt: time(at),
	record: { id: 7 },
});
const added = told('contactAdded', 0);
const updated = told('contactUpdated', 2);

test.each<[string, Step[], number, string[], string[]]>([
	['new', [[added]], 0, [], []],
	['new and changed', [[added], [updated]], 2, [], []],
	['not told', [], 0, ['lost'], ['lost']],
	['the last change not told', [[added]], 2, ['lost'], ['lost']],
	['told twice', [[added], [added]], 0, ['doubled'], ['doubled']],
	['told again after a kill', [[added], KILL, [added]], 0, ['doubled'], ['doubled']],
	['a change told twice', [[added], [updated], [updated]], 2, ['doubled'], ['doubled']],
	['a change gone with a kill', [[added], [], KILL], 2, ['lost'], ['expected']],
	['a change after the kill', [[added], KILL, []], 3, ['lost'], ['lost']],
	['hidden', [HIDDEN], 0, ['expected'], ['expected']],
])('contacts: %s', (_what, steps, last, durable, plain) => {
	const kinds = (given: Gap[]) =>
		checkEntries(
			observations(...steps),
			[contact(last) as Contact],
			{ seeded: [] },
			given,
		).findings.map(({ kind }) => kind);
	const given = gaps(...steps);
	expect({ durable: kinds(given.durable), plain: kinds(given.plain) }).toEqual({ durable, plain });
});

test('observations are the executions of polls that did not fail', () => {
	const stored = { status: 'success', startedAt: 0, stoppedAt: 0, failed: false, error: undefined };
	const events = [{ event: 'x' }];
	const executions = [
		{ ...stored, id: 1, createdAt: 10, items: events },
		{ ...stored, id: 2, createdAt: 20, items: undefined, failed: true },
		{ ...stored, id: 3, createdAt: 30, items: undefined, status: 'crashed' },
		{ ...stored, id: 4, createdAt: 40, items: undefined, status: 'error', error: 'Oh' },
	];
	expect(observationsOf(executions)).toEqual([
		{ id: 1, at: 10, events, hidden: false },
		{ id: 3, at: 30, events: [], hidden: true },
		{ id: 4, at: 40, events: [], hidden: false },
	]);
	expect(withoutEvents(executions)).toEqual([
		{ kind: 'wrong', text: 'execution 4 of a trigger has no events and ended with Oh' },
	]);
});
