import type { IDataObject } from 'n8n-workflow';

import type { Settings } from '../../../sandbox/settings.ts';
import { singleSend } from '../records';
import { chosen } from '../rows';
import { useService } from '../sandbox';

const test = useService({ storedContent: 'sent' });

const existing: IDataObject = {
	resource: 'singleSend',
	singleSendUtr: chosen(singleSend.utr, 'utr'),
};
const store = (values: object) =>
	Object.assign(test.service.state.tables.singleSends.get(singleSend.id) ?? {}, values);

/** What a change of the subject sends as content, or why it is refused. */
async function kept(storedContent?: string) {
	const { service } = test;
	const { error } = await service.run({
		...{ ...existing, operation: 'update', updateFields: { subject: 'New' } },
		options: { storedContent },
	});
	if (error) {
		expect(service.calls()).toEqual(['GET /single-send/details']);
		return error.message.split(': ')[1];
	}
	expect(service.violations()).toEqual([]);
	const body = Object.entries(service.sent().at(-1)?.body ?? {});
	return Object.fromEntries(body.filter(([name]) => name.startsWith('template_')));
}

/** What _Check_ finds about the content. */
async function found(storedContent?: string) {
	const { items } = await test.service.run({
		...{ ...existing, operation: 'check', campaign: 'existing' },
		options: { storedContent },
	});
	return (items[0]?.json.findings as IDataObject[])
		.map(({ code }) => code)
		.filter((code) => code === 'content-unclear');
}

const html = '<p>Hi</p>';
const json = '{"a":1}';

it.each<[object, Record<string, string>]>([
	[{ template_id: 2 }, { template_id: '2' }],
	[
		{ template_id: 1, template_html: html },
		{ template_id: '1', template_html: html },
	],
	[
		{ template_id: 1, template_html: html, template_json: '' },
		{ template_id: '1', template_html: html },
	],
	[
		{ template_id: 1, template_json: json },
		{ template_id: '1', template_json: json },
	],
])('the only content is kept: %j', async (content, sent) => {
	store(content);
	expect(await kept()).toEqual(sent);
	expect(await found()).toEqual([]);
});

const both = { template_id: 1, template_html: html, template_json: json };

it.each<[object, string, Record<string, Record<string, string>>]>([
	[
		{ template_id: 2, template_html: html },
		'it has "Template" and "HTML"',
		{ template: { template_id: '2' }, html: { template_id: '1', template_html: html } },
	],
	[
		both,
		'it has "HTML" and "JSON"',
		{
			html: { template_id: '1', template_html: html },
			json: { template_id: '1', template_json: json },
		},
	],
	[
		{ ...both, template_json: '{}' },
		'it has "HTML" and "JSON" (a placeholder)',
		{ html: { template_id: '1', template_html: html } },
	],
	[{ template_id: 1, template_json: 'null' }, 'it has "JSON" (a placeholder)', {}],
])('content that is not clear is kept as the option says: %j', async (content, says, options) => {
	store(content);
	expect(await kept()).toBe(says);
	expect(await found()).toEqual(['content-unclear']);
	for (const [option, sent] of Object.entries(options)) {
		expect(await kept(option)).toEqual(sent);
		store({ template_html: null, template_json: null, ...content });
		expect(await found(option)).toEqual([]);
	}
});

it('an empty list is a placeholder, too', async () => {
	test.service.holdsOddRecords = true;
	store({ template_id: 1, template_json: [] });
	expect(await kept()).toBe('it has "JSON" (a placeholder)');
	expect(await found()).toEqual(['content-unclear']);
});

it.each<[Settings['storedContent'], string]>([
	['rendered', 'template'],
	['placeholder', 'template'],
])('a service with %s content needs the option once', async (storedContent, option) => {
	test.service.state.settings.storedContent = storedContent;
	expect(await kept()).toMatch(/^it has "Template" and /);
	expect(await kept(option)).toEqual({ template_id: '2' });
});

it('a test is not sent with content that is not clear', async () => {
	store(both);
	const { error } = await test.service.run({
		...{ ...existing, operation: 'sendTest', campaign: 'existing' },
		...{ testContactTypeId: chosen('21'), testListName: 'customers' },
	});
	expect(error?.message).toContain('it has "HTML" and "JSON"');
	expect(test.service.calls()).toEqual(['GET /single-send/details']);
});
