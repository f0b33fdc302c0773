import type { IDataObject } from 'n8n-workflow';
import type { Mail } from '../../sandbox/singleSendRun.ts';
import { withCredentials } from '../../scripts/lib/workflow-json.ts';
import { readyToRun, shipped } from './examples.ts';
import { itNeeds } from './features.ts';
import { formLogin, page, submit } from './forms.ts';
import { journal, n8n, sandbox, violations } from './harness.ts';
import { type MailServer, serveMail } from './mail-server.ts';
import { type ModelServer, serveModel } from './model-server.ts';

const file = 'draft-check-approve-send.json';
const draft = {
	name: 'Autumn roast',
	subject: 'The autumn roast is here',
	preheader: 'Two new beans, from today',
	html: '<p>Hello ((first_name))</p><p>((sender_address)) ((unsubscribe_preferences))</p>',
};
const wrong = { ...draft, html: draft.html.replace('first_name', 'firstname') };

let model: ModelServer;
let mail: MailServer;
let workflowId: string;
let formUrl: string;

/** The model's drafts, in this order; the last one again and again. */
let drafts: Array<typeof draft>;

beforeAll(async () => {
	model = await serveModel(({ tools }) => {
		const output = drafts.length > 1 ? drafts.shift() : drafts[0];
		return { tool: tools[0]?.function.name, input: { output } };
	});
	mail = await serveMail();
	await sandbox.reset('demo');
	const workflow = withCredentials(await readyToRun(file), {
		...(await formLogin()),
		...model.credentials,
		...mail.credentials,
	});
	const addresses = { fromEmail: 'n8n@example.com', toEmail: 'approver@example.com' };
	const saved = await n8n.activate({
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.name === 'Approve'
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
	await model.stop();
	await mail.stop();
});

beforeEach(async () => {
	await sandbox.reset('demo');
	model.requests.length = 0;
});
afterEach(async () => expect(await violations()).toEqual([]));

let executions = 0;

async function brief(...replies: Array<typeof draft>): Promise<void> {
	drafts = replies;
	await submit(formUrl, 'Our autumn roast');
	executions++;
}

/** The link in the email to the approver. */
async function approvalUrl(): Promise<string> {
	const text = await mail.nextMail();
	expect(text).toContain('To: approver@example.com');
	const [, url = ''] = /href="([^"]+signature=[^"]+)"/.exec(text) ?? [];
	return url.replaceAll('&amp;', '&');
}

/** What the team is sent at the end. */
async function report(): Promise<IDataObject[]> {
	await n8n.waitForExecutions(workflowId, executions);
	const [last] = await n8n.client.executions(workflowId);
	const { data } = await n8n.client.execution(last?.id ?? '');
	const runs = data.resultData.runData['Send it to the team'] ?? [];
	return runs.flatMap((run) => run.data?.main?.[0] ?? []).map(({ json }) => json);
}

const writes = async () => (await journal()).filter(({ method }) => method !== 'GET');
const sent = async () => await sandbox.control<Mail[]>('GET', '/mails');

itNeeds(
	'checkOfChoices',
	'can be published only with logins, addresses, a sender and recipients',
	async () => {
		await expect(n8n.activate(shipped(file))).rejects.toThrow();
	},
);

test('the agent corrects its draft, and the campaign is sent once, when somebody approves it', async () => {
	await brief(wrong, draft);
	const url = await approvalUrl();
	const shown = await page(url, 'Send this campaign?');
	expect(shown).toContain('The autumn roast is here');
	expect(shown).toContain('Hello ((first_name))');
	expect(shown).not.toContain('((firstname))');
	expect([await writes(), await sent()]).toEqual([[], []]);

	expect(model.requests).toHaveLength(2);
	const [first, second] = model.requests.map(({ messages }) => messages.at(-1)?.content);
	expect(first).toBe('Our autumn roast');
	expect(second).toMatch(
		/^Our autumn roast\n\nYour last draft was:\n\{.*firstname.*\}\n\nIt can't/,
	);
	expect(second).toMatch(/\n- HTML: .*firstname.*/);

	await submit(url, '', 'Yes, send it now');
	const [told, ...others] = await report();
	expect(others).toEqual([]);
	expect(told?.message).toBe('"Autumn roast" was approved and created. The service sends it now.');
	expect((await writes()).map(({ path }) => path)).toEqual(['/single/send/create']);
	const made = (await sandbox.records('singleSends')).find(({ utr }) => utr === told?.utr);
	const { name: single_send_name, html: template_html, subject, preheader } = draft;
	expect(made).toMatchObject({ single_send_name, template_html, subject, preheader });
	expect(made).toMatchObject({ schedule_type: 0 });

	await sandbox.advance(60 * 60_000);
	await sandbox.records('singleSends');
	const mails = await sent();
	expect(new Set(mails.map(({ utr }) => utr))).toEqual(new Set([told?.utr]));
	const [count] = /<b>Recipients:<\/b> \d+/.exec(shown) ?? [];
	expect(count).toBe(`<b>Recipients:</b> ${mails.length}`);

	await submit(url, '', 'Yes, send it now');
	expect(await n8n.client.executions(workflowId)).toHaveLength(executions);
	expect(await writes()).toHaveLength(1);
});

test('nothing is sent when it is declined', async () => {
	await brief(draft);
	const url = await approvalUrl();
	await page(url, 'Send this campaign?');
	await submit(url, '', 'No, send nothing');
	expect(await report()).toEqual([
		{ message: '"Autumn roast" was not approved. Nothing was sent.' },
	]);
	await sandbox.advance(60 * 60_000);
	expect([await writes(), await sent()]).toEqual([[], []]);
});

test('what the agent does not correct in two attempts is reported, and nobody is asked', async () => {
	await brief(wrong);
	const message = expect.stringMatching(/^The draft can't be sent\. .*HTML: .*firstname/);
	expect(await report()).toEqual([{ message }]);
	expect(model.requests).toHaveLength(3);
	expect([await writes(), await sent()]).toEqual([[], []]);
});
