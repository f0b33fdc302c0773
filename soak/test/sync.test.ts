import type { IDataObject } from 'n8n-workflow';
import { FIRST_IDS } from '../../sandbox/blanks.ts';
import type { Entry as Request } from '../../sandbox/journal.ts';
import type { Contact } from '../../sandbox/model.ts';
import type { Stored } from '../executions.ts';
import {
	act,
	contact as contactWith,
	execution as executionOf,
	findingsIn,
	kindsIn,
	NEW,
	OLD,
	request,
} from './evidence.ts';

const SEEDED = FIRST_IDS.contacts;
const ADDED = SEEDED + 1;

const contact = (rest: Partial<Contact> = {}): Contact =>
	contactWith({ id: SEEDED, first_name: 'Old', address_line2: 'Floor 1', ...rest });

type Step = Partial<Request> & { path: string };

/** A journal with a second between two requests. */
const journal = (steps: Step[]): Request[] =>
	steps.map((step, index) => request(index * 1000, { ...step, n: index + 1 }));

const read: Step = { path: '/global-unsubscribes', method: 'GET' };
const fields = { contact_type_id: '21', country: '85' };
const add = (email: string, rest: Partial<Request> = {}): Step => ({
	path: '/contacts/add',
	body: { ...fields, email },
	...rest,
});
const update = (body: Record<string, string> = {}): Step => ({
	path: '/contacts/update',
	body: { ...fields, email: OLD, contact_id: String(SEEDED), ...body },
});
const remove = (...ids: number[]): Step => ({
	path: '/contacts/bulk-delete',
	body: Object.fromEntries(ids.map((id, index) => [`strIds[${index}]`, String(id)])),
});

const ACTIONS: Record<string, string> = {
	'/contacts/add': 'created',
	'/contacts/update': 'updated',
	'/contacts/bulk-delete': 'deleted',
};

/** One execution for each time that the unsubscribes are read, which says what it does. */
function honest(steps: Step[]): Stored[] {
	const starts = steps.flatMap((step, index) => (step === read ? [index] : []));
	return starts.map((from, index) => {
		const until = starts[index + 1] ?? steps.length;
		const done = steps.slice(from + 1, until).filter(({ fault }) => fault === undefined);
		const items = done.map(({ path, body }) => {
			const action = ACTIONS[path];
			if (action !== 'deleted') return { action, email: body?.email };
			const contactId = Number(body?.['strIds[0]']);
			return { action, contactId, email: contactId === SEEDED ? OLD : NEW };
		});
		return executionOf(index + 1, from, until - 0.5, { items: items as Stored['items'] });
	});
}

const later: Array<[string, number]> = [[NEW, 1500]];

test.each<[string, Step[], Array<[string, number]>, string[]]>([
	['each once', [read, add(NEW), update(), remove(SEEDED)], [], []],
	['created again after it was deleted', [read, add(NEW), remove(ADDED), read, add(NEW)], [], []],
	['created by two runs', [read, add(NEW), read, add(NEW)], [], ['doubled']],
	['created although it was there', [read, add('OLD@example.com')], [], ['doubled']],
	[
		'repeated by the same run without an answer',
		[read, add(NEW, { fault: 'timeout' }), add(NEW)],
		[],
		['doubled'],
	],
	['tried by the next run', [read, add(NEW, { fault: 'timeout' }), read, add(NEW)], [], []],
	[
		'repeated after it was turned away',
		[read, add(NEW, { fault: 'status', status: 429 }), add(NEW)],
		[],
		[],
	],
	['a field blanked', [read, update({ city: '' })], [], ['wrong']],
	// The contact is moved and not updated as well.
	['another contact type', [read, update({ contact_type_id: '22' })], [], ['wrong', 'wrong']],
	['somebody who had unsubscribed', [read, add('x@x.de'), read, add(NEW)], later, ['wrong']],
	['not of any run', [add(NEW)], [], ['wrong']],
	['somebody who unsubscribed after the read', [read, add('x@x.de'), add(NEW)], later, []],
])('writes: %s', (_what, steps, unsubscribed, expected) => {
	const acts = unsubscribed.map(([email, at]) =>
		act(at, { change: 'unsubscribes', table: 'globalUnsubscribes', email }),
	);
	const syncs = { ended: honest(steps), open: [] };
	const first = { contacts: [contact()] };
	expect(kindsIn({ first, journal: journal(steps), syncs, acts })).toEqual(expected);
});

const person = { email: OLD, country: 'Germany', first_name: 'Old', city: '' };

test.each<[string, Contact[], string[]]>([
	['as it should be', [contact()], []],
	['not there', [], ['lost']],
	['with another value', [contact({ first_name: 'New' })], ['lost']],
	['with another country', [contact({ country: 15 })], ['lost']],
	['there twice', [contact(), contact({ id: ADDED })], ['doubled']],
	['somebody who has gone', [contact(), contact({ id: ADDED, email: NEW })], ['lost']],
	['without what only the service knew', [contact({ address_line2: '' })], ['wrong']],
	['blanked', [contact({ first_name: '' })], ['lost', 'wrong']],
	['a contact of another type', [contact(), contact({ contact_type_id: 22 })], ['wrong']],
])('contacts: %s', (_what, contacts, expected) => {
	const first = { contacts: [contact()] };
	expect(kindsIn({ first, last: { contacts }, people: [person] })).toEqual(expected);
});

const execution = (items: Array<Record<string, unknown>>, rest: Partial<Stored> = {}) =>
	executionOf(1, 0, 5, { items: items as Stored['items'], ...rest });
const created = { action: 'created', email: NEW };
const failed = { action: 'failed', email: NEW, reason: 'It was not carried out.' };
const unknown = { ...failed, reason: 'The list could not be read afterwards (…).' };
const cut = { status: 'crashed', items: undefined };

test.each<[string, Stored, Step[], string[]]>([
	['as it was', execution([created]), [read, add(NEW)], []],
	['done what was not', execution([created]), [read, add(NEW, { fault: 'timeout' })], ['wrong']],
	['failed what was done', execution([failed]), [read, add(NEW)], ['wrong']],
	['nothing of what was done', execution([]), [read, add(NEW)], ['wrong']],
	['that it does not know', execution([unknown]), [read, add(NEW)], []],
	['nothing, since it was cut short', execution([], cut), [read, add(NEW)], []],
	[
		'that it deleted',
		execution([{ action: 'deleted', email: OLD, contactId: SEEDED }]),
		[remove(SEEDED)],
		[],
	],
	[
		'that it deleted another',
		execution([{ action: 'deleted', email: OLD, contactId: 5 }]),
		[],
		['wrong'],
	],
])('an execution says %s', (_what, stored, steps, expected) => {
	const ranOn = () => ({ process: 'main', kill: new Date(5000) });
	const syncs = { ended: [stored], open: [] };
	const first = { contacts: [contact()] };
	expect(kindsIn({ first, journal: journal(steps), syncs, ranOn })).toEqual(expected);
});

test.each<[string, IDataObject[] | undefined, string[]]>([
	['names them', [{ 'E-Mail': OLD }], ['wrong']],
	['names others', [{ 'E-Mail': NEW }], []],
	['was not kept', undefined, []],
])('somebody is removed by a run whose input %s', (_what, input, expected) => {
	const steps = [read, remove(SEEDED)];
	const items = [{ action: 'deleted', email: OLD, contactId: SEEDED }];
	const syncs = { ended: [execution(items, { input })], open: [] };
	const first = { contacts: [contact()] };
	expect(kindsIn({ first, journal: journal(steps), syncs })).toEqual(expected);
});

test('of runs that wait for each other, the one that ends first has sent the requests', () => {
	const steps = [read, add(NEW), read];
	const waits = execution([], { id: 1, stoppedAt: 9000 });
	const runs = execution([created], { id: 2, stoppedAt: 1500 });
	const failed = execution([], { id: 3, stoppedAt: 1200, items: undefined });
	const ended = [waits, runs, failed];
	expect(kindsIn({ journal: journal(steps), syncs: { ended, open: [] } })).toEqual([]);
	expect(kindsIn({ journal: journal(steps), syncs: { ended: [waits, failed], open: [] } })).toEqual(
		['wrong'],
	);
});

test('contacts that no workflow may touch are named', () => {
	const [same, other, gone] = [1, 2, 3].map((id) => contact({ id, contact_type_id: 22 }));
	const first = { contacts: [same, other, gone] as Contact[] };
	const now = [same, { ...other, city: 'X' }, contact({ id: 4, contact_type_id: 22 })];
	const found = findingsIn({ first, last: { contacts: now as Contact[] } });
	expect(found.map(({ what }) => what)).toEqual([
		`${OLD}, contact 2 of type 22, is changed`,
		`${OLD}, contact 3 of type 22, is gone`,
		`${OLD}, contact 4 of type 22, is new`,
	]);
});
