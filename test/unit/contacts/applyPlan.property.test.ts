import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	applyPlan,
	columnsToApply,
} from '../../../nodes/EmailMarketing/features/sync/savedPlan/applyPlan';
import {
	PlanLimitError,
	type SyncResult,
} from '../../../nodes/EmailMarketing/features/sync/syncContacts';
import { syncVerbs, toItems } from '../../../nodes/EmailMarketing/features/sync/output';
import { readPlanRows } from '../../../nodes/EmailMarketing/features/sync/savedPlan/planRows';
import type {
	ListedContact,
	PlannedRow,
} from '../../../nodes/EmailMarketing/features/contacts/types';
import { addressKey } from '../../../nodes/EmailMarketing/util/email';
import { anyItem, anyOptions, contactList, groupMembers, suppressionList } from './arbitraries';
import { contact, TYPE } from './builders';
import { InMemoryService, syncOptions } from './inMemoryService';
import { runOf, syncOnce } from './syncRun';

const GROUP = 51;

const situation = fc.record({
	items: fc.array(anyItem, { maxLength: 25 }),
	contacts: contactList,
	unsubscribed: suppressionList,
	members: groupMembers,
	options: anyOptions,
	isStored: fc.boolean(),
});
type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

const optionsOf = ({ options }: Situation) =>
	syncOptions({ ...options, maxRemovalPercent: 100, maxFailurePercent: 100 });

function serviceOf({ contacts, unsubscribed, members }: Situation): InMemoryService {
	const service = new InMemoryService(structuredClone(contacts));
	service.globalUnsubscribes = [...unsubscribed.keys()];
	service.groups = { [GROUP]: [...members] };
	return service;
}

/** The rows as the dry run returns them; a table keeps objects as texts. */
async function planOf(given: Situation, service: InMemoryService): Promise<IDataObject[]> {
	const options = { ...optionsOf(given), dryRun: true };
	const { rows, plan } = await syncOnce(given.items, service, options, runOf(service));
	const items = toItems(rows, {
		report: 'all',
		verbs: syncVerbs(true),
		dryRun: true,
		failuresAsErrors: false,
		toApply: columnsToApply(plan, 'contactVersion'),
		record: { runId: '1-0', list: { contactTypeId: TYPE }, plannedAt: '' },
	});
	return items.map(({ json }) => {
		const stored = JSON.parse(JSON.stringify(json)) as IDataObject;
		return given.isStored && stored.changedFields
			? { ...stored, changedFields: JSON.stringify(stored.changedFields) }
			: stored;
	});
}

async function apply(given: Situation, service: InMemoryService, rows: IDataObject[]) {
	const missing = { ...optionsOf(given).missing };
	const options = syncOptions({
		missing,
		matchBy: 'contactId',
		emptyValues: 'clear',
		onlyAddedBySync: true,
		recreateRemoved: true,
		removeAfter: 1,
	});
	const planRows = readPlanRows(rows.map((json, index) => ({ json, index })));
	const applied = await applyPlan(planRows, service, options, runOf(service));
	return applied.rows;
}

/** What a service holds; the IDs of new contacts depend on the order of the requests. */
const endOf = ({ contacts, groups, createdIds }: InMemoryService) => ({
	contacts: contacts
		.map((one) => ({ ...one, id: createdIds.has(one.id) ? 'new' : one.id }))
		.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
	members: [...(groups[GROUP] ?? [])].sort(),
});

const outcomes = (rows: readonly PlannedRow[]) =>
	rows.map(({ action, email, contactId, changes }) => ({
		...{ action, email, contactId },
		changes: action === 'updated' ? changes : undefined,
	}));

test('a plan does to a service that has not changed what the sync does', async () => {
	await fc.assert(
		fc.asyncProperty(situation, async (given) => {
			const synced = serviceOf(given);
			const outcome = await syncOnce(given.items, synced, optionsOf(given), runOf(synced)).catch(
				(error: unknown) => error,
			);
			// Without any usable item, nothing may be removed.
			fc.pre(!(outcome instanceof PlanLimitError));
			const { rows } = outcome as SyncResult;
			const service = serviceOf(given);
			const plan = await planOf(given, service);
			service.calls = [];
			const applied = await apply(given, service, plan);
			expect(endOf(service)).toEqual(endOf(synced));
			expect(outcomes(applied)).toEqual(outcomes(rows));
			// Once before the writes, and once after them if a contact was created, or a field cleared.
			const clears = ({ changes = {} }: PlannedRow) =>
				Object.values(changes).some(({ to }) => to === '');
			const reads = applied.some((row) => row.action === 'created' || clears(row)) ? 2 : 1;
			expect(service.reads.filter((call) => call === 'list').length).toBeLessThanOrEqual(reads);
		}),
		{ numRuns: 100 },
	);
});

test('a plan that is applied twice writes nothing the second time', async () => {
	await fc.assert(
		fc.asyncProperty(situation, async (given) => {
			const service = serviceOf(given);
			const plan = await planOf(given, service);
			await apply(given, service, plan);
			const end = structuredClone(endOf(service));
			service.calls = [];
			await apply(given, service, plan);
			expect(service.writes).toEqual([]);
			expect(endOf(service)).toEqual(end);
		}),
		{ numRuns: 60 },
	);
});

type Change = (contacts: ListedContact[], at: number) => ListedContact[];
const edit =
	(changed: Partial<ListedContact>): Change =>
	(contacts, at) =>
		contacts.map((one, index) => (index === at % contacts.length ? { ...one, ...changed } : one));
/** Above those that the service had, so that no two contacts have one ID. */
const unusedId = (contacts: ListedContact[]): number =>
	Math.max(900, ...contacts.map(({ id }) => id)) + 1;
const changes = fc.array(
	fc.tuple(
		fc.constantFrom<Change>(
			edit({ first_name: 'Eve' }),
			edit({ country: 'Switzerland' }),
			edit({ email: 'moved@example.com' }),
			edit({ city: 'Bonn' }),
			edit({ contact_type_id: 9 }),
			edit({ deleted_at: '2026-03-01T00:00:00.000000Z' }),
			(contacts, at) => contacts.filter((_, index) => index !== at % contacts.length),
			(contacts, at) => [
				...contacts,
				contact(unusedId(contacts), { email: `c${(at % 12) + 1}@example.com`, first_name: 'Zed' }),
			],
		),
		fc.nat({ max: 30 }),
	),
	{ minLength: 1, maxLength: 6 },
);

const same = (one: ListedContact | undefined, other: ListedContact | undefined): boolean =>
	JSON.stringify(one) === JSON.stringify(other);

test('no contact is written that changed after the plan, and nobody who unsubscribed since', async () => {
	await fc.assert(
		fc.asyncProperty(situation, changes, suppressionList, async (given, changed, left) => {
			const service = serviceOf(given);
			const plan = await planOf(given, service);
			let now = service.contacts;
			for (const [change, at] of changed) if (now.length > 0) now = change(now, at);
			service.contacts = structuredClone(now);
			service.globalUnsubscribes.push(...left.keys());
			await apply(given, service, plan);

			const before = new Map(given.contacts.map((one) => [one.id, one]));
			const after = new Map(service.contacts.map((one) => [one.id, one]));
			for (const one of now) {
				const hasChanged = !same(one, before.get(one.id));
				const isHeld = left.has(addressKey(one.email));
				if (hasChanged || isHeld) expect(after.get(one.id)).toEqual(one);
			}
			const known = new Set(now.map((one) => `${one.contact_type_id} ${addressKey(one.email)}`));
			for (const id of service.createdIds) {
				const email = addressKey(after.get(id)?.email ?? '');
				expect([email, left.has(email)]).toEqual([email, false]);
				const isLive = now.some(
					(one) =>
						!one.deleted_at &&
						addressKey(one.email) === email &&
						Number(one.contact_type_id) === TYPE,
				);
				expect([email, known.has(`${TYPE} ${email}`) && isLive]).toEqual([email, false]);
			}
		}),
		{ numRuns: 100 },
	);
});
