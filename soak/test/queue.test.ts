import { FIRST_IDS } from '../../sandbox/blanks.ts';
import type { Entry } from '../../sandbox/journal.ts';
import type { Contact } from '../../sandbox/model.ts';
import type { Stored } from '../executions.ts';
import type { KillOf } from '../n8n.ts';
import { checkAcknowledgements } from '../reconcile/acknowledgements.ts';
import { checkContacts } from '../reconcile/contacts.ts';
import type { Finding } from '../reconcile/finding.ts';
import { givenUp, observationsOf } from '../reconcile/observations.ts';
import { Overlaps } from '../reconcile/overlaps.ts';
import { runsOf } from '../reconcile/runs.ts';
import { amongRuns, checkWrites, numberCreated, writesOf } from '../reconcile/writes.ts';
import type { Service } from '../service.ts';
import type { Source } from '../source.ts';

const NEW = 'new@example.com';
const FIRST = FIRST_IDS.contacts;
const SECOND = FIRST + 1;

/** A request at so many seconds. */
interface Sent {
	at: number;
	create?: string;
	remove?: number;
}

const fields = { contact_type_id: '21', country: '85' };

const journal = (sent: Sent[]): Entry[] =>
	sent.map(({ at, create, remove }, index) => ({
		n: index + 1,
		time: new Date(at * 1000).toISOString(),
		method: 'POST',
		path: create === undefined ? '/contacts/bulk-delete' : '/contacts/add',
		query: {},
		body: create === undefined ? { 'strIds[0]': String(remove) } : { ...fields, email: create },
		fault: null,
		status: 200,
		outcome: 'success',
	})) as unknown as Entry[];

/** An execution from one second to another. */
const execution = (
	id: number,
	from: number,
	until: number,
	rest: Partial<Stored> = {},
): Stored => ({
	id,
	status: 'success',
	createdAt: from * 1000,
	startedAt: from * 1000,
	stoppedAt: until * 1000,
	items: [],
	failed: false,
	error: undefined,
	...rest,
});

const created = (reason = 'new') => ({ items: [{ action: 'created', email: NEW, reason }] });
const stays = { items: [{ action: 'unchanged', email: NEW, contactId: FIRST }] };
const crashed = { status: 'crashed', items: undefined };

const killedAt =
	(seconds: number | undefined): KillOf =>
	() =>
		seconds === undefined ? undefined : new Date(seconds * 1000);

const service = (unsubscribedAt?: number) =>
	({
		seeded: [],
		others: [],
		altEmails: new Map(),
		unsubscribed: new Map(
			unsubscribedAt === undefined
				? []
				: [[NEW, { email: NEW, at: unsubscribedAt * 1000, list: 'globalUnsubscribes' }]],
		),
	}) as unknown as Service;

/** All that is found of the sync, with the contacts of that address that are there at the end. */
function found(
	sent: Sent[],
	executions: Stored[],
	there: number[],
	{ kill, unsubscribed }: { kill?: number; unsubscribed?: number } = {},
): Finding[] {
	const runs = runsOf(executions, killedAt(kill));
	const writes = amongRuns(numberCreated(writesOf(journal(sent)), 0), runs);
	const overlaps = new Overlaps(writes, new Map(), runs);
	const contact = { email: NEW, contact_type_id: 21, country: 85, first_name: '', last_name: '' };
	const contacts = there.map((id) => ({ ...contact, id, city: '', postal_code: '' }));
	const source = {
		people: new Map([[NEW, { email: NEW, country: 'Germany' }]]),
	} as unknown as Source;
	return [
		...checkContacts(contacts as Contact[], source, service(unsubscribed), writes, overlaps),
		...checkWrites(writes, service(unsubscribed), overlaps),
		...checkAcknowledgements(runs, writes, overlaps),
	];
}

const kinds = (findings: Finding[]) => findings.map(({ kind }) => kind);

const both: Sent[] = [
	{ at: 2, create: NEW },
	{ at: 3, create: NEW },
];
const cleared: Sent[] = [...both, { at: 4, remove: SECOND }];

test.each<[string, Sent[], Stored[], number[], number | undefined, string[]]>([
	[
		'of which the second removes its contact',
		cleared,
		[execution(1, 0, 5, created()), execution(2, 1, 6, stays)],
		[FIRST],
		undefined,
		[],
	],
	[
		'of which none removes its contact',
		both,
		[execution(1, 0, 5, created()), execution(2, 1, 6, created())],
		[FIRST, SECOND],
		undefined,
		['doubled'],
	],
	[
		'of which one says that it could not look',
		both,
		[execution(1, 0, 5, created()), execution(2, 1, 6, created('It could not be read.'))],
		[FIRST, SECOND],
		undefined,
		['expected'],
	],
	[
		'of which one is killed',
		both,
		[execution(1, 0, 5, created()), execution(2, 1, 9, crashed)],
		[FIRST, SECOND],
		4,
		['expected'],
	],
	[
		'that came after each other',
		both,
		[execution(1, 0, 2.5, created()), execution(2, 2.6, 6, created())],
		[FIRST, SECOND],
		undefined,
		['doubled', 'doubled'],
	],
	[
		'of which one is killed before the other begins',
		both,
		[execution(1, 0, 9, crashed), execution(2, 2.6, 6, created())],
		[FIRST, SECOND],
		2.4,
		['doubled', 'doubled'],
	],
])('the same contact by two runs %s', (_what, sent, executions, there, kill, expected) => {
	expect(kinds(found(sent, executions, there, { kill }))).toEqual(expected);
});

test.each<[string, number, Stored[], string[]]>([
	['read before', 1, [execution(1, 0, 5, created())], []],
	['read since', 1, [execution(1, 1.5, 5, created())], ['wrong']],
	['one of two read before', 1, [execution(1, 1.5, 5, created()), execution(2, 0, 5)], []],
])('who unsubscribed, and the run %s', (_what, unsubscribed, executions, expected) => {
	const sent = [{ at: 2, create: NEW }];
	expect(kinds(found(sent, executions, [FIRST], { unsubscribed }))).toEqual(expected);
});

test.each<[string, number | undefined, Sent[], string[]]>([
	['before the kill', 3, [{ at: 2, create: NEW }], []],
	['long after the kill', 0.5, [{ at: 2, create: NEW }], ['wrong']],
	['although no worker had begun it', undefined, [{ at: 2, create: NEW }], ['wrong']],
])('a run that was cut short wrote %s', (_what, kill, sent, expected) => {
	expect(kinds(found(sent, [execution(1, 0, 40, crashed)], [FIRST], { kill }))).toEqual(expected);
});

const message =
	'This execution failed to be processed too many times and will no longer retry. To allow …';
const lostWorker = (items: Stored['items']) =>
	execution(7, 1, 40, { status: 'error', error: message, items });

test('an execution that n8n gave up with its worker is known by what was saved before', () => {
	const events = [{ event: 'x' }];
	expect(observationsOf([lostWorker(events), lostWorker(undefined)])).toEqual([
		{ id: 7, at: 1000, events, hidden: false },
		{ id: 7, at: 1000, events: [], hidden: true },
	]);
	expect(givenUp([lostWorker(events), lostWorker(undefined)], killedAt(3))).toEqual([
		{
			kind: 'expected',
			text: 'execution 7 was given up with its worker, and n8n has not kept its 1 events',
		},
		{
			kind: 'expected',
			text: 'execution 7 was given up with its worker, and n8n has not kept its events',
		},
	]);
	expect(givenUp([lostWorker(events)], killedAt(undefined))).toEqual([
		{ kind: 'wrong', text: 'execution 7 was given up, and nobody killed its worker' },
	]);
});
