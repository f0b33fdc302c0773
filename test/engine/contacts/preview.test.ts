import type { IDataObject } from 'n8n-workflow';

import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import type { Outcome } from '../engine';
import { actions, address, people, removed, ScheduledSync } from './scheduledSync';
import { hints, json, useAccount } from './support';

/** What a manual execution and a dry run say about whom the published workflow would remove. */

const given = useAccount();

const messages = (outcome: Outcome) => hints(outcome)?.map(({ message }) => message) ?? [];
const aboutMissing = (outcome: Outcome) =>
	messages(outcome).find((message) => message.startsWith('Missing contacts'));

const ownOnly =
	'it removes only contacts that it added itself, not those added by manual executions or others.';
const allMissing =
	'To remove only some of them, delete them by hand or with Contact > Delete. To have manual executions remove all of them, set "Remove After" to "1 Execution" and turn off "Only Added by Sync" under "Removal" in Options: all missing contacts may then be removed, whoever added them.';
const toManual =
	'To have manual executions remove them, set "Remove After" to "1 Execution" under "Removal" in Options.';
const capped = 'Limits still apply: by default, at most 10 percent may be removed.';

/** The memory of a workflow that has added all of them; `bob` has been missing once since, and so counts as missing. */
async function publishedSync(parameters: IDataObject = {}): Promise<ScheduledSync> {
	const sync = new ScheduledSync(given, parameters);
	await sync.run(people('ann', 'bob', 'cid'));
	await sync.run(people('ann', 'cid'));
	return sync;
}

test('a manual execution names whom the published workflow would remove, and count as missing', async () => {
	const sync = await publishedSync();
	const form = given.account.add(address('form'));
	const manual = await sync.run(people('ann'), { mode: 'manual' });
	expect(actions(manual)).toEqual([['unchanged', address('ann'), 'no changes']]);
	expect(aboutMissing(manual)).toBe(
		`Missing contacts left unchanged by this manual execution: 3 (bob@example.com, cid@example.com, ${form.email}). With the same input, the published workflow would remove 1 (bob@example.com), and count 1 as missing (cid@example.com; removed once missing from 2 executions in a row). It would leave the other 1 unchanged, because ${ownOnly} ${allMissing} ${capped}`,
	);
	const summary = await sync.run(people('ann'), {
		mode: 'manual',
		parameters: { options: { report: 'summary' } },
	});
	expect(json(summary)).toMatchObject([
		{ missingFromInput: 3, publishedWouldRemove: 1, publishedWouldCountAsMissing: 1 },
	]);
	// It was right.
	const published = await sync.run(people('ann'));
	expect(removed(published)).toEqual([address('bob')]);
	expect(actions(published).at(-1)).toEqual([
		...['skipped', address('cid'), 'not removed yet: missing from 1 of 2 executions'],
	]);
});

test('a limit that would stop the published workflow is named', async () => {
	const sync = await publishedSync({ options: limits({ maxRemovals: 0 }) });
	const manual = await sync.run(people('ann', 'cid'), { mode: 'manual' });
	expect(aboutMissing(manual)).toBe(
		`Missing contacts left unchanged by this manual execution: 1 (bob@example.com). With the same input, the published workflow would remove 1 (bob@example.com). But a limit would stop it: 1 of 3 contacts that this sync added would be deleted, more than the 0 allowed. ${toManual} ${capped}`,
	);
	expect((await sync.attempt(people('ann', 'cid'))).error?.message).toMatch(/more than the 0/);
});

test('a dry run by hand lists whom the published workflow would remove, and says that manual ones do not', async () => {
	const sync = await publishedSync();
	const dry = await sync.run(people('ann'), { mode: 'manual', parameters: { dryRun: true } });
	expect(actions(dry).slice(1)).toEqual([
		['wouldDelete', address('bob'), 'missing from the input'],
		['skipped', address('cid'), 'not removed yet: missing from 1 of 2 executions'],
	]);
	expect(messages(dry)).toContain(
		'This dry run shows what the published workflow would remove. Manual executions remove nobody.',
	);
});

test('before the first published execution, a dry run lists whom it would count as missing', async () => {
	for (const name of ['ann', 'bob', 'gone']) given.account.add(address(name));
	given.account.unsubscribe(address('gone'));
	const sync = new ScheduledSync(given, { options: removal({ onlyAddedBySync: false }) });
	const dry = await sync.run(people('ann'), { mode: 'manual', parameters: { dryRun: true } });
	expect(actions(dry).slice(1)).toEqual([
		['skipped', address('bob'), 'not removed yet: missing from 1 of 2 executions'],
		['skipped', address('gone'), 'unsubscribed'],
	]);
	expect(aboutMissing(dry)).toBe(
		`Missing contacts left unchanged by this manual execution: 2 (bob@example.com, gone@example.com). With the same input, the published workflow would count 1 as missing (bob@example.com; removed once missing from 2 executions in a row). ${toManual} ${capped}`,
	);
	await sync.run(people('ann'));
	expect(removed(await sync.run(people('ann')))).toEqual([address('bob')]);
});

test('nobody is named whom the published workflow would leave for other reasons', async () => {
	const sync = await publishedSync();
	const manual = await sync.run([{ email: ['ann@example.com', 'cid@example.com'] }], {
		mode: 'manual',
	});
	expect(aboutMissing(manual)).not.toContain('With the same input');
});

test('where other workflows call this one, the published workflow removes one execution later', async () => {
	const sync = new ScheduledSync(given);
	await sync.runEach('calls', [people('ann', 'bob')]);
	await sync.runEach('calls', [people('ann')]);
	const manual = await sync.run(people('ann'), { mode: 'manual' });
	expect(aboutMissing(manual)).toContain(
		'the published workflow would count 1 as missing (bob@example.com; removed once missing from 3 executions in a row)',
	);
	expect(removed(...(await sync.runEach('calls', [people('ann')])))).toEqual([]);
	expect(removed(...(await sync.runEach('calls', [people('ann')])))).toEqual([address('bob')]);
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
