import { setTimeout as sleep } from 'node:timers/promises';
import { demoChoices } from '../../scripts/lib/demo-choices.ts';
import { exampleFiles, readyToRun, shipped } from './examples.ts';
import { has } from './features.ts';
import { chain, journal, n8n, node, sandbox, violations } from './harness.ts';
import { withOtherSide } from './recorded.ts';

beforeEach(() => sandbox.reset('demo'));
afterEach(async () => expect(await violations()).toEqual([]));

const telling = 'tell-the-team-when-a-workflow-fails.json';

test('n8n knows each node of the examples in its version, with all its parameters', async () => {
	const types = await n8n.client.nodeTypes();
	const files = exampleFiles.filter(
		(file) => file !== 'keep-a-sync-ledger.json' || has('tablesMadeByNodes'),
	);
	const unknown = files.flatMap((file) =>
		shipped(file).nodes.flatMap(({ name, type, typeVersion, parameters }) => {
			const known = types.find(
				(candidate) => candidate.name === type && [candidate.version].flat().includes(typeVersion),
			);
			if (!known) return [`${file}: ${name} is a ${type} ${typeVersion}`];
			const offered = new Set(known.properties.map((property) => property.name));
			return Object.keys(parameters)
				.filter((parameter) => !offered.has(parameter))
				.map((parameter) => `${file}: ${name} has no ${parameter}`);
		}),
	);
	expect(unknown).toEqual([]);
});

const needsChoices = exampleFiles.filter((file) => demoChoices[shipped(file).name] !== undefined);
const startsByItself = needsChoices.filter(
	(file) => !shipped(file).nodes.some(({ type }) => type.endsWith('.formTrigger')),
);

test.each(startsByItself)('%s does not run as long as nothing is chosen', async (file) => {
	const { status, nodes } = await n8n.runWorkflow(withOtherSide(file, shipped(file)));
	const items = Object.values(nodes).flatMap((one) => one.items);
	expect({ status, items }).toEqual({ status: 'error', items: [] });
	expect(await journal()).toEqual([]);
});

test('the team is told which workflow failed, where and why', async () => {
	const { nodes } = await n8n.runWorkflow(withOtherSide(telling, await readyToRun(telling)));
	expect(nodes['Send it to the team']?.items.map(({ json }) => json)).toEqual([
		{
			message:
				'"Sync contacts from a CSV file every hour" failed at "Sync contacts": ' +
				'The service is temporarily unavailable',
			url: 'https://n8n.example.com/workflow/Ba0aXrGVqKYKM1mR/executions/231',
		},
		{ message: '"Tell the team when a campaign completes" failed: Rate limit reached', url: '' },
	]);
});

test('n8n starts it when a workflow that names it as its error workflow fails', async () => {
	const workflow = await readyToRun(telling);
	const isPublished = has('publishedErrorWorkflows');
	const told = isPublished ? await n8n.activate(workflow) : await n8n.save(workflow);
	const path = `fails-${told.id}`;
	const failing = await n8n.activate({
		...chain('Fails', [
			node('Call', 'n8n-nodes-base.webhook', { path }, { typeVersion: 2, webhookId: path }),
			node('Stop', 'n8n-nodes-base.stopAndError', { errorMessage: 'On purpose' }),
		]),
		settings: { executionOrder: 'v1', errorWorkflow: told.id },
	});
	const url = `${n8n.client.url}/webhook/${path}`;
	for (let tries = 0; tries < 50 && !(await fetch(url)).ok; tries++) await sleep(100);
	await n8n.waitForExecutions(told.id, 1);
	const [run] = await n8n.client.executions(told.id);
	const { data } = await n8n.client.execution(run?.id ?? '');
	const [item] = data.resultData.runData['Send it to the team']?.[0]?.data?.main?.[0] ?? [];
	expect(item?.json.message).toBe('"Fails" failed at "Stop": On purpose');
	await n8n.client.deactivate(failing.id);
	if (isPublished) await n8n.client.deactivate(told.id);
});

describe('the weekly check of the account', () => {
	const checked = async () => {
		const workflow = await readyToRun('weekly-check-of-the-account.json');
		const { nodes, error } = await n8n.runWorkflow(workflow);
		expect(error).toBeNull();
		return nodes['Send it to the team']?.items.map(({ json }) => json) ?? [];
	};

	test('is silent as long as the service answers as expected', async () => {
		expect(await checked()).toEqual([]);
		expect((await journal()).filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	test('tells the team which list has changed, without any address', async () => {
		await sandbox.fault({
			...{ kind: 'shape', match: { path: '/contacts-type' }, times: 100 },
			body: { status: 'success', message: { lists: ['secret@example.com'] } },
		});
		const [told, ...others] = await checked();
		await sandbox.clearFaults();
		expect(others).toEqual([]);
		expect(told).toEqual({
			message: expect.stringContaining('Not as expected: Contact types'),
			report: expect.stringContaining('/contacts-type'),
		});
		expect(told?.report).not.toContain('secret@example.com');
	});
});
