import { FIRST_IDS } from '../../sandbox/blanks.ts';
import type { Entry } from '../../sandbox/journal.ts';
import type { Contact } from '../../sandbox/model.ts';
import type { Stored } from '../executions.ts';
import { checkAcknowledgements } from '../reconcile/acknowledgements.ts';
import { checkContacts } from '../reconcile/contacts.ts';
import type { Finding } from '../reconcile/finding.ts';
import { Overlaps } from '../reconcile/overlaps.ts';
import { runsOf } from '../reconcile/runs.ts';
import { checkWrites, numberCreated, writesOf } from '../reconcile/writes.ts';
import type { Service } from '../service.ts';
import type { Source } from '../source.ts';

const SEEDED = FIRST_IDS.contacts;
const ADDED = SEEDED + 1;

const seeded = {
	id: SEEDED,
	email: 'old@example.com',
	contact_type_id: 21,
	country: 85,
	first_name: 'Old',
	last_name: '',
	city: '',
	postal_code: '',
	address_line2: 'Floor 1',
	state_province_region: '',
	alt_email: null,
} as Contact;

const service = (unsubscribed: Array<[email: string, at: number]> = []) =>
	({
		seeded: [seeded],
		others: [],
		altEmails: new Map(),
		unsubscribed: new Map(
			unsubscribed.map(([email, at]) => [email, { email, at, list: 'globalUnsubscribes' }]),
		),
	}) as unknown as Service;

type Step = Partial<Entry> & { path: string };

/** A journal with a second between two requests, each carried out unless it met a fault. */
const journal = (...steps: Step[]): Entry[] =>
	steps.map((step, index) => ({
		n: index + 1,
		time: new Date(index * 1000).toISOString(),
		method: 'POST',
		query: {},
		body: null,
		fault: null,
		status: 200,
		outcome: step.fault === undefined ? 'success' : 'fault',
		...step,
	})) as Entry[];

const read: Step = { path: '/global-unsubscribes', method: 'GET' };
const fields = { contact_type_id: '21', country: '85' };
const add = (email: string, rest: Partial<Entry> = {}): Step => ({
	path: '/contacts/add',
	body: { ...fields, email },
	...rest,
});
const update = (body: Record<string, string> = {}): Step => ({
	path: '/contacts/update',
	body: { ...fields, email: 'old@example.com', contact_id: String(SEEDED), ...body },
});
const remove = (...ids: number[]): Step => ({
	path: '/contacts/bulk-delete',
	body: Object.fromEntries(ids.map((id, index) => [`strIds[${index}]`, String(id)])),
});
const writes = (...steps: Step[]) => numberCreated(writesOf(journal(...steps)), 1);
/** In one process, runs wait for each other. */
const none = new Overlaps([], new Map(), []);
const kinds = (findings: Finding[]) => findings.map(({ kind }) => kind);

const NEW = 'new@example.com';
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
	['another contact type', [read, update({ contact_type_id: '22' })], [], ['wrong']],
	['somebody who had unsubscribed', [read, add('x@x.de'), read, add(NEW)], later, ['wrong']],
	['somebody who unsubscribed after the read', [read, add('x@x.de'), add(NEW)], later, []],
])('writes: %s', (_what, steps, unsubscribed, expected) => {
	expect(kinds(checkWrites(writes(...steps), service(unsubscribed), none))).toEqual(expected);
});

const person = { email: 'old@example.com', country: 'Germany', first_name: 'Old', city: '' };
const contact = (rest: Partial<Contact> = {}): Contact => ({ ...seeded, ...rest });

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
	const source = { people: new Map([[person.email, person]]) } as unknown as Source;
	expect(kinds(checkContacts(contacts, source, service(), [], none))).toEqual(expected);
});

const execution = (items: Array<Record<string, unknown>>, rest: Partial<Stored> = {}) =>
	({
		id: 1,
		status: 'success',
		createdAt: 0,
		startedAt: 0,
		stoppedAt: 5000,
		items,
		failed: false,
		...rest,
	}) as Stored;
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
	['that it deleted', execution([{ action: 'deleted', contactId: SEEDED }]), [remove(SEEDED)], []],
	['that it deleted another', execution([{ action: 'deleted', contactId: 5 }]), [], ['wrong']],
])('an execution says %s', (_what, stored, steps, expected) => {
	const runs = runsOf([stored], () => new Date(5000));
	expect(kinds(checkAcknowledgements(runs, writes(...steps), none))).toEqual(expected);
});

test('contacts that no workflow may touch are named', () => {
	const [same, other, gone] = [1, 2, 3].map((id) => contact({ id, contact_type_id: 22 }));
	const given = { ...service(), others: [same, other, gone] } as unknown as Service;
	const now = [same, { ...other, city: 'X' }, contact({ id: 4, contact_type_id: 22 })];
	const source = { people: new Map() } as unknown as Source;
	const texts = checkContacts(now as Contact[], source, given, [], none).map(({ text }) => text);
	expect(texts).toEqual([
		'old@example.com, contact 2 of the other contact type, is changed',
		'old@example.com, contact 3 of the other contact type, is gone',
		'old@example.com, contact 4 of the other contact type, is new',
	]);
});
