import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { journal, n8n, resetSandbox, sandbox, violations } from './harness.ts';

const TYPE = 21;
const byId = (value: string | number) => ({ __rl: true, mode: 'id', value: String(value) });
const goOn = { onError: 'continueErrorOutput' as const };
const id = { verified: 0, unverified: 0, group: 0, template: 0 };

beforeEach(async () => {
	await resetSandbox();
	await sandbox.add('contactTypes', { id: TYPE, name: 'Customers' });
	await sandbox.add('contactTypes', { id: TYPE + 1, name: 'Nobody yet' });
	await sandbox.add('contacts', { contact_type_id: TYPE, email: 'ada@example.com', country: 85 });
	await sandbox.add('contactTypes', { id: TYPE + 2, name: 'Unsubscribed' });
	await sandbox.add('contacts', {
		contact_type_id: TYPE + 2,
		email: 'gone@example.com',
		country: 85,
	});
	await sandbox.add('globalUnsubscribes', { email_address: 'gone@example.com' });
	id.verified = (await sandbox.add('senders', { nickname: 'Shop', is_verified: 1 })).id;
	id.unverified = (await sandbox.add('senders', { nickname: 'New', is_verified: 0 })).id;
	id.group = (await sandbox.add('unsubscribeGroups', { group_name: 'News' })).id;
	id.template = (await sandbox.add('templates', { template_name: 'Monthly' })).id;
});
afterEach(async () => expect(await violations()).toEqual([]));

/** A single send whose values an item may change. */
const create = (more: INodeParameters): INodeParameters => ({
	resource: 'singleSend',
	operation: 'create',
	singleSendName: '={{ $json.name ?? "Spring" }}',
	ifNameExists: 'create',
	subject: '={{ $json.subject ?? "Hello ((first_name))" }}',
	preheader: 'At last',
	senderId: byId(`={{ $json.sender ?? ${id.verified} }}`),
	unsubscribeGroupId: byId(`={{ $json.group ?? ${id.group} }}`),
	recipientId: `={{ $json.recipients ?? "contacts_${TYPE}" }}`,
	excludeSpecificRecipientId: '={{ $json.excluded ?? [] }}',
	templateId: byId(`={{ $json.template ?? ${id.template} }}`),
	scheduleType: 'immediately',
	...more,
});

/** Messages of the error output, and the paths of everything that was not a read. */
async function run(parameters: INodeParameters, items: IDataObject[]) {
	const { items: done, errorItems } = await n8n.runNode(parameters, items, goOn);
	const messages = errorItems.map(({ json }) => (json.error as IDataObject).message);
	const requests = await journal();
	const writes = requests.filter(({ method }) => method !== 'GET').map(({ path }) => path);
	const paths = requests.map(({ path }) => path);
	return { done: done.map(({ json }) => json), messages, writes, paths };
}

it('finds what would go wrong with a campaign, item by item, and sends the others', async () => {
	const { done, messages, writes, paths } = await run(create({}), [
		{},
		{ sender: 999 },
		{ sender: id.unverified },
		{ group: 999 },
		{ template: 999 },
		{ template: 1 },
		{ recipients: 'contacts_999' },
		{ excluded: 'segments_999' },
		{ recipients: `contacts_${TYPE + 1}` },
		{ excluded: `contacts_${TYPE}` },
		{ recipients: `contacts_${TYPE + 2}` },
		{ subject: 'Hello ((firstname))' },
		{ sender: 999, template: 999 },
	]);
	expect(messages).toEqual([
		'"Sender" does not exist: 999 [item 1]',
		'"Sender" is not verified: "New" [item 2]',
		'"Unsubscribe Group" does not exist: 999 [item 3]',
		'"Template" does not exist: 999 [item 4]',
		'The email would be empty: "Template" is the blank template "Blank" [item 5]',
		'"Recipient Names or IDs" contains contact types or segments that do not exist: contacts_999 [item 6]',
		'"Exclude Names or IDs" contains contact types or segments that do not exist: segments_999 [item 7]',
		'No one would receive the email: there are no recipients in "Nobody yet" [item 8]',
		'No one would receive the email: "Recipient Names or IDs" and "Exclude Names or IDs" both contain "Customers" [item 9]',
		'No one would receive the email: everyone in "Unsubscribed" is excluded or has unsubscribed [item 10]',
		'Unknown placeholders: ((firstname)) in "Subject" [item 11]',
		'2 problems found; nothing was sent [item 12]',
	]);
	expect(done).toHaveLength(1);
	expect(writes).toEqual(['/single/send/create']);
	expect(paths).toHaveLength(new Set(paths).size);
});

it('finds a time in the past and placeholders in HTML, unless it is switched off', async () => {
	const parameters = create({
		templateSource: 'html',
		templateHtml: '<p>((shoe_size))</p>',
		scheduleType: 'scheduled',
		scheduleAt: '2020-05-04T09:30:00',
		timezone: 'Europe/Berlin',
	});
	const { messages, writes } = await run(parameters, [{}]);
	expect(messages).toEqual(['2 problems found; nothing was sent']);
	expect(writes).toEqual([]);
	const off = await run({ ...parameters, options: { preflight: false } }, [{}]);
	expect(off.messages).toEqual([]);
	expect(off.writes).toEqual(['/single/send/create']);
});

it('finds what would go wrong with an automation that is set live', async () => {
	const target = { automation_for: TYPE, automation_for_table: 'contacts_' };
	const ready = { ...target, unsubscribe_group_id: String(id.group) };
	const fine = await sandbox.add('automations', ready);
	const email = { template_html: '<p>Hi</p>' };
	await sandbox.add('automationSchedules', {
		...{ ...email, automation_id: fine.id, sender_id: id.verified },
	});
	const empty = await sandbox.add('automations', ready);
	const bare = await sandbox.add('automations', {});
	await sandbox.add('automationSchedules', {
		...{ ...email, automation_id: bare.id, sender_id: id.unverified },
	});

	const { done, messages, paths } = await run(
		{
			resource: 'automation',
			operation: 'setLive',
			automationUtr: { __rl: true, mode: 'utr', value: '={{ $json.utr }}' },
		},
		[{ utr: fine.utr }, { utr: empty.utr }, { utr: bare.utr }, { utr: 'none' }],
	);
	expect(messages).toEqual([
		'The automation has no email to send [item 1]',
		'3 problems found; nothing was sent [item 2]',
		'"Automation" does not exist: none [item 3]',
	]);
	expect(done).toMatchObject([{ live: true, utr: fine.utr }]);
	expect(paths.filter((path) => path === '/automations/set-live')).toHaveLength(1);
});

it.each([
	['create', 3, 0],
	['return', 1, 0],
	['fail', 1, 2],
])('if a campaign of the name exists: %s', async (ifNameExists, created, refused) => {
	await sandbox.add('singleSends', { single_send_name: 'March' });
	const { done, messages, writes } = await run(create({ ifNameExists }), [
		{ name: 'March' },
		{ name: 'Spring' },
		{ name: 'Spring' },
	]);
	expect(done.filter((json) => json.created)).toHaveLength(created);
	expect(messages).toHaveLength(refused);
	expect(done.length + messages.length).toBe(3);
	expect(writes).toHaveLength(created);
});
