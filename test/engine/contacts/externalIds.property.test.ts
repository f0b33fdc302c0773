import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { removal } from '../../../scripts/lib/workflow-json.ts';
import { address, ScheduledSync } from './scheduledSync';
import { json, useAccount } from './support';

const given = useAccount({ emptyLists: 'success' });

type Step =
	| { kind: 'comes'; who: number; isListed: boolean; hasUnsubscribed: boolean }
	| { kind: 'leaves' | 'renames' | 'edited' | 'unsubscribes'; who: number }
	| { kind: 'run'; isManual: boolean };

const who = fc.integer({ min: 1, max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('run'), isManual: fc.boolean() }) },
	{
		weight: 2,
		arbitrary: fc.record({
			...{ kind: fc.constant('comes'), who },
			...{ isListed: fc.boolean(), hasUnsubscribed: fc.boolean() },
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			...{ kind: fc.constantFrom('leaves', 'renames', 'edited', 'unsubscribes'), who },
		}),
	},
);

/** The source, with the contact of each person, once a run that n8n has saved has shown it. */
class World {
	readonly source = new Map<number, string>();
	readonly contactOf = new Map<number, number>();
	private count = 0;

	change(step: Exclude<Step, { kind: 'run' }>): void {
		const { account } = given;
		const { kind, who } = step;
		if (kind === 'leaves') this.source.delete(who);
		if (kind === 'comes' && !this.source.has(who)) {
			const email = this.nextAddress(who);
			this.source.set(who, email);
			if (step.isListed) account.add(email);
			if (step.hasUnsubscribed) account.unsubscribe(email);
		}
		if (kind === 'renames' && this.source.has(who)) this.source.set(who, this.nextAddress(who));
		const contact = this.contact(who);
		if (!contact) return;
		if (kind === 'edited') {
			account.state.tables.contacts.change(contact, { email: this.nextAddress(who) });
		}
		if (kind === 'unsubscribes') account.unsubscribe(contact.email);
	}

	contact(who: number) {
		const id = this.contactOf.get(who);
		return given.account.state.tables.contacts.all().find((one) => one.id === id);
	}

	get items(): IDataObject[] {
		return [...this.source].map(([id, email]) => ({ id, email, country: 'DE' }));
	}

	private nextAddress(who: number): string {
		return address(`p${who}.${++this.count}`);
	}
}

const isUnsubscribed = (email: string) =>
	given.account.state.tables.globalUnsubscribes
		.all()
		.some(({ email_address }) => email_address === email);

test('whoever has an external ID stays one contact, keeps out once unsubscribed, and is never missing', async () => {
	const cases = fc.record({
		steps: fc.array(step, { minLength: 3, maxLength: 24 }),
		missing: fc.constantFrom('ignore', 'delete'),
		onlyAddedBySync: fc.boolean(),
		removeAfter: fc.constantFrom(1, 2),
	});
	await fc.assert(
		fc.asyncProperty(cases, async ({ steps, missing, ...rules }) => {
			given.account.reset();
			const world = new World();
			const sync = new ScheduledSync(given, {
				missing,
				options: { externalIdField: 'id', ...removal({ recreateRemoved: true, ...rules }) },
			});
			for (const one of steps) {
				if (one.kind !== 'run') {
					world.change(one);
					continue;
				}
				const { items } = world;
				if (items.length === 0) continue;
				const before = new Map(items.map(({ id }) => [id, { ...world.contact(Number(id)) }]));
				const keptOut = items.filter(({ id, email }) =>
					[String(email), before.get(id)?.email ?? ''].some(isUnsubscribed),
				);
				const mode = one.isManual ? 'manual' : 'trigger';
				const rows = json(await sync.run(items, { mode }));
				items.forEach(({ id, email }, index) => {
					const row = rows[index];
					const contact = before.get(id);
					if (contact?.id !== undefined) {
						expect(row?.action).not.toBe('created');
						expect(world.contact(Number(id))).toBeDefined();
					}
					if (keptOut.some((one) => one.id === id)) {
						expect(row).toMatchObject({ action: 'skipped', reason: 'unsubscribed' });
						if (contact?.id !== undefined) expect(world.contact(Number(id))).toEqual(contact);
					} else if (row?.action !== 'failed') {
						expect(given.account.contact(String(email))).toBeDefined();
					}
					const known = row?.contactId ?? given.account.contact(String(email))?.id;
					if (!one.isManual && known !== undefined) world.contactOf.set(Number(id), Number(known));
				});
			}
		}),
		{ numRuns: 100 },
	);
});
