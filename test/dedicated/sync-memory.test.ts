import type { IDataObject } from 'n8n-workflow';

import { limits, removal } from '../../scripts/lib/workflow-json.ts';
import { ProductionWorkflow, webhook } from '../scale/production.ts';
import { address, emptySandbox, GERMANY, people, syncNode, TYPE } from '../scale/sync.ts';
import {
	chain,
	node,
	sandbox,
	startDedicatedN8n,
	violations,
	type DedicatedN8n,
} from '../n8n/harness.ts';

jest.setTimeout(1_800_000);

let n8n: DedicatedN8n;
let workflow: ProductionWorkflow;

const split = node('Split', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.items' });

beforeAll(async () => {
	await emptySandbox(sandbox);
	n8n = await startDedicatedN8n();
	const sync = syncNode({
		missing: 'delete',
		options: { ...limits({ maxRemovalPercent: 100 }), ...removal({ removeAfter: 1 }) },
	});
	const start = webhook('Start');
	workflow = await ProductionWorkflow.activate(n8n, chain('Sync', [start, split, sync]));
});
afterAll(async () => {
	await n8n.stop();
	expect(await violations()).toEqual([]);
});

/** A production run with these people in the input. */
async function run(items: IDataObject[]) {
	const { error, items: rows } = await workflow.run({ items });
	expect(error).toBeUndefined();
	return rows.map(({ action, email, reason }) => [action, email, reason]);
}

const contacts = async () => await sandbox.records('contacts');
const emails = async () => (await contacts()).map(({ email }) => email).sort();

/** Adds somebody in the service, as its own forms do. */
const signUp = async (email: string) =>
	await sandbox.add('contacts', { contact_type_id: TYPE, country: GERMANY, email });

/** Removes somebody in the service, as a colleague does. */
async function removeByHand(email: string): Promise<void> {
	const found = (await contacts()).find((contact) => contact.email === email);
	if (!found) throw new Error(`There is no contact with ${email}`);
	await sandbox.remove('contacts', found.id);
}

const person = (n: number) => people(n, n + 1);
const unchanged = (n: number) => ['unchanged', address(n), 'no changes'];

test('a sync removes only whom it added, and adds nobody again, also after n8n was stopped or killed', async () => {
	await signUp('before@example.com');
	expect(await run(people(0, 4))).toEqual([0, 1, 2, 3].map((n) => ['created', address(n), 'new']));

	await n8n.stop();
	await n8n.start();
	await signUp('form@example.com');
	expect(await run(people(0, 3))).toEqual([
		...[0, 1, 2].map(unchanged),
		['deleted', address(3), 'missing from the input'],
	]);
	expect(await emails()).toEqual([
		'before@example.com',
		'form@example.com',
		...[0, 1, 2].map(address),
	]);

	await n8n.kill();
	await n8n.start();
	await removeByHand(address(0));
	const removed = ['skipped', address(0), 'removed in the service'];
	expect(await run(people(0, 2))).toEqual([
		removed,
		unchanged(1),
		['deleted', address(2), 'missing from the input'],
	]);
	// Somebody signs up with the address of a person whom the sync has removed.
	await signUp(address(2));
	expect(await run([...person(0), ...person(1)])).toEqual([removed, unchanged(1)]);
	expect(await emails()).toEqual([
		'before@example.com',
		'form@example.com',
		...[1, 2].map(address),
	]);
});

test('a segment keeps up with its source, and keeps whom others added', async () => {
	const { id } = await sandbox.add('segments', { segment_name: 'VIP' });
	const other = { segment_id: id, email: 'other@example.com', first_name: 'O', last_name: 'N' };
	await sandbox.add('segmentRecipients', other);
	const sync = syncNode({
		...{ resource: 'segment', operation: 'syncRecipients', missing: 'delete' },
		segmentId: { __rl: true, mode: 'id', value: String(id) },
		options: { ...limits({ maxRemovalPercent: 100 }) },
	});
	const mirror = await ProductionWorkflow.activate(
		n8n,
		chain('Sync a segment', [webhook('Start 2'), split, sync]),
	);
	const runWith = async (...numbers: number[]) => {
		const items = numbers.map((n) => ({ email: address(n), first_name: 'A', last_name: 'B' }));
		const { error, items: rows } = await mirror.run({ items });
		expect(error).toBeUndefined();
		return rows.map(({ action, email }) => [action, email]);
	};
	expect(await runWith(1, 2)).toEqual([1, 2].map((n) => ['added', address(n)]));
	expect(await runWith(1)).toEqual([
		['unchanged', address(1)],
		['skipped', address(2)],
	]);
	expect(await runWith(1)).toEqual([
		['unchanged', address(1)],
		['removed', address(2)],
	]);
	expect(await runWith(1, 2)).toEqual([
		['unchanged', address(1)],
		['added', address(2)],
	]);
	const recipients = await sandbox.records('segmentRecipients');
	expect(recipients.map(({ email }) => email).sort()).toEqual([
		'other@example.com',
		...[1, 2].map(address),
	]);
});
