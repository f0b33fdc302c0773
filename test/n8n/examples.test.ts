import { setTimeout as sleep } from 'node:timers/promises';

import { exampleFiles, readyToRun, shipped } from './examples.ts';
import { itNeeds } from './features.ts';
import { journal, n8n, node, sandbox, violations } from './harness.ts';
import { withOtherSide } from './recorded.ts';

beforeEach(() => sandbox.reset('demo'));
afterEach(async () => expect(await violations()).toEqual([]));

// Those that begin with a form or a chat, or ask for an approval, wait for somebody; the other test files do that.
const unattended = exampleFiles.filter(
	(file) =>
		!shipped(file).nodes.some(
			({ type, parameters }) =>
				/\.(form|chat)Trigger$/.test(type) || parameters.operation === 'sendAndWait',
		),
);

async function runs(file: string): Promise<void> {
	const workflow = withOtherSide(file, await readyToRun(file));
	const { status, error } = await n8n.runWorkflow(workflow);
	expect({ status, error: error?.message }).toEqual({ status: 'success' });
}

for (const file of unattended) {
	const title = `${file} runs against the demo account once its choices are made`;
	if (file === 'keep-a-sync-ledger.json') {
		itNeeds('tablesMadeByNodes', title, async () => await runs(file));
	} else it(title, async () => await runs(file));
}

it('the weekly campaign is scheduled once, however often the workflow runs', async () => {
	const before = await sandbox.records('singleSends');
	const workflow = await readyToRun('weekly-campaign.json');
	const run = async () => {
		const { nodes } = await n8n.runWorkflow(workflow);
		return nodes['Write the message']?.items.map(({ json }) => json) ?? [];
	};
	const [first, ...others] = await run();
	const [second] = await run();
	expect(others).toEqual([]);
	const made = (await sandbox.records('singleSends')).slice(before.length);
	expect(made).toEqual([
		expect.objectContaining({
			single_send_name: expect.stringMatching(/^Weekly news \d{4}-W\d\d$/),
			subject: 'News of the week',
			schedule_type: 1,
			utr: first?.utr,
		}),
	]);
	const name = `"${made[0]?.single_send_name}"`;
	expect(first?.message).toContain(`${name} is scheduled for tomorrow at 9:00.`);
	expect(second).toEqual({
		message: `${name} already exists; no second campaign was created.`,
		utr: first?.utr,
	});
});

it('without its template, the weekly campaign is not created, and the team is told', async () => {
	// Those that are under way change while n8n tries again.
	const campaigns = async () => (await sandbox.records('singleSends')).map(({ utr }) => utr);
	const before = await campaigns();
	const workflow = await readyToRun('weekly-campaign.json');
	for (const { id } of await sandbox.records('templates')) await sandbox.remove('templates', id);
	const { status, nodes, error } = await n8n.runWorkflow(workflow);
	const message = expect.stringMatching(
		/^Creating this week's campaign failed: .*"Template" does not/,
	);
	expect({ status, message: error?.message }).toEqual({ status: 'error', message });
	expect(nodes['Send it to the team']?.items.map(({ json }) => json)).toEqual([{ message }]);
	expect(await campaigns()).toEqual(before);
});

it('the weekly campaign is not created again when the response to its creation was lost', async () => {
	const before = await sandbox.records('singleSends');
	const workflow = await readyToRun('weekly-campaign.json');
	await sandbox.fault({ kind: 'reset-after', match: { path: '/single/send/create' } });
	const { status, error } = await n8n.runWorkflow(workflow);
	expect({ status, message: error?.message }).toEqual({
		status: 'error',
		message: expect.stringMatching(/^Creating .* failed: .*The request may have succeeded/),
	});
	const { nodes } = await n8n.runWorkflow(workflow);
	const made = (await sandbox.records('singleSends')).slice(before.length);
	expect(made).toHaveLength(1);
	expect(nodes['Write the message']?.items.map(({ json }) => json.utr)).toEqual([made[0]?.utr]);
});

it('the weekly figures are one email with a bar for each campaign', async () => {
	await sandbox.add('singleSends', {
		...{ single_send_name: 'Coffee & <b>tea</b>', status: 3, sent_at: '2026-01-05 09:00:00' },
		...{ triggered: 200, delivered: 190, bounces: 10, unique_opens: 57, total_opens: 80 },
	});
	await sandbox.add('singleSends', { single_send_name: '[Test] Tea (1)', status: 3, triggered: 3 });
	const { nodes } = await n8n.runWorkflow(await readyToRun('weekly-figures-by-email.json'));
	const [email, ...others] = nodes['Send it to the team']?.items.map(({ json }) => json) ?? [];
	expect(others).toEqual([]);
	const reports = nodes['Get report']?.items.map(({ json }) => json) ?? [];
	expect(reports.length).toBeGreaterThan(1);
	expect(String(email?.html).match(/<div /g)).toHaveLength(reports.length);
	for (const { openRateRank } of reports) {
		expect(email?.html).toContain(`<td align="center">${String(openRateRank)}</td>`);
	}
	expect(email?.html).toContain('<td>Coffee &#38; &#60;b&#62;tea&#60;/b&#62;</td>');
	expect(email?.html).toContain('width:60px;display:inline-block"></div> 30 % (57)</td>');
	expect(email?.html).not.toMatch(/undefined|NaN|null|\[Test\]/);
	expect((await journal()).map(({ path }) => path)).toEqual([
		'/single-send/list',
		'/single-send/list',
	]);
});

it('an automation that many leave is paused, and one with an old rate or too few emails is not', async () => {
	const [live] = (await sandbox.records('automations')).filter(({ status }) => status === 1);
	const { utr = '', automation_name } = live ?? {};
	const change = async (total_delivered: number, total_unsubscribe: number) =>
		await sandbox.change('automations', utr, {
			...{ total_triggered: total_delivered, total_delivered, total_unsubscribe },
		});
	const workflow = await readyToRun('pause-automation-when-unsubscribes-pass-1-percent.json');
	// Static data is kept for published workflows only, which cannot wait for an hour here.
	const path = 'an-hour-has-passed';
	const nodes = workflow.nodes.map((each) =>
		each.name === 'Every hour'
			? node(each.name, 'n8n-nodes-base.webhook', { path }, { typeVersion: 2, webhookId: path })
			: each,
	);
	const { id } = await n8n.activate({ ...workflow, nodes });
	const pauses = async () =>
		(await journal())
			.filter(({ path: called }) => called.includes('pause'))
			.map(({ query }) => query);
	let hours = 0;
	const hourPasses = async () => {
		const url = `${n8n.client.url}/webhook/${path}`;
		for (let tries = 0; tries < 50 && !(await fetch(url)).ok; tries++) await sleep(100);
		hours++;
		await n8n.waitForExecutions(id, hours);
	};
	await change(1000, 50);
	await hourPasses();
	await change(1060, 53);
	await hourPasses();
	expect(await pauses()).toEqual([]);
	await change(1110, 53);
	await hourPasses();
	const [last] = await n8n.client.executions(id);
	const { data } = await n8n.client.execution(last?.id ?? '');
	const [sent] = data.resultData.runData['Send it to the team']?.[0]?.data?.main?.[0] ?? [];
	expect(sent?.json.message).toMatch(
		new RegExp(
			`^2\\.73 % of the emails of "${automation_name}" since [\\d-]{10} [\\d:]{5} led to an unsubscribe\\. It is paused\\.`,
		),
	);
	expect(await pauses()).toEqual([{ utr }]);
	await n8n.client.deactivate(id);
});

it('an automation of which too much bounces is paused itself, and the team is told', async () => {
	const [welcome] = (await sandbox.records('automations')).filter(({ status }) => status === 1);
	const { utr = '', automation_name } = welcome ?? {};
	const figures = { total_triggered: 210, total_delivered: 200, total_bounces: 21 };
	await sandbox.change('automations', utr, figures);
	const workflow = await readyToRun('pause-automation-when-bounces-pass-5-percent.json');
	const { nodes } = await n8n.runWorkflow(workflow);
	expect(nodes['Send it to the team']?.items.map(({ json }) => json)).toEqual([
		{
			message:
				`Too many emails of "${automation_name}" bounced: 10 %. ` +
				'It is paused. Clean its audience before you set it live again.',
		},
	]);
	const called = (await journal()).filter(({ path }) => path.includes('pause'));
	expect(called.map(({ query }) => query)).toEqual([{ utr }]);
	const live = (await sandbox.records('automations')).filter(({ status }) => status === 1);
	expect(live).toEqual([]);
});

it('an automation that is not live is not paused again', async () => {
	const automations = await sandbox.records('automations');
	const figures = { status: 2, total_triggered: 210, total_delivered: 200, total_bounces: 21 };
	for (const { utr } of automations) await sandbox.change('automations', utr, figures);
	const workflow = await readyToRun('pause-automation-when-bounces-pass-5-percent.json');
	const { nodes } = await n8n.runWorkflow(workflow);
	expect(nodes['Bounces pass 5%']?.items).toHaveLength(1);
	expect(nodes.Pause).toBeUndefined();
	expect(nodes['Send it to the team']).toBeUndefined();
});

it('a manual run pauses no automation of which less bounces', async () => {
	const statuses = async () => (await sandbox.records('automations')).map(({ status }) => status);
	const before = await statuses();
	const workflow = await readyToRun('pause-automation-when-bounces-pass-5-percent.json');
	const { nodes } = await n8n.runWorkflow(workflow);
	expect(nodes['Bounces pass 5%']?.items).toHaveLength(1);
	expect(nodes.Pause).toBeUndefined();
	expect(await statuses()).toEqual(before);
});

it('the contact sync puts each valid row into the service once, with no request to spare', async () => {
	const { nodes } = await n8n.runWorkflow(await readyToRun('sync-contacts-from-csv.json'));
	const rows = nodes['Rows to items']?.items ?? [];
	const { items = [], errorItems = [] } = nodes['Sync contacts'] ?? {};
	expect(rows).toHaveLength(1200);
	expect(items.length + errorItems.length).toBe(rows.length);

	expect(errorItems).toHaveLength(3);
	for (const { json, pairedItem } of errorItems) {
		const reason = expect.stringContaining('is not an email address');
		expect(json.error).toMatchObject({ field: 'Email', reason });
		expect(pairedItem).toMatchObject({ item: expect.any(Number) });
	}

	const wanted = new Set(items.map(({ json }) => String(json.email).toLowerCase()));
	const held = (await sandbox.records('contacts')).map(({ email }) => email.toLowerCase());
	const added = held.filter((email) => wanted.has(email));
	expect(new Set(added).size).toBe(added.length);
	const countOf = (action: string) => items.filter(({ json }) => json.action === action).length;
	const writes = (await journal())
		.filter(({ method }) => method === 'POST')
		.map(({ path }) => path);
	expect(writes.filter((path) => path === '/contacts/add')).toHaveLength(countOf('created'));
	expect(writes.filter((path) => path === '/contacts/update')).toHaveLength(countOf('updated'));
	expect(writes).toHaveLength(countOf('created') + countOf('updated'));

	await n8n.runWorkflow(await readyToRun('sync-contacts-from-csv.json'));
	const again = (await journal()).filter(({ method }) => method === 'POST');
	expect(again).toHaveLength(writes.length);
});

it('a new customer who agreed is added to the newsletter once, and not after unsubscribing', async () => {
	const fields = await sandbox.records('customFields');
	const consent = fields.find(({ field_name }) => field_name === 'newsletter_consent');
	const add = async (email: string, field_value: string | null) =>
		await sandbox.add('contacts', {
			contact_type_id: 21,
			email,
			country: 85,
			custom_field: {
				[`field_${consent?.id}`]: { field_name: 'newsletter_consent', field_value },
			},
		});
	const workflow = await readyToRun('new-contacts-to-a-welcome-automation.json');
	const run = async () => (await n8n.runWorkflow(workflow)).nodes;
	const inAudience = async (wanted: string) =>
		(await sandbox.records('contacts')).filter(
			({ email, contact_type_id }) => email === wanted && contact_type_id === 22,
		);

	await add('asked.for.nothing@example.com', 'no');
	const ignored = await run();
	expect(ignored['Agreed to the newsletter']?.items).toEqual([]);
	expect(ignored['Add to the audience']).toBeUndefined();
	expect(await inAudience('asked.for.nothing@example.com')).toEqual([]);

	await add('new.customer@example.com', 'Yes');
	const welcomed = await run();
	expect(welcomed['Welcome is on its way']?.items).toHaveLength(1);
	expect(await inAudience('new.customer@example.com')).toHaveLength(1);
	expect((await run())['Added just now']?.items).toEqual([]);

	await sandbox.add('globalUnsubscribes', { email_address: 'gone@example.com' });
	await add('gone@example.com', 'yes');
	const left = await run();
	expect(left['Add to the audience']?.items[0]?.json).toMatchObject({
		action: 'skipped',
		email: 'gone@example.com',
	});
});
