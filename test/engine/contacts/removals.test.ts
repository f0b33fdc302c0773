import type { IDataObject } from 'n8n-workflow';

import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import { outcomeOf, runWorkflow } from '../engine';
import { chosen } from '../rows';
import { actions, address, people, removed, ScheduledSync } from './scheduledSync';
import { json, TYPE, useAccount } from './support';

const given = useAccount({ deletes: 'gone' });
const emails = () => given.account.emails().sort();
const remove = (name: string) => {
	const { contacts } = given.account.state.tables;
	contacts.remove(given.account.contact(address(name))?.id ?? 0);
};

const mirror = {
	resource: 'contact',
	operation: 'sync',
	contactTypeId: chosen(TYPE),
	fields: { mappingMode: 'autoMapInputData', value: null },
	missing: 'delete',
	options: { ...removal({ removeAfter: 1 }), ...limits({ maxRemovalPercent: 100 }) },
};

describe('a sync that gets its items one by one removes nobody', () => {
	const once =
		/^An agent runs this node once per item, so the people in all other items would count as missing/;

	test.each([{}, { dryRun: true }, { options: removal({ onlyAddedBySync: false }) }])(
		'as a tool that an agent calls: %j',
		async (changed) => {
			const steps = [
				{ name: 'Agent', type: 'agent' as const, parameters: {} },
				{
					name: 'Email Marketing',
					type: 'emailMarketingTool' as const,
					parameters: { ...mirror, ...changed, descriptionType: 'auto' },
					toolOf: 'Agent',
				},
			];
			const calls = people('ann', 'bob');
			const run = await runWorkflow({
				baseUrl: given.account.sandbox.baseUrl,
				items: [{ json: { calls } }],
				steps,
			});
			const results = outcomeOf(run, 'Agent').items[0]?.json.results as IDataObject[];
			expect(results.map(({ error }) => error)).toEqual(
				calls.map(() => expect.stringMatching(once) as string),
			);
			expect(given.account.reads()).toEqual([]);
		},
	);

	test.each(['emailMarketingTool', 'emailMarketingRouted'] as const)(
		'with a single item, as n8n runs it for an agent: %s',
		async (type) => {
			const name = 'Email Marketing';
			const run = await runWorkflow({
				baseUrl: given.account.sandbox.baseUrl,
				items: people('ann').map((one) => ({ json: one })),
				steps: [{ name, type, parameters: { ...mirror, descriptionType: 'auto' } }],
			});
			expect(outcomeOf(run, name).error?.message).toMatch(once);
			expect(given.account.reads()).toEqual([]);
		},
	);
});

describe('the limit is measured against what could be removed at all', () => {
	const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
	const limited = { ...limits({ maxRemovalPercent: 10 }), ...removal({ removeAfter: 1 }) };

	test('the contacts that the sync added', async () => {
		const sync = new ScheduledSync(given, { options: limited });
		for (let n = 0; n < 95; n++) given.account.add(`form${n}@example.com`);
		await sync.run(people(...names));
		const { error } = await sync.attempt(people('a'));
		expect(error).toMatchObject({
			message: '9 of 10 contacts that this sync added would be deleted, more than the 10% allowed',
			description: expect.stringMatching(/^Nothing was written\./) as string,
		});
		expect(given.account.emails()).toHaveLength(105);
		expect(removed(await sync.run(people(...names.slice(1))))).toEqual([address('a')]);
	});

	test('not who unsubscribed', async () => {
		const sync = new ScheduledSync(given, {
			options: { ...limited, ...removal({ onlyAddedBySync: false, removeAfter: 1 }) },
		});
		for (let n = 0; n < 95; n++) {
			given.account.add(`left${n}@example.com`);
			given.account.unsubscribe(`left${n}@example.com`);
		}
		await sync.run(people(...names));
		const { error } = await sync.attempt(people('a'));
		expect(error?.message).toBe('9 of 10 contacts would be deleted, more than the 10% allowed');
	});

	test('not who is in the unsubscribe group already', async () => {
		given.account.state.tables.unsubscribeGroups.add({ id: 51, group_name: 'Left' }, 0);
		const sync = new ScheduledSync(given, {
			missing: 'addToUnsubscribeGroup',
			missingUnsubscribeGroupId: chosen(51),
			options: { ...limited, ...removal({ onlyAddedBySync: false, removeAfter: 1 }) },
		});
		for (let n = 0; n < 95; n++) {
			given.account.add(`left${n}@example.com`);
			given.account.unsubscribe(`left${n}@example.com`, 51);
		}
		await sync.run(people(...names));
		const { error } = await sync.attempt(people('a'));
		expect(error?.message).toBe(
			'9 of 10 contacts would be added to the unsubscribe group, more than the 10% allowed',
		);
	});
});

describe('what one sync removes, another brings back', () => {
	const prompt = { options: removal({ removeAfter: 1 }) };
	const ofAll = { options: removal({ removeAfter: 1, onlyAddedBySync: false }) };

	test.each([
		['that removes what it added', prompt],
		['that removes whoever is missing', ofAll],
	])('after one %s', async (_, options) => {
		const first = new ScheduledSync(given, options);
		const second = new ScheduledSync(given, prompt);
		const everybody = people('ann', 'bob');
		await first.run(everybody);
		await second.run(everybody);
		expect(removed(await first.run(people('ann')))).toEqual([address('bob')]);
		expect(actions(await second.run(everybody))[1]).toEqual(['created', address('bob'), 'new']);
		// From now on it is the contact of the second one: what a person removes stays removed.
		remove('bob');
		expect(actions(await second.run(everybody))[1]?.[2]).toBe('removed in the service');
	});

	test('after a move, and with a new address', async () => {
		const externalIdField = 'number';
		const first = new ScheduledSync(given, {
			...{ missing: 'moveToContactType', missingContactTypeId: chosen(22) },
			...prompt,
		});
		const second = new ScheduledSync(given, {
			options: { ...removal({ removeAfter: 1 }), externalIdField },
		});
		const numbered = (...names: string[]) =>
			people(...names).map((person, n) => ({ ...person, number: `C${n}` }));
		await first.run(people('ann', 'bob'));
		await second.run(numbered('ann', 'bob'));
		await first.run(people('ann'));
		const outcome = await second.run(numbered('ann', 'bobby'));
		expect(actions(outcome)[1]).toEqual(['created', address('bobby'), 'new']);
	});

	test('after a manual execution', async () => {
		const sync = new ScheduledSync(given, prompt);
		await sync.run(people('ann', 'bob'));
		await sync.run(people('ann', 'bob'));
		expect(removed(await sync.run(people('ann'), { mode: 'manual' }))).toEqual([address('bob')]);
		await sync.run(people('ann'));
		expect(actions(await sync.run(people('ann', 'bob')))[1]?.[0]).toBe('created');
	});
});

describe('where "Missing From Input" is an expression', () => {
	const by = (value: string) => ({ missing: `={{ "${value}" }}` });

	test('only the field of its value has to be filled in', async () => {
		const sync = new ScheduledSync(given, {
			...by('delete'),
			options: removal({ removeAfter: 1 }),
		});
		await sync.run(people('ann', 'bob'));
		expect(removed(await sync.run(people('ann')))).toEqual([address('bob')]);
	});

	test.each([
		['moveToContactType', 'Move to Contact Type'],
		['addToUnsubscribeGroup', 'Unsubscribe Group'],
	])('%s without its place is refused before any request', async (value, label) => {
		for (const parameters of [by(value), { missing: value }]) {
			const sync = new ScheduledSync(given, parameters);
			const { error } = await sync.attempt(people('ann'));
			expect(error?.message).toBe(`"${label}" is required but empty`);
		}
		expect(given.account.reads()).toEqual([]);
	});
});

test('in queue mode, where nothing is remembered, nobody is removed, and each run says so', async () => {
	const sync = new ScheduledSync(given, { options: removal({ onlyAddedBySync: false }) });
	await sync.run(people('ann', 'bob'));
	for (let execution = 0; execution < 3; execution++) {
		sync.staticData = {};
		const outcome = await sync.run(people('ann'));
		expect(json(outcome)).toHaveLength(1);
		expect(outcome.notes).toEqual([
			'1 unchanged',
			'This node remembers no earlier run, so nobody is removed. If this appears after every run, move the node to a sub-workflow: in queue mode, or in a workflow with a polling trigger, n8n does not keep its memory.',
			'Missing contacts left unchanged, because this node remembers no earlier run: 1',
		]);
	}
	expect(emails()).toEqual([address('ann'), address('bob')]);
	const prompt = { options: removal({ onlyAddedBySync: false, removeAfter: 1 }) };
	sync.staticData = {};
	expect(removed(await sync.run(people('ann'), { parameters: prompt }))).toEqual([address('bob')]);
});
