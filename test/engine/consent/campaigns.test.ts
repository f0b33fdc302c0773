import type { IDataObject } from 'n8n-workflow';

import { keys, outcomeOf, runWorkflow } from '../engine';
import { automation, globalUnsubscribe, singleSend } from '../records';
import { chosen, newSend } from '../rows';
import { useService } from '../sandbox';

const given = useService();
const writes = () =>
	given.service.calls().filter((call) => !call.startsWith('GET /') || call.includes('set-live'));
const preflight = { preflight: true };
const send = {
	...newSend,
	subject: 'Hello',
	options: preflight,
};

async function refused(parameters: IDataObject): Promise<string | undefined> {
	const { error } = await given.service.run(parameters);
	expect(writes()).toEqual([]);
	return `${error?.message} ${error?.description}`;
}

test('automation-group: an automation without an unsubscribe group is not set live', async () => {
	const { tables } = given.service.state;
	tables.automations.put({ ...automation, status: 0, unsubscribe_group_id: '' });
	const setLive = { resource: 'automation', operation: 'setLive', options: preflight };
	expect(await refused({ ...setLive, automationUtr: chosen(automation.utr) })).toContain(
		'The automation has no unsubscribe group',
	);
});

test('campaign-group: a campaign with an unknown unsubscribe group is not created', async () => {
	expect(await refused({ ...send, unsubscribeGroupId: chosen('99', 'id') })).toContain(
		'"Unsubscribe Group" does not exist: 99',
	);
});

test('campaign-again: a campaign that was sent is not updated', async () => {
	const { tables } = given.service.state;
	tables.singleSends.put({ ...singleSend, status: 3 });
	const update = { resource: 'singleSend', operation: 'update', updateFields: { subject: 'New' } };
	expect(await refused({ ...update, singleSendUtr: chosen(singleSend.utr) })).toContain(
		'Allow Sending Again',
	);
});

test('campaign-twice: a workflow that runs again creates no second campaign of the name', async () => {
	const name = singleSend.single_send_name;
	expect(await refused({ ...send, singleSendName: name })).toContain('already exists');
});

test.each([
	'={{ $json.none }}',
	'={{ "" }}',
	'={{ [$json.none] }}',
	'=contacts_22,{{ $json.none }}',
])(
	'campaign-exclude: a campaign is not created without exclusions that were meant: %s',
	async (excludeSpecificRecipientId) => {
		expect(await refused({ ...send, excludeSpecificRecipientId })).toContain(
			'"Exclude Names or IDs"',
		);
		expect(given.service.calls()).toEqual([]);
	},
);

test.each(['={{ [] }}', '', []])('a campaign may exclude nobody: %j', async (nobody) => {
	const { error } = await given.service.run({ ...send, excludeSpecificRecipientId: nobody });
	expect(error).toBeUndefined();
	expect(writes()).toEqual(['POST /single/send/create']);
});

test('campaign-overlap: runs at the same time create one campaign of the name', async () => {
	Object.assign(given.service.state.settings, { latencyMs: 20 });
	const { baseUrl } = given.service;
	// Three spellings of one address.
	const runs = [baseUrl, `${baseUrl}/`, ` ${baseUrl}`].map(
		async (address) =>
			await given.service.run(
				{ ...send, options: {} },
				{ credential: { ...keys, baseUrl: address } },
			),
	);
	const errors = (await Promise.all(runs)).map(({ error }) => error?.message);
	const taken = 'A campaign named "Spring" already exists';
	expect(errors.sort()).toEqual([taken, taken, undefined]);
	expect(writes()).toEqual(['POST /single/send/create']);
});

test('test-list: no test is sent to a contact type that is not marked as a test list', async () => {
	const testing = { operation: 'sendTest', campaign: 'new', testContactTypeId: chosen('21') };
	expect(await refused({ ...send, ...testing })).toMatch(/^"Test List" may be a real list: /);
});

test('agent: a tool of an agent holds back who unsubscribed', async () => {
	const { email_address: email } = globalUnsubscribe;
	const run = await runWorkflow({
		baseUrl: given.service.baseUrl,
		items: [{ json: { calls: [{ email }] } }],
		steps: [
			{ name: 'Agent', type: 'agent', parameters: { atOnce: false } },
			{
				name: 'Email Marketing',
				type: 'emailMarketingTool',
				parameters: {
					descriptionType: 'auto',
					resource: 'segment',
					operation: 'addRecipient',
					segmentId: chosen('301'),
					firstName: 'Ada',
					lastName: 'Okafor',
					email: "={{ $fromAI('email', '', 'string') }}",
				},
				toolOf: 'Agent',
			},
		],
	});
	expect(outcomeOf(run, 'Agent').items[0]?.json.results).toEqual([
		{ response: [expect.objectContaining({ added: false, skipped: 'unsubscribed', email })] },
	]);
	expect(writes()).toEqual([]);
});
