import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../scripts/lib/workflow-json.ts';
import { importCsv, uploads } from '../contacts/csvFiles';
import { apply, mirror, planOf } from '../contacts/planned';
import { hints, json, TYPE } from '../contacts/support';
import { chosen } from '../rows';
import { LEFT, neverAdd, operations, person, tombstoneOf, useConsent } from './support';

const given = useConsent({ csvContactType: 'sent', csvBadRow: 'skip', emptyLists: 'success' });
const ERASED = 'erased@example.com';
const BLOCKED = 'blocked@example.com';
const FREE = 'free@example.com';
const onList = 'on the Never Add list';
const asTombstone = 'on the Never Add list as a tombstone';
const options = neverAdd(`Blocked <${BLOCKED.toUpperCase()}>\n\n${tombstoneOf(ERASED)}`);
const heldBack = { [BLOCKED]: onList, [ERASED]: asTombstone };
const people = Object.keys(heldBack);
const names = { first_name: 'Ada', last_name: 'Okafor' };

const calls = () => given.account.writes().map(([call]) => call);
const skippedRows = (rest: IDataObject = {}) =>
	Object.entries(heldBack).map(([email, reason]) => ({
		action: 'skipped',
		email,
		reason,
		...rest,
	}));
const skippedItems = (did: string, rest: IDataObject, whose = 'address') =>
	Object.entries(heldBack).map(([email, reason]) => ({
		...{ [did]: false, skipped: reason, email, message: `Skipped: the ${whose} is ${reason}` },
		...rest,
	}));

test('never-add-create: create adds neither the erased nor the blocked, and says why', async () => {
	const outcome = await given.account.run(
		{ ...operations.create, options },
		[...people, FREE].map((email) => person(email)),
	);
	expect(json(outcome)).toEqual([
		...skippedItems('created', { contact_type_id: TYPE, ...names }),
		expect.objectContaining({ created: true, email: FREE }),
	]);
	expect(hints(outcome)?.map(({ message }) => message)).toEqual([
		`1 skipped: ${onList}, 1 skipped: ${asTombstone}`,
	]);
	expect(given.account.emails()).toEqual([FREE]);
	expect(given.account.reads()).toEqual(['/global-unsubscribes', '/contacts/list']);
});

test('never-add-update: update gives a contact no such address, and one who has it no other list', async () => {
	const { account } = given;
	const { id } = account.add('ada@example.com');
	const outcome = await account.run(
		{ ...operations.update, options },
		people.map((email) => ({ id, email })),
	);
	expect(json(outcome)).toEqual(skippedItems('updated', { id }));
	const contacts = people.map((email) => account.add(email).id);
	const moved = await account.run(
		{ ...operations.update, options },
		contacts.map((contact) => ({ id: contact, contact_type_id: 22 })),
	);
	expect(json(moved)).toEqual(
		skippedItems('updated', {}, 'current address of the contact').map((item, index) => ({
			...item,
			id: contacts[index],
		})),
	);
	expect(account.writes()).toEqual([]);
});

test('never-add-segment: segments get neither of them, one by one or all at once', async () => {
	const items = [...people, FREE].map((email) => person(email));
	const one = await given.account.run({ ...operations.addRecipient, options }, items);
	expect(json(one).slice(0, 2)).toEqual(skippedItems('added', { segment_id: 301, ...names }));
	const many = await given.account.run({ ...operations.syncRecipients, options }, items);
	expect(json(many)).toEqual([
		...skippedRows().map((row) => ({ ...row, segmentId: 301 })),
		expect.objectContaining({ action: 'unchanged', email: FREE, reason: 'already on the list' }),
	]);
	expect(calls()).toEqual(['POST /segment/email/store']);
});

test('never-add-notification: neither is notified, and an unsubscribe keeps nobody from it', async () => {
	const { account } = given;
	const notification = { resource: 'notificationRecipient' };
	const items = [...people, LEFT].map((email) => person(email));
	const one = await account.run(
		{
			...{ ...notification, operation: 'create', options },
			...{ emailAddress: '={{ $json.email }}', emailOwner: 'Ada' },
		},
		items,
	);
	expect(json(one).slice(0, 2)).toMatchObject(
		Object.entries(heldBack).map(([email, reason]) => ({ created: false, email, skipped: reason })),
	);
	const many = await account.run(
		{ ...notification, operation: 'syncRecipients', missing: 'ignore', options },
		items.slice(0, 2).concat(person(FREE)),
	);
	expect(json(many)).toMatchObject([...skippedRows(), { action: 'added', email: FREE }]);
	const save = 'POST /notification-recipient/save';
	expect(account.writes()).toEqual([
		[save, { email_address: LEFT, email_owner: 'Ada' }],
		[save, { email_address: FREE, email_owner: 'Ada Okafor' }],
	]);
	expect(account.reads().every((path) => path === '/notification-recipients')).toBe(true);
});

test.each(['upsert', 'sync'])(
	'never-add-sync: %s creates and updates neither',
	async (operation) => {
		const { account } = given;
		const { id } = account.add(ERASED);
		const items = people.map((email) => person(email, { city: 'Bonn' }));
		const outcome = await account.run({ operation, options }, items);
		const [blocked, erased] = skippedRows();
		expect(json(outcome)).toEqual([blocked, { ...erased, contactId: id }]);
		expect(account.writes()).toEqual([]);
	},
);

test('never-add-sync-csv: neither is in the files that a sync imports', async () => {
	const others = [FREE, 'new1@example.com', 'new2@example.com'];
	await given.account.run(
		{ options: { ...options, importAbove: 1 } },
		[...people, ...others].map((email) => person(email)),
	);
	expect(calls()).toEqual(['POST /contacts/upload-csv', 'POST /contacts/upload-csv']);
	expect(given.account.emails()).toEqual(others);
});

const types = ['emailMarketing', 'emailMarketingRouted'] as const;
test.each(types)('never-add-import: their rows are taken out of a file: %s', async (type) => {
	const { account } = given;
	const rows = people.map((email) => `${email},85\n`).join('');
	const outcome = await importCsv(account, {
		files: [`email,country\n${rows}${FREE},85\n`, `email,country\n${rows}`],
		options: { ...options, returnHeldBackRows: true, globalUnsubscribes: false },
		type,
	});
	const heldBackRows = Object.entries(heldBack).map(([email, reason], index) => ({
		...{ line: index + 2, email, reason },
	}));
	expect(json(outcome)).toMatchObject([
		{ imported: true, heldBack: 2, rows: 1, heldBackRows },
		{
			...{ imported: false, skipped: `${onList} or ${asTombstone}`, heldBack: 2, rows: 0 },
			message: `Nothing was uploaded: the addresses of all rows are ${onList} or ${asTombstone}`,
		},
	]);
	expect(uploads(account)).toHaveLength(1);
	expect(account.emails()).toEqual([FREE]);
	expect(account.reads()).toEqual([]);
});

test('never-add-plan: an approved plan adds neither, if the list has them by now', async () => {
	const { account } = given;
	const rows = await planOf(
		account,
		{},
		people.map((email) => person(email)),
	);
	expect(rows.map(({ action }) => action)).toEqual(['wouldCreate', 'wouldCreate']);
	expect(json(await apply(account, rows, options))).toMatchObject(skippedRows());
	expect(account.writes()).toEqual([]);
});

test('never-add-move: a sync moves neither to another contact type, but may delete them', async () => {
	const { account } = given;
	for (const email of people) account.add(email);
	const kept = account.add(FREE, { first_name: 'Ada', last_name: 'Okafor' });
	const all = { ...options, ...limits({ maxRemovalPercent: 100 }) };
	const moved = await account.run({ ...mirror.move, options: all }, [person(FREE)]);
	expect(json(moved).slice(1)).toMatchObject(skippedRows());
	expect(account.writes()).toEqual([]);
	await account.run({ ...mirror.delete, options: all }, [person(FREE)]);
	expect(account.state.tables.contacts.all().filter((one) => !one.deleted_at)).toEqual([
		expect.objectContaining({ id: kept.id }),
	]);
});

test('whoever unsubscribed as well is reported as unsubscribed', async () => {
	given.account.unsubscribe(BLOCKED);
	const outcome = await given.account.run({ options }, [person(BLOCKED)]);
	expect(json(outcome)).toMatchObject([
		{ reason: 'unsubscribed', unsubscribedFrom: 'Global Unsubscribes' },
	]);
});

test('never-add-erased: an erased person stays off, also without an entry on the unsubscribe list', async () => {
	const { account } = given;
	account.add(ERASED);
	const erase = { removeUnsubscribes: true, tombstoneKey: 'my key' };
	const receipt = await account.run(
		{
			...{ resource: 'person', operation: 'erase', dryRun: false, options: erase },
			person: { __rl: true, mode: 'email', value: ERASED },
		},
		[{}],
	);
	const { tombstone } = json(receipt)[0] ?? {};
	account.state.journal.clear();
	const outcome = await account.run(
		{
			operation: 'sync',
			options: neverAdd('={{ $input.all().map(item => item.json.tombstone).filter(Boolean) }}'),
		},
		[person(`Erased <${ERASED.toUpperCase()}>`), person(FREE, { tombstone })],
	);
	expect(json(outcome)).toMatchObject([{ reason: asTombstone }, { action: 'created' }]);
	expect(account.contact(FREE)).toMatchObject({ deleted_at: null });
	expect(account.writes()).toHaveLength(1);
});

const other = createHmac('sha256', 'x').update('').digest('hex').slice(0, 8);
const hash = '0'.repeat(64);
const differs = '"Never Add" is one list for all items, but its expression may depend on the item';

test.each<[entries: unknown, key: string, message: string]>([
	['', 'my key', '"Never Add" is required but empty'],
	['={{ $json.nothing }}', 'my key', differs],
	["={{ $('Items').item.json.tombstone }}", 'my key', differs],
	['={{ $input["item"].json.id }}', 'my key', differs],
	[['={{ $json.id }}'], 'my key', differs],
	["={{ $('Items')['item'].json.tombstone }}", 'my key', differs],
	['={{ $input.all()[$itemIndex].json.id }}', 'my key', differs],
	['={{ null }}', 'my key', '"Never Add" is required but empty'],
	['={{ null }}\n', 'my key', '"Never Add" is required but empty'],
	[
		'={{ "a@example.com" }}\n{{ null }}\n',
		'my key',
		'Entry 2 of "Never Add" is neither an email address nor a tombstone: ""',
	],
	[
		'=a@example.com, {{ null }}',
		'my key',
		'Entry 2 of "Never Add" is neither an email address nor a tombstone: ""',
	],
	[
		'={{ ["a@example.com", undefined] }}',
		'my key',
		'Entry 2 of "Never Add" is neither an email address nor a tombstone: ""',
	],
	[
		'a@example.com, @example.com',
		'my key',
		'Entry 2 of "Never Add" is neither an email address nor a tombstone: "@example.com"',
	],
	['={{ [{ email: "a@example.com" }] }}', 'my key', 'Entry 1 of "Never Add" must be text'],
	[tombstoneOf(ERASED), '', '"Tombstone Key" is required but empty'],
	[
		`${other}-${hash}`,
		'my key',
		'Entry 1 of "Never Add" was created with a key other than "Tombstone Key"',
	],
])('never-add-refused: %j', async (entries, key, message) => {
	const { account } = given;
	const { id } = account.add('ada@example.com');
	const items = [person(FREE, { id }), person('b@example.com', { id })];
	for (const parameters of [...Object.values(operations), { operation: 'sync' }]) {
		const { error } = await account.run({ ...parameters, options: neverAdd(entries, key) }, items);
		expect(error?.message).toContain(message);
	}
	const file = await importCsv(account, {
		files: ['email\nada@example.com', 'email\nada@example.com'],
		options: neverAdd(entries, key),
	});
	expect(file.error?.message).toContain(message);
	expect(account.state.journal.entries).toEqual([]);
});

test('lines of addresses and expressions may end with a line break', async () => {
	const entries = `=${BLOCKED}\n{{ "${LEFT}" }}\n`;
	const outcome = await given.account.run({ options: neverAdd(entries) }, [person(BLOCKED)]);
	expect(json(outcome)).toMatchObject([{ reason: onList }]);
});

test('an empty array keeps nobody off, and one item may depend on itself', async () => {
	const { account } = given;
	await account.run({ options: neverAdd('={{ [] }}') }, [person(BLOCKED)]);
	const outcome = await account.run({ options: neverAdd('={{ $json.never }}') }, [
		person(FREE, { never: FREE }),
	]);
	expect(json(outcome)).toMatchObject([{ reason: onList }]);
	expect(account.emails()).toEqual([BLOCKED]);
});

test.each([
	'={{ $input.first().json.items }}',
	'={{ $input.all().flatMap(({ json }) => json.items ?? []) }}',
	'={{ `${ $jmespath($input . all(), "[0].json.items")[0] }` }}',
])('what an expression takes from all items may be called items: %s', async (entries) => {
	const outcome = await given.account.run({ options: neverAdd(entries) }, [
		person(BLOCKED, { items: [BLOCKED] }),
		person(FREE),
	]);
	expect(json(outcome)).toMatchObject([{ reason: onList }, { action: 'created' }]);
});

test('the list is evaluated once, however many items there are', async () => {
	const entries = '={{ [`a${Math.random()}@example.com`, $runIndex < 0 || "free@example.com"] }}';
	const outcome = await given.account.run(
		{ ...operations.addRecipient, segmentId: chosen(301), options: neverAdd(entries) },
		[person(FREE), person(FREE), person(BLOCKED)],
	);
	expect(json(outcome)).toMatchObject([{ skipped: onList }, { skipped: onList }, { added: true }]);
});
