import { durableCursors } from '../../scripts/lib/n8n-process.ts';
import { has, partNeeds } from '../n8n/features.ts';
import { type DedicatedN8n, startDedicatedN8n } from '../n8n/harness.ts';
import { goThroughTrouble } from './trigger-scenario.ts';
import { type OwnSandbox, startOwnSandbox, together } from '../n8n/trigger-support.ts';

jest.setTimeout(1_800_000);

interface World {
	n8n: DedicatedN8n;
	sandbox: OwnSandbox;
}

let worlds: World[];

async function startWorld(name: string, env: Record<string, string>): Promise<World> {
	const [n8n, sandbox] = await Promise.all([
		// Killed just as an execution begins, n8n 2.41.1 does not start otherwise.
		startDedicatedN8n({ ...env, N8N_EVENTBUS_RECOVERY_MODE: 'simple' }),
		startOwnSandbox(name),
	]);
	return { n8n, sandbox };
}

beforeAll(async () => {
	worlds = await Promise.all([
		startWorld('plain', {}),
		...(has('durableCursors') ? [startWorld('durable', durableCursors)] : []),
	]);
});
afterAll(async () => {
	await Promise.all(worlds.map(({ n8n }) => n8n.stop()));
	await Promise.all(worlds.map(({ sandbox }) => sandbox.kill()));
});

it('active workflows get exactly the expected events, with durable cursors and without', async () => {
	await together(worlds.map(({ n8n, sandbox }) => goThroughTrouble(n8n, sandbox)));
});
partNeeds(
	'durableCursors',
	'active workflows get exactly the expected events with durable cursors',
);
