import { Random } from '../../soak/random.ts';
import { TABLES, type Evidence, type Tables } from '../histories/evidence.ts';
import { History } from '../histories/history.ts';
import { actorsOf, chooseActors, watch } from './actors/index.ts';
import { CURSORS, N8n } from './n8n.ts';
import { promisesOf } from './promises.ts';
import { PublishedCode } from './published.ts';
import { Scheduler } from './scheduler.ts';
import { Network, Service } from './service.ts';
import { Trouble } from './trouble.ts';
import { World } from './world.ts';

export interface SimulationOptions {
	seed: string;
	/** Steps with trouble; those in which everything settles come after them. */
	steps: number;
	code?: PublishedCode;
	/** Numbers of what does not happen. */
	leftOut?: ReadonlySet<number>;
}

export interface Simulation {
	evidence: Evidence;
	/** Requests that break a rule of the reference. */
	violations: readonly string[];
	/** Of what happened. */
	troubles: number[];
	steps: number;
}

const tablesOf = ({ state }: Service) =>
	structuredClone(
		Object.fromEntries(TABLES.map((name) => [name, state.tables[name].all()])),
	) as unknown as Tables;

const minute = 60_000;
const hour = 60 * minute;
/** Long enough for the longest pause of n8n, six polls without a record, and some syncs. */
const settlingMs = 1.5 * hour;
/** Clocks change in Europe at 1:00 UTC on these days. */
const STARTS = ['2026-03-28T23:30:00Z', '2026-10-24T23:30:00Z', '2026-06-01T10:00:00Z'];

const published = new PublishedCode();

/** Runs everything in one process, on a clock of its own: the same seed leads to the same history. */
export async function simulate(options: SimulationOptions): Promise<Simulation> {
	const { seed, steps, code = published, leftOut = new Set() } = options;
	const random = new Random(seed);
	const chosen = random.of('choices');
	const scheduler = new Scheduler();
	const history = new History(() => scheduler.now);
	const start = Date.parse(chosen.pick(STARTS));
	const clock = { offset: 0 };
	const service = new Service(
		{
			duplicateEmail: chosen.pick(['allow', 'refuse']),
			failureStatus: chosen.pick([200, 422]),
			listOrder: chosen.pick(['oldest', 'newest']),
			copies: chosen.pick(['asOriginal', 'atOnce']),
			csvDelayMs: chosen.pick([0, 0, 4_000, 20_000]),
			deletes: chosen.chance(0.25) ? 'kept' : 'gone',
			csvCustomFields: chosen.of('custom fields in files').chance(0.25) ? 'ignored' : 'filled',
		},
		() => start + scheduler.now,
	);
	const network = new Network(service, scheduler, history, random.of('network'));
	const world = new World(service, random.of('world'), () => scheduler.now);
	const choice = {
		cursors: chosen.pick(CURSORS),
		mains: chosen.pick([1, 1, 2] as const),
		csvDelayMs: service.state.settings.csvDelayMs,
		...chooseActors(chosen),
	};
	history.note('simulation', 'choices', { ...choice, start: new Date(start).toISOString() });
	const actors = actorsOf(choice, { service, world, random: random.of('actors') });
	const n8n = new N8n(
		{ cursors: choice.cursors, mains: choice.mains, trigger: watch(), workflows: actors },
		{
			...{ code, scheduler, history, network, random: random.of('n8n') },
			wallClock: () => Math.round(start + scheduler.now + clock.offset),
		},
	);
	world.prepare();
	n8n.start();
	while (n8n.states.length === 0) await scheduler.step();
	const first = tablesOf(service);
	const requests = actors.flatMap((actor) => actor.requests);
	const parts = { scheduler, history, service, network, n8n, world, clock, requests };
	const trouble = new Trouble(parts, random.of('trouble'), leftOut);
	trouble.begin();
	while (scheduler.steps < steps) await scheduler.step();
	trouble.end();
	const end = scheduler.now;
	history.note('simulation', 'trouble ends');
	while (scheduler.now < end + settlingMs) await scheduler.step();
	// In the middle of an execution, the service may have what its first item says, and not yet what its last one says.
	n8n.isEnding = true;
	while (n8n.isExecuting) await scheduler.step();
	// What the last execution has written is reported by the next poll.
	const lastWrite = scheduler.now;
	while (scheduler.now < lastWrite + 2 * minute || n8n.isExecuting) await scheduler.step();
	const { entries } = history;
	const promises = promisesOf(choice, choice.csvDelayMs);
	return {
		violations: service.violations,
		evidence: { ...{ entries, first, promises, start, end }, last: tablesOf(service) },
		...{ troubles: trouble.numbers, steps: scheduler.steps },
	};
}
