import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Tables } from '../../sandbox/store.ts';
import { type Demo, operations } from '../n8n/operations.ts';
import { useBinaryData } from './engine';
import { schemaOf } from './outputSchema';
import { chosen } from './rows';
import { useService } from './sandbox';
import { asShown } from './readings/underReading';
import { plantProblems } from './people/plantProblems';
import { plantTesters } from './sendTest/support';

/** Where n8n looks for what an operation gives, to show it before the node has run. */
const folder = join(__dirname, '../../nodes/EmailMarketing/__schema__/v1.0.0');
/** Set by `node scripts/run.mjs schema`. */
const isWriting = process.env.WRITE_SCHEMAS === '1';

const test = useService(asShown);
const csv: INodeExecutionData = {
	json: {},
	binary: {
		data: {
			data: Buffer.from('email,country\nimported@example.com,85\n').toString('base64'),
			mimeType: 'text/csv',
			fileName: 'contacts.csv',
		},
	},
};
const mapped = { mappingMode: 'autoMapInputData', value: null };
const people = ['new@example.com', 'new@example.com', 'not an address'].map((email) => ({
	json: { email, country: 'DE', first_name: 'Ada', last_name: 'Okafor' },
}));

/** Rows of a dry run; what is in the demo account is not what they saw. */
const planned = [
	{
		action: 'wouldCreate',
		email: 'planned@example.com',
		changedFields: { country: { from: null, to: 'Germany' } },
	},
	{
		action: 'wouldDelete',
		email: 'left@example.com',
		contactId: 999_999,
		contactVersion: 'abcdefghijkl',
	},
	{ action: 'skipped', email: 'gone@example.com', reason: 'unsubscribed' },
].map((row) => ({
	json: { ...row, dryRun: true, contactTypeId: 21, overLimit: false, customFields: {} },
}));

/** The same of a list of recipients. */
const plannedOf = (list: IDataObject): INodeExecutionData[] =>
	[
		{
			action: 'wouldAdd',
			email: 'planned@example.com',
			changedFields: Object.fromEntries(
				['email', 'first_name', 'last_name'].map((name) => [
					name,
					{ from: null, to: name === 'email' ? 'planned@example.com' : 'Ada' },
				]),
			),
		},
		{
			action: 'wouldRemove',
			email: 'left@example.com',
			recipientId: 999_999,
			recipientVersion: 'abcdefghijkl',
		},
		{ action: 'skipped', email: 'gone@example.com', reason: 'unsubscribed' },
	].map((row) => ({ json: { ...row, dryRun: true, overLimit: false, ...list } as IDataObject }));

const ofSingleSend = (utr: string): IDataObject => ({
	campaign: 'existing',
	singleSendUtr: chosen(utr),
});

/** The operations that call several endpoints, with their input. */
const together = (
	{ automations: [automation], singleSends: [singleSend] }: Demo,
	testList: number,
): Record<string, Array<[string, IDataObject, INodeExecutionData[]]>> => ({
	account: [['check', {}, [{ json: {} }]]],
	automation: [['check', { automationUtr: chosen(automation?.utr ?? '') }, [{ json: {} }]]],
	contact: [
		['applyPlan', {}, planned],
		['upsert', { contactTypeId: chosen('21'), fields: mapped }, people],
		['sync', { contactTypeId: chosen('21'), fields: mapped }, people],
		['exportCsv', {}, [{ json: {} }]],
		['findProblems', {}, [{ json: {} }]],
	],
	globalUnsubscribe: [
		['applyPlan', { allowsEmailAgain: true }, plannedOf({ list: 'globalUnsubscribes' })],
		['syncRecipients', { fields: mapped }, people],
	],
	notificationRecipient: [
		['applyPlan', {}, plannedOf({ list: 'notificationRecipients' })],
		['syncRecipients', { fields: mapped }, people],
	],
	person: [
		['find', { person: chosen('ada.okafor@example.com', 'email') }, [{ json: {} }]],
		['export', { person: chosen('ada.okafor@example.com', 'email') }, [{ json: {} }]],
		['erase', { person: chosen('ada.okafor@example.com', 'email') }, [{ json: {} }]],
	],
	segment: [
		['applyPlan', { segmentId: chosen('301') }, plannedOf({ segmentId: 301 })],
		['syncRecipients', { segmentId: chosen('301'), fields: mapped }, people],
	],
	unsubscribeGroup: [
		[
			'applyPlan',
			{ unsubscribeGroupId: chosen(51), allowsEmailAgain: true },
			plannedOf({ unsubscribeGroupId: 51 }),
		],
		['syncRecipients', { unsubscribeGroupId: chosen(51), fields: mapped }, people],
	],
	singleSend: [
		['check', ofSingleSend(singleSend?.utr ?? ''), [{ json: {} }]],
		[
			'sendTest',
			{
				...ofSingleSend(singleSend?.utr ?? ''),
				testContactTypeId: chosen(testList),
			},
			[{ json: {} }],
		],
	],
});

function demoOf(tables: Tables): Demo {
	test.service.state.reset('demo', []);
	return Object.fromEntries(
		Object.entries(tables).map(([name, table]) => [name, (table as Tables['contacts']).all()]),
	) as unknown as Demo;
}

/** What every operation gives as preset, by the path of its file. */
async function schemas(): Promise<Record<string, unknown>> {
	const { service } = test;
	const found: Record<string, unknown> = {};
	const add = async (
		resource: string,
		[operation, parameters, items]: [string, IDataObject, INodeExecutionData[]],
	) => {
		if (operation === 'findProblems') plantProblems(service.state.tables);
		const given = { resource, operation, ...parameters };
		const outcome = await service.run(given, { items, node: { onError: 'continueErrorOutput' } });
		const records = outcome.items.map(({ json }) => json);
		expect([resource, operation, records.length > 0]).toEqual([resource, operation, true]);
		found[join(resource, `${operation}.json`)] = { ...schemaOf(records), version: 1 };
	};
	for (const resource of [
		'account',
		'person',
		...Object.keys(operations(demoOf(service.state.tables))),
	]) {
		const steps = operations(demoOf(service.state.tables))[resource] ?? [];
		for (const [operation, parameters = {}] of steps) {
			// The other lists of places are one choice away.
			const given = resource === 'location' ? {} : (parameters as IDataObject);
			await add(resource, [operation, given, [csv]]);
		}
		const demo = demoOf(service.state.tables);
		const testList = plantTesters(service);
		for (const step of together(demo, testList)[resource] ?? []) await add(resource, step);
	}
	return found;
}

const filesIn = (path: string): string[] =>
	readdirSync(path, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(path, join(entry.parentPath, entry.name)))
		.sort();

it('previews what each operation gives: after a change, run "node scripts/run.mjs schema"', async () => {
	const binaryFolder = mkdtempSync(join(tmpdir(), 'schema-'));
	await useBinaryData('default', binaryFolder);
	const expected = await schemas();
	rmSync(binaryFolder, { recursive: true });
	if (isWriting) {
		rmSync(folder, { recursive: true, force: true });
		for (const [path, schema] of Object.entries(expected)) {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			writeFileSync(join(folder, path), `${JSON.stringify(schema, null, 2)}\n`);
		}
	}
	const kept = Object.fromEntries(
		filesIn(folder).map((path) => [
			path,
			JSON.parse(readFileSync(join(folder, path), 'utf8')) as unknown,
		]),
	);
	expect(kept).toEqual(expected);
});
