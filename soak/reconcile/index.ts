import type { Entry, Violation } from '../../sandbox/journal.ts';
import type { Logs, Stored } from '../executions.ts';
import type { Member } from '../member.ts';
import type { Service } from '../service.ts';
import type { World } from '../world.ts';
import { checkAcknowledgements } from './acknowledgements.ts';
import { checkContacts } from './contacts.ts';
import { checkCompleted, checkTimelines } from './timelines.ts';
import { checkEntries } from './entries.ts';
import { wrong, type Finding } from './finding.ts';
import { gapsOf } from './gaps.ts';
import { givenUp, notEnded, observationsOf, withoutEvents } from './observations.ts';
import { Overlaps } from './overlaps.ts';
import { runsOf } from './runs.ts';
import type { Write } from './write.ts';
import { amongRuns, checkWrites, numberCreated, seededAddresses, writesOf } from './writes.ts';

/** What is held against each other. */
export interface Evidence {
	world: World;
	service: Service;
	logs: Logs;
}

export interface Account {
	findings: Finding[];
	journal: Entry[];
	writes: Write[];
	executions: { sync: Stored[]; everything: Stored[]; completed: Stored[] };
	/** How many the triggers told. */
	events: number;
}

const broken = ({ n, method, path, rule, detail }: Violation) =>
	wrong(`request ${n}, ${method} ${path}, breaks the rule ${rule}: ${detail}`);

const endedBySelf = ({ name, endedBySelf: starts }: Member) =>
	starts.map((start) => wrong(`${name} ended by itself at its start ${start}`));

/** Holds the sandbox's data and journal, and the executions as n8n has stored them, against each other. */
export async function reconcile({ world, service, logs }: Evidence): Promise<Account> {
	const { sandbox, source, client, n8n } = world;
	// With durable cursors n8n saves what was seen and the execution together, so a kill excuses nothing.
	const between = world.cursors === 'durable' ? [] : n8n.main.kills;
	const [journal, contacts, violations] = await Promise.all([
		sandbox.journal(),
		sandbox.records('contacts'),
		sandbox.violations(),
	]);
	const sync = await logs.sync.read(client);
	const everything = await logs.everything.read(client);
	const completed = await logs.completed.read(client);
	const killOf = await n8n.killOf();
	const runs = runsOf(sync, killOf);
	const sent = numberCreated(writesOf(journal), service.seeded.length + service.others.length);
	const writes = n8n.workers.length === 0 ? sent : amongRuns(sent, runs);
	const overlaps = new Overlaps(writes, seededAddresses(service), runs);
	const observations = observationsOf([...everything, ...logs.everything.unfinished()]);
	const gaps = gapsOf(observations, between);
	const others = observationsOf([...completed, ...logs.completed.unfinished()]);
	const heard = [
		checkTimelines(observations, service.sends, 'singleSend', gaps),
		checkTimelines(observations, service.automations, 'automation', gaps),
		checkEntries(observations, contacts, service, gaps),
		checkCompleted(others, service.sends, gapsOf(others, between)),
	];
	return {
		findings: [
			...checkContacts(contacts, source, service, writes, overlaps),
			...checkWrites(writes, service, overlaps),
			...checkAcknowledgements(runs, writes, overlaps),
			...heard.flatMap(({ findings }) => findings),
			...withoutEvents([...everything, ...completed]),
			...notEnded([...logs.everything.unfinished(), ...logs.completed.unfinished()], Date.now()),
			...givenUp([...everything, ...completed], killOf),
			...n8n.members.flatMap(endedBySelf),
			...violations.map(broken),
		],
		journal,
		writes,
		executions: { sync, everything, completed },
		events: heard.reduce((sum, { events }) => sum + events, 0),
	};
}
