import fc from 'fast-check';
import { PlanLimitError } from '../../../nodes/EmailMarketing/features/sync/syncContacts';
import type { SyncOptions } from '../../../nodes/EmailMarketing/features/sync/types';
import { CONTACT_FIELDS } from '../../../nodes/EmailMarketing/features/contacts/fields';
import { addressKey } from '../../../nodes/EmailMarketing/util/email';
import { anyItem, anyOptions, contactList, groupMembers, suppressionList } from './arbitraries';
import { contact, item, TYPE } from './builders';
import {
	IMPORTS,
	InMemoryService,
	syncOptions,
	type Fault,
	type ImportStyle,
} from './inMemoryService';
import { runOf, syncOnce } from './syncRun';

const GROUP = 51;
const RESPECTED = 52;

const percent = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });
const most = fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined });
const anyLimits = fc.record({
	maxRemovals: most,
	maxRemovalPercent: fc.integer({ min: 0, max: 100 }),
	maxAdditions: most,
	maxAdditionPercent: percent,
	maxUpdates: most,
	maxUpdatePercent: percent,
	maxFailures: most,
	maxFailurePercent: percent,
});
const noLimits = fc.constant({ maxRemovalPercent: 100, maxFailurePercent: 100 });

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
		importAbove: fc.constantFrom(undefined, 1, 3),
		imports: fc.constantFrom(...IMPORTS),
		options: fc.tuple(anyOptions, limits).map(([one, other]) => ({ ...one, ...other })),
	});

type Situation = ReturnType<typeof situationWith> extends fc.Arbitrary<infer T> ? T : never;

function serviceOf({ contacts, unsubscribed, left, members, faults, imports }: Situation) {
	const service = new InMemoryService(structuredClone(contacts));
	service.globalUnsubscribes = [...unsubscribed.keys()];
	service.groups = { [GROUP]: [...members], [RESPECTED]: [...left] };
	service.faults = faults;
	service.imports = imports;
	return service;
}

const columns = CONTACT_FIELDS.map((field) => ({ header: field, field }));

async function run(service: InMemoryService, { items, options, importAbove }: Situation) {
	const changed = {
		...options,
		unsubscribeGroupIds: [RESPECTED],
		...(importAbove !== undefined && {
			csvImport: { above: importAbove, columns, country: 'id' as const },
		}),
	};
	return await syncOnce(items, service, syncOptions(changed), runOf(service));
}

test('nobody on a respected list is added, changed, moved, deleted or put in a group', async () => {
	await fc.assert(
		fc.asyncProperty(situationWith(noLimits), async (given) => {
			// Nobody can keep a service from removing others.
			const imports: ImportStyle =
				given.imports === 'in place of another' ? 'as sent' : given.imports;
			const situation = { ...given, imports };
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
		{ numRuns: 50 },
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
		{ numRuns: 50 },
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
		{ numRuns: 50 },
	);
});

/** New people alone, with values that imports may change. */
const arrivals = fc.record({
	items: fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 12 }).chain((numbers) =>
		fc.tuple(
			...numbers.map((n) =>
				fc
					.record(
						{
							country: fc.constantFrom('DE', 'AT'),
							city: fc.constantFrom(
								...['Bonn', 'Bonn', 'Köln', 'Bonn, "Süd"', '😀', ''],
								...['Bonn, Süd\\', 'C:\\', '\\"', '1.10', 'Null'],
							),
							postal_code: fc.constantFrom('01234', '53111'),
							state: fc.constantFrom('NRW', '=1+1'),
						},
						{ requiredKeys: ['country'] },
					)
					.map((values) => item(`new${n}@x.org`, values)),
			),
		),
	),
	imports: fc.constantFrom(...IMPORTS),
	above: fc.constantFrom(1, 2, 5),
	/** What happens to the file with this number. */
	upload: fc.option(
		fc.record({
			nth: fc.nat(2),
			fault: fc.constantFrom<Fault>('lost before', 'lost after', 'rejected'),
		}),
	),
	/** Somebody else adds a contact before the write with this number. */
	stranger: fc.option(fc.nat(4)),
	failReadsAfter: fc.constantFrom(Infinity, Infinity, 3, 4),
});

test('whatever an import does, nobody is written twice, and every outcome is true', async () => {
	await fc.assert(
		fc.asyncProperty(
			arrivals,
			async ({ items, imports, above, upload, stranger, failReadsAfter }) => {
				const service = new InMemoryService();
				service.imports = imports;
				service.failReadsAfter = failReadsAfter;
				service.onWrite = () => {
					const { writes } = service;
					const files = writes.filter((call) => call === 'upload').length;
					service.faults = upload && files === upload.nth + 1 ? [['upload', upload.fault]] : [];
					if (writes.length === stranger) service.contacts.push(contact(99));
				};
				const csvImport = { above, columns, country: 'id' as const };
				const { rows } = await syncOnce(items, service, syncOptions({ csvImport }), runOf(service));
				const shown = structuredClone(service.contacts);
				service.arrive();
				for (const row of rows) {
					const all = service.contacts.filter(({ email }) => email === row.email);
					const inList = shown.filter(({ email }) => email === row.email);
					// A service that takes a row twice does so before the list is read.
					const isServiceTwice = imports === 'twice' && failReadsAfter !== Infinity;
					if (!isServiceTwice) expect(all.length).toBeLessThanOrEqual(1);
					if (row.action === 'failed') {
						if (failReadsAfter === Infinity) {
							expect(inList.filter(({ contact_type_id: type }) => type === TYPE)).toEqual([]);
						}
						continue;
					}
					expect(inList.length).toBeGreaterThan(0);
					if (row.contactId !== undefined) expect(row.contactId).toBe(inList[0]?.id);
					const { values } = items[row.item ?? 0] as (typeof items)[number];
					const country = values.country === 'DE' ? 'Germany' : 'Austria';
					const isAsPlanned =
						(inList[0]?.city ?? '') === (values.city ?? '') && inList[0]?.country === country;
					if (!isAsPlanned) expect(row.reason).toMatch(/other values|could not be read/);
				}
			},
		),
		{ numRuns: 60 },
	);
});
