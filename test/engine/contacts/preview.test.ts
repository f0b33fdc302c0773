import type { IDataObject } from 'n8n-workflow';

import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import type { Outcome } from '../engine';
import { actions, address, people, removed, ScheduledSync } from './scheduledSync';
import { hints, useAccount } from './support';

/** What a manual execution and a dry run say about whom the published workflow would remove. */

const given = useAccount();

const messages = (outcome: Outcome) => hints(outcome)?.map(({ message }) => message) ?? [];
const aboutMissing = (outcome: Outcome) =>
	messages(outcome).find((message) => message.startsWith('Missing contacts'));

/** The memory of a workflow that has added all of them; `bob` has been missing once since, and so counts as missing. */
async function publishedSync(parameters: IDataObject = {}): Promise<ScheduledSync> {
	const sync = new ScheduledSync(given, parameters);
	await sync.run(people('ann', 'bob', 'cid'));
	await sync.run(people('ann', 'cid'));
	return sync;
}

const isPreview =
	'This dry run shows what the published workflow would remove. Manual executions remove nobody.';

test('a manual execution removes nobody, and says how to see who would be removed', async () => {
	const sync = await publishedSync();
	const manual = await sync.run(people('ann'), { mode: 'manual' });
	expect(actions(manual)).toEqual([['unchanged', address('ann'), 'no changes']]);
	expect(aboutMissing(manual)).toBe(
		'Missing contacts left unchanged, because manual executions remove nobody unless "Remove After" is "1 Execution" and no other workflow calls this one: 2. To see who the published workflow would remove, turn on "Dry Run".',
	);
});

test('a dry run by hand shows the limit that would stop the published workflow', async () => {
	const sync = await publishedSync({ options: limits({ maxRemovals: 0 }) });
	const parameters = { dryRun: true };
	const dry = await sync.run(people('ann', 'cid'), { mode: 'manual', parameters });
	expect(actions(dry).at(-1)?.at(-1)).toContain('stopped by the limit: 1 of 3 contacts');
	expect(messages(dry)).not.toContain(isPreview);
	expect((await sync.attempt(people('ann', 'cid'))).error?.message).toMatch(/more than the 0/);
});

test.each([
	[
		'would',
		[],
		'. A limit would then stop the run: 2 of 4 contacts would be deleted, more than the 10% allowed',
	],
	// Those that the run adds count as well by then.
	['would not', people(...Array.from({ length: 20 }, (_, index) => `new${index}`)), ''],
])(
	'a dry run of a list that was never synced says that a limit %s stop the removals',
	async (_, added, limit) => {
		for (const name of ['ann', 'bob', 'cid', 'dan']) given.account.add(address(name));
		const sync = new ScheduledSync(given, {
			options: { ...removal({ onlyAddedBySync: false }), ...limits({ maxRemovalPercent: 10 }) },
		});
		const parameters = { dryRun: true };
		const dry = await sync.run([...people('ann', 'bob'), ...added], { mode: 'manual', parameters });
		expect(aboutMissing(dry)).toBe(
			`Missing contacts that the published workflow would remove once they are missing from 2 executions in a row: 2${limit}`,
		);
		const all = [...people('ann', 'bob'), ...added];
		await sync.run(all);
		const { error } = await sync.attempt(all);
		expect(error === undefined).toBe(limit === '');
	},
);

test('a dry run by hand lists whom the published workflow would remove, and says that manual ones do not', async () => {
	const sync = await publishedSync();
	const dry = await sync.run(people('ann'), { mode: 'manual', parameters: { dryRun: true } });
	expect(actions(dry).slice(1)).toEqual([
		['wouldDelete', address('bob'), 'missing from the input'],
		['skipped', address('cid'), 'not removed yet: missing from 1 of 2 executions'],
	]);
	expect(messages(dry)).toContain(isPreview);
	// It was right.
	const published = await sync.run(people('ann'));
	expect(removed(published)).toEqual([address('bob')]);
	expect(actions(published).at(-1)).toEqual([
		...['skipped', address('cid'), 'not removed yet: missing from 1 of 2 executions'],
	]);
});

test('before the first published execution, a dry run lists whom it would count as missing', async () => {
	for (const name of ['ann', 'bob', 'gone']) given.account.add(address(name));
	given.account.unsubscribe(address('gone'));
	const sync = new ScheduledSync(given, {
		options: { ...removal({ onlyAddedBySync: false }), ...limits({ maxRemovalPercent: 10 }) },
	});
	const dry = await sync.run(people('ann'), { mode: 'manual', parameters: { dryRun: true } });
	expect(actions(dry).slice(1)).toEqual([
		['skipped', address('bob'), 'not removed yet: missing from 1 of 2 executions'],
		['skipped', address('gone'), 'unsubscribed'],
	]);
	await sync.run(people('ann'));
	expect(removed(await sync.run(people('ann')))).toEqual([address('bob')]);
});

test('an item that cannot be read is named, and no option that would not help', async () => {
	const sync = await publishedSync();
	const manual = await sync.run([...people('ann'), { email: '#N/A', country: 'DE' }], {
		mode: 'manual',
		node: { onError: 'continueErrorOutput' },
	});
	expect(messages(manual).join(' ')).toContain('could refer to any of them: item 1 ("#N/A")');
	expect(messages(manual).join(' ')).not.toContain('To have manual executions remove');
});
