import { COMPARED } from '../test/histories/contacts.ts';
import type { Entry as Request } from '../sandbox/journal.ts';
import type { Evidence, Finding } from '../test/histories/evidence.ts';
import type { Entry } from '../test/histories/history.ts';
import { check, checkReference } from '../test/histories/index.ts';
import type { ExecutionLog, Logs, Stored } from './executions.ts';
import { type Executions, gapsOf, historyOf } from './history.ts';
import type { Member } from './member.ts';
import { type Service, tablesOf } from './service.ts';
import type { Person } from './source.ts';
import { EVENTS, GROUP, OTHER_TYPE, SYNCED_TYPE } from './workflows.ts';
import type { World } from './world.ts';

/** How long an execution may take when all goes well. */
const longestMs = 30_000;

/** What the workflows of the soak test promise. */
export const promisesOf = (
	people: Iterable<Person>,
	gaps: Record<'everything' | 'completed', Evidence['promises']['triggers'][number]['gaps']>,
): Evidence['promises'] => ({
	lists: [
		{
			...{ workflow: 'sync', list: `contacts ${SYNCED_TYPE}`, isRetried: false },
			removal: { missing: 'delete', removeAfter: 1, onlyAddedBySync: false },
			compares: COMPARED,
			settlesAt: Array.from(people, (person) => ({ ...person })),
		},
	],
	triggers: [
		{
			...{ workflow: 'everything', events: EVENTS, contactType: SYNCED_TYPE },
			gaps: gaps.everything,
		},
		{
			...{ workflow: 'completed', events: ['singleSendStatusChanged'], toStatus: 3 },
			gaps: gaps.completed,
		},
	],
	suppressing: ['global', `group ${GROUP}`],
	keepingOff: ['', 'global'],
	untouched: [`contacts ${OTHER_TYPE}`],
	csvDelayMs: 0,
	longestMs,
});

/** What n8n promises of the executions that it has stored: that they have their events, and end. */
export function checkStored(entries: readonly Entry[]): Finding[] {
	const begun = entries.filter(({ op, type }) => op === 'emit' && type === 'invoke');
	const emits = new Map(begun.map(({ id, of, data }) => [id, { of, events: data?.events }]));
	const eventsOf = new Map(begun.map(({ of, data }) => [of, data?.events]));
	return entries.flatMap(({ id, op, type, data = {} }): Finding[] => {
		const emit = op === 'emit' && type === 'ok' ? emits.get(id) : undefined;
		if (emit && emit.events === undefined) {
			const what = `execution ${emit.of} of a trigger has no events`;
			return [{ promise: 'n8n keeps what a poll has found', what }];
		}
		if (data.isGivenUp !== true) return [];
		const what = `execution ${id} was given up`;
		const promise = 'n8n gives up no execution';
		if (data.wasKilled !== true)
			return [{ promise, what: `${what}, and nobody killed its worker` }];
		const events = eventsOf.get(id) as unknown[] | undefined;
		const held = events ? `its ${events.length} events` : 'its events';
		return [{ promise, what, expected: `its worker was killed, and n8n has not kept ${held}` }];
	});
}

const endedBySelf = ({ name, endedBySelf: starts }: Member) =>
	starts.map((start) => ({
		promise: 'n8n runs until it is killed',
		what: `${name} ended by itself at its start ${start}`,
	}));

/** What happened so far. */
export interface Seen {
	world: World;
	service: Service;
	logs: Logs;
}

export interface Account {
	findings: Finding[];
	journal: Request[];
	entries: readonly Entry[];
	executions: { sync: Stored[]; everything: Stored[]; completed: Stored[] };
	/** How many the triggers reported. */
	events: number;
}

/** Makes one history of what the sandbox, n8n and the soak have kept, and checks it. */
export async function reconcile({ world, service, logs }: Seen): Promise<Account> {
	const { sandbox, source, client, n8n } = world;
	const read = async (log: ExecutionLog): Promise<Executions> => ({
		ended: await log.read(client),
		open: log.unfinished(),
	});
	const { first, start, history } = service;
	const [journal, last, violations] = await Promise.all([
		sandbox.journal(),
		tablesOf(sandbox),
		sandbox.violations(),
	]);
	const sync = await read(logs.sync);
	const polls = { everything: await read(logs.everything), completed: await read(logs.completed) };
	// With durable cursors n8n saves what was seen and the execution together, so a kill excuses nothing.
	const kills = world.cursors === 'durable' ? [] : n8n.main.kills;
	const end = Date.now();
	const entries = historyOf({
		...{ start, journal, first, polls, acts: history.entries, end },
		...{ syncs: sync, ranOn: await n8n.ranOn(), isAlone: n8n.workers.length === 0 },
	});
	const promises = promisesOf(source.people.values(), {
		everything: gapsOf(polls.everything, kills, start),
		completed: gapsOf(polls.completed, kills, start),
	});
	return {
		findings: [
			...check({ entries, first, last, promises, start, end: end - start }),
			...checkStored(entries),
			...n8n.members.flatMap(endedBySelf),
			...checkReference(
				violations.map(
					({ n, method, path, rule, detail }) => `${n}, ${method} ${path}: ${rule}: ${detail}`,
				),
			),
		],
		...{ journal, entries },
		executions: {
			sync: sync.ended,
			everything: polls.everything.ended,
			completed: polls.completed.ended,
		},
		events: entries
			.flatMap(({ op, data }) => (op === 'emit' ? [(data?.events ?? []) as unknown[]] : []))
			.reduce((sum, { length }) => sum + length, 0),
	};
}
