import fc from 'fast-check';
import { planContacts as planWith } from '../../../nodes/EmailMarketing/contacts/plan';
import { addressKey } from '../../../nodes/EmailMarketing/util/email';
import { toText } from '../../../nodes/EmailMarketing/util/values';
import type { ListedContact, Plan, PlanInput } from '../../../nodes/EmailMarketing/contacts/types';
import { anyItem, anyOptions, contactList, goodItem, suppressionList } from './arbitraries';
import { TYPE, apply, countries, options, type UpdateStyle } from './builders';

// The lookup is not part of a situation: it would fill the report of a counterexample.
const planContacts = (input: Omit<PlanInput, 'countries'>) => planWith({ ...input, countries });

const anySituation = fc.record({
	items: fc.array(anyItem, { maxLength: 20 }),
	contacts: contactList,
	suppressions: suppressionList,
	options: anyOptions,
});
const styles = fc.constantFrom<UpdateStyle>('keeps', 'blanks');
const runs = { numRuns: 1000 };

const isLive = (contact: ListedContact) =>
	!contact.deleted_at && Number(contact.contact_type_id) === TYPE;

const writes = (plan: Plan) => plan.rows.filter(({ body, action }) => body ?? action === 'deleted');

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
				options: options({ emptyValues, missing }),
			});
			fc.pre(plan.deletionLimit === undefined);
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

/**
 * Matched by id, an address can pass from one contact to another item's: that takes two runs. So does
 * one that an item without an address stood for, when another item takes it from their contact.
 */
function movesAddress(items: PlanInput['items'], plan: Plan): boolean {
	const named = new Set([
		...items.map(({ values }) => addressKey(String(values.email))),
		...plan.rows.flatMap(({ item, email }) => (item === undefined ? [] : [addressKey(email)])),
	]);
	return plan.rows.some(
		({ reason, changes }) =>
			reason?.includes('belongs to contact') ||
			(changes?.email?.from && named.has(addressKey(changes.email.from))),
	);
}

test('planning again after applying finds nothing to write', () => {
	fc.assert(
		fc.property(anySituation, styles, (situation, style) => {
			const plan = planContacts(situation);
			fc.pre(!movesAddress(situation.items, plan));
			const after = apply(plan, situation.contacts, style);
			const again = planContacts({ ...situation, contacts: after });
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
		deletionLimit: plan.deletionLimit,
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

test('a suppressed address is never created, updated or deleted', () => {
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

test('the deletion limit holds whenever more would be deleted than allowed, and only then', () => {
	const limits = fc.record({
		maxDeletions: fc.option(fc.integer({ min: 0, max: 14 }), { nil: undefined }),
		maxDeletionPercent: fc.integer({ min: 0, max: 100 }),
	});
	fc.assert(
		fc.property(anySituation, limits, (situation, { maxDeletions, maxDeletionPercent }) => {
			const plan = planContacts({
				...situation,
				options: {
					...situation.options,
					missing: 'delete',
					maxDeletionPercent,
					...(maxDeletions !== undefined && { maxDeletions }),
				},
			});
			const deleted = plan.rows.filter(({ action }) => action === 'deleted').length;
			const total = situation.contacts.filter(isLive).length;
			const tooMany =
				deleted > (maxDeletions ?? Infinity) || deleted > (total * maxDeletionPercent) / 100;
			const namesNobody = plan.rows.every(
				({ item, action }) => item === undefined || action === 'failed',
			);
			if (tooMany) expect(plan.deletionLimit).toBeDefined();
			if (plan.deletionLimit !== undefined) expect(tooMany || namesNobody).toBe(true);
			if (deleted === 0) expect(plan.deletionLimit).toBeUndefined();
		}),
		runs,
	);
});
