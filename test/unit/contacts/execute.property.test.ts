import fc from 'fast-check';
import { PlanLimitError, syncContacts } from '../../../nodes/EmailMarketing/contacts/execute';
import type { SyncOptions } from '../../../nodes/EmailMarketing/contacts/syncOptions';
import { addressKey } from '../../../nodes/EmailMarketing/util/email';
import { anyItem, anyOptions, contactList, groupMembers, suppressionList } from './arbitraries';
import { InMemoryService, poolOf, syncOptions, type Fault } from './inMemoryService';

const GROUP = 51;
const RESPECTED = 52;

const percent = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });
const most = fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined });
const anyLimits = fc.record({
	maxDeletions: most,
	maxDeletionPercent: fc.integer({ min: 0, max: 100 }),
	maxUpdates: most,
	maxUpdatePercent: percent,
	maxFailures: most,
	maxFailurePercent: percent,
});
const noLimits = fc.constant({ maxDeletionPercent: 100, maxFailurePercent: 100 });

const fault = fc.constantFrom<Fault>('rejected', 'lost before', 'lost after');
const call = fc.constantFrom('create', 'update', 'remove ', 'removeMany', 'addToGroup', 'upload');

const situationWith = (limits: fc.Arbitrary<Partial<SyncOptions>>) =>
	fc.record({
		items: fc.array(anyItem, { maxLength: 25 }),
		contacts: contactList,
		unsubscribed: suppressionList,
		left: groupMembers,
		members: groupMembers,
		faults: fc.array(fc.tuple(call, fault), { maxLength: 2 }),
		importAbove: fc.constantFrom(undefined, 0, 3),
		options: fc.tuple(anyOptions, limits).map(([one, other]) => ({ ...one, ...other })),
	});

type Situation = ReturnType<typeof situationWith> extends fc.Arbitrary<infer T> ? T : never;

function serviceOf({ contacts, unsubscribed, left, members, faults }: Situation) {
	const service = new InMemoryService(structuredClone(contacts));
	service.globalUnsubscribes = [...unsubscribed.keys()];
	service.groups = { [GROUP]: [...members], [RESPECTED]: [...left] };
	service.faults = faults;
	return service;
}

async function run(service: InMemoryService, { items, options, importAbove }: Situation) {
	const columns = [
		{ header: 'email', field: 'email' },
		{ header: 'country', field: 'country' },
	] as const;
	const changed = {
		...options,
		unsubscribeGroupIds: [RESPECTED],
		...(importAbove !== undefined && {
			csvImport: { above: importAbove, columns, country: 'id' as const },
		}),
	};
	return await syncContacts(items, service, syncOptions(changed), poolOf());
}

test('nobody on a respected list is added, changed, moved, deleted or put in a group', async () => {
	await fc.assert(
		fc.asyncProperty(situationWith(noLimits), async (situation) => {
			const service = serviceOf(situation);
			await run(service, situation).catch((error: unknown) => {
				if (!(error instanceof PlanLimitError)) throw error;
			});
			const isHeld = (address: string) =>
				situation.unsubscribed.has(addressKey(address)) || situation.left.has(addressKey(address));
			const held = (list: InMemoryService['contacts']) => list.filter(({ email }) => isHeld(email));
			expect(held(service.contacts)).toEqual(held(situation.contacts));
			const added = (service.groups[GROUP] ?? []).filter((one) => !situation.members.has(one));
			expect(added.filter(isHeld)).toEqual([]);
		}),
		{ numRuns: 150 },
	);
});

test('nothing is written when a limit trips, and a dry run shows the same plan', async () => {
	await fc.assert(
		fc.asyncProperty(situationWith(anyLimits), async (situation) => {
			const dry = serviceOf(situation);
			const options = { ...situation.options, dryRun: true };
			const { rows, plan } = await run(dry, { ...situation, options });
			expect(dry.writes).toEqual([]);

			const service = serviceOf(situation);
			const outcome = await run(service, situation).catch((error: unknown) => error);
			if (plan.limit) {
				expect(outcome).toBeInstanceOf(PlanLimitError);
				expect((outcome as Error).message).toBe(plan.limit.reason);
				expect(service.writes).toEqual([]);
				expect(service.contacts).toEqual(situation.contacts);
				expect(rows.filter(({ reason }) => reason?.includes('stopped by the limit'))).not.toEqual(
					[],
				);
			} else {
				expect(outcome).toMatchObject({ rows: { length: rows.length } });
			}
		}),
		{ numRuns: 150 },
	);
});

test('each item and each missing contact has one row, whatever goes wrong', async () => {
	await fc.assert(
		fc.asyncProperty(situationWith(noLimits), async (situation) => {
			const outcome = await run(serviceOf(situation), situation).catch((error: unknown) => {
				if (!(error instanceof PlanLimitError)) throw error;
			});
			if (!outcome) return;
			const { rows, plan } = outcome;
			const items = rows.flatMap(({ item }) => (item === undefined ? [] : [item]));
			expect(items).toEqual(situation.items.map((_, index) => index));
			const missing = rows.flatMap(({ item, contactId }) =>
				item === undefined ? [contactId] : [],
			);
			const { kind } = situation.options.missing ?? {};
			expect(missing).toHaveLength(kind === 'ignore' ? 0 : plan.missingCount);
			expect(new Set(missing).size).toBe(missing.length);
		}),
		{ numRuns: 150 },
	);
});
