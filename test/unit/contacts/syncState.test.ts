import fc from 'fast-check';

import {
	MAX_KNOWN_CONTACTS,
	readStoredState,
	stateOf,
	SyncState,
	withState,
} from '../../../nodes/EmailMarketing/contacts/syncState';
import { addressKey } from '../../../nodes/EmailMarketing/util/email';

interface ModelContact {
	isAdded: boolean;
	id?: number;
	externalId?: string;
}

const emails = fc.constantFrom('a@x.org', 'A@x.org ', 'b@x.org', 'c@x.org', 'd@x.org', 'e@x.org');
const ids = fc.option(fc.constantFrom(1, 2, 3), { nil: undefined });
const externalIds = fc.constantFrom('', 'K1', 'K2', 'K3');

const step = fc.oneof(
	fc.record({
		kind: fc.constant('remember' as const),
		email: emails,
		id: ids,
		isNew: fc.boolean(),
		externalId: externalIds,
	}),
	fc.record({ kind: fc.constant('rename' as const), email: emails, to: emails }),
	fc.record({ kind: fc.constant('disown' as const), email: emails }),
	fc.record({ kind: fc.constant('forget' as const), email: emails }),
	fc.record({ kind: fc.constant('save' as const), email: emails }),
	fc.record({
		kind: fc.constant('keepOnly' as const),
		email: emails,
		kept: fc.array(emails, { maxLength: 4 }),
	}),
);

const reload = (state: SyncState): SyncState =>
	new SyncState('salt', { stored: structuredClone(state.toStored(1)) });

test('a state answers as a list of all that was noted, saved in between or not', () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 30 }), emails, ids, (steps, email, id) => {
			let state = new SyncState('salt');
			const model = new Map<string, ModelContact>();
			for (const one of steps) {
				const key = addressKey(one.email);
				const known = model.get(key);
				if (one.kind === 'remember') {
					state.remember(one, one);
					const isStillAdded = known !== undefined && known.isAdded && known.id === one.id;
					model.set(key, {
						isAdded: one.id !== undefined && (one.isNew || isStillAdded),
						id: one.id,
						externalId: one.externalId || known?.externalId,
					});
				} else if (one.kind === 'rename') {
					state.rename(one.email, { email: one.to });
					if (known && key !== addressKey(one.to)) {
						model.delete(key);
						model.set(addressKey(one.to), known);
					}
				} else if (one.kind === 'disown') {
					state.disown(one.email);
					if (known) known.isAdded = false;
					else model.set(key, { isAdded: false });
				} else if (one.kind === 'forget') {
					state.forget(one.email);
					model.delete(key);
				} else if (one.kind === 'keepOnly') {
					state.keepOnly(one.kept);
					const kept = new Set(one.kept.map(addressKey));
					for (const other of model.keys()) if (!kept.has(other)) model.delete(other);
				} else state = reload(state);
			}
			const known = model.get(addressKey(email));
			expect(state.isKnown(email)).toBe(known !== undefined);
			expect(state.isAdded({ id, email })).toBe(
				known !== undefined && known.isAdded && known.id === id,
			);
		}),
		{ numRuns: 500 },
	);
});

test('an external ID leads to the contact that had it, for as long as it is the same contact', () => {
	fc.assert(
		fc.property(
			fc.uniqueArray(
				fc.record({ n: fc.nat(20), id: fc.integer({ min: 1, max: 3 }), externalId: externalIds }),
				{ selector: ({ n }) => n, maxLength: 6 },
			),
			fc.integer({ min: 1, max: 3 }),
			(noted, idNow) => {
				const state = new SyncState('salt');
				const contacts = noted.map(({ n }) => ({ id: idNow, email: `c${n}@x.org` }));
				for (const { n, id, externalId } of noted) {
					state.remember({ id, email: `C${n}@x.org` }, { externalId });
				}
				const find = reload(state).byExternalId(contacts);
				for (const externalId of ['K1', 'K2', 'K3']) {
					const last = noted.findLast((one) => one.externalId === externalId);
					const expected =
						last?.id === idNow ? { id: idNow, email: `c${last.n}@x.org` } : undefined;
					expect(find(externalId)).toEqual(expected);
				}
			},
		),
	);
});

test('a contact takes at most 16 bytes in the workflow, and no address can be read from them', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 300 }), fc.boolean(), (count, hasExternalIds) => {
			const state = new SyncState('salt');
			for (let n = 0; n < count; n++) {
				const externalId = hasExternalIds ? `K${n}` : '';
				state.remember({ id: n + 1, email: `c${n}@x.org` }, { externalId });
			}
			const { contacts } = state.toStored(count);
			expect(contacts.length).toBeLessThanOrEqual(16 * count + 2);
			expect(Buffer.from(contacts, 'base64').toString('latin1')).not.toContain('@x.org');
		}),
	);
});

test('there is room for 50,000 contacts in all contact types together; no others are remembered', () => {
	const account = 'https://api.example.com key';
	let stored = readStoredState(undefined, account);
	const first = stateOf(stored, 1);
	for (let n = 0; n < MAX_KNOWN_CONTACTS - 1; n++) first.remember({ email: `a${n}@x.org` });
	expect(first.isFull).toBe(false);
	stored = withState(stored, 1, first, 5);
	const second = stateOf(stored, 2);
	second.remember({ email: 'one@x.org' });
	expect(second.isFull).toBe(false);
	second.remember({ email: 'two@x.org' });
	expect(second.isFull).toBe(true);
	expect([second.isKnown('one@x.org'), second.isKnown('two@x.org')]).toEqual([true, false]);
	second.remember({ id: 1, email: 'one@x.org' }, { isNew: true });
	expect(second.isAdded({ id: 1, email: 'one@x.org' })).toBe(true);
	stored = withState(stored, 2, second, 7);
	expect(stateOf(stored, 1).lastInputCount).toBe(5);
	expect(stateOf(stored, 2).lastInputCount).toBe(7);
	expect(stored.changes).toBe(2);
});

test.each([
	['nothing', undefined],
	['another format', { format: 2, contacts: [] }],
	['something else', 'text'],
])('%s counts as a lost state', (_what, stored) => {
	const state = stateOf(readStoredState(stored, 'account'), 1);
	expect(state.isBaseline).toBe(true);
	expect(state.isKnown('a@x.org')).toBe(false);
});

test('the state of another account counts as lost; its own is read back', () => {
	const stored = readStoredState(undefined, 'one');
	const state = stateOf(stored, 1);
	state.remember({ email: 'a@x.org' });
	const saved = structuredClone(withState(stored, 1, state, 1));
	expect(stateOf(readStoredState(saved, 'one'), 1).isKnown('a@x.org')).toBe(true);
	expect(stateOf(readStoredState(saved, 'one'), 2).isBaseline).toBe(true);
	const other = readStoredState(saved, 'other');
	expect(stateOf(other, 1).isBaseline).toBe(true);
	expect(other.changes).toBe(saved.changes);
});
