import type { IDataObject } from 'n8n-workflow';
import { FIRST_IDS } from '../sandbox/blanks.ts';
import type { Entry as Request } from '../sandbox/journal.ts';
import type { Gap, Tables } from '../test/histories/evidence.ts';
import type { Entry } from '../test/histories/history.ts';
import { type Listed, subjectsOf } from '../test/histories/subjects.ts';
import { isCut, isGivenUp, type Stored } from './executions.ts';
import type { RanOn } from './n8n.ts';

/** Numbers of operations; executions have those of n8n. */
const FIRST = { requests: 1_000_000, events: 2_000_000, acts: 3_000_000 };
/** How long a request of an n8n that is gone may wait in the sandbox's queue. */
const underWayMs = 1_000;
/** How long before a kill something may have happened that the last poll before the kill saw as new. */
const reachMs = 10_000;
/** Statuses that say that nothing was done; the soak sends 503 with a Retry-After only. */
const AWAY = new Set([401, 403, 404, 429, 503]);
const READS = new Set(['/global-unsubscribes', '/unsubscribes-groups/recipients-list']);
const isWrite = ({ method, path }: Request) => method !== 'GET' && path.startsWith('/contacts/');

/** An execution of a sync, and when its requests can have come. */
interface Run {
	execution: Stored;
	process: string;
	from: number;
	until: number;
	/** n8n still shows it as begun. */
	isOpen: boolean;
}

function runOf(execution: Stored, ranOn: RanOn, isOpen: boolean): Run {
	const { createdAt, startedAt, stoppedAt } = execution;
	const { process, kill } = ranOn(execution);
	// Whoever gives it up writes a new start over the old one.
	const from = isGivenUp(execution) ? createdAt : startedAt;
	const run = { execution, process, from, isOpen };
	if (isOpen) return { ...run, until: kill ? kill.getTime() + underWayMs : Infinity };
	if (!isCut(execution)) return { ...run, until: stoppedAt };
	// Without a kill, no process had begun it.
	return { ...run, until: (kill?.getTime() ?? from) + underWayMs };
}

/** Whether its node may have run: a workflow may fail before. */
const hasBegun = ({ execution, isOpen }: Run) =>
	isOpen || isCut(execution) || execution.items !== undefined || execution.failed;

const timeOf = ({ time }: Request) => Date.parse(time);
const within = (at: number, { from, until }: Run) => from <= at && at <= until;

/**
 * The executions that may have sent each request. On several workers, these are all that ran at the time. In one
 * process, a run reads the unsubscribes when its turn has come, and ends before all that still wait. Those that a kill
 * cut short at once are not told apart.
 */
function sendersOf(journal: Request[], runs: Run[], isAlone: boolean): Map<Request, number[]> {
	const senders = new Map<Request, number[]>();
	const own = journal.filter((request) => isWrite(request) || READS.has(request.path));
	const idOf = ({ execution }: Run) => execution.id;
	let left: Request[] = [];
	const assign = () => {
		const times = left.map(timeOf);
		const possible = runs.filter((run) => hasBegun(run) && times.every((at) => within(at, run)));
		const end = Math.min(...possible.map(({ until }) => until));
		const first = possible.filter(({ until }) => until === end).map(idOf);
		for (const one of left) senders.set(one, first);
		left = [];
	};
	for (const request of own) {
		if (!isAlone) {
			const possible = runs.filter((run) => within(timeOf(request), run));
			senders.set(request, possible.map(idOf));
			continue;
		}
		if (request.path === '/global-unsubscribes') assign();
		left.push(request);
	}
	assign();
	return senders;
}

const textsOf = (fields: Request['body']): IDataObject =>
	Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => typeof value === 'string'));

/** The contacts, as writes that had their effect change them. */
class Contacts {
	private readonly rows: Map<number, Listed>;
	private next: number;

	constructor({ contacts }: Tables) {
		this.rows = new Map(contacts.map((row) => [row.id, { ...row } as Listed]));
		this.next = Math.max(FIRST_IDS.contacts, ...contacts.map(({ id }) => id + 1));
	}

	/** @returns what the write is about, as it is before it; whoever is added gets the next ID */
	apply({ path }: Request, fields: IDataObject): IDataObject {
		const { rows } = this;
		const parts = Object.entries(fields).map(([name, value]) => ({ name, value: String(value) }));
		const subjects = subjectsOf(path, parts, (table) =>
			table === 'contacts' ? rows.values() : [],
		);
		const ids = path === '/contacts/add' ? [this.next++] : (subjects.ids as number[]);
		for (const id of ids) {
			if (path.endsWith('delete')) rows.delete(id);
			else rows.set(id, { ...rows.get(id), ...fields, id });
		}
		return { ...subjects, ids };
	}
}

/** How a request ended, as its sender knows it. */
function endOf({ fault, outcome, status }: Request): Entry['type'] {
	if (fault === 'status' && AWAY.has(status ?? 0)) return 'fail';
	if ((fault !== null && fault !== 'slow') || status === null) return 'info';
	return outcome === 'success' ? 'ok' : 'fail';
}

function requestEntries(request: Request, runs: number[] | undefined, contacts: Contacts): Entry[] {
	const { n, method, path, query, body, durationMs } = request;
	const at = timeOf(request);
	const id = FIRST.requests + n;
	const [first, ...others] = runs ?? [];
	const op = `${method} ${path}`;
	const fields = { query: textsOf(query), body: textsOf(body) };
	const common = { id, process: 'n8n', op };
	const of = others.length === 0 ? first : undefined;
	const sent: Entry = { ...common, at, type: 'invoke', of, data: fields };
	const ended: Entry = { ...common, at: at + (durationMs ?? 0), type: endOf(request) };
	if (!isWrite(request) || request.outcome !== 'success') return [sent, ended];
	const subjects = contacts.apply(request, { ...fields.query, ...fields.body });
	const data = { ...subjects, write: op, ...fields, request: id, runs };
	return [sent, { id: -id, at, type: 'ok', process: 'service', op: 'effect', data }, ended];
}

/** An execution of a workflow, with what came into its node and out of it. */
function runEntries(workflow: string, run: Run): Entry[] {
	const { execution, process, from, until, isOpen } = run;
	const { id, items, input, error, failed } = execution;
	const common = { id, process, op: 'execution' };
	const people = input?.map((item) => ({ email: item['E-Mail'] }));
	const begun: Entry = {
		...{ ...common, at: from, type: 'invoke' },
		data: { workflow, ...(people && { items: people }) },
	};
	const data = { run: id, items, of: [] };
	if (isOpen) return [begun];
	const output: Entry = { ...common, at: until, type: 'ok', op: 'output', data };
	const type = isCut(execution) ? 'info' : failed || error !== undefined ? 'fail' : 'ok';
	const ended: Entry = { ...common, at: until, type, data: { reason: error } };
	return [begun, ...(items ? [output] : []), ended];
}

/** A poll, which n8n stores as an execution: with its events, or with why it failed. */
function pollEntries(workflow: string, execution: Stored, ranOn: RanOn, isOpen: boolean): Entry[] {
	const { id, createdAt: at, items, failed } = execution;
	const { process, kill } = ranOn(execution);
	const common = { id, process, at };
	const poll = { ...common, op: 'poll' };
	if (failed) {
		return [
			{ ...poll, type: 'invoke', data: { workflow } },
			{ ...poll, type: 'fail', data: { workflow } },
		];
	}
	const emit = { ...common, id: FIRST.events + id, op: 'emit' };
	const run = { ...common, op: 'execution' };
	const isKept = items !== undefined;
	const isHidden = isCut(execution) && !isKept;
	const saved = { workflow, hasState: true, hasExecution: true };
	const lost = isGivenUp(execution) && { isGivenUp: true, wasKilled: kill !== undefined };
	return [
		{ ...run, type: 'invoke', data: { workflow } },
		{ ...emit, type: 'invoke', of: id, data: { workflow, ...(isKept && { events: items }) } },
		isHidden ? { ...emit, type: 'info', data: { workflow } } : { ...emit, type: 'ok', data: saved },
		...(isOpen
			? []
			: [{ ...run, type: isCut(execution) ? 'info' : 'ok', data: { ...lost } } as const]),
	];
}

/** What is known of executions: those that have ended, and those that n8n still shows as begun. */
export interface Executions {
	ended: Stored[];
	open: Stored[];
}

export interface Sources {
	/** When it all began. */
	start: number;
	journal: Request[];
	first: Tables;
	/** Of the workflow that syncs, and of each trigger. */
	syncs: Executions;
	polls?: Record<string, Executions>;
	ranOn: RanOn;
	/** Whether all of it runs in one process. */
	isAlone: boolean;
	/** What people did. */
	acts?: readonly Entry[];
	/** When it was looked at last. */
	end: number;
}

/** One history of all that the sandbox, n8n and the soak itself have kept. */
export function historyOf(sources: Sources): Entry[] {
	const { start, journal, first, syncs, polls = {}, ranOn, isAlone, acts = [], end } = sources;
	const runs = [
		...syncs.ended.map((execution) => runOf(execution, ranOn, false)),
		...syncs.open.map((execution) => runOf(execution, ranOn, true)),
	];
	const senders = sendersOf(journal, runs, isAlone);
	const contacts = new Contacts(first);
	const stored = [
		...Object.entries(polls).flatMap(([workflow, { ended, open }]) => [
			...ended.flatMap((one) => pollEntries(workflow, one, ranOn, false)),
			...open.flatMap((one) => pollEntries(workflow, one, ranOn, true)),
		]),
		...runs.flatMap((run) => runEntries('sync', run)),
	];
	const isBegin = ({ type }: Entry) => type === 'invoke';
	const requests = journal.flatMap((one) =>
		requestEntries(one, senders.get(one) ?? (isWrite(one) ? [] : undefined), contacts),
	);
	const all: Entry[] = [
		...stored.filter(isBegin),
		...requests,
		...stored.filter((entry) => !isBegin(entry)),
	].map((entry) => ({ ...entry, at: entry.at - start }));
	const numbered = acts.map((act) => ({ ...act, id: FIRST.acts + act.id }));
	const read = { id: 0, at: end - start, type: 'ok', process: 'soak', op: 'read' } as const;
	return [...all, ...numbered, read].sort((a, b) => a.at - b.at);
}

/**
 * When events of a trigger may be lost without a mistake of the nodes.
 *
 * @param kills that may fall between what n8n saves of a poll and the execution that it saves after it
 */
export function gapsOf({ ended, open }: Executions, kills: Date[], start: number): Gap[] {
	const polls = [...ended, ...open].filter(({ failed }) => !failed).sort((a, b) => a.id - b.id);
	return [
		...polls.flatMap((execution, index) => {
			const { id, createdAt, items } = execution;
			if (!isCut(execution) || items !== undefined) return [];
			const before = polls[index - 1]?.createdAt ?? start;
			const why = `n8n has kept no data of execution ${id}, which a kill cut short`;
			return [{ at: createdAt - start, since: before - reachMs - start, why }];
		}),
		...kills.map((kill) => {
			const at = kill.getTime() - start;
			const why = `n8n was killed at ${kill.toISOString()}, maybe before it had saved the execution`;
			return { at, since: at - reachMs, why };
		}),
	];
}
