import { type Demo, type Step, operations } from './operations.ts';
import { chain, journal, n8n, node, sandbox, typeOf, violations } from './harness.ts';

interface Endpoint {
	number: string;
	methods: string[];
	path: string;
}

const tables = [
	'automations',
	'automationSchedules',
	'contacts',
	'contactTypes',
	'customFields',
	'globalUnsubscribes',
	'groupRecipients',
	'notificationRecipients',
	'reservedFields',
	'segments',
	'segmentRecipients',
	'senders',
	'singleSends',
	'templates',
	'unsubscribeGroups',
] as const;

async function demoRecords(): Promise<Demo> {
	await sandbox.reset('demo');
	const records = tables.map(async (table) => [table, await sandbox.records(table)]);
	return Object.fromEntries(await Promise.all(records)) as Demo;
}

/** A workflow that does one operation after the other, each once, with a CSV file at hand. */
function workflowOf(resource: string, steps: Step[]) {
	const csv = node('File', 'n8n-nodes-base.convertToFile', {}, { typeVersion: 1.1 });
	const start = node('Start', 'n8n-nodes-base.manualTrigger');
	const actions = steps.map(([operation, parameters]) =>
		node(
			operation,
			typeOf('emailMarketing'),
			{ resource, operation, ...parameters },
			{ executeOnce: true, alwaysOutputData: true },
		),
	);
	return {
		...chain(`Every operation of ${resource}`, [start, csv, ...actions]),
		pinData: { Start: [{ json: { email: 'imported@example.com' } }] },
	};
}

it('reaches all endpoints, resource by resource, without a violation', async () => {
	const endpoints = await sandbox.control<Endpoint[]>('GET', '/endpoints');
	const reached = new Set<string>();
	for (const resource of Object.keys(operations(await demoRecords()))) {
		const steps = operations(await demoRecords())[resource] ?? [];
		const { status, nodes, error } = await n8n.runWorkflow(workflowOf(resource, steps));
		expect({ resource, status, error: error?.message }).toEqual({ resource, status: 'success' });
		const idle = steps.filter(([operation]) => !nodes[operation]?.items.length);
		expect({ resource, idle }).toEqual({ resource, idle: [] });
		expect(await violations()).toEqual([]);
		for (const { method, path } of await journal()) reached.add(`${method} ${path}`);
	}
	const missed = endpoints.filter(
		({ methods, path }) => !methods.some((method) => reached.has(`${method} ${path}`)),
	);
	expect(endpoints).toHaveLength(65);
	expect(missed).toEqual([]);
});
