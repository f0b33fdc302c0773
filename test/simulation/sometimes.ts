import type { Entry } from './history.ts';

const text = ({ data }: Entry) => JSON.stringify(data ?? {});
const failed = (code: string) => (entry: Entry) =>
	['fail', 'ok'].includes(entry.type) && text(entry).includes(`"code":"${code}"`);
const says = (words: string) => (entry: Entry) =>
	entry.op === 'output' && text(entry).includes(words);
const isTrouble = (what: string) => (entry: Entry) =>
	entry.process === 'trouble' && entry.data?.[what] !== undefined;

/** What a simulation is for. If none of many seeds leads to one of these, nothing is known about it. */
const SOMETIMES: Record<string, (entry: Entry, entries: readonly Entry[]) => boolean> = {
	'a poll fails': ({ op, type }) => op === 'poll' && type === 'fail',
	'a list is unreadable for an hour': failed('list-unreadable'),
	'most of a list is missing': failed('records-missing'),
	'a read is given up': ({ op, type, data }) =>
		op.startsWith('GET ') && type === 'info' && data?.lost === 'canceled',
	'n8n discards what a poll found': ({ data }) => data?.isDiscarded === true,
	'n8n fails to save the events of a poll': ({ op, type }) => op === 'emit' && type === 'fail',
	'several polls start at once': isTrouble('pollsAtOnce'),
	'a second main takes over': ({ op }) => op === 'leads',
	'the clock is set back': ({ data }) => Number(data?.clock) < 0,
	'a main is killed': ({ op }) => op === 'killed',
	'a lost write is found in the list': says('the list shows that the write succeeded'),
	'a lost write is not in the list': says('shows that the write did not succeed'),
	'a node runs again after it failed': ({ op }) => op === 'node failed',
	'a limit stops a run': failed('too-many-removals'),
	'a contact is removed': says('"action":"deleted"'),
	'a contact is moved': says('"action":"moved"'),
	'a contact is added to a group': says('"action":"addedToGroup"'),
	'a contact is not removed yet': says('not removed yet'),
	'somebody is skipped who unsubscribed': says('"reason":"unsubscribed"'),
	'somebody is skipped whom others removed': says('removed in the service'),
	'an approved plan is applied': ({ op, data }) =>
		op === 'output' && data?.operation === 'applyPlan',
	'a planned contact has changed since': says('changed since the plan'),
};

export const sometimes = Object.keys(SOMETIMES);

/** Which of them happened. */
export const happened = (entries: readonly Entry[]): string[] =>
	sometimes.filter((name) => entries.some((entry) => SOMETIMES[name]?.(entry, entries)));
