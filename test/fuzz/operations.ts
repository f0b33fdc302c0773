import { offered, properties, node } from '../unit/operations';

import { NodeHelpers } from 'n8n-workflow';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';

import { endpoints } from '../../sandbox/endpoints/index.ts';
import type { State } from '../../sandbox/state.ts';
import type { Endpoint } from '../../nodes/EmailMarketing/service/endpoints';
import { idsField } from '../../nodes/EmailMarketing/run/bulkDelete';
import type { Operation } from '../../nodes/EmailMarketing/run/operation';
import { automation, singleSend } from '../engine/records';
import { chosen } from '../engine/rows';
import { operations, type Demo } from '../n8n/operations.ts';

/** A run of an operation in which everything is in order. */
export interface Baseline {
	name: string;
	resource: string;
	operation: string;
	parameters: IDataObject;
	item: INodeExecutionData;
	/** Absent for the operations that look at all items at once. */
	row?: Operation;
}

/** A parameter that a value can be put into. */
export interface Slot {
	path: string;
	isLocator: boolean;
	/** What the parameter becomes, where it is one field of the request. */
	field?: { place: 'query' | 'body'; name: string; type: string; required: boolean };
}

/** A row of a dry run. */
const plannedOf = (resource: string): INodeExecutionData => ({
	json: {
		email: 'ada@example.com',
		dryRun: true,
		overLimit: false,
		...(resource === 'contact'
			? { action: 'wouldCreate', contactTypeId: 21, customFields: {} }
			: { action: 'wouldAdd', segmentId: 301, unsubscribeGroupId: 51, list: `${resource}s` }),
		changedFields: {
			...(resource === 'contact' && { country: { from: null, to: 'Germany' } }),
			first_name: { from: null, to: 'Augusta' },
			...(resource !== 'contact' && { last_name: { from: null, to: 'Okafor' } }),
		},
	},
});

const input: INodeExecutionData = {
	json: { email: 'ada@example.com', first_name: 'Augusta', last_name: 'King', country: 'Germany' },
	binary: {
		data: {
			data: Buffer.from('email,country\nnew@example.com,85\n').toString('base64'),
			fileName: 'contacts.csv',
			mimeType: 'text/csv',
		},
	},
};

const automatic = { mappingMode: 'autoMapInputData', value: null };

/** Of a baseline that finds the ID of its record in a list. */
export const byEmail = 'by email';

/** Whether an operation puts the IDs of several items into one request. */
export const isBulkDelete = (row?: Operation): boolean => row?.body?.[idsField] !== undefined;

/** Further ways to run an operation, each with what it takes besides or in place of its first way. */
const variants: Array<[resource: string, operation: string, way: string, IDataObject]> = [
	['contact', 'create', 'mapped automatically', { fields: automatic }],
	['contact', 'update', 'mapped automatically', { fields: automatic }],
	['contact', 'delete', byEmail, { contactId: chosen('ada@example.com') }],
	['contact', 'deleteMany', byEmail, { contactIds: ['ada@example.com', 'ben@example.com'] }],
	['globalUnsubscribe', 'delete', byEmail, { globalUnsubscribeId: chosen('no.more@example.com') }],
	[
		'segment',
		'deleteRecipient',
		byEmail,
		{ segmentId: chosen(301), segmentRecipientId: chosen('ada@example.com') },
	],
	[
		'notificationRecipient',
		'delete',
		byEmail,
		{ notificationRecipientId: chosen('maya@example.com') },
	],
	[
		'automationSchedule',
		'create',
		'template',
		{ templateSource: 'template', templateId: chosen(2) },
	],
	['singleSend', 'create', 'template', { templateSource: 'template', templateId: chosen(2) }],
	['singleSend', 'create', 'JSON', { templateSource: 'json', templateJson: '{"body":[]}' }],
	[
		'singleSend',
		'create',
		'scheduled',
		{ scheduleType: 'scheduled', scheduleAt: '2030-05-04T09:30:00' },
	],
	['singleSend', 'create', 'returned if it exists', { ifNameExists: 'return' }],
	['location', 'getAll', 'countries', { locationType: 'countries' }],
	['contact', 'getAll', 'fields', { output: 'selectedFields', outputFields: ['email', 'id'] }],
	['contact', 'sync', 'with deletions', { missing: 'delete' }],
	[
		'contact',
		'sync',
		'with moves',
		{ missing: 'moveToContactType', missingContactTypeId: chosen(22) },
	],
	[
		'contact',
		'sync',
		'with additions to a group',
		{ missing: 'addToUnsubscribeGroup', missingUnsubscribeGroupId: chosen(51) },
	],
	['automation', 'setLive', 'checked', { options: { preflight: true } }],
	[
		'singleSend',
		'create',
		'checked',
		{
			templateHtml: '<p>Dear ((first_name)), ((company)) …</p>',
			excludeSpecificRecipientId: ['contacts_22'],
			options: { preflight: true },
		},
	],
	['singleSend', 'update', 'checked', { options: { preflight: true } }],
	[
		'singleSend',
		'check',
		'new',
		{
			campaign: 'new',
			singleSendName: 'Launch',
			subject: 'It is here',
			preheader: 'At last',
			senderId: chosen(81),
			unsubscribeGroupId: chosen(51),
			recipientId: ['contacts_21'],
			templateSource: 'html',
			templateHtml: '<p>Hello</p>',
			scheduleType: 'scheduled',
			scheduleAt: '2030-05-04T09:30:00',
			rules: { minHours: 24, subjectUsed: true },
		},
	],
];

/** Those that call several endpoints. */
const custom: Array<[resource: string, operation: string, IDataObject]> = [
	['automation', 'check', { automationUtr: chosen(automation.utr), rules: { maxRecipients: 5 } }],
	['contact', 'applyPlan', {}],
	['account', 'check', {}],
	['contact', 'exportCsv', {}],
	['contact', 'findProblems', {}],
	['contact', 'sync', { contactTypeId: chosen(21), fields: automatic, missing: 'ignore' }],
	['contact', 'upsert', { contactTypeId: chosen(21), fields: automatic }],
	['globalUnsubscribe', 'applyPlan', {}],
	['globalUnsubscribe', 'syncRecipients', { fields: automatic }],
	['notificationRecipient', 'applyPlan', {}],
	['notificationRecipient', 'syncRecipients', { fields: automatic }],
	['person', 'erase', { person: chosen('ada@example.com', 'email'), dryRun: false }],
	['person', 'export', { person: chosen('ada@example.com', 'email') }],
	['person', 'find', { person: chosen('ada@example.com', 'email'), results: 'records' }],
	['segment', 'applyPlan', { segmentId: chosen(301) }],
	['segment', 'syncRecipients', { segmentId: chosen(301), fields: automatic }],
	['unsubscribeGroup', 'applyPlan', { unsubscribeGroupId: chosen(51) }],
	['unsubscribeGroup', 'syncRecipients', { unsubscribeGroupId: chosen(51), fields: automatic }],
	[
		'singleSend',
		'sendTest',
		{
			campaign: 'existing',
			singleSendUtr: chosen(singleSend.utr),
			testContactTypeId: chosen(21),
			testListName: 'customers',
			maxTestRecipients: 20,
		},
	],
	['singleSend', 'check', { campaign: 'existing', singleSendUtr: chosen(singleSend.utr) }],
];

/** As chosen from a list: what is entered by hand n8n looks through itself, which takes its time. */
function asChosen(parameters: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(parameters).map(([name, value]) => [
			name,
			typeof value === 'object' && value !== null && '__rl' in value
				? { ...value, mode: 'list' }
				: value,
		]),
	);
}

/** The records that a state holds, each table long enough for every index that is asked for. */
function demoOf(state: State): Demo {
	return Object.fromEntries(
		Object.entries(state.tables).map(([name, table]) => {
			const rows = (table as { all(): Array<{ id: number }> }).all();
			return [name, rows.length === 0 ? [] : Array.from({ length: 6 }, () => rows[0])];
		}),
	) as unknown as Demo;
}

/** Every operation that the description offers, some in several ways. */
export function baselinesOf(state: State): Baseline[] {
	const steps = operations(demoOf(state));
	return offered.flatMap(({ resource, operation, row }) => {
		const own = custom.find(([one, other]) => one === resource && other === operation)?.[2];
		const given = own ?? steps[resource]?.find(([name]) => name === operation)?.[1];
		const isKnown = own !== undefined || steps[resource]?.some(([name]) => name === operation);
		if (!isKnown) throw new Error(`Nobody says how ${resource} ${operation} is run`);
		const checks = resource === 'singleSend' || resource === 'automation';
		// Items with the same address are requests of their own then.
		const isCreate = resource === 'contact' && operation === 'create';
		const base = {
			...given,
			...(checks && { options: { preflight: false, ...(given?.options as IDataObject) } }),
			...(isCreate && { ifContactExists: 'create' }),
		} as IDataObject;
		const ways = variants.filter(([one, other]) => one === resource && other === operation);
		return [['', {}] as const, ...ways.map(([, , way, more]) => [way, more] as const)].map(
			([way, more]) => ({
				name: [resource, operation, way].filter(Boolean).join(' '),
				resource,
				operation,
				parameters: {
					resource,
					operation,
					...asChosen(base),
					...asChosen(more),
					options: { ...(base.options as IDataObject), ...(more.options as IDataObject) },
				},
				item: operation === 'applyPlan' ? plannedOf(resource) : input,
				row,
			}),
		);
	});
}

function isShown(property: INodeProperties, parameters: IDataObject, own = parameters): boolean {
	return NodeHelpers.displayParameter(
		own as INodeParameters,
		property,
		{ typeVersion: 1 } as INode,
		node.description,
		parameters as INodeParameters,
	);
}

/** Values that a node has as long as nobody chooses others, where other parameters depend on them. */
const defaults = { returnAll: false, output: 'simplified' };

/** All parameters that the editor shows for a run, those in collections too. */
function shownParameters(given: IDataObject): Array<[path: string, INodeProperties]> {
	const parameters: IDataObject = { ...defaults, ...given };
	const shown = properties.filter(
		(property) => property.noDataExpression !== true && isShown(property, parameters),
	);
	return shown.flatMap((property) => {
		const inner =
			property.type === 'collection'
				? ((property.options ?? []) as INodeProperties[]).filter((one) =>
						isShown(one, parameters, (parameters[property.name] ?? {}) as IDataObject),
					)
				: [];
		return [
			[property.name, property] as [string, INodeProperties],
			...inner.map((one): [string, INodeProperties] => [`${property.name}.${one.name}`, one]),
		];
	});
}

/** What the specification calls the field. */
function typeOf({ method, path }: Endpoint, place: 'query' | 'body', name: string): string {
	const counterpart = endpoints.find(
		(one) => one.path === path && one.methods.some((known) => known === method),
	);
	const type = counterpart?.[place][name]?.type;
	if (type === undefined) throw new Error(`${path} has no ${name}`);
	return type;
}

function fieldSlots(row: Operation, parameters: IDataObject): Slot[] {
	const isMapped = (parameters.fields as IDataObject | undefined)?.mappingMode === 'defineBelow';
	return (['query', 'body'] as const).flatMap((place) =>
		Object.entries(row[place] ?? {}).flatMap(([name, { parameter, required = false }]) => {
			const path = parameter === '' && isMapped ? `fields.value.${name}` : parameter;
			if (path === '') return [];
			const field = { place, name, type: typeOf(row.endpoint, place, name), required };
			return [{ path, isLocator: false, field }];
		}),
	);
}

/** Every parameter of a run into which a value can be put. */
export function slotsOf({ row, parameters }: Baseline): Slot[] {
	const shown = new Map(shownParameters(parameters));
	const isLocator = (path: string) => shown.get(path)?.type === 'resourceLocator';
	const fields = row === undefined ? [] : fieldSlots(row, parameters);
	const ofFields = new Set(fields.map(({ path }) => path));
	// Not the timeout: what is sent in a millisecond may come in with the next case.
	const request = ['proxy', 'allowUnauthorizedCerts', 'batching.batch'];
	const others = [...shown.keys(), ...request.map((name) => `requestOptions.${name}`)]
		.filter((path) => !ofFields.has(path) && path !== 'fields')
		.map((path): Slot => ({ path, isLocator: isLocator(path) }));
	return [
		...fields
			.filter(({ path }) => shown.has(path) || path.startsWith('fields.'))
			.map((slot) => ({ ...slot, isLocator: isLocator(slot.path) })),
		...others,
	];
}

/** The parameters with another value at a path such as `updateFields.subject`. */
export function withValue(parameters: IDataObject, path: string, value: unknown): IDataObject {
	const [first = '', ...rest] = path.split('.');
	const inner = parameters[first];
	return {
		...parameters,
		[first]:
			rest.length === 0
				? (value as IDataObject[string])
				: withValue((inner ?? {}) as IDataObject, rest.join('.'), value),
	};
}
