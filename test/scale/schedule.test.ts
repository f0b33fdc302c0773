import { reconcile } from './account.ts';
import { watchUnsubscribed } from './consent.ts';
import { OtherSystem } from './otherSystem.ts';
import type { ProductionRun } from './production.ts';
import { sharedCluster } from './setup/shared.ts';
import { countActions, emptySandbox, people, seedPeople, unsubscribe } from './sync.ts';
import type { Worker } from './worker.ts';

jest.setTimeout(1_800_000);

const cluster = sharedCluster();
const { sandbox } = cluster;

let source: OtherSystem;
beforeAll(async () => {
	source = await OtherSystem.open();
	await emptySandbox(sandbox);
});
afterAll(() => source.close());

const inUlm = () => ({ City: 'Ulm' });

/** The first scheduled run from now on, on one worker, with no other run at the same time or left behind. */
async function scheduledRun(worker: Worker): Promise<ProductionRun> {
	return await cluster.onlyOn(worker, async () => {
		const workflow = await source.activateSync(cluster);
		const executionId = await workflow.next([]);
		const run = await workflow.ended(executionId);
		await workflow.deactivate();
		await workflow.idle();
		expect(await worker.hasBegun(executionId)).toBe(true);
		return run;
	});
}

test('a scheduled sync of 3,000 leaves alone, on either worker, whoever unsubscribed before or since', async () => {
	const [first, second] = cluster.workers;
	if (!first || !second) throw new Error('There are no two workers');
	// Of the 2,900 in the service, 0 to 99 are missing from the input, and 100 to 199 differ from it.
	await seedPeople(sandbox, 0, 2_900);
	const gone = (from: number, to: number) => people(from, to).map((item) => String(item['E-Mail']));
	const unsubscribed = [...gone(0, 50), ...gone(100, 150), ...gone(2_900, 2_950)];
	await unsubscribe(sandbox, unsubscribed);
	source.people = people(100, 3_000, (n) => (n < 200 ? { City: 'Bonn' } : {}));

	const touched = await watchUnsubscribed(sandbox, unsubscribed);
	const run = await scheduledRun(first);
	expect(run.error).toBeUndefined();
	expect(countActions(run.items)).toEqual({
		created: 50,
		updated: 50,
		deleted: 50,
		unchanged: 2_700,
		skipped: 150,
	});
	expect(await touched()).toEqual([]);

	// Who leaves between two runs is left alone by the other worker.
	const left = gone(2_000, 2_050);
	await unsubscribe(sandbox, left);
	source.people = people(100, 3_000, inUlm);
	const touchedSince = await watchUnsubscribed(sandbox, [...unsubscribed, ...left]);
	const again = await scheduledRun(second);
	expect(again.error).toBeUndefined();
	expect(countActions(again.items)).toEqual({ updated: 2_750, skipped: 200 });
	expect(await touchedSince()).toEqual([]);
	await reconcile(sandbox, [
		// Missing from the input, and deleted but for those who had unsubscribed.
		...people(0, 50),
		...people(100, 150),
		...people(150, 2_000, inUlm),
		...people(2_000, 2_050),
		...people(2_050, 2_900, inUlm),
		...people(2_950, 3_000, inUlm),
	]);
});
