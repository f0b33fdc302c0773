import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { EmailMarketing } from '../../../nodes/EmailMarketing/EmailMarketing.node';
import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import { chosen } from '../rows';
import { apply, GROUP, mirror, OTHER, planOf } from './planned';
import { json, useAccount } from './support';

const given = useAccount();

const nothing = '={{ $json.nothing }}';
const object = '={{ { a: 1 } }}';

const refused: Array<[string, IDataObject, string]> = [
	[
		'no external ID',
		{ externalIdField: nothing },
		'"External ID Field" contains an expression that returned nothing',
	],
	[
		'a blank one',
		{ externalIdField: '={{ " " }}' },
		'"External ID Field" contains an expression that returned nothing',
	],
	[
		'an object as external ID',
		{ externalIdField: object },
		'"External ID Field" must be text, but it is "{"a":1}"',
	],
	['no output', { report: nothing }, '"Output" cannot be empty'],
	['another output', { report: '={{ "everything" }}' }, '"Output" cannot be "everything"'],
	['no choice for empty values', { emptyValues: nothing }, '"Empty Values" cannot be empty'],
	[
		'no limit',
		limits({ maxUpdates: nothing }),
		'"Max Updates" must be a number of at least 0, but it is empty',
	],
];

describe.each(['sync', 'upsert'])(
	'%s refuses, before a request, an expression that gives',
	(operation) => {
		test.each(refused)('%s', async (_name, options, message) => {
			const input = [{ email: 'new@example.com', country: 'DE' }];
			const { error, items } = await given.account.run({ operation, options }, input);
			expect(error?.message).toBe(message);
			expect(items).toEqual([]);
			expect(given.account.reads()).toEqual([]);
			expect(given.account.writes()).toEqual([]);
		});

		test.each([
			['Match By', { matchBy: nothing }, '"Match By" cannot be empty'],
			[
				'Dry Run',
				{ dryRun: '={{ $json.dry }}' },
				'"Dry Run" is true for item 1, but false for item 0',
			],
		])('nothing, or different values, for "%s"', async (_name, parameters, message) => {
			const input = [false, true].map((dry) => ({
				email: `${dry}@example.com`,
				country: 'DE',
				dry,
			}));
			const { error } = await given.account.run({ operation, ...parameters }, input);
			expect(error?.message).toBe(message);
			expect(given.account.reads()).toEqual([]);
			expect(given.account.writes()).toEqual([]);
		});
	},
);

// n8n requires both where an expression says what happens.
const places = {
	missingContactTypeId: chosen(OTHER),
	missingUnsubscribeGroupId: chosen(GROUP),
};

test.each([
	[nothing, '"Missing From Input" cannot be empty'],
	['={{ $json.missing }}', '"Missing From Input" is ignore for item 1, but delete for item 0'],
])('sync deletes nobody where "Missing From Input" is %s', async (missing, message) => {
	given.account.add('left@example.com');
	const input = ['delete', 'ignore'].map((one) => ({
		...{ email: `${one}@example.com`, country: 'DE', missing: one },
	}));
	const { error } = await given.account.run({ operation: 'sync', ...places, missing }, input);
	expect(error?.message).toBe(message);
	expect(given.account.reads()).toEqual([]);
});

test.each([
	['Empty Values', { options: { emptyValues: '={{ $json.empty }}' } }, ['ignore', 'clear']],
	[
		'Remove After',
		{ missing: 'delete', options: { ...removal({ removeAfter: '={{ $json.after }}' }) } },
		['1', '2'],
	],
	['Match By', { matchBy: '={{ $json.by }}' }, ['email', 'contactId']],
	[
		'Country for New Contacts',
		{ defaultCountry: { __rl: true, mode: 'name', value: '={{ $json.home }}' } },
		['Austria', 'Germany'],
	],
])('"%s" that differs between items is refused', async (label, parameters, [first, second]) => {
	const input = [
		{ email: 'a@example.com', empty: 'ignore', after: 1, by: 'email', home: 'Austria' },
		{ email: 'b@example.com', empty: 'clear', after: 2, by: 'contactId', home: 'Germany' },
	];
	const { error } = await given.account.run({ operation: 'sync', ...parameters }, input);
	expect(error?.message).toBe(`"${label}" is ${second} for item 1, but ${first} for item 0`);
	expect(given.account.reads()).toEqual([]);
});

/** Options without expressions, or with a rule of their own about them. */
const others = ['neverAdd', 'retryTemporaryFailures'];

/** Those of a group, with the path to each as its name. */
function fieldsOf(option: INodeProperties): INodeProperties[] {
	if (option.type !== 'fixedCollection' || option.typeOptions?.multipleValues) return [option];
	const [group] = option.options as INodePropertyCollection[];
	return (group?.values ?? []).map((field) => ({
		...field,
		name: `${option.name}.${group?.name}.${field.name}`,
	}));
}

/** The other options that the editor offers for an operation, with their labels. */
const offered = (resource: string, operation: string): Array<[name: string, label: string]> =>
	new EmailMarketing().description.properties
		.filter(({ name, displayOptions }) => {
			const { resource: resources, operation: operations } = displayOptions?.show ?? {};
			return name === 'options' && resources?.includes(resource) && operations?.includes(operation);
		})
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.filter(({ name }) => !others.includes(name))
		.flatMap((option) => fieldsOf(option))
		.map(({ name, displayName }) => [name, displayName]);

const nested = ([name = '', ...rest]: string[], value: IDataObject[string]): IDataObject => ({
	[name]: rest.length === 0 ? value : nested(rest, value),
});

const differing = '={{ $json.value }}';
const inside: IDataObject = {
	...limits({ maxUpdates: differing }),
	'csvFormat.layout.columns': { column: [{ header: differing, field: 'email' }] },
};

const mirrored = { missing: 'delete', allowsEmailAgain: true };

describe.each<[string, string, IDataObject, IDataObject]>([
	['contact', 'sync', mirrored, { importAbove: 1 }],
	['segment', 'syncRecipients', { ...mirrored, segmentId: chosen(301) }, {}],
	['contact', 'applyPlan', {}, { importAbove: 1 }],
])(
	'%s, %s: an option that differs between items is refused under its label',
	(resource, operation, parameters, shown) => {
		test.each(offered(resource, operation))('%s: %s', async (name, label) => {
			const plan = await planOf(given.account, mirror.delete, [
				{ email: 'a@example.com', country: 'DE' },
				{ email: 'b@example.com', country: 'DE' },
			]);
			const input = plan.map((row, index) => ({ ...row, value: index + 1 }));
			const options = { ...shown, ...nested(name.split('.'), inside[name] ?? differing) };
			const all = { resource, operation, ...parameters, options };
			const { error } = await given.account.run(all, input);
			expect(error?.message).toMatch(
				new RegExp(`^"${label}" is .*2.* for item 1, but .*1.* for item 0$`),
			);
			expect(given.account.reads()).toEqual([]);
		});
	},
);

test('a dry run that is one for all items is one', async () => {
	const input = ['a', 'b'].map((name) => ({
		email: `${name}@example.com`,
		country: 'DE',
		dry: true,
	}));
	const outcome = await given.account.run({ dryRun: '={{ $json.dry }}' }, input);
	expect(json(outcome).map(({ action }) => action)).toEqual(['wouldCreate', 'wouldCreate']);
	expect(given.account.writes()).toEqual([]);
});

test.each([[{ report: nothing }, '"Output" cannot be empty']])(
	'Apply Plan refuses, before a request, %j',
	async (options, message) => {
		const rows = await planOf(given.account, mirror.delete, [
			{ email: 'new@example.com', country: 'DE' },
		]);
		const { error } = await apply(given.account, rows, options);
		expect(error?.message).toBe(message);
		expect(given.account.writes()).toEqual([]);
		expect(given.account.reads()).toEqual([]);
	},
);
