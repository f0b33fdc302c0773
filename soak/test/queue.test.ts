import { FIRST_IDS } from '../../sandbox/blanks.ts';
import { checkStored } from '../account.ts';
import type { Stored } from '../executions.ts';
import { act, contact, evidenceOf, execution, kindsIn, NEW, request } from './evidence.ts';

const FIRST = FIRST_IDS.contacts;
const SECOND = FIRST + 1;

/** A request at so many seconds. */
interface Sent {
	at: number;
	create?: string;
	remove?: number;
}

const fields = { contact_type_id: '21', country: '85' };

const sentAt = ({ at, create, remove }: Sent) =>
	create === undefined
		? request(at * 1000, { path: '/contacts/bulk-delete', body: { 'strIds[0]': String(remove) } })
		: request(at * 1000, { path: '/contacts/add', body: { ...fields, email: create } });

const created = (reason = 'new') => ({ items: [{ action: 'created', email: NEW, reason }] });
const stays = { items: [{ action: 'unchanged', email: NEW, contactId: FIRST }] };
const crashed = { status: 'crashed', items: undefined };

/** Each execution on a worker of its own, which may have been killed. */
const ranOn =
	(kill?: number) =>
	({ id }: { id: number }) => ({
		process: `worker ${id}`,
		...(kill !== undefined && { kill: new Date(kill * 1000) }),
	});

/** All that is found of the sync, with the contacts of that address that are there at the end. */
function found(
	sent: Sent[],
	executions: Stored[],
	there: number[],
	{ kill, unsubscribed }: { kill?: number; unsubscribed?: number } = {},
): string[] {
	const unsubscribes = { change: 'unsubscribes', table: 'globalUnsubscribes', email: NEW };
	const globalUnsubscribes = unsubscribed === undefined ? [] : [{ id: 1, email_address: NEW }];
	return kindsIn({
		journal: sent.map(sentAt),
		syncs: { ended: executions, open: [] },
		...{ isAlone: false, ranOn: ranOn(kill) },
		acts: unsubscribed === undefined ? [] : [act(unsubscribed * 1000, unsubscribes)],
		last: {
			contacts: there.map((id) => contact({ id, email: NEW })),
			globalUnsubscribes: globalUnsubscribes as never,
		},
		people: [{ email: NEW, country: 'Germany' }],
	});
}

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
	expect(found(sent, executions, there, { kill })).toEqual(expected);
});

test.each<[string, number, Stored[], string[]]>([
	['read before', 1, [execution(1, 0, 5, created())], []],
	['read since', 1, [execution(1, 1.5, 5, created())], ['wrong']],
	['one of two read before', 1, [execution(1, 1.5, 5, created()), execution(2, 0, 5)], []],
])('who unsubscribed, and the run %s', (_what, unsubscribed, executions, expected) => {
	const sent = [{ at: 2, create: NEW }];
	expect(found(sent, executions, [FIRST], { unsubscribed })).toEqual(expected);
});

test.each<[string, number | undefined, Sent[], string[]]>([
	['before the kill', 3, [{ at: 2, create: NEW }], []],
	['long after the kill', 0.5, [{ at: 2, create: NEW }], ['wrong']],
	['although no worker had begun it', undefined, [{ at: 2, create: NEW }], ['wrong']],
])('a run that was cut short wrote %s', (_what, kill, sent, expected) => {
	expect(found(sent, [execution(1, 0, 40, crashed)], [FIRST], { kill })).toEqual(expected);
});

const message =
	'This execution failed to be processed too many times and will no longer retry. To allow …';

test.each<[string, Stored['items'], number | undefined, object]>([
	[
		'is known by what was saved before',
		[{ event: 'x', record: {} }],
		3,
		{ expected: 'its worker was killed, and n8n has not kept its 1 events' },
	],
	[
		'is known without its events',
		undefined,
		3,
		{ expected: 'its worker was killed, and n8n has not kept its events' },
	],
	[
		'although nobody killed its worker is a finding',
		[],
		undefined,
		{ what: 'execution 7 was given up, and nobody killed its worker' },
	],
])('an execution that n8n gave up %s', (_what, items, kill, expected) => {
	const ended = [execution(7, 1, 40, { status: 'error', error: message, items })];
	const { entries } = evidenceOf({
		...{ polls: { everything: { ended, open: [] } }, ranOn: ranOn(kill) },
	});
	expect(checkStored(entries)).toMatchObject([
		{ promise: 'n8n gives up no execution', ...expected },
	]);
	const emits = entries.filter(({ op }) => op === 'emit').map(({ type }) => type);
	expect(emits).toEqual(['invoke', items === undefined ? 'info' : 'ok']);
});
