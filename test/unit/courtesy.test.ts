import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Workflow, type IDataObject, type INodeProperties, type INodeType } from 'n8n-workflow';

import { node, offered, properties } from './operations';

const { description } = node;
const inCollection = (property: INodeProperties): INodeProperties[] =>
	property.type === 'collection' ? ((property.options ?? []) as INodeProperties[]) : [];
const everyField = properties.flatMap((property) => [property, ...inCollection(property)]);

/** Evaluates an expression of the description for a node with these parameters. */
function evaluate(expression: string, parameters: IDataObject, items = 1): unknown {
	const nodeTypes = {
		getByName: () => node as INodeType,
		getByNameAndVersion: () => node as INodeType,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		nodes: [
			{
				id: '1',
				name: 'Email Marketing',
				type: 'emailMarketing',
				typeVersion: 1,
				position: [0, 0],
				parameters: parameters as never,
			},
		],
		connections: {},
		active: false,
		nodeTypes,
	});
	const data = Array.from({ length: items }, () => ({ json: {} }));
	return workflow.expression.getParameterValue(
		expression,
		null,
		0,
		0,
		'Email Marketing',
		data,
		'manual',
		{ $input: { all: () => data } } as never,
	);
}

it.each([
	['singleSend', 'create', 'Create: Campaign'],
	['contact', 'getAll', 'Get Many: Contact'],
	['contact', 'upsert', 'Create or Update: Contact'],
	['segment', 'syncRecipients', 'Add or Sync: Segment'],
	['contact', 'getCsvSample', 'Get CSV Sample: Contact'],
	['automationSchedule', 'getAll', 'Get Many: Automation Schedule'],
	['unsubscribeGroup', 'deleteManyRecipients', 'Delete Many Recipients: Unsubscribe Group'],
])('shows %s, %s on the canvas as "%s"', (resource, operation, subtitle) => {
	expect(evaluate(String(description.subtitle), { resource, operation })).toBe(subtitle);
});

describe('hints', () => {
	const shown = (parameters: IDataObject, items?: number) =>
		(description.hints ?? [])
			.filter(({ displayCondition = '' }) => evaluate(displayCondition, parameters, items) === true)
			.map(({ message }) => message.split(/[:.]/)[0]);

	it.each<[string, IDataObject, number, string[]]>([
		[
			'for one campaign',
			{ resource: 'singleSend', operation: 'create' },
			1,
			['To send it to a small test list first, use "Campaign'],
		],
		[
			'for many campaigns',
			{ resource: 'singleSend', operation: 'create' },
			1000,
			[
				'Every input item creates its own campaign, so recipients get one email per item, unless "Execute Once" is on in the settings of this node',
				'To send it to a small test list first, use "Campaign',
			],
		],
		['none for a list', { resource: 'singleSend', operation: 'getAll' }, 1, []],
		[
			'for the list of every item',
			{ resource: 'segment', operation: 'getRecipients' },
			1000,
			[
				'The list is returned once for every input item, unless "Execute Once" is on in the settings of this node',
			],
		],
		[
			'when the checks are off',
			{ resource: 'singleSend', operation: 'update', options: { preflight: false } },
			1,
			['"Check Before Sending" is off'],
		],
		[
			'before an automation is set live',
			{ resource: 'automation', operation: 'setLive', options: {} },
			1,
			['An automation only sends the emails you add'],
		],
	])('%s', (_name, parameters, items, messages) => {
		expect(shown(parameters, items)).toEqual(messages);
	});
});

it('describes operations in two lines of the menu, which cuts off the rest', () => {
	const long = offered.filter(({ option }) => (option.description ?? '').length > 115);
	expect(long.map(({ option }) => option.action)).toEqual([]);
});

it('asks for no id that cannot be chosen by name', () => {
	const names = new Set<string>();
	for (const { row } of offered) {
		for (const [field, input] of Object.entries({ ...row?.query, ...row?.body })) {
			const takesId = input.identifies || /(^|_)ids?$|^utr$|^strIds$|^automation_for$/i.test(field);
			if (takesId && input.parameter !== '') names.add(input.parameter.split('.').pop() ?? '');
		}
	}
	expect([...names].sort()).toEqual(
		[
			...['automationFor', 'automationIds', 'automationScheduleUtr', 'automationUtr', 'cityId'],
			...['contactId', 'contactIds', 'contactTypeId', 'countryId', 'customFieldId'],
			...['excludeSpecificRecipientId', 'globalUnsubscribeId', 'globalUnsubscribeIds'],
			...['groupRecipientId', 'groupRecipientIds', 'notificationRecipientId'],
			...['notificationRecipientIds', 'recipientId', 'segmentId', 'segmentRecipientId', 'senderId'],
			...['singleSendIds', 'singleSendUtr', 'stateId', 'templateId', 'unsubscribeGroupId'],
		].sort(),
	);
	const byHand = everyField.filter(({ name, type, modes, typeOptions }) => {
		if (type === 'boolean' || (!names.has(name) && !/(Ids?|Utr)$/.test(name))) return false;
		if (type === 'multiOptions') return typeOptions?.loadOptionsMethod === undefined;
		const [first] = modes ?? [];
		return (
			type !== 'resourceLocator' ||
			first?.type !== 'list' ||
			first.typeOptions?.searchable !== true ||
			!(modes ?? []).slice(1).every(({ validation = [] }) => validation.length > 0)
		);
	});
	expect(byHand.map(({ name }) => name)).toEqual([]);
});

it('gives an example, begun with "e.g.", where something is typed', () => {
	const wrong = everyField.filter(
		({ type, placeholder = '' }) =>
			!['collection', 'fixedCollection'].includes(type) &&
			placeholder !== '' &&
			!placeholder.startsWith('e.g. '),
	);
	expect(wrong.map(({ name }) => name)).toEqual([]);
});

it('says of deletes, of updates, and of what is sent to people, what they do', () => {
	for (const { operation, option } of offered) {
		if (operation.startsWith('delete')) {
			expect(option.description).toMatch(
				/^Delete .+ The API cannot restore (?:it|them)\.|^Remove /,
			);
		}
		if (operation === 'update') {
			expect(option.description).toMatch(/ Fields that are not set keep their values\.$|^Rename /);
		}
	}
	const said = (resource: string, operation: string) =>
		offered.find((one) => one.resource === resource && one.operation === operation)?.option;
	expect(said('singleSend', 'create')?.description).toMatch(/real people|recipients/);
	expect(said('automation', 'setLive')?.description).toMatch(/real people|recipients/);
});

it('is found by what people call it', () => {
	const codex = JSON.parse(
		readFileSync(join(__dirname, '../../nodes/EmailMarketing/EmailMarketing.node.json'), 'utf8'),
	) as { alias: string[]; categories: string[] };
	expect(codex.categories).toEqual(['Marketing & Content', 'Communication']);
	expect(codex.alias).toEqual(
		expect.arrayContaining([
			...['newsletter', 'campaign', 'mailing list', 'unsubscribe', 'email list'],
			...['email campaign', 'create campaign', 'send campaign', 'import subscribers'],
			...['add subscribers', 'add contact to list', 'export contacts to csv'],
		]),
	);
});

/** What a marketer types; n8n's search finds it if an alias contains it, so plurals stand for both. */
const searched = [
	...['newsletters', 'mailing lists', 'drip', 'opt-outs', 'bounces', 'bounce rate', 'subscribers'],
	...['unsubscribes', 'crm sync', 'click rate', 'open rate', 'marketing automation', 'audiences'],
	...['customers', 'email campaigns', 'segments', 'double opt-in', 'upload csv', 'blocklist'],
];

it.each(searched)('is found by "%s"', (words) => {
	const path = join(__dirname, '../../nodes/EmailMarketing/EmailMarketing.node.json');
	const { alias } = JSON.parse(readFileSync(path, 'utf8')) as { alias: string[] };
	expect(alias.filter((one) => one.includes(words))).not.toEqual([]);
	expect(new Set(alias).size).toBe(alias.length);
});

it.each([
	['send campaign', 'singleSend', 'create'],
	['create campaign', 'singleSend', 'create'],
	['send test', 'singleSend', 'sendTest'],
	['sync contacts', 'contact', 'sync'],
])('offers for "%s" the action of %s.%s', (words, resource, operation) => {
	const { option } = offered.find(
		(one) => one.resource === resource && one.operation === operation,
	) ?? { option: undefined };
	// n8n's search takes the words in their order, with others in between.
	expect(option?.action).toMatch(new RegExp(words.replace(' ', '.* '), 'i'));
});
