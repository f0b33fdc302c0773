import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeExecutionData,
	ResourceMapperFields,
} from 'n8n-workflow';
import { EmailMarketing } from '../../nodes/EmailMarketing/EmailMarketing.node';
import {
	type MappedFields,
	referenceIndex,
	referencePage,
	type Sample,
} from '../../scripts/lib/reference-pages.ts';
import type { State } from '../../sandbox/state.ts';
import { type Demo, operations, type Step } from '../n8n/operations.ts';
import { editorContext, keys } from './engine';
import { NOW } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';
import { asShown } from './readings/underReading';
import { plantProblems } from './people/plantProblems';
import { plantTesters } from './sendTest/support';

const folder = join(__dirname, '..', '..', 'docs', 'reference');
const { properties } = new EmailMarketing().description;
const { resourceMapping = {} } = new EmailMarketing().methods ?? {};
const test = useService(asShown);

const resources = (properties.find(({ name }) => name === 'resource')?.options ?? []).map(
	(option) => ('value' in option ? String(option.value) : ''),
);

/** As it is written, in place of the comparison, by `npm run reference`. */
function check(file: string, text: string): void {
	const path = join(folder, file);
	if (process.env.EMAIL_MARKETING_REFERENCE === 'write') {
		mkdirSync(folder, { recursive: true });
		writeFileSync(path, text);
	}
	expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toBe(text);
}

/** Operations that are not one endpoint. */
function further(demo: Demo, testList: number): Record<string, Step[]> {
	const fields = { mappingMode: 'autoMapInputData', value: null };
	const contactTypeId = chosen(demo.contactTypes[0]?.id ?? 0);
	const existing = {
		campaign: 'existing',
		singleSendUtr: chosen(demo.singleSends[0]?.utr ?? ''),
	};
	return {
		automation: [['check', { automationUtr: chosen(demo.automations[0]?.utr ?? '') }]],
		contact: [
			['applyPlan'],
			['exportCsv', { binaryPropertyName: 'data' }],
			['findProblems'],
			['sync', { contactTypeId, fields }],
			['upsert', { contactTypeId, fields }],
		],
		globalUnsubscribe: [['applyPlan'], ['syncRecipients', { fields }]],
		notificationRecipient: [['applyPlan'], ['syncRecipients', { fields }]],
		person: [
			['erase', { person: chosen('ada.okafor@example.com', 'email') }],
			['export', { person: chosen('ada.okafor@example.com', 'email') }],
			['find', { person: chosen('ada.okafor@example.com', 'email') }],
		],
		segment: [
			['applyPlan', { segmentId: chosen(demo.segments[0]?.id ?? 0) }],
			['syncRecipients', { segmentId: chosen(demo.segments[0]?.id ?? 0), fields }],
		],
		unsubscribeGroup: [
			['applyPlan', { unsubscribeGroupId: chosen(demo.unsubscribeGroups[0]?.id ?? 0) }],
			[
				'syncRecipients',
				{ unsubscribeGroupId: chosen(demo.unsubscribeGroups[0]?.id ?? 0), fields },
			],
		],
		account: [['check', {}]],
		singleSend: [
			['check', existing],
			['sendTest', { ...existing, testContactTypeId: chosen(testList) }],
		],
	};
}

const input: INodeExecutionData = {
	json: { email: 'ada.okafor@example.com', first_name: 'Augusta' },
	binary: {
		data: {
			data: Buffer.from('email,country\nnew@example.com,85\n').toString('base64'),
			fileName: 'contacts.csv',
			mimeType: 'text/csv',
		},
	},
};

/** A row of a dry run. */
const plannedOf = (resource: string, demo: Demo): INodeExecutionData => ({
	json: {
		email: 'ada.okafor@example.org',
		dryRun: true,
		overLimit: false,
		...(resource === 'contact'
			? {
					...{ action: 'wouldCreate', contactTypeId: 21, customFields: {} },
					changedFields: {
						country: { from: null, to: 'Germany' },
						first_name: { from: null, to: 'Augusta' },
					},
				}
			: {
					action: 'wouldAdd',
					segmentId: demo.segments[0]?.id,
					unsubscribeGroupId: demo.unsubscribeGroups[0]?.id,
					list: `${resource}s`,
					changedFields: {
						email: { from: null, to: 'ada.okafor@example.org' },
						first_name: { from: null, to: 'Augusta' },
						last_name: { from: null, to: 'Okafor' },
					},
				}),
	},
});

function resetToDemo({ state }: { state: State }): Demo {
	state.reset('empty', []);
	state.clock.freeze(true);
	state.clock.set(NOW);
	state.reset('demo', ['clock']);
	return Object.fromEntries(
		Object.entries(state.tables).map(([name, table]) => [
			name,
			(table as { all(): Array<{ id: number }> }).all(),
		]),
	) as Demo;
}

/** Reports and ledgers carry the time of n8n, which the clock of the sandbox does not set. */
const atFixedTime = (json: IDataObject): IDataObject => {
	const time = new Date(NOW).toISOString();
	const shown = {
		reportedAt: time,
		at: time,
		exportedAt: time,
		readAt: time,
		startedAt: time,
		finishedAt: time,
		milliseconds: 5,
		report: 'This account fits: …',
	};
	const fixed = Object.entries(shown).filter(([key]) => key in json);
	const records = Array.isArray(json.records) && {
		records: (json.records as IDataObject[]).map(atFixedTime),
	};
	return { ...json, ...records, ...Object.fromEntries(fixed) } as IDataObject;
};

/** The name of a test ends with the time and a random part. */
const withFixedName = (json: IDataObject): IDataObject =>
	typeof json.testName === 'string'
		? {
				...json,
				testName: json.testName.replace(/\([0-9a-z]+-[0-9a-z]{6}\)$/, '(mh2x9k4q-7d1f3a)'),
			}
		: json;

async function samplesOf(resource: string): Promise<Record<string, Sample>> {
	const { service } = test;
	const samples: Record<string, Sample> = {};
	const steps = (demo: Demo) => [
		...(operations(demo)[resource] ?? []),
		...(further(demo, resource === 'singleSend' ? plantTesters(service) : 0)[resource] ?? []),
	];
	for (const [operation] of steps(resetToDemo(service))) {
		const demo = resetToDemo(service);
		const [, parameters] = steps(demo).find(([name]) => name === operation) ?? [];
		if (operation === 'findProblems') plantProblems(service.state.tables);
		const { items, error } = await service.run(
			{ resource, operation, ...parameters },
			{ items: [operation === 'applyPlan' ? plannedOf(resource, demo) : input] },
		);
		expect([operation, error?.message, error?.description]).toEqual([
			operation,
			undefined,
			undefined,
		]);
		const [file] = Object.values(items[0]?.binary ?? {});
		samples[operation] = {
			items: items.map(({ json }) => withFixedName(atFixedTime(json))),
			...(file?.fileName !== undefined && { file: file.fileName }),
		};
	}
	return samples;
}

async function mappedFields(resource: string, operation: string): Promise<MappedFields> {
	const context = editorContext(
		{ resource, operation },
		{ baseUrl: test.service.baseUrl, ...keys },
	);
	const entries = Object.entries(resourceMapping).map(async ([name, method]) => {
		const { fields } = (await method.call(
			context as never as ILoadOptionsFunctions,
		)) as ResourceMapperFields;
		return [name, fields] as const;
	});
	return Object.fromEntries(await Promise.all(entries));
}

describe('docs/reference, written by npm run reference,', () => {
	it.each(resources)('says of %s what the node offers', async (resource) => {
		const samples = await samplesOf(resource);
		const columns = Object.keys(samples).map(
			async (operation) => [operation, await mappedFields(resource, operation)] as const,
		);
		const mapped = Object.fromEntries(await Promise.all(columns));
		check(`${resource}.md`, referencePage(properties, resource, mapped, samples));
	});

	it('lists all resources, and has no page of another', () => {
		check('README.md', referenceIndex(properties));
		const pages = ['README.md', ...resources.map((resource) => `${resource}.md`)];
		expect(readdirSync(folder).sort()).toEqual(pages.sort());
	});
});
