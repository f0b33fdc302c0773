import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { clearAddress, readingsOf } from '../../../nodes/EmailMarketing/util/addressesIn';
import { addressKey, spellingKey } from '../../../nodes/EmailMarketing/util/email';
import type { Fault } from '../../../sandbox/faults.ts';
import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import { chosen } from '../rows';
import { actions, address, ScheduledSync } from '../contacts/scheduledSync';
import { hints, json, useAccount } from '../contacts/support';

const given = useAccount({ emptyParents: 'success' });
const SEGMENT = 301;
const GROUP = 51;

const tables = () => given.account.state.tables;
const { segment, group, global, notification } = {
	segment: {
		parameters: { resource: 'segment', segmentId: chosen(SEGMENT) },
		emails: () =>
			tables()
				.segmentRecipients.all()
				.map(({ email }) => email),
		add: (email: string) =>
			tables().segmentRecipients.add({ segment_id: SEGMENT, email, first_name: 'A' }, 0),
		remove: (id: number) => tables().segmentRecipients.remove(id),
		removal: '/segment/email/delete',
	},
	group: {
		parameters: {
			...{ resource: 'unsubscribeGroup', unsubscribeGroupId: chosen(GROUP) },
			allowsEmailAgain: true,
		},
		emails: () =>
			tables()
				.groupRecipients.all()
				.map(({ email_address }) => email_address),
		add: (email_address: string) =>
			tables().groupRecipients.add({ email_address, unsubscribe_groups_id: GROUP }, 0),
		table: () => tables().groupRecipients,
		remove: (id: number) => tables().groupRecipients.remove(id),
		removal: '/unsubscribes-groups/recipients-bulk-delete',
	},
	global: {
		parameters: { resource: 'globalUnsubscribe', allowsEmailAgain: true },
		emails: () =>
			tables()
				.globalUnsubscribes.all()
				.map(({ email_address }) => email_address),
		add: (email_address: string) => tables().globalUnsubscribes.add({ email_address }, 0),
		table: () => tables().globalUnsubscribes,
		remove: (id: number) => tables().globalUnsubscribes.remove(id),
		removal: '/global-unsubscribes/bulk-delete',
	},
	notification: {
		parameters: { resource: 'notificationRecipient' },
		emails: () =>
			tables()
				.notificationRecipients.all()
				.map(({ email_address }) => email_address),
		add: (email_address: string) =>
			tables().notificationRecipients.add({ email_address, email_owner: 'A' }, 0),
		remove: (id: number) => tables().notificationRecipients.remove(id),
		removal: '/notification-recipient/bulk-delete',
	},
};
const lists = Object.entries({ segment, group, global, notification });

const people = (...names: string[]): IDataObject[] =>
	names.map((name) => ({ Email: address(name), 'First Name': name, 'Last Name': 'Li' }));

let tests = 0;

function prepareLists(): void {
	const { segments, unsubscribeGroups } = tables();
	const { segmentRecipients, groupRecipients, globalUnsubscribes, notificationRecipients } =
		tables();
	segments.add({ id: SEGMENT, segment_name: 'VIP' }, 0);
	unsubscribeGroups.add({ id: GROUP, group_name: 'News' }, 0);
	// As in a real service, no ID is used twice.
	for (const table of [
		...[segmentRecipients, groupRecipients],
		...[globalUnsubscribes, notificationRecipients],
	]) {
		table.nextId = 5_000 + ++tests * 1_000;
	}
}
beforeEach(prepareLists);
afterEach(() => jest.restoreAllMocks());

class ListSync extends ScheduledSync {
	constructor(parameters: IDataObject, options: IDataObject = removal({ removeAfter: 1 })) {
		super(given, { operation: 'syncRecipients', missing: 'delete', ...parameters, options });
	}
}

test('recipients-segment: adds to a segment who is missing from it and has not unsubscribed, with one read of each list and one after it', async () => {
	const { account } = given;
	const [ann] = [segment.add(' Ann@example.com')];
	account.unsubscribe(address('gone'));
	const outcome = await account.run(
		{ ...segment.parameters, operation: 'syncRecipients', missing: 'ignore' },
		[...people('ann', 'ben', 'ben', 'gone'), { Email: address('cy'), 'First Name': 'Cy' }],
		{ onError: 'continueErrorOutput' },
	);
	expect(json(outcome).map(({ segmentId, ...row }) => (segmentId === SEGMENT ? row : {}))).toEqual([
		{
			action: 'unchanged',
			email: ' Ann@example.com',
			reason: 'already on the list',
			recipientId: ann?.id,
		},
		{
			action: 'skipped',
			email: address('ben'),
			reason: 'duplicate: item 2 has the same email and is used instead',
		},
		{
			action: 'added',
			email: address('ben'),
			reason: 'new',
			recipientId: tables().segmentRecipients.all().at(-1)?.id,
		},
		{
			action: 'skipped',
			email: address('gone'),
			reason: 'unsubscribed',
			unsubscribedAt: '2026-03-02T10:00:00.000000Z',
			unsubscribedFrom: 'Global Unsubscribes',
		},
	]);
	expect(outcome.failed).toMatchObject([
		{
			json: {
				Email: address('cy'),
				error: {
					field: 'Last Name',
					message:
						'Last Name is missing, but the service requires it. Map the column that contains it, fill it in the source, or set "Last Name for Recipients Without One" in Options [item 4]',
				},
			},
		},
	]);
	expect(hints(outcome)?.[0]).toMatchObject({
		message:
			'1 added, 1 unchanged, 1 failed: Last Name missing (cy@example.com); 2 skipped: 1 duplicate, 1 unsubscribed',
		type: 'warning',
	});
	expect(account.writes()).toEqual([
		[
			'POST /segment/email/store',
			{ segment_id: '301', email: address('ben'), first_name: 'ben', last_name: 'Li' },
		],
	]);
	expect(account.reads().sort()).toEqual([
		'/global-unsubscribes',
		'/segment/email/list',
		'/segment/email/list',
	]);
});

describe.each(lists)('%s', (_name, list) => {
	test('has the people of the input, those who come back among them, and those that others added', async () => {
		const sync = new ListSync(list.parameters);
		list.add(address('other'));
		expect(actions(await sync.run(people('ann', 'ben')))).toEqual([
			['added', address('ann'), 'new'],
			['added', address('ben'), 'new'],
		]);
		const second = await sync.run(people('ben'));
		expect(actions(second)).toEqual([
			['unchanged', address('ben'), 'already on the list'],
			['removed', address('ann'), 'missing from the input'],
		]);
		expect(list.emails().sort()).toEqual([address('ben'), address('other')]);
		expect(actions(await sync.run(people('ann', 'ben')))).toEqual([
			['added', address('ann'), 'new'],
			['unchanged', address('ben'), 'already on the list'],
		]);
		expect(list.emails().sort()).toEqual(['ann', 'ben', 'other'].map(address));
	});

	test('says of people that others added how to include them, only where that is possible', async () => {
		list.add(address('other'));
		const outcome = await new ListSync(list.parameters).run(people('ann'));
		const remedy =
			'allowsEmailAgain' in list.parameters
				? ''
				: '. To remove only some of them, take them off the list by hand. To include all of them, turn off "Only Added by Sync" under "Removal" in Options: all missing recipients may then be removed, whoever added them.';
		expect(hints(outcome)?.map(({ message }) => message)).toContain(
			`Missing recipients left unchanged, because the published workflow did not add them: 1 (${address('other')}). Recipients added by manual executions and retries do not count${remedy}`,
		);
	});

	test('loses nobody who is missing from one execution only, nor in a manual one', async () => {
		const sync = new ListSync(list.parameters, {});
		await sync.run(people('ann', 'ben'));
		expect(actions(await sync.run(people('ann')))[1]).toEqual([
			...['skipped', address('ben')],
			'not removed yet: missing from 1 of 2 executions',
		]);
		expect(actions(await sync.run(people('ann'), { mode: 'manual' }))).toHaveLength(1);
		expect(list.emails()).toHaveLength(2);
		await sync.run(people('ann'));
		expect(list.emails()).toEqual([address('ann')]);
	});

	test('stops at a limit, and for an input that names nobody', async () => {
		const sync = new ListSync(list.parameters, {
			...removal({ removeAfter: 1 }),
			limits: { limit: [{ kind: 'maxRemovals', value: 1 }] },
		});
		await sync.run(people('ann', 'ben', 'cy'));
		const { error } = await sync.attempt(people('ann'));
		expect(error?.context).toMatchObject({ code: 'too-many-removals' });
		expect(error?.message).toBe(
			'2 of 3 recipients that this sync added would be removed, more than the 1 allowed',
		);
		expect((await sync.attempt([{ Email: '' }])).error?.context).toMatchObject({
			code: 'nobody-identified',
		});
		expect(list.emails()).toHaveLength(3);
	});

	test('is not written in a dry run, which says what would be', async () => {
		const sync = new ListSync(list.parameters);
		await sync.run(people('ann', 'ben'));
		given.account.state.journal.clear();
		const outcome = await sync.run(people('ann', 'cy'), { parameters: { dryRun: true } });
		expect(actions(outcome)).toEqual([
			['unchanged', address('ann'), 'already on the list'],
			['wouldAdd', address('cy'), 'new'],
			['wouldRemove', address('ben'), 'missing from the input'],
		]);
		expect(hints(outcome)?.[0]?.message).toBe(
			'Dry run: would add 1, 1 unchanged, would remove 1. Nothing was written.',
		);
		expect(given.account.writes()).toEqual([]);
	});

	test('is looked at again where a response was lost, and written once', async () => {
		const sync = new ListSync(list.parameters);
		given.account.state.faults.add({ kind: 'reset-after', match: { method: 'POST' } });
		const first = await sync.run(people('ann', 'ben'));
		expect(actions(first).map(([action, email]) => [action, email])).toEqual([
			['added', address('ann')],
			['added', address('ben')],
		]);
		expect(list.emails().sort()).toEqual(['ann', 'ben'].map(address));
	});

	test('has a person whom another run adds at the same time', async () => {
		const { journal, faults } = given.account.state;
		const field = list === segment ? 'email' : 'email_address';
		const errors = { [field]: ['has already been taken'] };
		faults.add({ kind: 'failed', errors, match: { method: 'POST' } });
		journal.observe = ({ method }) => {
			if (method === 'POST' && list.emails().length === 0) list.add(address('ann'));
		};
		const outcome = await new ListSync({ ...list.parameters, missing: 'ignore' }).run(
			people('ann'),
		);
		journal.observe = () => {};
		expect(actions(outcome).map(([action, email]) => [action, email])).toEqual([
			['unchanged', address('ann')],
		]);
	});

	test('takes a person for removed who is gone by the time of the request', async () => {
		const sync = new ListSync(list.parameters);
		await sync.run(people('ann', 'ben'));
		const gone = { kind: 'failed', errors: 'Record Not Found', effect: true } as const;
		given.account.state.faults.add({ ...gone, match: { path: list.removal } });
		expect(actions(await sync.run(people('ann')))[1]).toEqual([
			...['removed', address('ben')],
			'missing from the input',
		]);
		expect(list.emails()).toEqual([address('ann')]);
	});
});

describe.each(Object.entries({ group, global }))('%s', (_name, list) => {
	test('recipients-allowed: loses nobody unless it is said that they may receive email again', async () => {
		const sync = new ListSync({ ...list.parameters, allowsEmailAgain: false });
		const { error } = await sync.attempt(people('ann'));
		expect([error?.message, error?.description]).toEqual([
			'Removing people from this list may let email reach them again, and "Allow Email to Removed People Again" is off',
			'If that is intended, turn on "Allow Email to Removed People Again"; otherwise, choose "Ignore" for "Missing From Input". Nothing was changed.',
		]);
		expect(given.account.state.journal.entries).toEqual([]);
	});

	test('keeps both entries of a person who unsubscribes in the service at the same time', async () => {
		const { journal } = given.account.state;
		journal.observe = ({ method }) => {
			if (method === 'POST') list.add(address('ann'));
		};
		const sync = new ListSync({ ...list.parameters, missing: 'ignore', allowsEmailAgain: false });
		const outcome = await sync.run(people('ann'));
		journal.observe = () => {};
		expect(actions(outcome)).toHaveLength(1);
		expect(list.emails()).toEqual(['ann', 'ann'].map(address));
		expect(given.account.writes()).toHaveLength(1);
	});

	test('recipients-others: has people of the input again who were removed in the service, and never those of others less', async () => {
		const options = removal({ removeAfter: 1, onlyAddedBySync: false, recreateRemoved: false });
		const sync = new ListSync(list.parameters, options);
		const { id } = list.add(address('other'));
		await sync.run(people('ann'));
		list.remove(id + 1);
		await sync.run(people('ann'));
		expect(list.emails().sort()).toEqual(['ann', 'other'].map(address));
	});
});

test.each(Object.entries({ group, global }))(
	'%s: an entry that is written like an item with more than an address is not the address',
	async (_name, list) => {
		const written = ['Ann <ann@example.com>', 'b\u200ben@example.com'];
		for (const email of written) list.add(email);
		const sync = new ListSync({ ...list.parameters, missing: 'ignore' });
		const outcome = await sync.run(written.map((Email) => ({ Email })));
		expect(actions(outcome)).toEqual([
			['added', address('ann'), 'new'],
			['added', address('ben'), 'new'],
		]);
		expect(list.emails()).toEqual([...written, address('ann'), address('ben')]);
	},
);

test('a recipient is known again to whom the service gives the values of a contact', async () => {
	const { segmentRecipients } = tables();
	const insert = segmentRecipients.add.bind(segmentRecipients);
	jest
		.spyOn(segmentRecipients, 'add')
		.mockImplementation((row, at) => insert({ ...row, contact_id: 7, city: 'Bonn' }, at));
	given.account.state.faults.add({ kind: 'reset-after', match: { method: 'POST' } });
	const sync = new ListSync(segment.parameters);
	expect(actions(await sync.run(people('ann')))).toEqual([
		['added', address('ann'), expect.stringMatching(/^The response was lost, but/)],
	]);
	await sync.run(people('ben'));
	expect(segment.emails()).toEqual([address('ben')]);
});

test('a person to be notified is known again by a last name of several words', async () => {
	given.account.state.faults.add({ kind: 'reset-after', match: { method: 'POST' } });
	const sync = new ListSync(notification.parameters);
	const ann = { Email: address('ann'), 'First Name': 'Ann', 'Last Name': 'van Dyk' };
	expect(actions(await sync.run([ann]))).toEqual([
		['added', address('ann'), expect.stringMatching(/^The response was lost, but/)],
	]);
	await sync.run(people('ben'));
	expect(notification.emails()).toEqual([address('ben')]);
});

test('people are added to unsubscribe lists whatever other lists say, many in one request', async () => {
	const { account } = given;
	account.unsubscribe(address('ann'));
	const parameters = { ...group.parameters, operation: 'syncRecipients', missing: 'ignore' };
	const outcome = await account.run(parameters, people('ann', 'ben'));
	expect(json(outcome).map(({ action }) => action)).toEqual(['added', 'added']);
	expect(account.writes()).toEqual([
		[
			'POST /unsubscribes-groups/manually-add',
			{ unsubscribe_groups_id: '51', email_address: ['ann', 'ben'].map(address).join(',') },
		],
	]);
});

test('a dry run by hand shows who would count as missing, and says nothing of fields that no list takes', async () => {
	segment.add(address('other'));
	const outcome = await given.account.run(
		{
			...segment.parameters,
			...{ operation: 'syncRecipients', missing: 'delete', dryRun: true },
			options: removal({ onlyAddedBySync: false, removeAfter: 2 }),
		},
		people('ann').map((person) => ({ ...person, City: 'Ulm' })),
		{},
		{ mode: 'manual' },
	);
	expect(hints(outcome)?.map(({ message }) => message)).toEqual([
		'Dry run: would add 1; 1 skipped: not removed yet. Nothing was written.',
		'Missing recipients that the published workflow would remove once they are missing from 2 executions in a row: 1',
	]);
});

test('the summary names the list and counts its recipients', async () => {
	segment.add(address('ann'));
	const outcome = await given.account.run(
		{
			...segment.parameters,
			...{ operation: 'syncRecipients', missing: 'ignore', options: { report: 'summary' } },
		},
		people('ann', 'ben'),
	);
	expect(outcome.items[0]?.json).toMatchObject({
		...{ added: 1, unchanged: 1, removed: 0, recipientsBefore: 1, missingFromInput: 0 },
		segmentId: SEGMENT,
	});
});

test('a segment can be made equal to any input, and nothing else changes', async () => {
	const names = fc.uniqueArray(fc.integer({ min: 0, max: 9 }).map((n) => `p${n}`));
	await fc.assert(
		fc.asyncProperty(names, names, names, async (listed, left, wanted) => {
			const { account } = given;
			account.reset();
			account.state.tables.segments.add({ id: SEGMENT, segment_name: 'VIP' }, 0);
			const { segmentRecipients } = account.state.tables;
			segmentRecipients.add({ segment_id: 302, email: address('p0') }, 0);
			account.add(address('p1'));
			for (const name of listed) segment.add(address(name));
			for (const name of left) account.unsubscribe(address(name));
			const options = {
				...removal({ onlyAddedBySync: false, removeAfter: 1 }),
				maxRemovalPercent: 100,
			};
			const sync = new ListSync(segment.parameters, options);
			const { error } = await sync.attempt(people(...wanted));
			const inSegment = segmentRecipients
				.all()
				.flatMap(({ segment_id: id, email }) => (Number(id) === SEGMENT ? [email] : []));
			if (wanted.length === 0) {
				expect(inSegment).toEqual(listed.map(address));
				return;
			}
			expect(error).toBeUndefined();
			const isIn = (name: string) => !left.includes(name) || listed.includes(name);
			expect(inSegment.sort()).toEqual(wanted.filter(isIn).map(address).sort());
			expect(account.emails()).toEqual([address('p1')]);
			expect(account.violations()).toEqual([]);
		}),
		{ numRuns: 14 },
	);
});

test.each(Object.entries({ group, global, notification }))(
	'%s: has whoever is in the last input and whoever others added, after any inputs',
	async (_name, list) => {
		const names = fc.uniqueArray(fc.integer({ min: 0, max: 5 }).map((n) => `p${n}`));
		const inputs = fc.array(names, { minLength: 1, maxLength: 3 });
		await fc.assert(
			fc.asyncProperty(names, inputs, async (others, executions) => {
				const { account } = given;
				account.reset();
				prepareLists();
				for (const name of others) list.add(address(name));
				const limit = { limit: [{ kind: 'maxRemovalPercent', value: 100 }] };
				const sync = new ListSync(list.parameters, {
					...removal({ removeAfter: 1 }),
					limits: limit,
				});
				let expected = new Set(others);
				for (const wanted of executions) {
					const { error } = await sync.attempt(people(...wanted));
					if (error) expect(error.context.code).toBe('nobody-identified');
					else expected = new Set([...others, ...wanted]);
				}
				expect(list.emails().sort()).toEqual([...expected].map(address).sort());
				expect(account.violations()).toEqual([]);
			}),
			{ numRuns: 6 },
		);
	},
);

const cells = fc.array(
	fc.constantFrom(
		...['ann@example.com', 'Ann@Example.com', 'Ann <ann@example.com>', 'cy@exa\u200bmple.com'],
		...['ann@example.com, ben@example.com', '"cy"@example.com', 'cy@example.com', 'nobody', ''],
		...['ben@b\u00fccher.example', 'BEN@xn--bcher-kva.example'],
		...['ren\u00e9@example.com', 'rene\u0301@example.com', 'rene@example.com'],
	),
	{ maxLength: 5 },
);
const fault = fc.constantFrom<Array<Fault | undefined>>(
	...[undefined, undefined, { kind: 'reset-after' as const }, { kind: 'reset-before' as const }],
	...[true, false].map((effect) => ({ kind: 'failed' as const, errors: 'Refused', effect })),
);

test.each(Object.entries({ group, global }))(
	'%s: an address that is returned as added is on the list as written, and none leaves it that an item may name',
	async (_name, list) => {
		const runs = fc.array(fc.record({ input: cells, broken: fault }), {
			minLength: 2,
			maxLength: 4,
		});
		let removals = 0;
		await fc.assert(
			fc.asyncProperty(cells, runs, async (others, all) => {
				const { account } = given;
				account.reset();
				prepareLists();
				const foreign = others.map((email) => list.add(email).id);
				const sync = new ListSync(list.parameters, {
					...removal({ removeAfter: 1 }),
					...limits({ maxRemovalPercent: 100, maxFailurePercent: 100 }),
				});
				for (const { input, broken } of all) {
					const before = list.emails();
					if (broken) account.state.faults.add({ ...broken, match: { method: 'POST' } });
					const outcome = await sync.attempt(input.map((Email) => ({ Email })));
					account.state.faults.clear();
					const listed = new Set(list.emails().map(spellingKey));
					const named = new Set(input.flatMap((text) => readingsOf(text).map(addressKey)));
					const lost = before.filter((email) => !listed.has(spellingKey(email)));
					removals += lost.length;
					expect(lost.filter((email) => named.has(addressKey(email)))).toEqual([]);
					expect(
						list
							.table()
							.all()
							.map(({ id }) => id),
					).toEqual(expect.arrayContaining(foreign));
					const rows = json(outcome).slice(0, input.length);
					expect(outcome.error ? [] : rows).toHaveLength(outcome.error ? 0 : input.length);
					for (const [item, { action }] of rows.entries()) {
						if (action !== 'added' && action !== 'unchanged') continue;
						expect(listed).toContain(spellingKey(clearAddress(input[item] ?? '') ?? ''));
					}
				}
				expect(account.violations()).toEqual([]);
			}),
			{ numRuns: 14 },
		);
		expect(removals).toBeGreaterThan(0);
	},
);

test.each([
	['group', group, '/unsubscribes-groups/manually-add'],
	['global', global, '/global-unsubscribes/save'],
] as const)(
	'%s: what a rejected request has added is on the list, but nobody knows who added it, so it stays',
	async (_name, list, path) => {
		const errors = { email_address: ['The email address has already been taken.'] };
		const fault = { kind: 'failed', match: { path }, errors } as const;
		given.account.state.faults.add({ ...fault, effect: true });
		given.account.state.faults.add({ ...fault, times: 2 });
		const sync = new ListSync(list.parameters);
		const note = 'The service rejected the request, but the list is as planned';
		expect(actions(await sync.run(people('ann', 'ben')))).toEqual([
			['added', address('ann'), note],
			['added', address('ben'), note],
		]);
		await sync.run(people('cid'));
		await sync.run(people('cid'));
		expect(list.emails().sort()).toEqual(['ann', 'ben', 'cid'].map(address));
	},
);

test.each(lists)('%s: the ID of a contact in an item is none of an entry', async (_name, list) => {
	const sync = new ListSync(list.parameters);
	const [ann] = (await sync.run(people('ann', 'ben'))).items;
	const contact_id = ann?.json.recipientId;
	const outcome = await sync.run([...people('ben'), { Email: 'none', contact_id }]);
	expect(actions(outcome)).toEqual([
		['unchanged', address('ben'), 'already on the list'],
		['failed', 'none', 'Email "none" is not an email address. Correct it'],
		['removed', address('ann'), 'missing from the input'],
	]);
	const value = { email: '={{ $json.Email }}', contact_id: '={{ $json.id.value }}' };
	const mapped = {
		mappingMode: 'defineBelow',
		value: { ...value, last_name: 'Li', first_name: 'A' },
	};
	const again = await sync.run(people('ben', 'cid'), { parameters: { fields: mapped } });
	expect(actions(again).map(([action]) => action)).toEqual(['unchanged', 'added']);
});

test.each([
	['group', group],
	['global', global],
] as const)(
	'%s: an expression that fails keeps nobody off the list if its field is not of the list',
	async (_name, { parameters, emails }) => {
		const value = { email: '={{ $json.Email }}', first_name: "={{ $('Gone').item.json.name }}" };
		const fields = { mappingMode: 'defineBelow', value };
		const sync = new ListSync({ ...parameters, fields });
		expect(actions(await sync.run(people('ann'))).map(([action]) => action)).toEqual(['added']);
		expect(emails()).toEqual([address('ann')]);
	},
);

test('recipients-notification: a name whose expression failed is not left out', async () => {
	const gone = (field: string) => `={{ $('Gone').item.json.${field} }}`;
	const value = { email: '={{ $json.Email }}', country: gone('country'), last_name: 'Li' };
	const fields = {
		mappingMode: 'defineBelow',
		value: { ...value, first_name: gone('name') },
	};
	const sync = new ListSync({ ...notification.parameters, fields });
	expect(actions(await sync.run(people('ann'))).map(([action]) => action)).toEqual(['failed']);
	expect(notification.emails()).toEqual([]);
});

test('recipients-notification: one name is enough, as is what Get Many returns', async () => {
	const outcome = await given.account.run(
		{ ...notification.parameters, operation: 'syncRecipients', missing: 'ignore' },
		[
			{ Email: address('ann'), 'First Name': 'Ann' },
			{ email_address: address('ben'), email_owner: 'Marketing Team' },
			{ Email: address('cy'), 'First Name': 'Cy', 'Last Name': 'Li', email_owner: 'Team' },
			{ Email: address('dan') },
		],
		{ onError: 'continueErrorOutput' },
	);
	expect(json(outcome).map(({ action }) => action)).toEqual(['added', 'added', 'added']);
	expect(
		tables()
			.notificationRecipients.all()
			.map(({ email_owner }) => email_owner),
	).toEqual(['Ann', 'Marketing Team', 'Cy Li']);
	expect(outcome.failed).toHaveLength(1);
});
