import type { IDataObject } from 'n8n-workflow';

import { automation, NOW, otherAutomation } from '../records';
import { chosen } from '../rows';
import { useService } from '../sandbox';

const test = useService();

async function checked(utr: string, more: IDataObject = {}): Promise<IDataObject> {
	const { items, error } = await test.service.run({
		...{ resource: 'automation', operation: 'check', automationUtr: chosen(utr), ...more },
	});
	expect(error).toBeUndefined();
	expect(
		test.service.calls().filter((call) => !call.startsWith('GET') || /set-live|pause/.test(call)),
	).toEqual([]);
	return items[0]?.json ?? {};
}

const live = {
	code: 'already-live',
	field: 'Automation',
	text: 'The automation is already live',
	remedy: 'There is no need to set it live again.',
	severity: 'warning',
};

const noLink = {
	code: 'unsubscribe-link-missing',
	field: 'HTML',
	text: '"HTML" of the email "Welcome" has no unsubscribe link',
	remedy: 'Add the placeholder ((unsubscribe_preferences)), unless the service adds a link.',
	severity: 'warning',
};

it('says what setting it live would refuse, and whom it reaches', async () => {
	expect(await checked(automation.utr)).toEqual({
		canSend: true,
		findings: [noLink, live],
		audienceCount: 1,
		leftOut: { excluded: 0, globalUnsubscribes: 0, unsubscribeGroup: 0, duplicateAddresses: 0 },
		utr: automation.utr,
		automation_name: 'Welcome series',
		status: 1,
		statusLabel: 'live',
		message: 'Ready to send, with warnings. Nothing was sent.',
	});
	expect(await checked(otherAutomation.utr)).toMatchObject({
		canSend: false,
		findings: [{ code: 'emails-missing', text: 'The automation has no email to send' }],
	});
});

it.each([
	[
		'paused',
		['automation-live'],
		'The automation has an unknown status, "paused", so it may be live already',
	],
	['-1', [], undefined],
])('says that Set Live refuses one with the status %s, if it does', async (status, codes, text) => {
	test.service.holdsOddRecords = true;
	const { automations } = test.service.state.tables;
	automations.put({ ...automation, status } as never);
	const { canSend, findings } = await checked(automation.utr);
	const problems = (findings as IDataObject[]).filter(({ severity }) => severity === 'problem');
	expect(problems.map(({ code }) => code)).toEqual(codes);
	expect([canSend, problems[0]?.text]).toEqual([codes.length === 0, text]);
	const setLive = { resource: 'automation', operation: 'setLive' };
	const { error } = await test.service.run({ ...setLive, automationUtr: chosen(automation.utr) });
	expect(error === undefined).toBe(canSend);
});

it('finds an automation by a UTR in other letter case', async () => {
	const utr = 'abcdef00-3333-4333-8333-333333333333';
	test.service.state.tables.automations.put({ ...automation, utr } as never);
	expect(await checked(utr.toUpperCase())).toMatchObject({
		canSend: true,
		findings: [noLink, live],
		utr,
	});
});

it('shows what the service returns in place of an ID on one line', async () => {
	test.service.holdsOddRecords = true;
	const { automationSchedules } = test.service.state.tables;
	for (const email of automationSchedules.all()) {
		automationSchedules.put({ ...email, sender_id: 'a\r\nb' } as never);
	}
	const { findings } = await checked(automation.utr);
	expect(findings).toContainEqual(
		expect.objectContaining({
			code: 'sender-not-found',
			text: '"Sender" of the email "Welcome" does not exist: a\\r\\nb',
		}),
	);
});

it('knows nothing about the audience of one that has none, or no group', async () => {
	const { tables } = test.service.state;
	tables.automations.put({
		...automation,
		automation_for: 0,
		unsubscribe_group_id: '',
	} as never);
	const json = await checked(automation.utr);
	expect(json).toMatchObject({ canSend: false, audienceCount: null });
	expect((json.findings as IDataObject[]).map(({ code }) => code)).toEqual([
		...['unsubscribe-group-missing', 'audience-missing', noLink.code, 'already-live'],
	]);
	expect(await checked('none')).toEqual({
		canSend: false,
		findings: [
			{
				...{ code: 'automation-not-found', field: 'Automation', severity: 'problem' },
				...{ text: '"Automation" does not exist: none' },
				remedy: 'Choose "Automation" from the list again.',
			},
		],
		audienceCount: null,
		leftOut: {
			...{ excluded: null, globalUnsubscribes: null },
			...{ unsubscribeGroup: null, duplicateAddresses: null },
		},
		utr: 'none',
		message: 'Not ready to send: see the findings. Nothing was sent.',
	});
});

it('applies the rules that are added', async () => {
	const { tables } = test.service.state;
	tables.automations.add({ automation_name: 'Welcome series' }, NOW);
	const rules = { nameUsed: true, maxRecipients: 0 };
	const { findings, canSend } = await checked(automation.utr, { rules });
	expect(canSend).toBe(false);
	expect((findings as IDataObject[]).map(({ field, text }) => [field, text])).toEqual([
		['HTML', noLink.text],
		['Automation', 'The automation is already live'],
		[
			'Automation Name',
			'"Automation Name" is already used by another automation: "Welcome series"',
		],
		['Audience', 'The number of recipients is 1, but at most 0 are allowed'],
	]);
	const warned = await checked(automation.utr, { rules: { ...rules, severity: 'warning' } });
	expect(warned.canSend).toBe(true);
});

it('frees the name of one that is deleted', async () => {
	test.service.holdsOddRecords = true;
	const twin = { automation_name: 'Welcome series', deleted_at: '2026-01-01T00:00:00Z' };
	test.service.state.tables.automations.add(twin as never, NOW);
	const { canSend } = await checked(automation.utr, { rules: { nameUsed: true } });
	expect(canSend).toBe(true);
});

it('warns of an email without an unsubscribe link, and of an audience that is not counted', async () => {
	const { automations, automationSchedules, segments } = test.service.state.tables;
	const draft = {
		...automation,
		status: 0,
		automation_for: 302,
		automation_for_table: 'segments_',
	};
	automations.put(draft as never);
	segments.add({ id: 302, segment_name: 'Found when sending' }, NOW);
	for (const email of automationSchedules.all()) {
		automationSchedules.put({ ...email, template_html: '<h1>News</h1>' });
	}
	const { canSend, findings, audienceCount } = await checked(automation.utr);
	expect({ canSend, audienceCount }).toEqual({ canSend: true, audienceCount: null });
	expect((findings as IDataObject[]).map(({ code }) => code)).toEqual([
		...['audience-unknown', 'unsubscribe-link-missing'],
	]);
});
