import type { IDataObject } from 'n8n-workflow';
import type { Contact } from '../../sandbox/model.ts';
import type { Gap } from '../../test/histories/evidence.ts';
import { checkStored } from '../account.ts';
import { type Executions, gapsOf } from '../history.ts';
import { kindOf } from '../kinds.ts';
import {
	act,
	contact as contactWith,
	evidenceOf,
	execution,
	findingsIn,
	type Given,
	kindsIn,
	poll,
	readsAfter,
} from './evidence.ts';

const UTR = 'a';

const second = 1_000;

/** A campaign and what was done with it. */
interface Timeline {
	/** Undefined where it was not there at the beginning. */
	first: number | undefined;
	/** Undefined when it was deleted. */
	status: number | undefined;
	/** When it was created, moved and deleted. */
	changes: number[];
}

/** Of one that changed in the second before each poll, unless it is said when. */
const timeline = (status: number | undefined, first?: number, changes?: number[]): Timeline => ({
	first,
	status,
	changes: changes ?? [0, 1, 2, 3].map((poll) => poll * second + 500),
});

/** What happened with the campaign, in a service that has nothing else. */
function campaign({ first, status, changes }: Timeline): Given {
	const kindAt = (index: number) => {
		if (status === undefined && index === changes.length - 1) return 'deleted';
		return first === undefined && index === 0 ? 'created' : 'status';
	};
	const table = (value: number | undefined) => ({
		singleSends: (value === undefined ? [] : [{ utr: UTR, status: value }]) as never,
	});
	return {
		acts: changes.map((at, index) =>
			act(at, { change: kindAt(index), table: 'singleSends', key: UTR }),
		),
		...{ first: table(first), last: table(status) },
		journal: status === undefined ? readsAfter(changes.at(-1) ?? 0) : [],
	};
}

const code = (value: number | null) => (value === null ? null : { code: value });
const created: IDataObject = {
	event: 'singleSendCreated',
	occurredAt: '',
	previousStatus: null,
	status: { code: 0 },
	record: { utr: UTR },
};
const moved = (from: number | null, to: number): IDataObject => ({
	...created,
	event: 'singleSendStatusChanged',
	previousStatus: code(from),
	status: { code: to },
});
const deleted = (from: number): IDataObject => ({
	...created,
	event: 'singleSendDeleted',
	previousStatus: { code: from },
	status: null,
});

const KILL = 'kill';
const HIDDEN = 'hidden';
type Step = IDataObject[] | typeof KILL | typeof HIDDEN;

/** Polls with these events, a second after each other; a kill comes in place of one. */
const polls = (steps: Step[]): Executions => ({
	ended: steps.flatMap((step, index) =>
		step === KILL ? [] : [poll(index + 1, step === HIDDEN ? undefined : step)],
	),
	open: [],
});

/** Where events may go without durable cursors, and with them. */
function gaps(steps: Step[], isPlain: boolean): Gap[] {
	const kills = steps.flatMap((step, index) =>
		step === KILL ? [new Date((index + 1) * second)] : [],
	);
	return gapsOf(polls(steps), isPlain ? kills : [], 0);
}

/** What is found with durable cursors and without them. */
function kindsOf(trigger: 'everything' | 'completed', steps: Step[], given: Given) {
	const kinds = (isPlain: boolean) =>
		kindsIn({
			...{ ...given, polls: { [trigger]: polls(steps) } },
			gaps: { [trigger]: gaps(steps, isPlain) },
		});
	return { durable: kinds(false), plain: kinds(true) };
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
	['one that no poll has seen', [], timeline(undefined), [], []],
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
	expect(kindsOf('everything', steps, campaign(final))).toEqual({ durable, plain });
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
	expect(kindsOf('completed', steps, campaign(final))).toEqual({ durable, plain });
});

test('an expected loss says why it was to be expected', () => {
	const steps: Step[] = [[created], KILL];
	const given = { ...campaign(timeline(1)), polls: { everything: polls(steps) } };
	expect(findingsIn({ ...given, gaps: { everything: gaps(steps, true) } })).toEqual([
		{
			promise: 'No event is lost',
			what: 'singleSend a has status 1, and 0 was reported last',
			expected:
				'n8n was killed at 1970-01-01T00:00:02.000Z, maybe before it had saved the execution',
		},
	]);
});

test('an event that comes again with its ID is doubled', () => {
	const steps = { ended: [poll(1, [created]), poll(2, [])], open: [] };
	const events = steps.ended[0]?.items ?? [];
	const again = { ended: [...steps.ended, execution(3, 3, 3, { items: events })], open: [] };
	const found = findingsIn({ ...campaign(timeline(0)), polls: { everything: again } });
	expect(found.map(kindOf)).toEqual(['doubled']);
});

const time = (seconds: number) => new Date(seconds * second).toISOString();
const contact = (updated: number): Contact => contactWith({ id: 7, updated_at: time(updated) });
const told = (event: 'contactAdded' | 'contactUpdated', at: number) => ({
	event,
	occurredAt: time(at),
	record: { id: 7, updated_at: time(at) },
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
	const given = { last: { contacts: [contact(last)] } };
	expect(kindsOf('everything', steps, given)).toEqual({ durable, plain });
});

test('executions are polls that failed, or what a poll has found', () => {
	const events = [{ event: 'x', record: {} }];
	const ended = [
		execution(1, 1, 1, { items: events }),
		execution(2, 2, 2, { items: undefined, failed: true }),
		execution(3, 3, 3, { items: undefined, status: 'crashed' }),
		execution(4, 4, 4, { items: undefined, status: 'error', error: 'Oh' }),
	];
	const { entries } = evidenceOf({ polls: { everything: { ended, open: [] } } });
	const of = (wanted: string) =>
		entries.flatMap(({ op, type, at }) => (op === wanted ? [`${type} ${at}`] : []));
	expect(of('poll')).toEqual(['invoke 2000', 'fail 2000']);
	expect(of('emit')).toEqual([
		...['invoke 1000', 'ok 1000', 'invoke 3000', 'info 3000', 'invoke 4000', 'ok 4000'],
	]);
	expect(checkStored(entries)).toEqual([
		{ promise: 'n8n keeps what a poll has found', what: 'execution 4 of a trigger has no events' },
	]);
});
