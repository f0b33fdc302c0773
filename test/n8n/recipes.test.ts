import { readyToRun } from './examples.ts';
import { journal, n8n, sandbox, violations } from './harness.ts';
import { withOtherSide } from './recorded.ts';

beforeEach(() => sandbox.reset('demo'));
afterEach(async () => expect(await violations()).toEqual([]));

const jsonOf = (node?: { items: Array<{ json: object }> }) => node?.items.map(({ json }) => json);
const writes = async () =>
	(await journal()).filter(({ method }) => method !== 'GET').map(({ path }) => path);
const newContacts = async () =>
	(await sandbox.records('contacts'))
		.filter(({ email }) => email.endsWith('.new@example.com'))
		.map(({ email, first_name, contact_type_id }) => ({ email, first_name, contact_type_id }));
const sheet = 'google-sheet-to-contacts.json';
const hubspot = 'hubspot-to-contacts.json';
const shopify = 'shopify-customers-who-agreed.json';
const segment = 'keep-a-segment-equal-to-a-query.json';
const ada = { email: 'ada.new@example.com', first_name: 'Ada', contact_type_id: 22 };

test('rows of a Google Sheet are synced with consent only, and each outcome is written to its row', async () => {
	await sandbox.add('globalUnsubscribes', { email_address: 'gone@example.com' });
	const workflow = await readyToRun(sheet);
	const { nodes, error } = await n8n.runWorkflow(withOtherSide(sheet, workflow));
	expect(error).toBeNull();
	expect(await newContacts()).toEqual([ada]);
	expect(await writes()).toEqual(['/contacts/add']);
	const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
	const row = (row_number: number, status: string, reason: unknown) => ({
		...{ row_number, 'Sync status': status, 'Sync reason': reason, 'Synced at': at },
	});
	expect(jsonOf(nodes['Write the outcome back'])).toEqual([
		row(2, 'created', 'new'),
		row(4, 'failed', expect.stringContaining('is not an email address')),
		row(6, 'skipped', 'unsubscribed'),
		row(3, 'skipped', 'no consent'),
		row(7, 'skipped', 'no consent'),
	]);
	const writesBack = workflow.nodes.find(({ name }) => name === 'Write the outcome back');
	expect(writesBack?.parameters.columns).toMatchObject({
		mappingMode: 'autoMapInputData',
		matchingColumns: ['row_number'],
	});
});

test('HubSpot contacts are synced with consent only, and those who opted out are unsubscribed first', async () => {
	const workflow = withOtherSide(hubspot, await readyToRun(hubspot));
	const { nodes, error } = await n8n.runWorkflow(workflow);
	expect(error).toBeNull();
	expect(await newContacts()).toEqual([
		ada,
		{ email: 'fay.new@example.com', first_name: 'Fay', contact_type_id: 22 },
	]);
	expect(await writes()).toEqual(['/global-unsubscribes/save', '/contacts/add', '/contacts/add']);
	const unsubscribed = await sandbox.records('globalUnsubscribes');
	expect(unsubscribed.at(-1)).toMatchObject({ email_address: 'left@example.com' });
	expect(nodes['Contacts to correct']?.items).toEqual([
		expect.objectContaining({
			json: expect.objectContaining({ hubspotId: '102', error: expect.anything() }),
		}),
	]);

	await n8n.runWorkflow(workflow);
	expect(await writes()).toHaveLength(3);
});

test('only buyers who agreed to marketing in Shopify are added, once, and nobody who unsubscribed', async () => {
	await sandbox.add('globalUnsubscribes', { email_address: 'gone@example.com' });
	const workflow = withOtherSide(shopify, await readyToRun(shopify));
	const { nodes, error } = await n8n.runWorkflow(workflow);
	expect(error).toBeNull();
	expect(await newContacts()).toEqual([ada]);
	expect(await writes()).toEqual(['/contacts/add']);
	expect(jsonOf(nodes['Welcome is on its way'])).toEqual([
		expect.objectContaining({ created: true, email: ada.email }),
	]);
	expect(jsonOf(nodes['Customers to correct'])).toEqual([
		expect.objectContaining({ error: expect.objectContaining({ message: expect.anything() }) }),
	]);
});

test('people in a query are added to a segment, unless they have unsubscribed, and nobody else is touched', async () => {
	await sandbox.add('globalUnsubscribes', { email_address: 'gone@example.com' });
	const before = await sandbox.records('segmentRecipients');
	const workflow = withOtherSide(segment, await readyToRun(segment));
	const { nodes, error } = await n8n.runWorkflow(workflow);
	expect(error).toBeNull();
	const recipients = await sandbox.records('segmentRecipients');
	expect(recipients.slice(0, before.length)).toEqual(before);
	expect(recipients.slice(before.length)).toEqual([
		expect.objectContaining({ email: ada.email, segment_id: before[0]?.segment_id }),
	]);
	expect(await writes()).toEqual(['/segment/email/store']);
	expect(jsonOf(nodes['Count by outcome'])).toEqual([{ action: 'added', count_email: 1 }]);
	expect(jsonOf(nodes['People to correct'])).toEqual([
		expect.objectContaining({ email: 'cy.new@example.com', error: expect.anything() }),
	]);
});

describe('what is written when a campaign completes', () => {
	const record = async (single_send_name: string) =>
		await sandbox.add('singleSends', {
			...{ single_send_name, status: 3, sent_at: '2026-01-05 09:00:00' },
			...{ triggered: 200, delivered: 190, bounces: 10, unique_opens: 57, unsubscribes: 1 },
		});

	test('Slack receives the rates, also a day later, and nothing about tests', async () => {
		const [tea, testCopy] = [await record('Coffee & <b>tea</b>'), await record('[Test] Tea (1)')];
		const events = [
			{ event: 'singleSendCompleted', record: { ...tea } },
			{ event: 'singleSendCompleted', record: { ...testCopy } },
			...[
				{ ageHours: 24, lateMinutes: 7 },
				{ ageHours: 24, lateMinutes: 2_910 },
				{ ageHours: 0.5, lateMinutes: 5 },
			].map((snapshot) => ({ event: 'statisticsSnapshot', snapshot, record: { ...tea } })),
		];
		const file = 'slack-message-when-a-campaign-completes.json';
		const workflow = withOtherSide(file, await readyToRun(file));
		const pinData = { 'Campaign completed': events.map((json) => ({ json: json as never })) };
		const { nodes, error } = await n8n.runWorkflow({ ...workflow, pinData });
		expect(error).toBeNull();
		const rates = ['Delivered: 95 % (190 of 200)', 'Bounced: 5 % (10 of 200)'];
		const opened = 'Opened: 30 % (57 of 190)';
		const unsubscribed = 'Unsubscribed: 0.53 % (1 of 190)';
		const title = '*Coffee &amp; &lt;b&gt;tea&lt;/b&gt;*';
		expect(jsonOf(nodes['Send it to Slack'])).toEqual([
			expect.objectContaining({
				sent: [`${title} has completed`, ...rates, `${opened} so far`, unsubscribed].join('\n'),
			}),
			...['24 hours', '73 hours', '35 minutes'].map((age) => {
				const first = `${title} ${age} after it was sent`;
				return expect.objectContaining({
					sent: [first, ...rates, opened, unsubscribed].join('\n'),
				}) as object;
			}),
		]);
	});

	test('the team is told about campaigns, and not about tests', async () => {
		const events = [await record('Tea'), await record('[Test] Tea (1)')];
		const pinData = {
			'Campaign completed': events.map((sent) => ({ json: { record: { ...sent } as never } })),
		};
		const workflow = await readyToRun('tell-the-team-when-a-campaign-completes.json');
		const { nodes } = await n8n.runWorkflow({ ...workflow, pinData });
		expect(jsonOf(nodes['Send it to the team'])).toEqual([
			{
				message:
					'"Tea" has completed: 190 of 200 messages delivered, 57 opened, 10 bounced, 1 unsubscribed.',
				utr: events[0]?.utr,
			},
		]);
	});
});

test('the hygiene report names each problem, changes nothing, and can be opened as a spreadsheet', async () => {
	const contact = { contact_type_id: 22, first_name: 'Ada', last_name: 'Ray', country: 238 };
	const add = async (email: string, more = {}) =>
		await sandbox.add('contacts', { ...contact, email, ...more });
	await add('=cmd@@example.com');
	await add('ray@gmial.com');
	await add('Info@roastery.example.com');
	const first = await add('twice@example.com');
	const second = await add('TWICE@example.com ', { first_name: '', last_name: '' });
	await add('both@example.com');
	await add('both@example.com', { contact_type_id: 21 });
	const [segment] = await sandbox.records('segments');
	await sandbox.add('segmentRecipients', {
		...{ segment_id: segment?.id, contact_id: null, email: 'gone@example.com' },
	});
	await sandbox.add('globalUnsubscribes', { email_address: 'gone@example.com' });
	const { nodes, error } = await n8n.runWorkflow(
		await readyToRun('monthly-list-hygiene-report.json'),
	);
	expect(error).toBeNull();
	const row = (problem: string, email: string, types = 'Newsletter subscribers', fix = '') =>
		expect.objectContaining({
			...{ Problem: problem, Email: email, 'Contact types': types, 'Correct with': fix },
		});
	const found = jsonOf(nodes['Make the rows']) ?? [];
	expect(found).toEqual([
		expect.objectContaining({
			Problem: 'duplicate',
			'Contact IDs': `${first.id}, ${second.id}`,
			'Correct with': 'Contact: Delete Many',
		}),
		row('in several types', 'both@example.com', 'Newsletter subscribers, Customers'),
		row('invalid email', "'=cmd@@example.com"),
		row('misspelled domain', 'ray@gmial.com', undefined, 'Contact: Update'),
		row('missing name', 'TWICE@example.com '),
		row('role address', 'Info@roastery.example.com'),
		row('unsubscribed in segment', 'gone@example.com', '', 'Segment: Delete Recipient'),
	]);
	const [mail, ...others] = nodes['Send it to the team']?.items ?? [];
	expect(others).toEqual([]);
	expect(mail?.json.subject).toMatch(/^List hygiene in \w+ \d{4}$/);
	expect(mail?.json.html).toContain('<td>missing name</td><td align="right">1</td>');
	expect(mail?.binary?.data).toMatchObject({
		fileName: expect.stringMatching(/^list-hygiene-\d{4}-\d\d\.csv$/),
		fileExtension: 'csv',
	});
	expect(await writes()).toEqual([]);
});

test('an empty account has a report, too', async () => {
	await sandbox.reset();
	const { nodes, error } = await n8n.runWorkflow(
		await readyToRun('monthly-list-hygiene-report.json'),
	);
	expect(error).toBeNull();
	expect(jsonOf(nodes['Make the rows'])).toEqual([
		expect.objectContaining({ Problem: 'nothing found', Email: '' }),
	]);
	expect(nodes['Send it to the team']?.items[0]?.json.html).toContain('<td>nothing found</td>');
});
