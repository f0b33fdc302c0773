import type { IDataObject } from 'n8n-workflow';

import { removal } from '../../../scripts/lib/workflow-json.ts';
import { actions, address, people, removed, ScheduledSync } from './scheduledSync';
import { json, useAccount } from './support';

const given = useAccount();
const emails = () => given.account.emails().sort();
const remove = (name: string) => {
	const { contacts } = given.account.state.tables;
	contacts.remove(given.account.contact(address(name))?.id ?? 0);
};
const externalIdField = 'number';
const numbered = (pairs: Record<string, string>): IDataObject[] =>
	Object.entries(pairs).map(([number, name]) => ({ ...people(name)[0], number }));

const uncompared = (count: number) =>
	`New contacts whose external ID could not be compared, because this node remembers no earlier run with this "External ID Field": ${count}. If the email of one of them has changed, that person now has two contacts.`;
const recreated = (count: number) =>
	`New contacts that had previously been removed in the service: ${count}`;

describe.each([
	['upsert', 'ignore'],
	['sync', 'ignore'],
	['sync', 'delete'],
])('an external ID without memory: %s, %s', (operation, missing) => {
	const parameters = { operation, missing, options: { externalIdField } };

	test('new contacts are counted in every run: in queue mode, and after the keys have changed', async () => {
		const sync = new ScheduledSync(given, parameters);
		const first = await sync.run(numbered({ C1: 'ann', C2: 'bob' }));
		expect(first.notes).toContain(uncompared(2));
		sync.staticData = {};
		const second = await sync.run(numbered({ C1: 'anna', C2: 'bob' }));
		expect(second.notes).toContain(uncompared(1));
		expect(emails()).toEqual(['ann', 'anna', 'bob'].map(address));
		const base = given.account.sandbox.baseUrl.replace('127.0.0.1', 'localhost');
		const third = await sync.run(numbered({ C1: 'anne', C2: 'bob' }), { baseUrl: base });
		expect(third.notes).toContain(uncompared(1));
		const summary = await sync.run(numbered({ C3: 'cid' }), {
			parameters: { options: { report: 'summary' } },
			baseUrl: base,
		});
		expect(summary.notes.join()).not.toMatch(/external ID/);
	});

	test.each([
		['added', {}],
		['renamed', { externalIdField: 'old' }],
	])('new contacts are counted in the first run after the field was %s', async (_, options) => {
		const sync = new ScheduledSync(given, { operation, missing, options });
		const renamed = { parameters: { options: { externalIdField } } };
		const old = numbered({ C1: 'ann', C2: 'bob' }).map((one) => ({ ...one, old: one.number }));
		for (let run = 0; run < 2; run++) {
			expect((await sync.run(old)).notes).not.toContain(uncompared(1));
		}
		const items = numbered({ C1: 'anna', C2: 'bob' });
		const retry = await sync.run(items, { ...renamed, mode: 'retry' });
		expect(actions(retry)[0]?.slice(0, 2)).toEqual(['skipped', address('anna')]);
		expect((await sync.run(items, renamed)).notes).toContain(uncompared(1));
		const changed = await sync.run(numbered({ C1: 'anne', C2: 'bob', C3: 'cid' }), renamed);
		expect(changed.notes.join()).not.toMatch(/could not be compared/);
		expect(actions(changed).slice(0, 1)).toEqual([
			['updated', address('anne'), 'Found by the external ID "C1"'],
		]);
	});

	test('a dry run says that it remembers none', async () => {
		const sync = new ScheduledSync(given, parameters);
		const outcome = await sync.run(numbered({ C1: 'ann' }), {
			parameters: { ...parameters, dryRun: true },
		});
		expect(outcome.notes).toContain(
			uncompared(1).replace(
				'now has two contacts.',
				'would then have two contacts. Neither dry runs nor "Apply Plan" remember any external ID.',
			),
		);
	});

	test('a retry creates nobody who may have another contact, and says so', async () => {
		const sync = new ScheduledSync(given, parameters);
		given.account.add(address('ann'));
		given.account.add(address('form'));
		const items = [...numbered({ C1: 'anna' }), ...people('ann')];
		const outcome = await sync.run(items, { mode: 'retry' });
		expect(actions(outcome)[0]).toEqual([
			'skipped',
			address('anna'),
			'not created in a retry: the node does not know whether this person was removed in the service',
		]);
		expect(outcome.notes).toContain(
			'This execution is a retry. It removes nobody, and creates nobody who may have been removed in the service. It is not remembered: new contacts do not count as added by this sync.',
		);
		expect(outcome.notes.join()).not.toMatch(/queue mode|did not add them/);
		expect(emails()).toEqual([address('ann'), address('form')]);
	});
});

describe('an external ID of somebody who was removed by hand', () => {
	test('with Ignore, the person is created again, and each such run says so', async () => {
		const parameters = { missing: 'ignore', options: { externalIdField } };
		const sync = new ScheduledSync(given, parameters);
		await sync.run(numbered({ C1: 'ann', C2: 'bob' }));
		remove('ann');
		const changed = await sync.run(numbered({ C1: 'anna', C2: 'bob' }));
		expect(actions(changed)[0]?.[0]).toBe('created');
		expect(changed.notes).toContain(recreated(1));
		remove('bob');
		const summary = { options: { report: 'summary' } };
		const same = await sync.run(numbered({ C1: 'anna', C2: 'bob' }), { parameters: summary });
		expect(json(same)).toMatchObject([{ created: 1, notes: [recreated(1)] }]);
		const settled = await sync.run(numbered({ C1: 'anna', C2: 'bob' }));
		expect(settled.notes).toEqual(['2 unchanged']);
	});

	test.each(['ignore', 'delete'])(
		'%s: the node still knows it after inputs without the person',
		async (missing) => {
			const sync = new ScheduledSync(given, { missing, options: { externalIdField } });
			await sync.run(numbered({ C1: 'ann', C2: 'bob' }));
			remove('ann');
			for (let execution = 0; execution < 3; execution++) await sync.run(numbered({ C2: 'bob' }));
			const back = await sync.run(numbered({ C1: 'anna', C2: 'bob' }));
			const [first] = actions(back);
			if (missing === 'ignore') expect(back.notes).toContain(recreated(1));
			else expect(first).toEqual(['skipped', address('anna'), 'removed in the service']);
		},
	);
});

describe('a retried execution', () => {
	const retry = { mode: 'retry' } as const;

	test('creates nobody again who was removed in the service', async () => {
		const sync = new ScheduledSync(given);
		await sync.run(people('ann', 'bob'));
		remove('bob');
		// This n8n has seen the earlier run.
		expect(actions(await sync.run(people('ann', 'bob', 'cid'), retry))).toEqual([
			['unchanged', address('ann'), 'no changes'],
			['skipped', address('bob'), 'removed in the service'],
			['created', address('cid'), 'new'],
		]);
		// After a restart, or in another process, it has not.
		const restarted = new ScheduledSync(given);
		const outcome = await restarted.run(people('ann', 'bob', 'dan'), retry);
		expect(actions(outcome).map(([action]) => action)).toEqual(['unchanged', 'skipped', 'skipped']);
		expect(emails()).toEqual([address('ann'), address('cid')]);
	});

	test.each([{}, removal({ removeAfter: 1 }), removal({ onlyAddedBySync: false, removeAfter: 1 })])(
		'removes nobody, such as those added since: %j',
		async (options) => {
			const sync = new ScheduledSync(given, { options });
			await sync.run(people('ann', 'bob'));
			given.account.add(address('form'));
			const items = people('ann');
			for (let n = 0; n < 3; n++) expect(removed(await sync.run(items, retry))).toEqual([]);
			const parent = { executionId: 'caller', mode: 'retry' as const };
			const called = await sync.run(items, { mode: 'integrated', parent });
			expect(removed(called)).toEqual([]);
			expect(called.notes.join()).toMatch(/because this execution is a retry/);
			expect(emails()).toEqual(['ann', 'bob', 'form'].map(address));
		},
	);

	test('creates whom it may where nothing depends on a memory', async () => {
		const sync = new ScheduledSync(given, { missing: 'ignore' });
		expect(actions(await sync.run(people('ann'), retry))).toEqual([
			['created', address('ann'), 'new'],
		]);
	});
});
