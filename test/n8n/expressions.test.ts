import type { INodeParameters } from 'n8n-workflow';
import { credentialName, credentialType, sandboxCredential } from '../../scripts/lib/demo-data.ts';
import { journal, n8n, resetSandbox, sandbox, violations } from './harness.ts';

const create = (value: INodeParameters): INodeParameters => ({
	resource: 'contact',
	operation: 'create',
	contactTypeId: { __rl: true, mode: 'id', value: '21' },
	ifContactExists: 'create',
	fields: { mappingMode: 'defineBelow', value },
	options: { globalUnsubscribes: false, parallelRequests: 1 },
});

beforeEach(async () => {
	await resetSandbox();
	await sandbox.add('contactTypes', { id: 21, name: 'Customers' });
});
afterEach(async () => expect(await violations()).toEqual([]));

it('in fields come out the same for every item, whatever they give', async () => {
	const { status, items } = await n8n.runNode(
		create({
			email: '={{ $itemIndex }}@example.com',
			country: '={{ 80 + 5 }}',
			first_name: '={{ $json.name.split(" ")[0] }}',
			last_name: '={{ $json.since ? DateTime.fromISO($json.since, { zone: "utc" }) : "" }}',
			city: '={{ $json.town }}',
			state: '={{ $json.town ?? $json.name.toUpperCase() }}',
		}),
		[
			{ name: 'Ada Okafor', town: 'Köln' },
			{ name: 'Ben X' },
			{ town: 'Bonn' },
			{ name: 'Cy', since: '2026-05-04' },
			{ name: 'Di', town: 'Ulm' },
		],
	);
	expect(status).toBe('success');
	expect(items).toHaveLength(5);
	const given = { contact_type_id: '21', country: '85' };
	expect((await journal()).map(({ body }) => body)).toEqual([
		{ ...given, email: '0@example.com', first_name: 'Ada', city: 'Köln', state: 'Köln' },
		{ ...given, email: '1@example.com', first_name: 'Ben', state: 'BEN X' },
		{ ...given, email: '2@example.com', city: 'Bonn', state: 'Bonn' },
		{
			...given,
			email: '3@example.com',
			first_name: 'Cy',
			last_name: '2026-05-04T00:00:00.000Z',
			state: 'CY',
		},
		{ ...given, email: '4@example.com', first_name: 'Di', city: 'Ulm', state: 'Ulm' },
	]);
});

it.each([
	'={{ $json.key ?? "sandbox-public-key" }}',
	'={{ $input.item.json.key ?? "sandbox-public-key" }}',
	'={{ $itemIndex === 1 ? "another" : "sandbox-public-key" }}',
	'={{ $input.all()[$itemIndex].json.key ?? "sandbox-public-key" }}',
])('in the credential hold for each item by itself: %s', async (publicKey) => {
	const { id } = await n8n.client.createCredential('Key by item', credentialType, {
		...sandboxCredential(sandbox.url),
		publicKey,
	});
	const { items, errorItems } = await n8n.runNode(
		create({ email: 'a@example.com', country: '85' }),
		[{}, { key: 'another' }, {}, {}],
		{
			credentials: { [credentialType]: { id, name: credentialName } },
			onError: 'continueErrorOutput',
		},
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 2 },
		{ item: 3 },
	]);
	expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	// One account after the other.
	expect((await journal()).map(({ keys }) => keys.publicKey)).toEqual([
		'correct',
		'correct',
		'correct',
		'wrong',
	]);
});

it('in the credential that give the same for all items make one account', async () => {
	const { id } = await n8n.client.createCredential('Key of an expression', credentialType, {
		...sandboxCredential(sandbox.url),
		publicKey: '={{ "sandbox-" + "public-key" }}',
	});
	const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
	const { status, items } = await n8n.runNode(
		{
			resource: 'contact',
			operation: 'sync',
			contactTypeId: { __rl: true, mode: 'id', value: '21' },
			fields: { mappingMode: 'autoMapInputData', value: null },
			dryRun: true,
		},
		emails.map((email) => ({ email, country: '85' })),
		{ credentials: { [credentialType]: { id, name: credentialName } } },
	);
	expect(status).toBe('success');
	expect(items.map(({ json }) => json.action)).toEqual(emails.map(() => 'wouldCreate'));
	const reads = (await journal()).flatMap(({ method, path }) => (method === 'GET' ? [path] : []));
	expect(reads).toEqual([...new Set(reads)]);
});
