import { reconcile } from './account.ts';
import { OtherSystem } from './otherSystem.ts';
import { sharedCluster } from './setup/shared.ts';
import { countActions, emptySandbox, people } from './sync.ts';

jest.setTimeout(1_800_000);

const cluster = sharedCluster();
const { sandbox } = cluster;

let source: OtherSystem;
beforeAll(async () => {
	source = await OtherSystem.open();
	await emptySandbox(sandbox);
});
afterAll(() => source.close());

/** The next run of a sync of all that the other system has; seconds take the place of hours. */
async function scheduledRun(): Promise<Record<string, number>> {
	const workflow = await source.activateSync(cluster);
	const executionId = await workflow.next([]);
	await workflow.deactivate();
	const { error, items } = await workflow.ended(executionId);
	// Any that had begun as well find nothing to do, and must be over before the people change.
	await workflow.idle();
	expect(error).toBeUndefined();
	return countActions(items);
}

test('an hourly sync of 10,000: the service has what the other system has, to the last contact', async () => {
	source.people = people(0, 10_000);
	expect(await scheduledRun()).toEqual({ created: 10_000 });
	await reconcile(sandbox, source.people);

	const posted = async () =>
		(await sandbox.journal()).filter(({ method }) => method !== 'GET').length;
	const before = await posted();
	expect(await scheduledRun()).toEqual({ unchanged: 10_000 });
	expect(await posted()).toBe(before);

	// 100 leave, 200 come, and 300 move.
	source.people = people(100, 10_200, (n) => (n < 400 ? { City: 'Bonn' } : {}));
	expect(await scheduledRun()).toEqual({
		deleted: 100,
		created: 200,
		updated: 300,
		unchanged: 9_600,
	});
	await reconcile(sandbox, source.people);
});
