import { withCredentials } from '../../scripts/lib/workflow-json.ts';
import { readyToRun, shipped } from './examples.ts';
import { itNeeds } from './features.ts';
import { formLogin, page, submit } from './forms.ts';
import { journal, n8n, sandbox, violations } from './harness.ts';
import { type MailServer, serveMail } from './mail-server.ts';

afterEach(async () => expect(await violations()).toEqual([]));

const writes = async () =>
	(await journal()).filter(({ method }) => method !== 'GET').map(({ path }) => path);

describe('the sign-up form', () => {
	const file = 'sign-up-form-with-double-opt-in.json';
	const consent = ['I want to receive the newsletter by email. I can unsubscribe at any time.'];
	let mail: MailServer;
	let workflowId: string;
	let formUrl: string;
	beforeAll(async () => {
		await sandbox.reset('demo');
		mail = await serveMail();
		const workflow = withCredentials(await readyToRun(file), mail.credentials);
		const saved = await n8n.activate({
			...workflow,
			nodes: workflow.nodes.map((node) =>
				node.name === 'Ask for confirmation'
					? { ...node, parameters: { ...node.parameters, fromEmail: 'n8n@example.com' } }
					: node,
			),
		});
		workflowId = saved.id;
		const trigger = saved.nodes.find(({ type }) => type.endsWith('.formTrigger'));
		formUrl = `${n8n.client.url}/form/${trigger?.webhookId}`;
	});
	afterAll(async () => {
		await n8n.client.deactivate(workflowId);
		await mail.stop();
	});
	beforeEach(() => sandbox.reset('demo'));

	let executions = 0;
	const signUp = async (email: string) =>
		await submit(formUrl, 'Ada', 'Lovelace', email, 'Germany', JSON.stringify(consent));

	/** Follows the link in the confirmation email, and confirms. */
	async function confirm(email: string): Promise<void> {
		const text = await mail.nextMail();
		expect(text).toContain(`To: ${email}`);
		const [, link = ''] = /href="([^"]+signature=[^"]+)"/.exec(text) ?? [];
		const url = link.replaceAll('&amp;', '&');
		await page(url, 'Confirm your subscription');
		expect(await writes()).toEqual([]);
		await submit(url, JSON.stringify(consent));
		executions++;
		await n8n.waitForExecutions(workflowId, executions);
	}
	/** What a node of the last execution returned. */
	async function returned(name: string) {
		const [last] = await n8n.client.executions(workflowId);
		const { data } = await n8n.client.execution(last?.id ?? '');
		const runs = data.resultData.runData[name] ?? [];
		return runs.flatMap((run) => run.data?.main?.[0] ?? []).map(({ json }) => json);
	}
	const contacts = async (address: string) =>
		(await sandbox.records('contacts')).filter(({ email }) => email === address);

	itNeeds('checkOfChoices', 'can be published only with the choices of its note', async () => {
		await expect(n8n.activate(shipped(file))).rejects.toThrow();
	});

	test('adds nobody who has not confirmed, and everybody else once', async () => {
		const email = 'ada.signs.up@example.com';
		const shown = await signUp(email);
		expect(await contacts(email)).toEqual([]);
		await confirm(email);
		expect(await contacts(email)).toEqual([
			expect.objectContaining({ first_name: 'Ada', contact_type_id: 22 }),
		]);
		expect(await returned('Keep the proof')).toEqual([
			expect.objectContaining({ email, consent: consent[0], signedUpAt: expect.anything() }),
		]);
		expect(await returned('Send it to the team')).toEqual([]);

		expect(await signUp(` ${email.toUpperCase()}`)).toBe(shown);
		executions++;
		await n8n.waitForExecutions(workflowId, executions);
		expect(await returned('Once a day per address')).toEqual([]);
	});

	test('does not add who unsubscribed, and tells the team', async () => {
		const email = 'gone.signs.up@example.com';
		await sandbox.add('globalUnsubscribes', { email_address: email });
		await signUp(email);
		await confirm(email);
		expect(await contacts(email)).toEqual([]);
		expect(await returned('Send it to the team')).toEqual([
			{
				message: expect.stringMatching(
					/^gone\.signs\.up@example\.com signed up again, but was not added: unsubscribed from Global/,
				),
			},
		]);
	});

	test('tells the team when nobody would be welcomed', async () => {
		const email = 'ben.signs.up@example.com';
		const [live] = (await sandbox.records('automations')).filter(({ status }) => status === 1);
		await sandbox.change('automations', live?.utr ?? '', { status: 2 });
		await signUp(email);
		await confirm(email);
		expect(await contacts(email)).toHaveLength(1);
		expect(await returned('Send it to the team')).toEqual([
			{ message: expect.stringMatching(/is not live, .*ben\.signs\.up@example\.com was added/) },
		]);
	});
});

describe('the erasure of a person', () => {
	const file = 'erase-a-person.json';
	const email = 'ada.okafor@example.com';
	const identity = JSON.stringify(['I have checked that the request comes from this person']);
	let mail: MailServer;
	let workflowId: string;
	let formUrl: string;
	beforeAll(async () => {
		await sandbox.reset('demo');
		mail = await serveMail();
		const credentials = { ...(await formLogin()), ...mail.credentials };
		const workflow = withCredentials(await readyToRun(file), credentials);
		const addresses = { fromEmail: 'n8n@example.com', toEmail: 'privacy@example.com' };
		const saved = await n8n.activate({
			...workflow,
			nodes: workflow.nodes.map((node) =>
				node.name === 'Send the receipt'
					? { ...node, parameters: { ...node.parameters, ...addresses } }
					: node,
			),
		});
		workflowId = saved.id;
		const trigger = saved.nodes.find(({ type }) => type.endsWith('.formTrigger'));
		formUrl = `${n8n.client.url}/form/${trigger?.webhookId}`;
	});
	afterAll(async () => {
		await n8n.client.deactivate(workflowId);
		await mail.stop();
	});
	beforeEach(async () => {
		await sandbox.reset('demo');
		await sandbox.add('contacts', { email: 'Ada.Okafor@Example.com', contact_type_id: 22 });
		await sandbox.add('contacts', { email: `x${email}`, contact_type_id: 22 });
		await sandbox.add('notificationRecipients', { email_address: email, email_owner: 'Ada' });
		const [group] = await sandbox.records('unsubscribeGroups');
		await sandbox.add('groupRecipients', {
			...{ email_address: email, unsubscribe_groups_id: group?.id ?? 0 },
		});
	});

	async function request(address = email): Promise<string> {
		const answer = await submit(formUrl, address, 'R-17', identity);
		return (JSON.parse(answer) as { formWaitingUrl: string }).formWaitingUrl;
	}
	/** How many records the page says this of; n8n puts the text into the page twice. */
	const saidOf = (found: string, text: string) =>
		new Set(found.match(new RegExp(`ID \\d+\\b(?=:\\D*${text})`, 'g'))).size;
	async function holdings() {
		const has = (record: object) => JSON.stringify(record).toLowerCase().includes(`"${email}"`);
		const count = async (table: Parameters<typeof sandbox.records>[0]) =>
			((await sandbox.records(table)) as object[]).filter(has).length;
		return {
			contacts: await count('contacts'),
			segmentRecipients: await count('segmentRecipients'),
			notificationRecipients: await count('notificationRecipients'),
			groupRecipients: await count('groupRecipients'),
			globalUnsubscribes: await count('globalUnsubscribes'),
		};
	}

	test('refuses whoever has no login', async () => {
		const url = await request();
		await page(url, 'What was found');
		expect((await fetch(formUrl)).status).toBe(401);
	});

	test('deletes the person from all lists after approval, and keeps the address off them', async () => {
		const before = await holdings();
		expect(before).toEqual({
			...{ contacts: 2, segmentRecipients: 1, notificationRecipients: 1 },
			...{ groupRecipients: 1, globalUnsubscribes: 0 },
		});
		const others = (await sandbox.records('contacts')).length - 2;
		const url = await request(' ADA.okafor@example.com');
		const found = await page(url, 'What was found');
		expect(saidOf(found, 'will be deleted')).toBe(5);
		expect(saidOf(found, 'is kept')).toBe(0);
		expect(await writes()).toEqual([]);
		await submit(url, 'Yes, erase this person');
		const done = await page(url, 'The person was erased');
		expect(done).toMatch(/Contact in Customers, ID \d+: deleted/);
		const receipt = await mail.nextMail();
		expect(receipt).toContain('Subject: Erasure R-17: complete');
		expect(receipt).toMatch(
			/The person was erased: .*Request: R-17.*ID \d+: deleted.*Not reached/s,
		);
		expect(await holdings()).toEqual({
			...{ contacts: 0, segmentRecipients: 0, notificationRecipients: 0 },
			...{ groupRecipients: 0, globalUnsubscribes: 1 },
		});
		expect(await sandbox.records('contacts')).toHaveLength(others);
		const [first] = await writes();
		expect(first).toBe('/global-unsubscribes/save');

		const again = await request();
		expect(saidOf(await page(again, 'What was found'), 'is kept')).toBe(1);
	});

	test('changes nothing when it is declined', async () => {
		const url = await request();
		await page(url, 'What was found');
		await submit(url, 'No, change nothing');
		await page(url, 'Nothing was changed');
		expect(await writes()).toEqual([]);
	});

	test('deletes nothing when the address cannot be kept, and says what could not be deleted', async () => {
		const refused = await request();
		await page(refused, 'What was found');
		await sandbox.fault({
			kind: 'status',
			status: 400,
			match: { path: '/global-unsubscribes/save' },
			times: 5,
		});
		const before = await holdings();
		await submit(refused, 'Yes, erase this person');
		expect(await page(refused, 'Some of it is left to do')).toMatch(/address NOT added/);
		expect(await mail.nextMail()).toContain('Subject: Erasure R-17: something is left');
		expect(await holdings()).toEqual(before);

		await sandbox.clearFaults();
		const url = await request();
		await page(url, 'What was found');
		await sandbox.fault({
			kind: 'status',
			status: 400,
			match: { path: '/notification-recipient/delete' },
		});
		await submit(url, 'Yes, erase this person');
		expect(await page(url, 'Some of it is left to do')).toMatch(/NOT deleted: /);
		expect(await holdings()).toEqual({
			...{ contacts: 0, segmentRecipients: 0, notificationRecipients: 1 },
			...{ groupRecipients: 0, globalUnsubscribes: 1 },
		});
	});

	test('has a page for an address that is nowhere', async () => {
		const url = await request('nobody@example.com');
		expect(await page(url, 'What was found')).toContain('The address was not found.');
	});
});
