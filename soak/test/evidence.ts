import type { IDataObject } from 'n8n-workflow';
import type { Entry as Request } from '../../sandbox/journal.ts';
import type { Contact } from '../../sandbox/model.ts';
import {
	tablesWith,
	type Evidence,
	type Finding,
	type Tables,
} from '../../test/histories/evidence.ts';
import type { Entry } from '../../test/histories/history.ts';
import { check } from '../../test/histories/index.ts';
import { promisesOf } from '../account.ts';
import { historyOf, type Sources } from '../history.ts';
import type { Stored } from '../executions.ts';
import type { Person } from '../source.ts';
import { kindOf } from '../kinds.ts';

type Gaps = Evidence['promises']['triggers'][number]['gaps'];

/** What a test puts in place of a run of the soak. */
export interface Given extends Partial<Omit<Sources, 'first' | 'start'>> {
	first?: Partial<Tables>;
	last?: Partial<Tables>;
	/** Whom the other system has at the end; undefined where that is of no interest. */
	people?: Person[];
	gaps?: { everything?: Gaps; completed?: Gaps };
}

const NONE = { ended: [], open: [] };

export function evidenceOf(given: Given): Evidence {
	const { people, gaps = {} } = given;
	const [first, last] = [tablesWith(given.first ?? {}), tablesWith(given.last ?? {})];
	const entries = historyOf({
		...{ start: 0, end: 60_000, journal: [], syncs: NONE, isAlone: true },
		ranOn: () => ({ process: 'main' }),
		...given,
		first,
	});
	const { lists, ...rest } = promisesOf(people ?? [], { everything: [], completed: [], ...gaps });
	const promises = {
		...rest,
		lists: people ? lists : lists.map(({ settlesAt: _, ...list }) => list),
		triggers: rest.triggers.filter(({ workflow = '' }) => given.polls && workflow in given.polls),
	};
	return { entries, first, last, promises, start: 0, end: 60_000 };
}

export const findingsIn = (given: Given): Finding[] => check(evidenceOf(given));
export const kindsIn = (given: Given): string[] => findingsIn(given).map(kindOf);

export const OLD = 'old@example.com';
export const NEW = 'new@example.com';

/** A contact of the synced type. */
export const contact = (fields: Partial<Contact>): Contact =>
	({
		...{ email: OLD, contact_type_id: 21, country: 85, first_name: '', last_name: '' },
		...{ city: '', postal_code: '', address_line2: '', state_province_region: '', alt_email: null },
		...{ created_at: new Date(0).toISOString(), updated_at: new Date(0).toISOString() },
		...fields,
	}) as Contact;

/** An execution from one second to another. */
export const execution = (
	id: number,
	from: number,
	until: number,
	rest: Partial<Stored> = {},
): Stored => ({
	...{ id, status: 'success', failed: false, error: undefined, items: [] },
	...{ createdAt: from * 1000, startedAt: from * 1000, stoppedAt: until * 1000 },
	...rest,
});

/** Something that people did, in milliseconds. */
export const act = (at: number, data: IDataObject, id = at): Entry => ({
	...{ at, id, type: 'ok', process: 'trouble', op: String(id), data },
});

/** A poll in the second of its number that reported these events, which n8n may not have kept. */
export const poll = (id: number, events: IDataObject[] | undefined): Stored =>
	execution(id, id, id, {
		// Each has an ID of its own: what is to be noticed is noticed by what it says.
		items: events?.map((event, index) => ({ ...event, eventId: `${id} ${index}` })),
		...(events === undefined && { status: 'crashed' }),
	});

/** Requests that read the campaigns, after a time in milliseconds. */
export const readsAfter = (...times: number[]): Request[] =>
	times.flatMap((time) =>
		[10, 20].map((ms) => request(time + ms, { method: 'GET', path: '/single-send/list' })),
	);

/** A request that the sandbox got, in milliseconds; it had its effect unless it met a fault. */
export const request = (ms: number, rest: Partial<Request>): Request =>
	({
		...{ n: ms, time: new Date(ms).toISOString(), method: 'POST', query: {}, body: null },
		...{ fault: null, status: 200, outcome: rest.fault === undefined ? 'success' : 'fault' },
		...rest,
	}) as Request;
