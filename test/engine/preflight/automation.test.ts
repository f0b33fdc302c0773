import { automation, NOW, otherAutomation } from '../records';
import { chosen } from '../rows';
import { options, refused, useChecks } from './support';

const { test, check } = useChecks();

const setLive = { resource: 'automation', operation: 'setLive', options };

describe('before an automation is set live', () => {
	const { utr } = automation;
	const draft = { ...automation, status: 0, live_at: null };
	beforeEach(() => void test.service.state.tables.automations.put(draft as never));

	it('reads what is needed, and sets it live', async () => {
		expect(await check({ ...setLive, automationUtr: chosen(utr) })).toEqual({
			message: undefined,
			description: undefined,
			writes: ['GET /automations/set-live'],
		});
		expect(test.service.calls().sort()).toEqual([
			'GET /automations/details',
			'GET /automations/schedule',
			'GET /automations/set-live',
			'GET /contacts-type',
			'GET /senders',
			'GET /unsubscribes-groups',
		]);
	});

	it('says that there is no email to send', async () => {
		expect(await check({ ...setLive, automationUtr: chosen(otherAutomation.utr) })).toEqual(
			refused('The automation has no email to send', 'Add one with "Automation Schedule: Create".'),
		);
	});

	it.each([
		['lists_', 'lists_21'],
		['', '21'],
		[null, '21'],
	])(
		'says that its audience is of an unknown kind, %j, whatever has its ID',
		async (automation_for_table, audience) => {
			test.service.holdsOddRecords = true;
			const { automations } = test.service.state.tables;
			automations.put({ ...draft, automation_for_table } as never);
			const { message, writes } = await check({ ...setLive, automationUtr: chosen(utr) });
			expect(message).toBe(
				`The audience of the automation is neither a contact type nor a segment: "${audience}"`,
			);
			expect(writes).toEqual([]);
		},
	);

	it('says that it does not exist', async () => {
		expect(await check({ ...setLive, automationUtr: chosen('none') })).toEqual({
			message: '"Automation" does not exist: none',
			description: 'Choose "Automation" from the list again. Nothing was changed for this item.',
			writes: [],
		});
	});

	it('says so before an email is added to it, too', async () => {
		const addEmail = {
			...{ resource: 'automationSchedule', operation: 'create', waitingType: 'instantly' },
			...{ senderId: chosen('81'), subject: 'Hello', preheader: 'There', templateId: chosen('2') },
		};
		const { message, writes } = await check({ ...addEmail, automationUtr: chosen('none') });
		expect(message).toBe('"Automation" does not exist: none');
		expect(writes).toEqual([]);
	});

	it('says that it does not exist where the service shows it as deleted', async () => {
		const deleted_at = '2026-01-01T00:00:00Z';
		test.service.state.tables.automations.put({ ...draft, deleted_at } as never);
		const { message, writes } = await check({ ...setLive, automationUtr: chosen(utr) });
		expect(message).toBe(`"Automation" is deleted in the service: ${utr}`);
		expect(writes).toEqual([]);
	});

	it('names all findings at once', async () => {
		const { tables } = test.service.state;
		tables.automations.put({
			...draft,
			unsubscribe_group_id: '',
			automation_for: 0,
		} as never);
		tables.automationSchedules.add(
			{ automation_id: 30001, sender_id: 82, subject: '<Hi> ((nick))', template_html: '<p>Hi</p>' },
			NOW,
		);
		const { message, description, writes } = await check({
			...setLive,
			automationUtr: chosen(utr),
		});
		expect(message).toBe('4 problems found; nothing was sent');
		expect(description?.split('<br>')).toEqual([
			'1. The automation has no unsubscribe group. Assign one in the service, or create the automation again with an "Unsubscribe Group".',
			'2. The automation has no audience. Assign a contact type or a segment in the service, or create the automation again with an "Audience".',
			'3. "Sender" of the email "&lt;Hi> ((nick))" is not verified: "New". Confirm the email that the service sent to new@example.com, send it again with "Sender: Resend Verification", or choose a verified sender.',
			'4. Unknown placeholders: ((nick)) in "Subject of the email \'&lt;Hi> ((nick))\'". Correct them. To list the known ones, use "Design Template: Get Dynamic Content".',
			'To go ahead anyway, turn off "Check Before Sending" in Options. Nothing was changed for this item.',
		]);
		expect(writes).toEqual([]);
	});

	it('finds an email without content, and placeholders in its JSON', async () => {
		const { automationSchedules } = test.service.state.tables;
		for (const email of automationSchedules.all()) automationSchedules.remove(email.id);
		const email = { automation_id: automation.id, sender_id: 81 };
		automationSchedules.add(
			{ ...email, subject: 'Empty', template_id: 1, template_html: '', template_json: '{}' },
			NOW,
		);
		automationSchedules.add(
			{
				...{ ...email, subject: 'Design', template_id: 1, template_html: '' },
				template_json: '{"text":"Hello {{first_name}}"}',
			},
			NOW,
		);
		const { description, writes } = await check({ ...setLive, automationUtr: chosen(utr) });
		expect(description?.split('<br>').slice(0, 2)).toEqual([
			expect.stringContaining(
				'1. The email would be empty: "Template" of the email "Empty" is the blank template',
			),
			expect.stringContaining('"JSON of the email \'Design\'"'),
		]);
		expect(writes).toEqual([]);
	});
});
