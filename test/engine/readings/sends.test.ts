import type { IDataObject } from 'n8n-workflow';

import { readings } from '../../../sandbox/readings.ts';
import {
	automation,
	contact,
	NOW,
	otherAutomation,
	sender,
	singleSend,
	unsubscribeGroup,
} from '../records';
import { chosen } from '../rows';
import { useService } from '../sandbox';
import { asShown } from './underReading';

const test = useService(asShown);

const read = (reading: string) =>
	Object.assign(test.service.state.settings, { tickMs: 1000 }, readings[reading]);
const store = (values: object) =>
	Object.assign(test.service.state.tables.singleSends.get(singleSend.id) ?? {}, values);
const immediate = { schedule_type: 0, schedule_date: '0000-00-00', schedule_time: '00:00:00' };
const existing: IDataObject = { resource: 'singleSend', singleSendUtr: chosen(singleSend.utr) };

/** Whom the service has sent anything to, after as much time as it needs. */
function reached(): string[] {
	const { runner } = test.service.state;
	runner.tick(5);
	return runner.mails.map(({ email, subject }) => `${email}: ${subject}`);
}

describe('what is sent by itself when it is duplicated', () => {
	const duplicate = { ...existing, operation: 'duplicate' };
	const refusal =
		'A copy of this campaign may be sent to everyone immediately: its send time is not certain to be in the future, or is not set';

	it.each<[string, object]>([
		['is set to be sent immediately', immediate],
		['was sent', { ...immediate, status: 3 }],
		['was scheduled', { schedule_date: '2026-03-01', status: 3 }],
		['has a time that cannot be read', { schedule_date: '0000-00-00' }],
	])('is not duplicated: one that %s', async (_, values) => {
		test.service.holdsOddRecords = true;
		store(values);
		const { error } = await test.service.run(duplicate);
		expect([error?.message, error?.description]).toEqual([
			refusal,
			'To duplicate it anyway, turn on "Allow Sending Again" in Options. To be safe, use "Campaign: Create" with a send time. Nothing was changed for this item.',
		]);
		expect(test.service.calls()).toEqual(['GET /single-send/list', 'GET /single-send/details']);
	});

	it('is not duplicated: one whose time may have passed', async () => {
		const [schedule_date, schedule_time] = new Date().toISOString().split(/[T.]/);
		store({ schedule_date, schedule_time });
		const { error } = await test.service.run(duplicate);
		expect(error?.message).toBe(refusal);
		expect(test.service.calls()).toEqual(['GET /single-send/list', 'GET /single-send/details']);
	});

	it('is duplicated with the option, and the service sends the copy', async () => {
		store({ ...immediate, status: 3 });
		read('failures-by-status');
		const options = { allowSendingAgain: true };
		const { error } = await test.service.run({ ...duplicate, options });
		expect(error).toBeUndefined();
		const list = 'GET /single-send/list';
		expect(test.service.calls()).toEqual([list, 'POST /single/send/duplicate', list]);
		expect(reached()).toEqual([`${contact.email}: ${singleSend.subject}`]);
	});

	it('copies-sent-at-once: the copy of a scheduled one says that it may be sent immediately', async () => {
		read('copies-sent-at-once');
		const { items, notes } = await test.service.run(duplicate);
		const note =
			'The copy may be sent immediately: its send time is not certain to be in the future, or is not set. If it must not be sent, check it in the service now.';
		expect(items[0]?.json).toMatchObject({ duplicated: true, note });
		expect(notes).toEqual([note]);
	});
});

describe('what a live automation sends', () => {
	const { utr, automation_name: name } = automation;
	const details = 'GET /automations/details';
	const allowed = { options: { allowLive: true } };
	const duplicate = {
		...{ resource: 'automation', operation: 'duplicate', automationUtr: chosen(utr) },
	};
	const add = {
		...{ resource: 'automationSchedule', operation: 'create', automationUtr: chosen(utr) },
		...{ senderId: chosen(sender.id), subject: 'Hi', previewImg: 'hi.png' },
		...{ templateSource: 'html', templateHtml: '<p>Hi</p>' },
	};
	const live = (what: string) =>
		`The automation "${name}" is live: ${what} immediately, without a check`;

	it.each([
		[duplicate, live('its copy may be live too, and send emails')],
		[add, live('another email may be sent')],
	])('is neither copied nor added to: $resource', async (parameters, message) => {
		const { error } = await test.service.run(parameters);
		expect([error?.message, error?.description]).toEqual([
			message,
			'Pause it first with "Automation: Pause". "Automation: Set Live" then checks its emails. To continue without this check, turn on "Allow Live Automation" in Options. Nothing was changed for this item.',
		]);
		expect(test.service.calls()).toEqual([details]);
	});

	it('copies-sent-at-once: with the option, the copy is live too', async () => {
		read('copies-sent-at-once');
		const { items } = await test.service.run({ ...duplicate, ...allowed });
		expect(test.service.calls()).toEqual(['GET /automations/duplicate']);
		const { automations } = test.service.state.tables;
		expect(automations.byUtr(String(items[0]?.json.utr))?.status).toBe(1);
	});

	it('gets another email with the option', async () => {
		const { error } = await test.service.run({ ...add, ...allowed });
		expect(error).toBeUndefined();
		expect(test.service.calls()).toEqual(['POST /automations/schedule/create']);
	});
});

describe('updates-send-again', () => {
	const update = {
		...{ ...existing, operation: 'update' },
		updateFields: { subject: 'New', scheduleType: 'immediately' },
	};

	it('a campaign that was sent is not updated', async () => {
		read('updates-send-again');
		store({ ...immediate, status: 3 });
		const { error } = await test.service.run(update);
		expect(error?.message).toBe('The campaign is completed: updating it may send it again');
		expect(reached()).toEqual([]);
	});

	it('with the option, it is sent again', async () => {
		read('updates-send-again');
		store({ ...immediate, status: 3 });
		await test.service.run({ ...update, options: { allowSendingAgain: true } });
		expect(reached()).toEqual([`${contact.email}: New`]);
	});
});

describe('no-audience-is-everybody', () => {
	it('an automation without an audience is not set live', async () => {
		read('no-audience-is-everybody');
		const { automations, automationSchedules } = test.service.state.tables;
		const draft = { ...otherAutomation, automation_for: 0, total_triggered: 0 };
		automations.put(draft);
		const email = { sender_id: sender.id, subject: 'Hi', template_html: '<p>Hi</p>' };
		automationSchedules.add({ automation_id: draft.id, ...email }, NOW);
		const setLive = {
			...{ resource: 'automation', operation: 'setLive', automationUtr: chosen(draft.utr) },
			options: { preflight: true },
		};
		const { error } = await test.service.run(setLive);
		expect(error?.message).toBe('The automation has no audience');
		expect(automations.get(draft.id)).toMatchObject({ status: 0, total_triggered: 0 });
		await test.service.run({ ...setLive, options: { preflight: false } });
		expect(automations.get(draft.id)).toMatchObject({ status: 1, total_triggered: 2 });
	});
});

describe('segments-evaluated-when-sending', () => {
	const recipientId = ['segments_301'];
	const check: IDataObject = {
		...{ resource: 'singleSend', operation: 'check', campaign: 'new' },
		...{ singleSendName: 'Spring', subject: 'It is spring', preheader: 'At last' },
		...{ senderId: chosen(sender.id), unsubscribeGroupId: chosen(unsubscribeGroup.id) },
		...{ templateId: chosen(2), scheduleType: 'immediately', recipientId },
	};
	const audienceNotCounted = { code: 'audience-not-counted', severity: 'warning' };

	it('is a warning of Check, and the number of recipients is not known', async () => {
		read('segments-evaluated-when-sending');
		const { items } = await test.service.run(check);
		expect(items[0]?.json).toMatchObject({
			canSend: true,
			audienceCount: null,
			findings: [audienceNotCounted],
		});
	});

	it('a number that is not known is not below "Max Recipients"', async () => {
		read('segments-evaluated-when-sending');
		const { items } = await test.service.run({ ...check, rules: { maxRecipients: 100 } });
		expect(items[0]?.json).toMatchObject({
			canSend: false,
			findings: [audienceNotCounted, { code: 'recipients-uncounted', severity: 'problem' }],
		});
	});

	it('nor is anybody left out for sure, whoever else has unsubscribed', async () => {
		read('segments-evaluated-when-sending');
		test.service.state.tables.globalUnsubscribes.add({ email_address: contact.email }, NOW);
		const { items } = await test.service.run({
			...check,
			recipientId: [...recipientId, 'contacts_21'],
		});
		expect(items[0]?.json).toMatchObject({
			canSend: true,
			audienceCount: null,
			findings: [audienceNotCounted],
		});
	});
});
