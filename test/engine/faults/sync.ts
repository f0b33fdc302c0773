import type { IDataObject } from 'n8n-workflow';

import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import { keys, type Outcome } from '../engine';
import { contact } from '../records';
import { chosen } from '../rows';
import { inflict, TRIES, type Watched } from './inflict';
import { effectOf, type Row } from './table';

const LIST = 'GET /contacts/list';
const READS = [LIST, 'GET /global-unsubscribes', 'GET /get/country-state-city'];
/** The first two go out together, the last one after them. After the create, the list is read once more. */
const WRITES = ['POST /contacts/update', 'POST /contacts/add', 'POST /contacts/bulk-delete'];

const parameters = {
	resource: 'contact',
	operation: 'sync',
	contactTypeId: chosen('21'),
	fields: { mappingMode: 'autoMapInputData', value: null },
	missing: 'delete',
	options: {
		...limits({ maxRemovalPercent: 100 }),
		...removal({ onlyAddedBySync: false, removeAfter: 1 }),
	},
};
const items = [
	{ email: 'new@example.com', country: '85' },
	{ email: contact.email, first_name: 'Augusta' },
].map((json) => ({ json }));

const gone = { id: 1000003, contact_type_id: 21, country: 85, email: 'gone@example.com' };

const create: IDataObject = {
	action: 'created',
	email: 'new@example.com',
	reason: 'new',
	contactId: 1000004,
};
const update: IDataObject = {
	action: 'updated',
	email: contact.email,
	reason: 'changed: First Name',
	contactId: contact.id,
	changedFields: { first_name: { from: 'Ada', to: 'Augusta' } },
};
const remove: IDataObject = {
	action: 'deleted',
	reason: 'missing from the input',
	email: gone.email,
	contactId: gone.id,
};
const done = [create, update, remove];

const failed = (reason: string, reasonOfLast = reason): IDataObject[] => [
	{ action: 'failed', reason, email: 'new@example.com' },
	{ action: 'failed', reason, email: contact.email, contactId: contact.id },
	{ action: 'failed', reason: reasonOfLast, email: gone.email, contactId: gone.id },
];

function lookedUp({ made, says }: Row): IDataObject[] {
	if (!effectOf(made)) {
		return failed(
			`${says?.message}. The list read afterwards does not show this write. Run again to repeat it.`,
		);
	}
	const reason = 'The response was lost, but the list is as planned';
	return done.map((row) => ({ ...row, reason }));
}

/** Whether the service refuses a write in its own words, so that the address of a create may be taken. */
const isEnvelope = ({ made }: Row): boolean => made !== 'refused' && made.kind === 'failed';

const contactsBefore = ['Ada ada@example.com', ' gone@example.com'];
const contactsAfter = ['Augusta ada@example.com', ' new@example.com'];

/** Contact: Sync, on a service that has one contact to update and one to delete. */
class Sync {
	private readonly watched: Watched;
	private readonly row: Row;

	constructor(watched: Watched, row: Row) {
		this.watched = watched;
		this.row = row;
	}

	async start(): Promise<void> {
		const { service, gate } = this.watched;
		service.reset();
		service.state.tables.contacts.add(gone, service.state.clock.now());
		await gate.open();
	}

	async run(): Promise<Outcome> {
		const { service, watch } = this.watched;
		const credential = { baseUrl: this.watched.baseUrl(this.row), ...keys };
		const outcome = await service.run(parameters, { items, credential });
		watch.add(outcome);
		return outcome;
	}

	/**
	 * How many pauses there were. The pause after a 429 holds for all requests of the run: how many of them it meets, and
	 * whether another 429 makes it longer, depends on which comes first. So there it is 1 for any number.
	 */
	private countOf(pauses: number): number {
		const { made } = this.row;
		const isShared = made !== 'refused' && made.status === 429;
		return isShared ? Math.min(pauses, 1) : pauses;
	}

	expect(
		{ items, error }: Outcome,
		wanted: {
			items?: IDataObject[];
			error?: object;
			calls: string[];
			pauses: number;
			contacts: string[];
		},
	): void {
		const { service } = this.watched;
		const { message, description } = error ?? {};
		expect({
			items: items.map(({ json: { runId, at, contactTypeId, ...row } }) => row),
			error: error && { message, description },
			calls: service.calls().sort(),
			pauses: this.countOf(this.watched.pauses()),
			contacts: service.state.tables.contacts
				.all()
				.filter(({ contact_type_id }) => contact_type_id === 21)
				.map(({ first_name, email }) => `${first_name} ${email}`),
		}).toEqual({
			items: [],
			error: undefined,
			...wanted,
			calls: [...wanted.calls].sort(),
			pauses: this.countOf(wanted.pauses),
		});
		expect(service.violations()).toEqual([]);
	}
}

const many = (count: number, call: string) => Array<string>(count).fill(call);

async function checkReads(watched: Watched, row: Row): Promise<void> {
	const sync = new Sync(watched, row);
	const isRefused = row.made === 'refused';
	const where = [{ path: '/contacts/list' }];
	const [, ...otherReads] = READS;
	const fails = (tries: number) => ({
		error: {
			message: row.says?.message,
			description: row.says?.remedy + (tries > 1 ? ` Tried ${tries} times.` : ''),
		},
		calls: isRefused ? [] : [...many(tries, LIST), ...otherReads],
		// Each of the reads that go out together is refused.
		pauses: (tries - 1) * (isRefused ? READS.length : 1),
		contacts: contactsBefore,
	});
	const succeeds = { items: done, contacts: contactsAfter };

	await sync.start();
	await inflict(watched, row, 'once', { where, requests: READS.length });
	const met = await sync.run();
	if (row.sync.reads === 'error') return sync.expect(met, fails(1));
	if (row.sync.reads === 'waited for') {
		return sync.expect(met, { ...succeeds, calls: [...READS, ...WRITES, LIST], pauses: 0 });
	}
	const again = isRefused ? [] : [LIST];
	sync.expect(met, {
		...succeeds,
		calls: [...again, ...READS, ...WRITES, LIST],
		pauses: isRefused ? READS.length : 1,
	});

	await sync.start();
	await inflict(watched, row, 'always', { where });
	sync.expect(await sync.run(), fails(TRIES));
}

async function checkWrites(watched: Watched, row: Row): Promise<void> {
	const sync = new Sync(watched, row);
	const isRefused = row.made === 'refused';
	const where = WRITES.map((call) => ({ path: call.split(' ')[1] }));
	const unchanged = `${row.says?.message}. ${row.says?.remedy} Nothing was changed.`;
	const once = { calls: [...READS, ...WRITES], pauses: 0 };
	const withRead = { calls: [...once.calls, LIST], pauses: 0 };

	await sync.start();
	await inflict(watched, row, 'once', { where, before: READS.length, requests: 2 });
	const met = await sync.run();
	switch (row.sync.writes) {
		case 'waited for':
			return sync.expect(met, { ...withRead, items: done, contacts: contactsAfter });
		case 'failed':
			return sync.expect(met, {
				...(isEnvelope(row) ? withRead : once),
				items: failed(unchanged),
				contacts: contactsBefore,
			});
		case 'looked up':
			return sync.expect(met, {
				...withRead,
				items: lookedUp(row),
				contacts: effectOf(row.made) ? contactsAfter : contactsBefore,
			});
	}
	sync.expect(met, {
		items: done,
		calls: [...READS, ...WRITES, ...(isRefused ? [] : WRITES), LIST],
		pauses: isRefused ? 2 : WRITES.length,
		contacts: contactsAfter,
	});

	await sync.start();
	await inflict(watched, row, 'always', { where, before: READS.length });
	// The last one goes out when the first two have been given up, and is tried once.
	const [first = '', second = '', last = ''] = WRITES;
	sync.expect(await sync.run(), {
		items: failed(`${unchanged} Tried ${TRIES} times.`, unchanged),
		calls: [...READS, ...(isRefused ? [] : [...many(TRIES, first), ...many(TRIES, second), last])],
		pauses: 2 * (TRIES - 1),
		contacts: contactsBefore,
	});
}

/** Lets Contact: Sync meet a fault in a list that it reads, then in each of its writes. */
export async function checkSync(watched: Watched, row: Row): Promise<void> {
	await checkReads(watched, row);
	await checkWrites(watched, row);
}
