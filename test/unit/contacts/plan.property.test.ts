import fc from 'fast-check';
import { planContacts as planWith } from '../../../nodes/EmailMarketing/features/sync/plan/plan';
import { onlyRun } from '../../../nodes/EmailMarketing/features/sync/plan/planMissing';
import { addressKey } from '../../../nodes/EmailMarketing/util/email';
import { toText } from '../../../nodes/EmailMarketing/util/coerce';
import type { MappedContact } from '../../../nodes/EmailMarketing/features/contacts/fields';
import type { ListedContact } from '../../../nodes/EmailMarketing/features/contacts/types';
import type { Plan, PlanInput } from '../../../nodes/EmailMarketing/features/sync/types';
import {
	anyItem,
	anyOptions,
	anyPolicy,
	contactList,
	goodItem,
	groupMembers,
	OTHER_TYPE,
	suppressionList,
} from './arbitraries';
import { TYPE, apply, countries, numbered, options, type UpdateStyle } from './builders';

// The lookup is not part of a situation: it would fill the report of a counterexample.
type Situation = Omit<PlanInput, 'countries' | 'execution' | 'items'> & { items: MappedContact[] };
const planContacts = (input: Situation) =>
	planWith({ ...input, items: numbered(input.items), countries, execution: onlyRun });

const anySituation = fc.record({
	items: fc.array(anyItem, { maxLength: 20 }),
	contacts: contactList,
	suppressions: suppressionList,
	groupMembers,
	options: anyOptions,
});
const styles = fc.constantFrom<UpdateStyle>('keeps', 'blanks');
const runs = { numRuns: 300 };

const isLive = (contact: ListedContact) =>
	!contact.deleted_at && Number(contact.contact_type_id) === TYPE;

const WRITTEN = new Set(['created', 'updated', 'moved', 'addedToGroup', 'deleted']);
const writes = (plan: Plan) => plan.rows.filter(({ action }) => WRITTEN.has(action));

test('applying a plan gives exactly what the input says', () => {
	const situation = fc.record({
		items: fc.uniqueArray(goodItem, {
			maxLength: 12,
			selector: ({ values }) => addressKey(String(values.email)),
		}),
		contacts: contactList,
		suppressions: suppressionList,
		emptyValues: fc.constantFrom('ignore' as const, 'clear' as const),
		missing: fc.constantFrom('ignore' as const, 'delete' as const),
		style: styles,
	});
	fc.assert(
		fc.property(situation, ({ items, contacts, suppressions, emptyValues, missing, style }) => {
			const plan = planContacts({
				items,
				contacts,
				suppressions,
				options: options({ emptyValues, missing: { kind: missing } }),
			});
			fc.pre(plan.limit === undefined);
			const after = apply(plan, contacts, style);

			const expected = new Map<string, Record<string, string>>();
			for (const contact of contacts.filter(isLive)) {
				const key = addressKey(contact.email);
				if (!expected.has(key)) expected.set(key, shown(contact));
			}
			const named = new Set<string>();
			for (const { values } of items) {
				const key = addressKey(String(values.email));
				named.add(key);
				if (suppressions.has(key)) continue;
				const truth = expected.get(key) ?? shown({ id: 0, contact_type_id: TYPE, email: key });
				for (const [field, value] of Object.entries(values)) {
					const text = toText(value);
					if (field === 'email' || value === undefined) continue;
					if (text === '' && emptyValues === 'ignore') continue;
					const found = field === 'country' ? countries.find(String(text)) : undefined;
					truth[field] = (found && 'name' in found && found.name) || String(text);
				}
				expected.set(key, truth);
			}
			if (missing === 'delete') {
				for (const key of expected.keys()) {
					if (!named.has(key) && !suppressions.has(key)) expected.delete(key);
				}
			}

			const got = new Map<string, Record<string, string>>();
			for (const contact of after.filter(isLive).sort((a, b) => a.id - b.id)) {
				const key = addressKey(contact.email);
				if (!got.has(key)) got.set(key, shown(contact));
			}
			expect(sorted(got)).toEqual(sorted(expected));
			// Other contact types and deleted contacts are not touched.
			const others = (list: ListedContact[]) => list.filter((contact) => !isLive(contact));
			expect(others(after)).toEqual(others(contacts));
		}),
		runs,
	);
});

function shown(contact: ListedContact): Record<string, string> {
	const text = (value: unknown) =>
		String(value ?? '')
			.trim()
			.normalize('NFC');
	return {
		first_name: text(contact.first_name),
		last_name: text(contact.last_name),
		city: text(contact.city),
		postal_code: text(contact.postal_code),
		country: text(contact.country),
	};
}

function sorted(map: Map<string, Record<string, string>>) {
	return [...map]
		.map(([key, values]) => [
			key,
			Object.fromEntries(Object.entries(values).map(([k, v]) => [k, v.trim().normalize('NFC')])),
		])
		.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

function membersAfter(plan: Plan, before: ReadonlySet<string>): Set<string> {
	const added = plan.rows.filter(({ action }) => action === 'addedToGroup');
	return new Set([...before, ...added.map(({ email }) => addressKey(email))]);
}

/**
 * Matched by id, an address can pass from one contact to another item's: that takes two runs. So does
 * one that an item without an address stood for, when another item takes it from their contact, and one that a
 * further contact has too.
 */
function movesAddress(
	{ items, contacts }: Pick<Situation, 'items' | 'contacts'>,
	plan: Plan,
): boolean {
	const live = contacts.filter(isLive).map(({ email }) => addressKey(email));
	const named = new Set([
		...live.filter((key, index) => live.indexOf(key) !== index),
		...items.map(({ values }) => addressKey(String(values.email))),
		...plan.rows.flatMap(({ item, email }) => (item === undefined ? [] : [addressKey(email)])),
	]);
	return plan.rows.some(
		({ reason, changes }) =>
			reason?.includes('belongs to contact') ||
			(changes?.email?.from && named.has(addressKey(changes.email.from))),
	);
}

/** Whether an item takes the place of a later one for the same address, which fails now and may not fail then. */
const givesWay = ({ rows }: Plan): boolean => {
	const failed = new Set(
		rows.flatMap(({ action, email }) => (action === 'failed' ? [addressKey(email)] : [])),
	);
	return rows.some(({ action, email }) => action === 'created' && failed.has(addressKey(email)));
};

test('planning again after applying finds nothing to write', () => {
	fc.assert(
		fc.property(anySituation, styles, (situation, style) => {
			const plan = planContacts(situation);
			fc.pre(!movesAddress(situation, plan) && !givesWay(plan));
			const after = apply(plan, situation.contacts, style);
			const again = planContacts({
				...situation,
				contacts: after,
				groupMembers: membersAfter(plan, situation.groupMembers),
			});
			expect(writes(again)).toEqual([]);
		}),
		runs,
	);
});

test('the order of items does not matter when each contact is named once', () => {
	const named = anySituation.chain((situation) => {
		const seen = new Set<string>();
		const items = situation.items
			.map((item) => ({ values: item.values }))
			.filter(({ values }) => {
				const key = addressKey(String(toText(values.email)));
				if (seen.has(key)) return false;
				seen.add(key);
				return true;
			});
		return fc.record({
			situation: fc.constant({ ...situation, items }),
			shuffled: fc.shuffledSubarray(items, { minLength: items.length }),
		});
	});
	const comparable = (plan: Plan) => ({
		limit: plan.limit,
		rows: plan.rows.map((row) => JSON.stringify({ ...row, item: undefined })).sort(),
	});
	fc.assert(
		fc.property(named, ({ situation, shuffled }) => {
			const plan = planContacts(situation);
			expect(comparable(planContacts({ ...situation, items: shuffled }))).toEqual(comparable(plan));
		}),
		runs,
	);
});

test('of several items about one contact, only the last one is written', () => {
	fc.assert(
		fc.property(anySituation, (situation) => {
			const plan = planContacts(situation);
			const contactsWritten = plan.rows
				.filter(({ body }) => body)
				.map(({ contactId }) => contactId);
			const known = contactsWritten.filter((id) => id !== undefined);
			expect(new Set(known).size).toBe(known.length);
			const emailOf = new Map(situation.contacts.map(({ id, email }) => [id, addressKey(email)]));
			const newAddresses = plan.rows.flatMap(({ body, contactId }) => {
				const address = addressKey(body?.email ?? '');
				return !body || address === emailOf.get(contactId ?? 0) ? [] : [address];
			});
			expect(new Set(newAddresses).size).toBe(newAddresses.length);
		}),
		runs,
	);
});

test('a suppressed address is never created, updated, moved, deleted or added to a group', () => {
	fc.assert(
		fc.property(anySituation, (situation) => {
			const emailOf = new Map(situation.contacts.map(({ id, email }) => [id, addressKey(email)]));
			for (const row of writes(planContacts(situation))) {
				const addresses = [addressKey(row.email), emailOf.get(row.contactId ?? 0) ?? ''];
				for (const address of addresses) expect(situation.suppressions.has(address)).toBe(false);
			}
		}),
		runs,
	);
});

test('every item is returned once, in order, and nothing is blanked unless asked for', () => {
	fc.assert(
		fc.property(anySituation, (situation) => {
			const plan = planContacts(situation);
			const indexes = plan.rows.flatMap(({ item }) => (item === undefined ? [] : [item]));
			expect(indexes).toEqual(situation.items.map((_, index) => index));
			for (const { body } of plan.rows) {
				if (!body || situation.options.emptyValues === 'clear') continue;
				expect(Object.values(body).filter((value) => value === '')).toEqual([]);
			}
		}),
		runs,
	);
});

test('each missing contact has exactly one row, and no contact that an item names is removed', () => {
	fc.assert(
		fc.property(anySituation, anyPolicy, (situation, missing) => {
			const plan = planContacts({ ...situation, options: { ...situation.options, missing } });
			const removals = plan.rows.filter(({ item }) => item === undefined);
			const ids = removals.map(({ contactId }) => contactId ?? 0);
			expect(removals).toHaveLength(missing.kind === 'ignore' ? 0 : plan.missingCount);
			expect(new Set(ids).size).toBe(ids.length);
			const named = new Set(
				plan.rows.flatMap((row) => (row.item === undefined ? [] : [row.contactId])),
			);
			const addresses = new Set(
				situation.items.map(({ values }) => addressKey(String(toText(values.email)))),
			);
			for (const id of ids) {
				const contact = situation.contacts.find((one) => one.id === id);
				expect(contact && isLive(contact)).toBe(true);
				expect(named.has(id)).toBe(false);
				if (situation.options.matchBy === 'email')
					expect(addresses.has(addressKey(contact?.email ?? ''))).toBe(false);
			}
		}),
		runs,
	);
});

test('a moved contact keeps its values, and its address is there once', () => {
	const missing = { kind: 'moveToContactType', contactTypeId: OTHER_TYPE } as const;
	fc.assert(
		fc.property(anySituation, styles, (situation, style) => {
			const plan = planContacts({ ...situation, options: { ...situation.options, missing } });
			const after = apply(plan, situation.contacts, style);
			const moved = plan.rows.filter(({ action }) => action === 'moved');
			for (const { contactId } of moved) {
				const find = (list: readonly ListedContact[]) => list.find(({ id }) => id === contactId);
				const [before, now] = [find(situation.contacts), find(after)];
				expect(now && shown(now)).toEqual(before && shown(before));
				expect(now?.contact_type_id).toBe(OTHER_TYPE);
				const same = after.filter(
					({ email, contact_type_id: type, deleted_at: deleted }) =>
						!deleted &&
						Number(type) === OTHER_TYPE &&
						addressKey(email) === addressKey(before?.email ?? ''),
				);
				expect(same).toHaveLength(1);
			}
		}),
		runs,
	);
});

test('an address is added to the group once, and not if it is in it', () => {
	const missing = { kind: 'addToUnsubscribeGroup', unsubscribeGroupId: 51 } as const;
	fc.assert(
		fc.property(anySituation, (situation) => {
			const plan = planContacts({ ...situation, options: { ...situation.options, missing } });
			const added = plan.rows
				.filter(({ action }) => action === 'addedToGroup')
				.map(({ email }) => addressKey(email));
			expect(new Set(added).size).toBe(added.length);
			for (const key of added) expect(situation.groupMembers.has(key)).toBe(false);
		}),
		runs,
	);
});

test('the deletion limit holds whenever more would be removed than allowed, and only then', () => {
	const limits = fc.record({
		maxRemovals: fc.option(fc.integer({ min: 0, max: 14 }), { nil: undefined }),
		maxRemovalPercent: fc.integer({ min: 0, max: 100 }),
	});
	fc.assert(
		fc.property(anySituation, anyPolicy, limits, (situation, missing, chosen) => {
			const { maxRemovals, maxRemovalPercent } = chosen;
			const plan = planContacts({
				...situation,
				options: {
					...situation.options,
					missing,
					maxRemovalPercent,
					...(maxRemovals !== undefined && { maxRemovals }),
				},
			});
			const removed = plan.rows.filter(
				({ item, action }) => item === undefined && WRITTEN.has(action),
			).length;
			const { suppressions, groupMembers } = situation;
			const total = situation.contacts.filter(isLive).filter(({ email }) => {
				const isMember =
					missing.kind === 'addToUnsubscribeGroup' && groupMembers.has(addressKey(email));
				return !isMember && !suppressions.has(addressKey(email));
			}).length;
			const isOnlyOne = removed === 1 && total > 1 && maxRemovalPercent > 0;
			const tooMany =
				removed > (maxRemovals ?? Infinity) ||
				(!isOnlyOne && removed > (total * maxRemovalPercent) / 100);
			const namesNobody = plan.rows.every(
				({ item, action }) => item === undefined || action === 'failed',
			);
			if (tooMany) expect(plan.limit).toBeDefined();
			if (plan.limit !== undefined) expect(tooMany || namesNobody).toBe(true);
			if (removed === 0) expect(plan.limit).toBeUndefined();
		}),
		runs,
	);
});
