import type { IDataObject } from 'n8n-workflow';
import { journal, n8n, resetSandbox, sandbox, violations } from './harness.ts';

const EVE = 'eve@example.com';
const person = { __rl: true, mode: 'email', value: '={{ $json.email }}' };

beforeEach(async () => {
	await resetSandbox();
	const type = await sandbox.add('contactTypes', { name: 'Customers' });
	for (const email of [EVE, 'dan@example.com']) {
		await sandbox.add('contacts', { contact_type_id: type.id, email, country: 85 });
		await sandbox.add('notificationRecipients', { email_address: email, email_owner: 'Team' });
	}
});
afterEach(async () => expect(await violations()).toEqual([]));

async function run(operation: string, more: IDataObject = {}) {
	const parameters = { resource: 'person', operation, person, ...more };
	const { items } = await n8n.runNode(parameters as never, [{ email: EVE }]);
	return items;
}

it('finds, exports and erases a person, and leaves everybody else', async () => {
	const [found] = await run('find');
	expect(found?.json).toMatchObject({ found: true, contacts: 1, notificationRecipients: 1 });
	const [exported] = await run('export');
	expect(exported?.binary?.data).toMatchObject({ fileName: 'person.csv' });
	const [planned] = await run('erase');
	expect(planned?.json).toMatchObject({ dryRun: true, wouldDelete: 2 });
	expect((await journal()).filter(({ method }) => method !== 'GET')).toEqual([]);

	const [receipt] = await run('erase', { dryRun: false });
	expect(receipt?.json).toMatchObject({ isComplete: true, deleted: 2, globalUnsubscribe: 'added' });
	const [again] = await run('find');
	expect(again?.json).toMatchObject({
		contacts: 0,
		notificationRecipients: 0,
		globalUnsubscribes: 1,
	});
	const { items } = await n8n.runNode({ resource: 'contact', operation: 'getAll' }, [{}]);
	expect(items.map(({ json }) => json.email)).toEqual(['dan@example.com']);
});

it('keeps an erased person off a list by the tombstone from the receipt', async () => {
	const tombstoneKey = 'a key of our own';
	const options = { tombstoneKey, removeUnsubscribes: true };
	const [receipt] = await run('erase', { dryRun: false, options });
	const { tombstone } = receipt?.json ?? {};
	const [type] = await sandbox.records('contactTypes');
	const neverAdd = {
		entries: "={{ $('Start').all().map(row => row.json.tombstone) }}",
		tombstoneKey,
	};
	const { items } = await n8n.runNode(
		{
			...{ resource: 'contact', operation: 'sync', dryRun: false },
			contactTypeId: { __rl: true, mode: 'id', value: String(type?.id) },
			fields: { mappingMode: 'autoMapInputData', value: null },
			options: { neverAdd: { list: neverAdd } },
		},
		['EVE@example.com', 'new@example.com'].map((email) => ({ email, country: '85', tombstone })),
	);
	expect(items.map(({ json }) => [json.email, json.action, json.reason])).toEqual([
		['EVE@example.com', 'skipped', 'on the Never Add list as a tombstone'],
		['new@example.com', 'created', 'new'],
	]);
});
