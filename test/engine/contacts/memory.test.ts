import type { IDataObject, INode } from 'n8n-workflow';

import type { StoredSyncState } from '../../../nodes/EmailMarketing/features/sync/memory/syncState';
import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import { chosen } from '../rows';
import { actions, address, people, ScheduledSync } from './scheduledSync';
import { hints, json, TYPE, useAccount } from './support';

const given = useAccount();
/** A sync that removes a contact as soon as it is missing. */
class PromptSync extends ScheduledSync {
	constructor({ options, ...parameters }: IDataObject = {}) {
		super(given, {
			...parameters,
			options: { ...removal({ removeAfter: 1 }), ...(options as IDataObject) },
		});
	}
}

const emails = () => given.account.emails().sort();
const remove = (name: string) => {
	const { contacts } = given.account.state.tables;
	contacts.remove(given.account.contact(address(name))?.id ?? 0);
};

test('sync-others: only contacts that the sync created are removed when they are missing from the input', async () => {
	const sync = new PromptSync();
	given.account.add(address('form'));
	given.account.add(address('crm'));
	const first = await sync.run(people('crm', 'ann', 'bob'));
	expect(actions(first)).toEqual([
		['unchanged', address('crm'), 'no changes'],
		['created', address('ann'), 'new'],
		['created', address('bob'), 'new'],
	]);
	expect(hints(first)?.map(({ message }) => message)).toEqual([
		'2 created, 1 unchanged',
		'This node remembers no earlier run, so nobody is removed. If this appears after every run, move the node to a sub-workflow: in queue mode, or in a workflow with a polling trigger, n8n does not keep its memory.',
		'Missing contacts left unchanged, because the published workflow did not add them: 1 (form@example.com). Contacts added by manual executions and retries do not count. To remove only some of them, delete them by hand or with "Contact: Delete". To include all of them, turn off "Only Added by Sync" under "Removal" in Options: all missing contacts may then be removed, whoever added them.',
	]);

	// Both left the source; only one of them was added by the sync.
	const second = await sync.run(people('ann'));
	expect(actions(second)).toEqual([
		['unchanged', address('ann'), 'no changes'],
		['deleted', address('bob'), 'missing from the input'],
	]);
	expect(emails()).toEqual([address('ann'), address('crm'), address('form')]);

	const third = await sync.run(people('ann', 'bob'));
	expect(actions(third)[1]).toEqual(['created', address('bob'), 'new']);
});

test.each([
	['moveToContactType', { missingContactTypeId: chosen(22) }, 'moved'],
	['addToUnsubscribeGroup', { missingUnsubscribeGroupId: chosen(51) }, 'addedToGroup'],
])('the same holds for %s', async (missing, place, action) => {
	given.account.state.tables.unsubscribeGroups.add({ id: 51, group_name: 'Left' }, 0);
	const sync = new PromptSync({ missing, ...place });
	given.account.add(address('form'));
	await sync.run(people('ann', 'bob'));
	const second = await sync.run(people('ann'));
	expect(actions(second)).toEqual([
		['unchanged', address('ann'), 'no changes'],
		[action, address('bob'), 'missing from the input'],
	]);
	expect(given.account.contact(address('form'))?.contact_type_id).toBe(TYPE);
});

test('sync-removed: a contact that was removed in the service is not created again, unless that is wanted', async () => {
	const sync = new PromptSync();
	await sync.run(people('ann', 'bob'));
	remove('bob');
	for (let run = 0; run < 2; run++) {
		expect(actions(await sync.run(people('ann', 'bob')))).toEqual([
			['unchanged', address('ann'), 'no changes'],
			['skipped', address('bob'), 'removed in the service'],
		]);
	}
	// Somebody else adds the address again: the contact is theirs from then on.
	given.account.add(address('bob'));
	await sync.run(people('ann', 'bob'));
	await sync.run(people('ann'));
	expect(emails()).toEqual([address('ann'), address('bob')]);

	remove('ann');
	const again = await sync.run(people('ann'), {
		parameters: { options: removal({ recreateRemoved: true, removeAfter: 1 }) },
	});
	expect(actions(again)).toEqual([['created', address('ann'), 'new']]);
});

test('one that took the place of a contact of the sync between two runs is not removed', async () => {
	const sync = new PromptSync();
	await sync.run(people('ann', 'bob'));
	remove('bob');
	given.account.add(address('bob'), { id: 4711 });
	expect(actions(await sync.run(people('ann')))).toEqual([
		['unchanged', address('ann'), 'no changes'],
	]);
	expect(emails()).toContain(address('bob'));
});

describe('a person whom the sync may have removed is created once the input has the person again', () => {
	const removing = { path: '/contacts/bulk-delete' };
	const withoutRetries = { parameters: { options: { retryTemporaryFailures: false } } };
	const back = async (sync: ScheduledSync) =>
		actions(await sync.run(people('ann', 'bob'))).map(([action]) => action);

	test('after a removal whose response was lost, and that could not be looked up', async () => {
		const { faults } = given.account.state;
		const sync = new PromptSync();
		await sync.run(people('ann', 'bob'));
		faults.add({ kind: 'reset-after', match: removing });
		faults.add({ kind: 'status', status: 500, match: { path: '/contacts/list' }, skip: 1 });
		const [, row] = json(await sync.run(people('ann'), withoutRetries));
		expect(row?.reason).toMatch(/The list could not be read afterwards/);
		expect(emails()).toEqual([address('ann')]);
		expect(await back(sync)).toEqual(['unchanged', 'created']);
	});

	test('but not if somebody else removed the person after the removal had failed', async () => {
		const sync = new PromptSync();
		await sync.run(people('ann', 'bob'));
		given.account.state.faults.add({ kind: 'status', status: 403, match: removing });
		await sync.run(people('ann'));
		remove('bob');
		expect(await back(sync)).toEqual(['unchanged', 'skipped']);
	});
});

test('after its state was lost, the sync removes nobody that it did not add since', async () => {
	const sync = new PromptSync();
	await sync.run(people('ann', 'bob'));
	const renamed = new PromptSync();
	expect(actions(await renamed.run(people('ann', 'cid')))).toEqual([
		['unchanged', address('ann'), 'no changes'],
		['created', address('cid'), 'new'],
	]);
	await renamed.run(people('ann'));
	expect(emails()).toEqual([address('ann'), address('bob')]);
});

const notRemembered =
	'Manual executions are not remembered: new contacts do not count as added by this sync. Executions of the published workflow are remembered.';
test('the first execution, if it is manual, says to publish the workflow', async () => {
	const first = await new ScheduledSync(given).run(people('ann'), { mode: 'manual' });
	expect(hints(first)?.map(({ message }) => message)).toEqual(['1 created', notRemembered]);
});

test.each([true, false])(
	'a manual execution names the missing contacts that this sync did not add, dry run: %s',
	async (dryRun) => {
		for (const name of ['ann', 'bob', 'cid', 'dan', 'eva']) given.account.add(address(name));
		const sync = new ScheduledSync(given);
		const outcome = await sync.run(people('ann'), { mode: 'manual', parameters: { dryRun } });
		expect(hints(outcome)?.map(({ message }) => message)).toEqual([
			dryRun ? 'Dry run: 1 unchanged. Nothing was written.' : '1 unchanged',
			'Missing contacts left unchanged, because the published workflow did not add them: 4 (bob@example.com, cid@example.com, dan@example.com and 1 more). Contacts added by manual executions and retries do not count. To remove only some of them, delete them by hand or with "Contact: Delete". To include all of them, turn off "Only Added by Sync" under "Removal" in Options: all missing contacts may then be removed, whoever added them.',
			...(dryRun ? [] : [notRemembered]),
		]);
	},
);

test('a manual execution decides by what is known, saves nothing, and says so', async () => {
	const sync = new PromptSync();
	await sync.run(people('ann', 'bob'));
	const saved = structuredClone(sync.staticData);
	const manual = await sync.run(people('ann', 'cid'), { mode: 'manual' });
	expect(actions(manual)).toEqual([
		['unchanged', address('ann'), 'no changes'],
		['created', address('cid'), 'new'],
		['deleted', address('bob'), 'missing from the input'],
	]);
	expect(hints(manual)?.at(-1)?.message).toBe(notRemembered);
	expect(sync.staticData).toEqual(saved);
	// What a sync removed is not what a person removed.
	expect(actions(await sync.run(people('ann', 'bob')))[1]?.[0]).toBe('created');
	await sync.run(people('ann'));
	expect(emails()).toEqual([address('ann'), address('cid')]);
	const summary = await sync.run(people('ann'), {
		mode: 'manual',
		parameters: { options: { report: 'summary' } },
	});
	expect(json(summary)).toMatchObject([
		{
			notAddedBySync: 1,
			notes: [
				expect.stringMatching(
					/^Missing contacts left unchanged, because the published workflow did not add/,
				) as string,
				notRemembered,
			],
		},
	]);
});

test('a retry, which may begin without the memory, does not touch it', async () => {
	const sync = new PromptSync();
	await sync.run(people('ann', 'bob'));
	const saved = structuredClone(sync.staticData);
	sync.staticData = {};
	await sync.run(people('ann', 'bob', 'cid'), { mode: 'retry' });
	expect(sync.staticData).toEqual({});
	sync.staticData = saved;
	const retried = await sync.run(people('ann'), { mode: 'retry' });
	expect(actions(retried)).toEqual([['unchanged', address('ann'), 'no changes']]);
	expect(sync.staticData).toEqual(saved);
	await sync.run(people('ann'));
	expect(emails()).toEqual([address('ann'), address('cid')]);
});

test('a dry run shows who would be removed, and changes no state', async () => {
	const sync = new PromptSync();
	await sync.run(people('ann', 'bob'));
	const saved = structuredClone(sync.staticData);
	const dry = await sync.run(people('ann'), { parameters: { dryRun: true } });
	expect(actions(dry)[1]).toEqual(['wouldDelete', address('bob'), 'missing from the input']);
	expect(sync.staticData).toEqual(saved);
});

test('the state says nothing about anybody to who reads it', async () => {
	const sync = new PromptSync({ missing: 'delete', options: { externalIdField: 'number' } });
	await sync.run([{ ...people('ann')[0], number: 'C-1001' }]);
	const text = JSON.stringify(sync.staticData);
	expect(text).not.toMatch(/ann|example|C-1001/);
	expect(text.length).toBeLessThan(340);
});

describe('an external ID', () => {
	const numbered = (...pairs: Array<[number: string | number, name: string]>) =>
		pairs.map(([number, name]) => ({ ...people(name)[0], number }));
	const options = { externalIdField: 'number' };

	test('gives a contact its new address in place of creating a second one', async () => {
		const sync = new PromptSync({ missing: 'ignore', options });
		await sync.run(numbered(['C1', 'ann'], [2, 'bob']));
		const { id } = given.account.contact(address('ann')) ?? {};
		const outcome = await sync.run(numbered(['C1', 'anna'], ['2', 'bob']));
		expect(json(outcome)).toMatchObject([
			{
				action: 'updated',
				email: address('anna'),
				reason: 'Found by the external ID "C1"',
				contactId: id,
				changedFields: { email: { from: address('ann'), to: address('anna') } },
			},
			{ action: 'unchanged', email: address('bob') },
		]);
		expect(emails()).toEqual([address('anna'), address('bob')]);
		expect(actions(await sync.run(numbered(['C1', 'anne'])))[0]?.[0]).toBe('updated');
	});

	test('does so with Create or Update, too, and with contacts that were there before', async () => {
		const sync = new PromptSync({ operation: 'upsert', missing: 'ignore', options });
		given.account.add(address('ann'));
		await sync.run(numbered(['C1', 'ann']));
		await sync.run(numbered(['C2', 'bob']));
		expect(actions(await sync.run(numbered(['C1', 'anna'])))[0]?.[0]).toBe('updated');
		expect(emails()).toEqual([address('anna'), address('bob')]);
	});

	test('external-id: gives no address to a person who unsubscribed, with the old one or the new one', async () => {
		const sync = new PromptSync({ missing: 'ignore', options });
		await sync.run(numbered(['C1', 'ann'], ['C2', 'bob']));
		given.account.unsubscribe(address('ann'));
		given.account.unsubscribe(address('bobby'));
		const outcome = await sync.run(numbered(['C1', 'anna'], ['C2', 'bobby']));
		expect(actions(outcome)).toEqual([
			['skipped', address('anna'), 'unsubscribed'],
			['skipped', address('bobby'), 'unsubscribed'],
		]);
		expect(emails()).toEqual([address('ann'), address('bob')]);
	});

	test('yields to the item that has the address of its contact', async () => {
		const sync = new PromptSync({ missing: 'ignore', options });
		await sync.run(numbered(['C1', 'ann']));
		// The address went over to another customer.
		const outcome = await sync.run(numbered(['C1', 'anna'], ['C9', 'ann']));
		expect(actions(outcome)).toEqual([
			['created', address('anna'), 'new'],
			['unchanged', address('ann'), 'no changes'],
		]);
	});

	test('of a person who was removed in the service does not create the new address either', async () => {
		const sync = new PromptSync({ missing: 'delete', options });
		await sync.run(numbered(['C1', 'ann'], ['C2', 'bob']));
		remove('ann');
		for (let run = 0; run < 2; run++) {
			const outcome = await sync.run(numbered(['C1', 'anna'], ['C2', 'bob']));
			expect(actions(outcome)[0]).toEqual(['skipped', address('anna'), 'removed in the service']);
		}
	});

	test('that items of different people have fails them', async () => {
		const sync = new PromptSync({ missing: 'ignore', options });
		const outcome = await sync.run(
			numbered(['C1', 'ann'], ['C1', 'anna'], ['', 'bob'], ['', 'cid']),
		);
		const shared = (other: number) =>
			`External ID "C1" also belongs to item ${other}, which has a different email. Correct one of them`;
		expect(actions(outcome).map(([action, , reason]) => [action, reason])).toEqual([
			['failed', shared(1)],
			['failed', shared(0)],
			['created', 'new'],
			['created', 'new'],
		]);
	});

	test('that is no text fails its item, and a field that no item has stops the run', async () => {
		const sync = new PromptSync({ missing: 'ignore', options });
		const outcome = await sync.run([
			{ ...people('ann')[0], number: { value: 1 } },
			...numbered(['C1', 'bob']),
		]);
		expect(json(outcome)).toMatchObject([
			{
				action: 'failed',
				field: 'External ID',
				reason: 'External ID is an object. Map one of its fields',
			},
			{ action: 'created' },
		]);
		const { error } = await given.account.run({ operation: 'upsert', options }, people('ann'));
		expect(error?.message).toBe(
			'No input item has the field "number", which is set as "External ID Field"',
		);
	});
});

test('of two executions that overlap, the second one knows what the first one added', async () => {
	const sync = new PromptSync();
	await sync.run(people('ann'));
	const before = structuredClone(sync.staticData);
	await sync.run(people('ann', 'bob'));
	// It was started before the first one had ended, so n8n gave it the state from before.
	sync.staticData = before;
	const second = await sync.run(people('ann'));
	expect(actions(second).at(-1)).toEqual(['deleted', address('bob'), 'missing from the input']);
});

test('the second of two first executions that overlap knows what the first one added', async () => {
	const sync = new PromptSync();
	const first = sync.run(people('ann', 'bob'));
	// n8n saves what the first one remembers when it has ended, and gives none of it to the second one.
	sync.staticData = {};
	const second = await sync.run(people('ann'));
	expect(json(await first)).toMatchObject([{ action: 'created' }, { action: 'created' }]);
	// On a worker in queue mode, which gets no memory either, others may have named bob.
	expect(json(second)).toMatchObject([{ action: 'unchanged', email: address('ann') }]);
	expect(emails()).toEqual([address('ann'), address('bob')]);
	const third = await sync.run(people('ann'));
	expect(actions(third).at(-1)).toEqual(['deleted', address('bob'), 'missing from the input']);
});

test('an execution that n8n gives no memory, as to workers in queue mode, removes nobody', async () => {
	const sync = new PromptSync();
	await sync.run(people('ann', 'bob'));
	sync.staticData = {};
	const second = await sync.run(people('ann'));
	expect(actions(second)).toEqual([['unchanged', address('ann'), 'no changes']]);
	expect(hints(second)?.[1]?.message).toMatch(/^This node remembers no earlier run/);
});

test('a memory of a newer version is kept, and nothing is written until that version is back', async () => {
	const sync = new PromptSync();
	await sync.run(people('ann', 'bob'));
	const saved = structuredClone(sync.staticData);
	const newer = Object.fromEntries(
		Object.entries(saved as Record<string, { syncState: IDataObject }>).map(
			([key, { syncState }]) => [key, { syncState: { ...syncState, format: 4 } }],
		),
	);
	sync.staticData = structuredClone(newer);
	given.account.state.journal.clear();
	const { error } = await sync.attempt(people('ann'));
	expect(error?.message).toBe(
		'A newer version of this package saved the memory of this sync. It was left unchanged',
	);
	expect(sync.staticData).toEqual(newer);
	expect(emails()).toEqual([address('ann'), address('bob')]);

	sync.staticData = saved;
	const after = await sync.run(people('ann'));
	expect(actions(after)[1]).toEqual(['deleted', address('bob'), 'missing from the input']);
});

const summary = { parameters: { options: { report: 'summary' } } };
const many = (prefix: string, count: number) =>
	people(...Array.from({ length: count }, (_, number) => `${prefix}${number}`));

const runsOf = ({ staticData }: ScheduledSync) => {
	const { syncState } = staticData['node:Email Marketing'] as { syncState: StoredSyncState };
	return Object.values(syncState.types)[0]?.runs;
};

test('the summary has the medians of the last runs, and a note says what differs much from them', async () => {
	const sync = new PromptSync();
	const usual = many('ann', 20);
	await sync.run(usual);
	await sync.run(usual);
	await sync.run(usual, { mode: 'manual' });
	await sync.run(usual, { parameters: { dryRun: true } });
	const third = await sync.run(usual, summary);
	expect(json(third)[0]).not.toHaveProperty('medians');

	const medians = { items: 20, created: 0, updated: 0, removed: 0, failed: 0 };
	const same = await sync.run(usual, summary);
	expect(json(same)[0]).toMatchObject({ medians });
	expect(same.notes).toEqual(['20 unchanged']);

	const more = [...usual, ...many('cem', 31)];
	const differs =
		'This run differs a lot from previous runs: items 51 (median 20), created 31 (median 0). Check the source.';
	const dry = await sync.run(more, { parameters: { ...summary.parameters, dryRun: true } });
	expect(json(dry)[0]).toMatchObject({ medians, notes: [differs] });
	const run = await sync.run(more, summary);
	expect(json(run)[0]).toMatchObject({ medians, notes: [differs] });
	expect(run.notes).toEqual(['31 created, 20 unchanged', differs]);
});

test('a run that n8n tries again counts once, with what all its tries wrote', async () => {
	const sync = new PromptSync();
	await sync.run(many('ann', 20));
	await sync.run(many('ann', 20));
	const match = { method: 'POST', path: '/contacts/add' };
	given.account.state.faults.add({ kind: 'status', status: 400, match, times: 1 });
	const node: Partial<INode> = {
		...{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		onError: 'continueErrorOutput',
	};
	const more = [...people('ben'), ...many('ann', 60)];
	const third = await sync.run(more, { node });
	expect(third.notes).toEqual(['41 created, 20 unchanged']);
	await sync.runEach('loop', [more, more.slice(1)], { node });
	expect(runsOf(sync)).toEqual([
		...[
			[20, 20, 0, 0, 0],
			[20, 0, 0, 0, 0],
			[61, 41, 0, 0, 0],
		],
		...[
			[61, 0, 0, 0, 0],
			[60, 0, 0, 0, 0],
		],
	]);
});

test('the output of a further try has what the earlier ones wrote', async () => {
	const sync = new PromptSync();
	await sync.run(people('ann', 'bob', 'cem'));
	const node: Partial<INode> = {
		...{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		onError: 'continueErrorOutput',
	};
	const items = [{ email: 'nobody' }, ...people('bob', 'cem', 'new')];
	const outcome = await sync.run(items, { node });
	expect(actions(outcome)).toEqual([
		['unchanged', address('bob'), 'no changes'],
		['unchanged', address('cem'), 'no changes'],
		['created', address('new'), 'new'],
		['deleted', address('ann'), 'missing from the input'],
	]);
	expect(outcome.notes[0]).toMatch(/^1 created, 2 unchanged, 1 deleted, 1 failed/);
});

test('only the last ten runs count, and none that a limit stopped', async () => {
	const sync = new PromptSync({ options: limits({ maxAdditions: 25, maxRemovalPercent: 100 }) });
	await sync.run(many('ann', 20));
	for (let run = 0; run < 5; run++) await sync.run(many('ann', 20));
	const stopped = await sync.attempt(many('ben', 40));
	expect(stopped.error?.message).toContain('more than the 25 allowed');
	for (let run = 0; run < 9; run++) await sync.run(many('ann', 2));
	expect(json(await sync.run(many('ann', 2), summary))[0]).toMatchObject({
		medians: { items: 2, created: 0, updated: 0, removed: 0, failed: 0 },
	});
	expect(runsOf(sync)).toEqual([
		[2, 0, 0, 18, 0],
		...Array.from({ length: 9 }, () => [2, 0, 0, 0, 0]),
	]);
});
