import type { IDataObject } from 'n8n-workflow';

import { singleSend } from '../records';
import { chosen } from '../rows';
import { useService } from '../sandbox';
import { checkNew, codesOf } from './support';

const test = useService({ zoneMinutes: 0, segmentCounts: 'recipients' });

afterEach(() => jest.restoreAllMocks());

async function broken(rules: IDataObject, more: IDataObject = {}): Promise<IDataObject> {
	const { items, error } = await test.service.run({ ...checkNew, ...more, rules });
	expect(error).toBeUndefined();
	return items[0]?.json ?? {};
}

const at = (scheduleAt: string, timezone = 'Europe/Berlin') => ({
	...{ scheduleType: 'scheduled', scheduleAt, timezone },
});

it('applies no rule that is not added, and reads nothing for it', async () => {
	const json = await broken(
		{},
		{ subject: singleSend.subject, singleSendName: 'March newsletter' },
	);
	expect(json.findings).toEqual([]);
	expect(test.service.calls()).not.toContain('GET /single-send/list');
});

it.each<[string, IDataObject, IDataObject, string[]]>([
	['a name', { nameUsed: true }, { singleSendName: ' March newsletter' }, ['name-used']],
	['a name that is free', { nameUsed: true }, {}, []],
	['a rule that is off', { nameUsed: false }, { singleSendName: 'March newsletter' }, []],
	['a subject', { subjectUsed: true }, { subject: 'what we Roast in march ' }, ['subject-used']],
	['more recipients', { maxRecipients: 0 }, {}, ['too-many-recipients']],
	['as many recipients', { maxRecipients: 1 }, {}, []],
	[
		'recipients that are not known',
		{ maxRecipients: 1 },
		{ recipientId: ['contacts_99'] },
		['recipients-not-found', 'recipients-uncounted'],
	],
])('finds what breaks a rule: %s', async (_name, rules, more, codes) => {
	const json = await broken(rules, more);
	expect(codesOf(json)).toEqual(codes.map((code) => `problem ${code}`));
	expect(json.canSend).toBe(codes.length === 0);
	const warned = await broken({ ...rules, severity: 'warning' }, more);
	const isProblem = codes.includes('recipients-not-found');
	expect(warned.canSend).toBe(!isProblem);
});

it('counts no test sends', async () => {
	const { singleSends } = test.service.state.tables;
	const sent_at = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
	singleSends.add(
		{
			...{
				single_send_name: '[Test] Spring (mb1x2y3z-3d4e5f)',
				subject: 'Test of spring',
				status: 3,
				sent_at,
			},
			recipient_id: [{ id: '21', table: 'contacts_' }] as never,
		},
		0,
	);
	const rules = { minHours: 24, subjectUsed: true };
	const json = await broken(rules, { subject: 'Test of spring', ...at('2099-01-01T09:00:00') });
	expect(codesOf(json).filter((code) => /recently|subject-used/.test(code))).toEqual([]);
});

it('allows no more recipients than the service counts, even if it lists fewer', async () => {
	const { tables } = test.service.state;
	const listed = tables.contacts.all().slice(0, 1);
	tables.contacts.add({ contact_type_id: 21, email: 'b@example.com', country: 85 }, 0);
	jest.spyOn(tables.contacts, 'all').mockReturnValue(listed);
	const json = await broken({ maxRecipients: 1 });
	expect(json).toMatchObject({ canSend: false, audienceCount: 1 });
	expect(codesOf(json)).toEqual(['problem too-many-recipients']);
});

it.each([
	[
		'Compatibility: Sent At Time Zone',
		{ rules: { minHours: 1 }, options: { sentAtTimezone: '={{ $json.zone }}' } },
	],
])('refuses an expression for "%s" that returned nothing', async (label, more) => {
	const { error } = await test.service.run({ ...checkNew, ...more });
	expect(error?.message).toBe(`"${label}" contains an expression that returned nothing`);
	expect(test.service.calls()).toEqual([]);
});

it('says what to do if the number of recipients is not known', async () => {
	const { findings } = await broken({ maxRecipients: 1 }, { recipientId: ['contacts_99'] });
	expect(findings).toMatchObject([
		{ code: 'recipients-not-found' },
		{
			text: 'The email may have more than 1 recipients: they cannot be counted',
			remedy: 'Correct the audience, or remove "Max Recipients" from Rules.',
		},
	]);
});

it.each<[string, IDataObject, IDataObject, boolean]>([
	['a day before', { status: 3, sent_at: '2099-01-01 12:00:00' }, {}, true],
	['longer ago', { status: 3, sent_at: '2098-12-31 10:59:00' }, {}, false],
	[
		'others',
		{ status: 3, sent_at: '2099-01-01 12:00:00' },
		{ recipientId: ['contacts_22'] },
		false,
	],
	['a time with an offset', { status: 3, sent_at: '2099-01-01T12:00:00.000000Z' }, {}, true],
	['never', { status: 1, sent_at: '0000-00-00 00:00:00' }, {}, false],
	['scheduled', { schedule_date: '2099-01-02', schedule_time: '12:00:00' }, {}, true],
	['scheduled without seconds', { schedule_date: '2099-01-02', schedule_time: '12:00' }, {}, true],
	['scheduled later', { schedule_date: '2099-01-03', schedule_time: '12:00:00' }, {}, false],
	[
		'completed at no known time, but changed longer ago',
		{ ...{ status: 3, schedule_date: '2099-01-01' }, schedule_time: '12:00:00' },
		{},
		false,
	],
])('compares with emails to the same audience: %s', async (_name, sent, more, isNear) => {
	test.service.state.tables.singleSends.put({ ...singleSend, ...sent } as never);
	const parameters = { ...at('2099-01-01T12:00:00', 'UTC'), ...more };
	const { findings } = await broken({ minHours: 25 }, parameters);
	expect(findings).toEqual(
		isNear
			? [
					{
						...{ code: 'recently-mailed', field: 'Recipient Names or IDs', severity: 'problem' },
						text: 'Another campaign to the same contact type or segment is less than 25 hours before or after this one: "March newsletter"',
						remedy: 'Send it at another time, or choose other recipients.',
					},
				]
			: [],
	);
});

it.each<[string, IDataObject]>([
	['scheduled for no time', { schedule_date: '2099-01-01', schedule_time: 'noon' }],
	['completed at no known time', { status: 3, sent_at: null, updated_at: '2099-01-01T11:00:00Z' }],
	['completed at no time at all', { status: 3, sent_at: null, updated_at: null }],
	['sent to nobody', { status: 3, sent_at: '2099-01-01 12:00:00', recipient_id: null }],
	['sent to what is no list', { status: 3, sent_at: '2099-01-01 12:00:00', recipient_id: 'all' }],
])('warns of emails that cannot be compared: %s', async (_name, sent) => {
	test.service.holdsOddRecords = true;
	test.service.state.tables.singleSends.put({ ...singleSend, ...sent } as never);
	const json = await broken({ minHours: 25 }, at('2099-01-01T12:00:00', 'UTC'));
	expect(json.canSend).toBe(true);
	expect(json.findings).toEqual([
		{
			...{ code: 'recently-mailed-unknown', field: 'Recipient Names or IDs', severity: 'warning' },
			text: 'Another email to the same contact type or segment within 25 hours cannot be ruled out: the recipients or send time of "March newsletter" cannot be read',
			remedy: 'Check these campaigns in the service.',
		},
	]);
});

it('compares one that is sent now with one that is running', async () => {
	test.service.state.tables.singleSends.put({ ...singleSend, status: 2 } as never);
	expect(codesOf(await broken({ minHours: 1 }))).toEqual(['problem recently-mailed']);
});

it('compares one that is sent now with one that waits to be sent immediately', async () => {
	const waiting = { ...singleSend, schedule_type: 0, status: 0 };
	const sends = test.service.state.tables.singleSends;
	sends.put({ ...waiting, updated_at: new Date().toISOString() } as never);
	expect(codesOf(await broken({ minHours: 1 }))).toEqual(['problem recently-mailed']);
	sends.put({ ...waiting, updated_at: '2026-03-02T10:00:00.000000Z' } as never);
	expect(codesOf(await broken({ minHours: 1 }))).toEqual([]);
});

it('reads "sent_at" in the time zone that is set, as UTC by default', async () => {
	const sent = { ...singleSend, status: 3, sent_at: '2098-12-31 10:30:00' };
	test.service.state.tables.singleSends.put(sent as never);
	const parameters = at('2099-01-01T12:00:00', 'UTC');
	expect(codesOf(await broken({ minHours: 25 }, parameters))).toEqual([]);
	const options = { sentAtTimezone: 'America/New_York' };
	expect(codesOf(await broken({ minHours: 25 }, { ...parameters, options }))).toEqual([
		'problem recently-mailed',
	]);
});

it('reads the times of other campaigns in the account time zone that a new one states', async () => {
	const other = { ...singleSend, schedule_date: '2099-01-01', schedule_time: '12:00:00' };
	test.service.state.tables.singleSends.put(other as never);
	for (const timezone of ['America/New_York', 'Asia/Tokyo']) {
		for (const [time, codes] of [
			['12:59:00', ['problem recently-mailed']],
			['13:00:00', []],
		] as const) {
			const json = await broken({ minHours: 1 }, at(`2099-01-01T${time}`, timezone));
			expect(codesOf(json)).toEqual(codes);
		}
	}
});

it('frees the name and subject of a campaign that is deleted, which may have been sent before', async () => {
	test.service.holdsOddRecords = true;
	const sent = { status: 3, sent_at: '2099-01-01 12:00:00', deleted_at: '2099-01-01 12:30:00' };
	test.service.state.tables.singleSends.put({ ...singleSend, ...sent } as never);
	const { single_send_name: singleSendName, subject } = singleSend;
	const more = { ...at('2099-01-01T13:00:00', 'UTC'), singleSendName, subject };
	const json = await broken({ nameUsed: true, subjectUsed: true, minHours: 2 }, more);
	expect(codesOf(json)).toEqual(['problem recently-mailed']);
});

it('does not compare an existing campaign with itself, in whichever case its UTR is entered', async () => {
	const own = { ...singleSend, utr: 'abcdef11-1111-4111-8111-111111111111' };
	test.service.state.tables.singleSends.put(own);
	test.service.fault({
		...{ kind: 'shape', body: { status: 'success', message: { singleSend: [own] } } },
		match: { path: '/single-send/details' },
	});
	const existing = { campaign: 'existing', singleSendUtr: chosen(own.utr.toUpperCase()) };
	const rules = { nameUsed: true, subjectUsed: true };
	expect((await broken(rules, existing)).findings).toEqual([]);
});

it('does not compare an existing campaign with itself, and says if its time cannot be read', async () => {
	const existing = { campaign: 'existing', singleSendUtr: chosen(singleSend.utr) };
	const rules = { nameUsed: true, subjectUsed: true };
	expect((await broken(rules, existing)).findings).toEqual([]);
	for (const changed of [{ schedule_time: 'noon' }, { schedule_date: '2026-02-31' }]) {
		test.service.state.tables.singleSends.put({ ...singleSend, ...changed } as never);
		const both = { ...rules, minHours: 24 };
		expect(codesOf(await broken(both, existing))).toEqual(['problem send-time-unknown']);
		expect(codesOf(await broken({}, existing))).toEqual(['warning send-time-unknown']);
	}
});

it.each<[IDataObject, string]>([
	[
		{ maxRecipients: '={{ "many" }}' },
		'"Max Recipients" must be a number of at least 0, but it is "many"',
	],
	[{ severity: '={{ "error" }}' }, '"Severity" cannot be "error"'],
	[{ nameUsed: '={{ $json.no }}' }, '"Name Already Used" must be true or false, but it is empty'],
	[{ subjectUsed: '={{ "" }}' }, '"Subject Already Used" must be true or false, but it is \"\"'],
	[
		{ minHours: '={{ "" }}' },
		'"Min Hours Between Emails" must be a number of at least 0, but it is ""',
	],
])('refuses a rule that is not valid, before a request: %j', async (rules, message) => {
	const existing = { campaign: 'existing', singleSendUtr: chosen(singleSend.utr) };
	const { items, error } = await test.service.run({ ...checkNew, ...existing, rules });
	expect(error?.message).toBe(message);
	expect(items).toEqual([]);
	expect(test.service.calls()).toEqual([]);
});

it.each<[string, IDataObject, IDataObject]>([
	[
		'waits to be sent again',
		{ status: 1, schedule_date: '2099-01-02', schedule_time: '12:00:00' },
		at('2099-01-01T12:00:00', 'UTC'),
	],
	['is running', { status: 2 }, {}],
])(
	'finds a campaign that %s, although it was sent long before',
	async (_name, send, parameters) => {
		const sent = { ...singleSend, ...send, sent_at: '2026-01-01 12:00:00' };
		test.service.state.tables.singleSends.put(sent as never);
		expect(codesOf(await broken({ minHours: 25 }, parameters))).toEqual([
			'problem recently-mailed',
		]);
	},
);
