import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type DedicatedN8n, sandbox, startDedicatedN8n, violations } from '../n8n/harness.ts';
import {
	address,
	contactCount,
	resetContactType,
	startSlowRun,
	TYPE,
} from '../n8n/sync-support.ts';

jest.setTimeout(1_800_000);

const COUNT = 300;
const SEGMENT = 301;
const people = Array.from({ length: COUNT }, (_, n) => ({
	...{ email: address(n), first_name: 'Ann', last_name: String(n) },
}));

let n8n: DedicatedN8n;
beforeAll(async () => {
	n8n = await startDedicatedN8n();
});
afterAll(async () => await n8n.stop());

beforeEach(async () => {
	await resetContactType();
	await sandbox.add('segments', { id: SEGMENT, contact_type_id: TYPE, segment_name: 'VIP' });
});
afterEach(async () => expect(await violations()).toEqual([]));

const emailsIn = async (table: 'contacts' | 'segmentRecipients') =>
	(await sandbox.records(table)).map(({ email }) => String(email)).sort();

/** Kills n8n in the middle of a run, and runs the workflow again. */
async function runWithKill(
	parameters: INodeParameters,
	isUnderWay: () => Promise<boolean>,
): Promise<IDataObject[]> {
	const { workflowId } = await startSlowRun(n8n, { parameters, items: people, isUnderWay });
	await n8n.kill();
	await sandbox.configure({ latencyMs: 0 });
	await n8n.start();
	const { data } = await n8n.client.run(workflowId, 'Start', 500_000);
	const items = data.resultData.runData.Action?.[0]?.data?.main?.[0] ?? [];
	return items.map(({ json }) => json);
}

test('after a kill in the middle of an erasure, running it again erases the others, and nobody else', async () => {
	for (const { email } of [...people, { email: 'dan@example.com' }]) {
		await sandbox.add('contacts', { contact_type_id: TYPE, email, country: 85 });
	}
	const person = { __rl: true, mode: 'email', value: '={{ $json.email }}' };
	const erase = { resource: 'person', operation: 'erase', person, dryRun: false };
	const receipts = await runWithKill(erase, async () => (await contactCount()) <= COUNT - 50);
	expect(receipts).toHaveLength(COUNT);
	expect(receipts.every(({ isComplete }) => isComplete)).toBe(true);
	expect(await emailsIn('contacts')).toEqual(['dan@example.com']);
	const unsubscribed = await sandbox.records('globalUnsubscribes');
	expect(unsubscribed.map(({ email_address }) => email_address).sort()).toEqual(
		people.map(({ email }) => email).sort(),
	);
});

test('after a kill in the middle of filling a segment, running it again adds the others, and nobody twice', async () => {
	const other = {
		segment_id: SEGMENT,
		email: 'other@example.com',
		first_name: 'O',
		last_name: 'N',
	};
	await sandbox.add('segmentRecipients', other);
	const rows = await runWithKill(
		{
			...{ resource: 'segment', operation: 'syncRecipients', missing: 'ignore', dryRun: false },
			segmentId: { __rl: true, mode: 'id', value: String(SEGMENT) },
			fields: { mappingMode: 'autoMapInputData', value: null },
		},
		async () => (await emailsIn('segmentRecipients')).length >= 50,
	);
	const counts = new Set(rows.map(({ action }) => action));
	expect(counts).toEqual(new Set(['added', 'unchanged']));
	const emails = [...people.map(({ email }) => email), other.email].sort();
	expect(await emailsIn('segmentRecipients')).toEqual(emails);
});
