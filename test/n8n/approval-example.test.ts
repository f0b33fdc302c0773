import type { Mail } from '../../sandbox/singleSendRun.ts';
import { Approval } from './approvals.ts';
import { readyToRun, shipped } from './examples.ts';
import { itNeeds } from './features.ts';
import { formLogin, page, submit } from './forms.ts';
import { journal, n8n, sandbox, violations } from './harness.ts';
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
let approval: Approval;
let formUrl: string;

/** The model's drafts, in this order; the last one again and again. */
let drafts: Array<typeof draft>;

beforeAll(async () => {
	model = await serveModel(({ tools }) => {
		const output = drafts.length > 1 ? drafts.shift() : drafts[0];
		return { tool: tools[0]?.function.name, input: { output } };
	});
	await sandbox.reset('demo');
	const credentials = { ...(await formLogin()), ...model.credentials };
	approval = await Approval.publish(await readyToRun(file), credentials);
	const trigger = approval.workflow.nodes.find(({ type }) => type.endsWith('.formTrigger'));
	formUrl = `${n8n.client.url}/form/${trigger?.webhookId}`;
});
afterAll(async () => {
	await approval.stop();
	await model.stop();
});

beforeEach(async () => {
	await sandbox.reset('demo');
	model.requests.length = 0;
});
afterEach(async () => expect(await violations()).toEqual([]));

async function brief(...replies: Array<typeof draft>): Promise<void> {
	drafts = replies;
	await submit(formUrl, 'Our autumn roast');
	approval.started();
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
	const url = await approval.url();
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
	const [told, ...others] = await approval.report();
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
	expect(await approval.count()).toBe(1);
	expect(await writes()).toHaveLength(1);
});

test('nothing is sent when it is declined', async () => {
	await brief(draft);
	const url = await approval.url();
	await page(url, 'Send this campaign?');
	await submit(url, '', 'No, send nothing');
	expect(await approval.report()).toEqual([
		{ message: '"Autumn roast" was not approved. Nothing was sent.' },
	]);
	await sandbox.advance(60 * 60_000);
	expect([await writes(), await sent()]).toEqual([[], []]);
});

test('what the agent does not correct in two attempts is reported, and nobody is asked', async () => {
	await brief(wrong);
	const message = expect.stringMatching(/^The draft can't be sent\. .*HTML: .*firstname/);
	expect(await approval.report()).toEqual([{ message }]);
	expect(model.requests).toHaveLength(3);
	expect([await writes(), await sent()]).toEqual([[], []]);
});
