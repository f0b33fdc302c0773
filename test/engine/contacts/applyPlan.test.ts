import type { IDataObject } from 'n8n-workflow';

import { apply, GROUP, mirror, OTHER, planOf, stored } from './planned';
import { AUSTRIA, GERMANY, hints, json, TYPE, useAccount } from './support';

const given = useAccount({ csvContactType: 'sent' });

beforeEach(() => {
	const { unsubscribeGroups } = given.account.state.tables;
	unsubscribeGroups.add({ id: GROUP, group_name: 'Former customers' }, 0);
});

const ledger = {
	runId: '231-0',
	at: expect.any(String) as string,
	contactTypeId: TYPE,
};

function start() {
	const { account } = given;
	const same = account.add('same@example.com');
	const old = account.add('old@example.com', { first_name: 'Al', city: 'Wien', state: ' x ' });
	const left = account.add('left@example.com', { first_name: 'Lea', postal_code: '10115' });
	account.unsubscribe('gone@example.com');
	return { same, old, left };
}

const input: IDataObject[] = [
	{ email: 'new@example.com', country: 'DE', first_name: 'Nia' },
	{ email: 'old@example.com', country: 'AT', first_name: 'Ada', city: 'Wien' },
	{ email: 'same@example.com', country: 'DE' },
	{ email: 'gone@example.com', country: 'DE' },
	{ email: 'nobody' },
];

const version = expect.stringMatching(/^v[\w-]{11}$/) as string;

test('a dry run returns what is needed to write its rows and to check them', async () => {
	const { old, left } = start();
	const rows = await planOf(given.account, mirror.delete, input);
	expect(rows.filter(({ action }) => String(action).startsWith('would'))).toEqual([
		{
			action: 'wouldCreate',
			email: 'new@example.com',
			reason: 'new',
			dryRun: true,
			changedFields: {
				email: { from: null, to: 'new@example.com' },
				country: { from: null, to: 'Germany' },
				first_name: { from: null, to: 'Nia' },
			},
			...ledger,
			overLimit: false,
			customFields: {},
		},
		{
			action: 'wouldUpdate',
			email: 'old@example.com',
			reason: 'changed: First Name, Country',
			contactId: old.id,
			dryRun: true,
			changedFields: {
				first_name: { from: 'Al', to: 'Ada' },
				country: { from: 'Germany', to: 'Austria' },
			},
			...ledger,
			contactVersion: version,
			overLimit: false,
		},
		{
			action: 'wouldDelete',
			email: 'left@example.com',
			reason: 'missing from the input',
			contactId: left.id,
			dryRun: true,
			...ledger,
			contactVersion: version,
			overLimit: false,
		},
	]);
	expect(rows.filter(({ action }) => !String(action).startsWith('would'))).not.toEqual(
		expect.arrayContaining([
			expect.objectContaining({ contactVersion: expect.anything() as unknown }),
		]),
	);
});

describe.each([
	['as they came', (rows: IDataObject[]) => rows],
	['after they were stored as texts', stored],
])('rows %s', (_, kept) => {
	test('are written exactly, and all others pass through', async () => {
		const { account } = given;
		const { same, old, left } = start();
		const rows = kept(await planOf(account, mirror.delete, input));
		const outcome = await apply(account, rows);
		expect(outcome.error).toBeUndefined();
		const { id: contactId } = account.contact('new@example.com') ?? {};
		expect(outcome.items.map(({ json: row }) => row)).toEqual([
			{
				action: 'created',
				email: 'new@example.com',
				reason: 'new',
				contactId,
				...ledger,
			},
			{
				action: 'updated',
				email: 'old@example.com',
				reason: 'changed: First Name, Country',
				contactId: old.id,
				changedFields: {
					first_name: { from: 'Al', to: 'Ada' },
					country: { from: 'Germany', to: 'Austria' },
				},
				...ledger,
			},
			{
				action: 'unchanged',
				email: 'same@example.com',
				reason: 'no changes',
				contactId: same.id,
				...ledger,
			},
			{
				action: 'skipped',
				email: 'gone@example.com',
				reason: 'unsubscribed',
				unsubscribedAt: '2026-03-02T10:00:00.000000Z',
				unsubscribedFrom: 'Global Unsubscribes',
				...ledger,
			},
			{
				action: 'failed',
				email: 'nobody',
				reason: 'Email "nobody" is not an email address. Correct it',
				field: 'Email',
				...ledger,
			},
			{
				action: 'deleted',
				email: 'left@example.com',
				reason: 'missing from the input',
				contactId: left.id,
				...ledger,
			},
		]);
		expect(outcome.items.map(({ pairedItem }) => pairedItem)).toEqual(
			rows.map((_row, item) => ({ item })),
		);
		expect(account.reads()).toEqual([
			...['/contacts/list', '/global-unsubscribes', '/get/country-state-city'],
			'/contacts/list',
		]);
		expect(account.writes()).toEqual(
			expect.arrayContaining([
				[
					'POST /contacts/update',
					{
						contact_id: String(old.id),
						contact_type_id: String(TYPE),
						email: 'old@example.com',
						country: String(AUSTRIA),
						first_name: 'Ada',
						state: ' x ',
						city: 'Wien',
					},
				],
				[
					'POST /contacts/add',
					{
						contact_type_id: String(TYPE),
						email: 'new@example.com',
						country: String(GERMANY),
						first_name: 'Nia',
					},
				],
				['POST /contacts/bulk-delete', expect.anything()],
			]),
		);
		expect(account.writes()).toHaveLength(3);
		expect(hints(outcome)).toMatchObject([
			{
				message:
					'1 created, 1 updated, 1 unchanged, 1 deleted, 1 failed: Email (nobody); 1 skipped: unsubscribed',
			},
		]);
	});

	test('that move contacts keep their values', async () => {
		const { account } = given;
		const { left } = start();
		const people = input.slice(1, 3);
		const rows = kept(await planOf(account, mirror.move, people));
		const moves = rows.filter(({ action }) => action === 'wouldMove');
		const outcome = await apply(account, moves);
		expect(json(outcome)).toEqual([
			{
				action: 'moved',
				email: 'left@example.com',
				reason: 'missing from the input',
				contactId: left.id,
				newContactTypeId: OTHER,
			},
		]);
		expect(account.writes()).toEqual([
			[
				'POST /contacts/update',
				{
					contact_id: String(left.id),
					contact_type_id: String(OTHER),
					email: 'left@example.com',
					country: String(GERMANY),
					first_name: 'Lea',
					postal_code: '10115',
				},
			],
		]);
	});

	test('that add contacts to a group', async () => {
		const { account } = given;
		const { left } = start();
		const rows = kept(await planOf(account, mirror.addToGroup, input.slice(1, 3)));
		const additions = rows.filter(({ action }) => action === 'wouldAddToGroup');
		const outcome = await apply(account, additions);
		expect(json(outcome)).toEqual([
			{
				action: 'addedToGroup',
				email: 'left@example.com',
				reason: 'missing from the input',
				contactId: left.id,
				unsubscribeGroupId: GROUP,
			},
		]);
		expect(account.writes()).toEqual([
			[
				'POST /unsubscribes-groups/manually-add',
				{ unsubscribe_groups_id: String(GROUP), email_address: 'left@example.com' },
			],
		]);
	});
});

test('many new contacts are imported as a file', async () => {
	const { account } = given;
	const people = [0, 1, 2].map((n) => ({ email: `n${n}@example.com`, country: 'AT' }));
	const rows = await planOf(account, { operation: 'sync' }, people);
	const outcome = await account.run(
		{
			operation: 'applyPlan',
			options: { importAbove: 2, csvFormat: { layout: { countryAs: 'name' } } },
		},
		rows,
	);
	expect(json(outcome)).toEqual(
		people.map(({ email }) => ({
			action: 'created',
			email,
			reason: 'new',
			contactId: account.contact(email)?.id,
		})),
	);
	const upload = 'POST /contacts/upload-csv';
	expect(account.writes().map(([call]) => call)).toEqual([upload, upload]);
	expect(account.contact('n1@example.com')).toMatchObject({ country: AUSTRIA });
});

test('rows with nothing to write send nothing, and the summary counts them', async () => {
	const { account } = given;
	start();
	const rows = (await planOf(account, {}, input)).slice(2);
	const outcome = await apply(account, rows, { report: 'summary' });
	expect(account.state.journal.entries).toEqual([]);
	expect(json(outcome)).toEqual([
		{
			...{ created: 0, updated: 0, unchanged: 1, skipped: 1, moved: 0, addedToGroup: 0 },
			...{ deleted: 0, failed: 1, dryRun: false },
			skippedReasons: { unsubscribed: 1 },
		},
	]);
});

test('a plan whose input had an unreadable item does not blame an earlier run for it', async () => {
	const { account } = given;
	account.add('left@example.com');
	const items = [{ email: '#N/A' }, { email: 'new@example.com', country: 'DE' }];
	const rows = await planOf(account, mirror.delete, items);
	expect(rows.map(({ action, reason }) => [action, reason])).toEqual([
		['failed', expect.any(String)],
		['wouldCreate', 'new'],
		['skipped', 'not removed, because an unreadable item could refer to this person'],
	]);
	const outcome = await apply(account, rows);
	expect(hints(outcome)?.map(({ message }) => message)).toEqual([
		'1 created, 1 failed: Email (#N/A); 1 skipped: not removed, because an unreadable item could refer to this person',
	]);
});

test('a planned move of a contact without a country sends the one of the dry run', async () => {
	const { account } = given;
	const { id } = account.add('left@example.com', { country: null as never, first_name: 'Lea' });
	const country = { __rl: true, mode: 'name', value: 'Austria' };
	const rows = await planOf(account, { ...mirror.move, defaultCountry: country }, [
		{ email: 'new@example.com', country: 'DE' },
	]);
	expect(rows[1]).toMatchObject({ action: 'wouldMove', newCountryId: AUSTRIA });
	expect(json(await apply(account, stored(rows)))).toMatchObject([
		{ action: 'created' },
		{ action: 'moved', contactId: id, newContactTypeId: OTHER, newCountryId: AUSTRIA },
	]);
	expect(account.contact('left@example.com')).toMatchObject({ contact_type_id: OTHER });
});

test('a plan adds two spellings of one address to a group once', async () => {
	const { account } = given;
	account.add('"ada"@example.com');
	account.add('ada@example.com');
	const rows = await planOf(account, mirror.addToGroup, [
		{ email: 'new@example.com', country: 'DE' },
	]);
	expect(rows.map(({ action }) => action)).toEqual([
		...['wouldCreate', 'wouldAddToGroup', 'skipped'],
	]);
	expect(json(await apply(account, rows)).map(({ action }) => action)).toEqual([
		...['created', 'addedToGroup', 'skipped'],
	]);
});
