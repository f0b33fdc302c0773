import type { IDataObject } from 'n8n-workflow';

import { NOW } from '../records';
import { chosen, newSend } from '../rows';
import { once } from '../sandbox';
import { options, refused, turnOff, useChecks } from './support';

const { test, check } = useChecks();

const create: IDataObject = {
	...newSend,
	ifNameExists: 'create',
	subject: 'It is spring, ((first_name))',
	options,
};
const sent = 'POST /single/send/create';
const lists = [
	'GET /senders',
	'GET /unsubscribes-groups',
	'GET /contacts-type',
	'GET /get-design/template',
	'GET /get-dynamic/content',
	'GET /custom-fields',
	'GET /global-unsubscribes',
];

describe('before a campaign is created', () => {
	it('reads each list that is needed once, also for many items, and then sends', async () => {
		const { service } = test;
		const items = Array.from({ length: 5 }, () => ({ json: {} }));

		const outcome = await service.run(create, { items });

		expect(outcome.error).toBeUndefined();
		expect(outcome.items).toHaveLength(5);
		const calls = service.calls();
		// One contact is in the type: who is left is told by the addresses.
		expect(calls.slice(0, -5).sort()).toEqual(
			[...lists, 'GET /contacts/list', 'GET /unsubscribes-groups/recipients-list'].sort(),
		);
		expect(calls.slice(-5)).toEqual(Array.from({ length: 5 }, () => sent));
	});

	it('compares no addresses where the counts say enough', async () => {
		const { service } = test;
		for (const index of [1, 2, 3]) {
			const email = `c${index}@example.com`;
			service.state.tables.contacts.add({ contact_type_id: 21, email, country: 85 }, NOW);
		}
		await service.run(create);
		expect(service.calls().slice(0, -1).sort()).toEqual([...lists].sort());
	});

	it('reads nothing when it is switched off, or the item itself is not valid', async () => {
		const { service } = test;
		for (const preflight of [false, '={{ "false" }}']) {
			await service.run({ ...create, options: { preflight } });
		}
		await service.run({ ...create, subject: '={{ "" }}' });
		expect(service.calls()).toEqual([sent, sent]);
	});

	it.each<[string, IDataObject, string, string]>([
		[
			'a sender that does not exist',
			{ senderId: chosen('99') },
			'"Sender" does not exist: 99',
			'Choose "Sender" from the list again.',
		],
		[
			'a sender that is not verified',
			{ senderId: chosen('82') },
			'"Sender" is not verified: "New"',
			'Confirm the email that the service sent to new@example.com, send it again with "Sender: Resend Verification", or choose a verified sender.',
		],
		[
			'an unsubscribe group that does not exist',
			{ unsubscribeGroupId: chosen('99') },
			'"Unsubscribe Group" does not exist: 99',
			'Choose "Unsubscribe Group" from the list again.',
		],
		[
			'a template that does not exist',
			{ templateId: chosen('99') },
			'"Template" does not exist: 99',
			'Choose "Template" from the list again.',
		],
		[
			'the blank template',
			{ templateId: chosen('1') },
			'The email would be empty: "Template" is the blank template "Blank"',
			'Choose another template, or use your own HTML or JSON.',
		],
		[
			'recipients that do not exist',
			{ recipientId: ['contacts_21', 'contacts_99', 'segments_98'] },
			'"Recipient Names or IDs" contains contact types or segments that do not exist: contacts_99, segments_98',
			'Choose "Recipient Names or IDs" from the list again.',
		],
		[
			'exclusions that do not exist',
			{ excludeSpecificRecipientId: 'segments_98' },
			'"Exclude Names or IDs" contains contact types or segments that do not exist: segments_98',
			'Choose "Exclude Names or IDs" from the list again.',
		],
		[
			'an empty audience',
			{ recipientId: ['contacts_23'] },
			'No one would receive the email: there are no recipients in "Nobody yet"',
			'Add contacts first, or choose other recipients.',
		],
		[
			'an audience that is excluded',
			{ excludeSpecificRecipientId: ['contacts_21'] },
			'No one would receive the email: "Recipient Names or IDs" and "Exclude Names or IDs" both contain "Customers"',
			'Remove these from "Exclude Names or IDs", or choose other recipients.',
		],
		[
			'an audience whose people are excluded',
			{ excludeSpecificRecipientId: ['segments_301'] },
			'No one would receive the email: everyone in "Customers" is excluded or has unsubscribed',
			'Choose other recipients, or exclude fewer.',
		],
		[
			'placeholders in HTML',
			{ templateSource: 'html', templateHtml: '<p>((company)) ((First Name)) ((shoe_size))</p>' },
			'Unknown placeholders: ((First Name)), ((shoe_size)) in "HTML"',
			'Correct them. The most similar known placeholder is ((first_name)). To list the others, use "Design Template: Get Dynamic Content".',
		],
		[
			'placeholders in JSON and the subject line',
			{ templateSource: 'json', templateJson: { text: '((x))' }, subject: '((y))' },
			'Unknown placeholders: ((y)) in "Subject"; ((x)) in "JSON"',
			expect.any(String) as string,
		],
		[
			'placeholders of other services',
			{
				subject: 'Hi *|FNAME|*',
				templateSource: 'html',
				templateHtml: '<p>{{ first_name }}, %CITY%</p>',
			},
			'Placeholders of another service would be sent unchanged: *|FNAME|* in "Subject"; {{ first_name }}, %CITY% in "HTML"',
			'Write placeholders as in ((first_name)). To list the known ones, use "Design Template: Get Dynamic Content".',
		],
		[
			'expressions that n8n does not evaluate',
			{
				subject: "{{ $json.items.map(i => { return i.name }).join(', ') }}",
				templateSource: 'html',
				templateHtml: `<p>{{\n  $json.intro\n}} {{ $json.${'long'.repeat(30)} }}</p>`,
			},
			`n8n expressions would be sent unchanged: {{ $json.items.map(i => { return i.name }).join(', ') }} in "Subject"; {{ $json.intro }}, {{ $json.${'long'.repeat(17)}lo… in "HTML"`,
			'Switch the field to "Expression". If the text comes from another node, insert the values there: n8n does not evaluate expressions inside it.',
		],
		[
			'results of wrong expressions',
			{
				subject: '=Hi {{ $json }}',
				templateSource: 'html',
				templateHtml: '=<p>{{ DateTime.fromISO("soon").toFormat("d LLL") }}</p>',
			},
			'The output of a faulty expression would be sent: [object Object] in "Subject"; Invalid DateTime in "HTML"',
			'Correct the expression. For [object Object], choose a field of the object. For Invalid DateTime, check the date passed to it.',
		],
	])('says what is wrong with %s', async (_name, wrong, message, remedy) => {
		const { description, ...found } = await check({ ...create, ...wrong });
		expect(found).toEqual({ message, writes: [] });
		expect(description?.replace(turnOff, '')).toEqual(remedy);
	});

	it.each(['contacts_21', 'segments_301'])(
		'counts unsubscribes of the group and global ones in %s',
		async (recipient) => {
			const { tables } = test.service.state;
			tables.groupRecipients.add(
				{ unsubscribe_groups_id: 51, email_address: 'ADA@example.com' },
				NOW,
			);
			expect((await check({ ...create, recipientId: [recipient] })).message).toMatch(
				/^No one would receive the email: everyone in .* is excluded or has unsubscribed$/,
			);
			tables.groupRecipients.remove(300002);
			tables.globalUnsubscribes.add({ email_address: 'ada@example.com' }, NOW);
			expect((await check({ ...create, recipientId: [recipient] })).message).toMatch(/^No one/);
		},
	);

	it('reads the addresses of a contact type without a count', async () => {
		const body = { status: 'success', message: { contactTypes: [{ id: 23, name: 'Nobody yet' }] } };
		test.service.fault({ kind: 'shape', body, match: { path: '/contacts-type' } });
		expect((await check({ ...create, recipientId: ['contacts_23'] })).message).toBe(
			'No one would receive the email: everyone in "Nobody yet" is excluded or has unsubscribed',
		);
		expect(test.service.calls()).toContain('GET /contacts/list');
	});

	it('sends to contacts that the contact type does not count', async () => {
		const { contacts } = test.service.state.tables;
		contacts.add({ contact_type_id: 23, email: 'new@example.com', country: 85 }, NOW);
		const contactTypes = [{ id: 23, name: 'Nobody yet', contacts_count: 0 }];
		const body = { status: 'success', message: { contactTypes } };
		test.service.fault({ kind: 'shape', body, match: { path: '/contacts-type' } });
		const { message, writes } = await check({ ...create, recipientId: ['contacts_23'] });
		expect([message, writes.length]).toEqual([undefined, 1]);
	});

	it('says that there is nobody in a contact type, also where the count is a text', async () => {
		const contactTypes = [{ id: 23, name: 'Nobody yet', contacts_count: '0' }];
		const body = { status: 'success', message: { contactTypes } };
		test.service.fault({ kind: 'shape', body, match: { path: '/contacts-type' } });
		expect((await check({ ...create, recipientId: ['contacts_23'] })).message).toBe(
			'No one would receive the email: there are no recipients in "Nobody yet"',
		);
	});

	it.each([
		['subject', 'Subject', '=Hi {{first_name}}', '{{first_name}}', 'first_name'],
		['preheader', 'Preheader', '={{ contact.name }}', '{{ contact.name }}', 'name'],
		['subject', 'Subject', '=Hi {{FNAME|title}}', '{{FNAME|title}}', 'FNAME'],
		['subject', 'Subject', '=Hi {{first-name}}', '{{first-name}}', 'first'],
		['subject', 'Subject', '={{ a["b"] || "c" }}', '{{ a["b"] || "c" }}', 'a'],
	])('takes no placeholder in %s that n8n evaluates', async (field, label, given, shown, name) => {
		const { service } = test;
		const { error } = await service.run({ ...create, [field]: given });
		expect([error?.message, error?.description]).toEqual([
			`"${label}" contains ${shown}, which n8n takes for an expression that has no value`,
			`For a placeholder of the service, write ((${name})). For a field of the input, write {{ $json.${name} }}. Nothing was changed for this item.`,
		]);
		expect(service.calls()).toEqual([]);
	});

	it('takes expressions that have a value', async () => {
		const { service } = test;
		const subject = '={{ $json.name }} in {{ DateTime.now().year }}, {{ Math.PI }}, {{ new Date }}';
		const items = [{ json: { name: 'Spring' } }];
		const { error } = await service.run({ ...create, subject }, { items });
		expect(error).toBeUndefined();
	});

	it('says what is unclear apart from what stopped it', async () => {
		const found = await check({
			...{ ...create, scheduleType: 'scheduled', scheduleAt: '2099-01-01T09:00:00' },
			templateId: chosen('99'),
		});
		expect(found.message).toBe('"Template" does not exist: 99');
		expect(found.description).toMatch(
			/^Choose "Template" from the list again\. To go ahead anyway, turn off "Check Before Sending" in Options\. Also: "Account Time Zone" is empty, .* Nothing was changed for this item\.$/,
		);
	});

	it('names all findings at once, each with its remedy', async () => {
		const found = await check({
			...create,
			senderId: chosen('82'),
			templateId: chosen('99'),
			recipientId: ['contacts_23'],
		});
		expect(found).toEqual(
			refused(
				'3 problems found; nothing was sent',
				[
					'1. "Sender" is not verified: "New". Confirm the email that the service sent to new@example.com, send it again with "Sender: Resend Verification", or choose a verified sender.',
					'2. No one would receive the email: there are no recipients in "Nobody yet". Add contacts first, or choose other recipients.',
					'3. "Template" does not exist: 99. Choose "Template" from the list again.',
				].join('<br>'),
				'<br>',
			),
		);
	});

	it.each<[string, IDataObject, boolean]>([
		['2020-01-01T09:00:00', {}, false],
		['2099-01-01T09:00:00', {}, true],
		['2020-01-01T09:00:00Z', { timezone: 'America/New_York' }, false],
	])('sends at %s only if it is in the future', async (scheduleAt, zone, isFine) => {
		const { message, writes } = await check({
			...create,
			scheduleType: 'scheduled',
			scheduleAt,
			...zone,
		});
		expect(writes).toEqual(isFine ? [sent] : []);
		if (isFine) expect(message).toBeUndefined();
		else
			expect(message).toMatch(
				/^"Send At" is not in the future: 2020-01-01 0[49]:00 \(the current time in /,
			);
	});

	it('names a time zone that nobody chose with what stops the campaign, before the next try', async () => {
		const past = { ...create, scheduleType: 'scheduled', scheduleAt: '2020-01-01T09:00:00' };
		const doubt = '"Account Time Zone" is empty, so the campaign is scheduled in ';
		const { description, writes } = await check(past);
		expect(writes).toEqual([]);
		expect(description).toContain(doubt);
		expect((await check({ ...past, timezone: 'Europe/Berlin' })).description).not.toContain(doubt);
	});

	it.each(['00:30', '01:30'])(
		'does not send at %s UTC, which a clock in Berlin shows like another moment',
		async (time) => {
			const found = await check({
				...{ ...create, scheduleType: 'scheduled', timezone: 'Europe/Berlin' },
				scheduleAt: `2099-10-25T${time}:00Z`,
			});
			expect(found).toEqual({
				message:
					'"Send At" is a time that clocks in Europe/Berlin show twice when they go back: 2099-10-25 02:30',
				description: expect.stringContaining(
					'Enter a time before or after the repeated hour.',
				) as string,
				writes: [],
			});
		},
	);

	it('reads the time in the time zone that the user states', async () => {
		const soon = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19);
		const at = async (timezone: string) =>
			await check({
				...create,
				scheduleType: 'scheduled',
				scheduleAt: soon,
				timezone,
			});
		expect((await at('UTC')).message).toBeUndefined();
		expect((await at('Pacific/Kiritimati')).message).toMatch(
			/^"Send At" is not in the future: .* \(the current time in Pacific\/Kiritimati is /,
		);
	});

	it.each(lists.map((call) => call.slice(4)))(
		'does not take a failed %s for one without records',
		async (path) => {
			test.service.fault({ kind: 'status', status: 500, match: { path } });
			expect(await check({ ...create, options: { ...options, ...once } })).toEqual({
				message:
					'The checks before sending could not be completed: The service is temporarily unavailable (HTTP 500)',
				description: expect.stringMatching(
					/^"[A-Z][\w ]+" could not be read, so nothing was changed for this item\. Try again later\. To go ahead without these checks, turn off "Check Before Sending" in Options\.$/,
				) as string,
				writes: [],
			});
		},
	);

	it('takes no templates for the one that is chosen not being there', async () => {
		const { tables, settings } = test.service.state;
		settings.emptyLists = 'failed';
		for (const { id } of tables.templates.all()) tables.templates.remove(id);
		expect(await check(create)).toEqual(
			refused('"Template" does not exist: 2', 'Choose "Template" from the list again.'),
		);
	});

	it('knows no placeholder to be wrong where the service lists none', async () => {
		const html = { templateSource: 'html', templateHtml: '<p>((shoe_size))</p>' };
		test.service.fault({
			kind: 'failed',
			errors: 'Record Not Found',
			match: { path: '/get-dynamic/content' },
		});
		expect((await check({ ...create, ...html })).writes).toEqual([sent]);
	});

	it('stops only the items with findings when the node goes on past failures', async () => {
		const { items, failed } = await test.service.run(
			{ ...create, senderId: chosen('={{ $json.sender }}', 'id') },
			{
				items: ['81', '82', '81'].map((sender) => ({ json: { sender } })),
				node: { onError: 'continueErrorOutput' },
			},
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	});
});
