import fc from 'fast-check';

import {
	MAX_KNOWN_CONTACTS,
	readStoredState,
	stateOf,
	SyncState,
	typeKey,
	withType,
} from '../../../nodes/EmailMarketing/features/sync/memory/syncState';
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
	fc.record({ kind: fc.constant('disown' as const), email: emails }),
	fc.record({ kind: fc.constant('forget' as const), email: emails, id: fc.constantFrom(1, 2, 3) }),
	fc.record({ kind: fc.constant('save' as const), email: emails }),
	fc.record({
		kind: fc.constant('keepOnly' as const),
		email: emails,
		kept: fc.array(fc.record({ email: emails, id: ids }), { maxLength: 4 }),
	}),
);

/** The entry of a contact, which may be under another address. */
const entryOf = (model: ReadonlyMap<string, ModelContact>, id: number | undefined) =>
	id === undefined ? undefined : [...model].find(([, known]) => known.id === id);

const reload = (state: SyncState): SyncState =>
	new SyncState('salt', { stored: structuredClone(state.toStored()) });

test('a state answers as a list of all that was noted, saved in between or not', () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 30 }), emails, ids, (steps, email, id) => {
			let state = new SyncState('salt');
			const model = new Map<string, ModelContact>();
			for (const one of steps) {
				const key = addressKey(one.email);
				const same = one.kind === 'remember' ? entryOf(model, one.id) : undefined;
				if (same) {
					model.delete(same[0]);
					model.set(key, same[1]);
				}
				const known = model.get(key);
				if (one.kind === 'remember') {
					state.remember(one, one);
					const isStillAdded = known !== undefined && known.isAdded && known.id === one.id;
					model.set(key, {
						isAdded: one.id !== undefined && (one.isNew || isStillAdded),
						id: one.id,
						externalId: one.externalId || known?.externalId,
					});
				} else if (one.kind === 'disown') {
					state.disown(one.email);
					if (known) known.isAdded = false;
					else model.set(key, { isAdded: false });
				} else if (one.kind === 'forget') {
					state.forget(new Set([one.id]));
					for (const [other, { id: its }] of model) if (its === one.id) model.delete(other);
				} else if (one.kind === 'keepOnly') {
					state.keepOnly(one.kept);
					const kept = new Set(one.kept.map((contact) => addressKey(contact.email)));
					const keptIds: number[] = one.kept.flatMap((contact) => contact.id ?? []);
					for (const [other, { id: its = 0 }] of model) {
						if (!kept.has(other) && !keptIds.includes(its)) model.delete(other);
					}
				} else state = reload(state);
			}
			const known = model.get(addressKey(email));
			expect(state.isKnown(email)).toBe(known !== undefined);
			expect(state.isAdded({ id, email })).toBe(
				known !== undefined && known.isAdded && known.id === id,
			);
		}),
		{ numRuns: 150 },
	);
});

test('an external ID leads to the contact that had it last, also under a new address', () => {
	const contact = fc.record({
		id: fc.integer({ min: 1, max: 9 }),
		externalId: externalIds,
		isMoved: fc.boolean(),
		isGone: fc.boolean(),
	});
	fc.assert(
		fc.property(fc.uniqueArray(contact, { selector: ({ id }) => id, maxLength: 6 }), (noted) => {
			const state = new SyncState('salt');
			for (const { id, externalId } of noted) {
				state.remember({ id, email: `C${id}@x.org` }, { externalId });
			}
			const contacts = noted.flatMap(({ id, isMoved, isGone }) =>
				isGone ? [] : [{ id, email: isMoved ? `new${id}@x.org` : `c${id}@x.org` }],
			);
			const byId = new Map(contacts.map((one) => [one.id, one]));
			const find = reload(state).byExternalId({ contacts, byId });
			for (const externalId of ['K1', 'K2', 'K3']) {
				const last = noted.findLast((one) => one.externalId === externalId);
				expect(find(externalId)).toEqual(last && byId.get(last.id));
			}
		}),
	);
});

test('an external ID leads to a contact whose ID is not known by its address', () => {
	const state = new SyncState('salt');
	state.remember({ email: 'C1@x.org' }, { externalId: 'K1' });
	const contacts = [{ id: 1, email: 'c1@x.org' }];
	const find = reload(state).byExternalId({ contacts, byId: new Map() });
	expect(find('K1')).toEqual(contacts[0]);
});

test('contacts that have swapped their addresses stay who they are', () => {
	const state = new SyncState('salt');
	const email = (n: number) => `c${n}@x.org`;
	for (const id of [1, 2, 3]) state.remember({ id, email: email(id) }, { isNew: id < 3 });
	state.relocate([
		{ id: 1, email: email(2) },
		{ id: 2, email: email(3) },
		{ id: 3, email: email(1) },
	]);
	const added = [1, 2, 3].map((id) => [1, 2, 3].map((n) => state.isAdded({ id, email: email(n) })));
	expect(added).toEqual([
		[false, true, false],
		[false, false, true],
		[false, false, false],
	]);
});

test('only contacts that are not known need room', () => {
	const state = new SyncState('salt', { capacity: 3 });
	for (const id of [1, 2]) state.remember({ id, email: `c${id}@x.org` });
	const known = [
		{ contactId: 1, email: 'c1@x.org' },
		{ contactId: 2, email: 'new@x.org' },
	];
	expect(state.hasRoomFor([...known, { email: 'c3@x.org' }])).toBe(true);
	expect(state.hasRoomFor([...known, { email: 'c3@x.org' }, { email: 'c4@x.org' }])).toBe(false);
});

/** A state that knows so many contacts. */
function stateWith(count: number, externalId: (n: number) => string): SyncState {
	const state = new SyncState('salt');
	for (let n = 0; n < count; n++) {
		const contact = { id: 1_000_000 + n, email: `c${n}@x.org` };
		state.remember(contact, { isNew: n % 2 === 0, externalId: externalId(n) });
	}
	return state;
}

test.each([
	['2.2', '', 2_200_000],
	['3.3', 'K', 3_300_000],
])('100,000 contacts take %s MB, and no address can be read from them', (_, prefix, bytes) => {
	const state = stateWith(100_000, (n) => prefix && `${prefix}${n}`);
	state.noteMissing([{ id: 1_000_000 }, { id: 1_000_001 }], true);
	const text = JSON.stringify(state.toStored());
	expect(text.length).toBeLessThan(bytes + 200);
	expect(text.length).toBeGreaterThan(bytes * 0.95);
	expect(/x\.org|K99999/.test(text)).toBe(false);
});

test('there is room for 100,000 contacts in all contact types together; no others are remembered', () => {
	// With a random salt, two of the addresses have the same hash in one of 900 runs.
	let stored = { ...readStoredState(undefined, 'node'), salt: 'salt' };
	const first = stateOf(stored, '1');
	for (let n = 0; n < MAX_KNOWN_CONTACTS - 1; n++) first.remember({ email: `a${n}@x.org` });
	expect(first.isFull).toBe(false);
	stored = withType(stored, '1', first.toStored());
	const second = stateOf(stored, '2');
	second.remember({ email: 'one@x.org' });
	expect(second.isFull).toBe(false);
	second.remember({ email: 'two@x.org' });
	expect(second.isFull).toBe(true);
	expect([second.isKnown('one@x.org'), second.isKnown('two@x.org')]).toEqual([true, false]);
	second.remember({ id: 1, email: 'one@x.org' }, { isNew: true });
	expect(second.isAdded({ id: 1, email: 'one@x.org' })).toBe(true);
	stored = withType(stored, '2', second.toStored());
	expect(stateOf(stored, '1').isKnown('a0@x.org')).toBe(true);
	expect(stored.changes).toBe(2);
});

test('whoever is missing from more than 100,000 contacts is not counted', () => {
	const state = new SyncState('salt');
	const missing = Array.from({ length: MAX_KNOWN_CONTACTS + 1 }, (_, id) => ({ id }));
	state.noteMissing(missing, true);
	expect(state.isFull).toBe(true);
	expect([0, MAX_KNOWN_CONTACTS].map((id) => state.timesMissing({ id }))).toEqual([1, 0]);
});

test.each([
	['nothing', undefined],
	['another format', { format: 1, contacts: '' }],
	['something else', 'text'],
])('%s counts as a lost state', (_what, stored) => {
	const state = stateOf(readStoredState(stored, 'node'), '1');
	expect(state.isFirst).toBe(true);
	expect(state.isKnown('a@x.org')).toBe(false);
});

test('each account has a state of its own, for each contact type', () => {
	const stored = readStoredState(undefined, 'node');
	const keyOf = (account: string, type = 1) => typeKey(stored, account, String(type));
	const state = stateOf(stored, keyOf('one'));
	state.remember({ email: 'a@x.org' });
	state.count({ id: '1', call: '1' }, true);
	const saved = structuredClone(withType(stored, keyOf('one'), state.toStored()));
	const isKnown = (key: string) => stateOf(readStoredState(saved, 'node'), key).isKnown('a@x.org');
	expect(isKnown(keyOf('one'))).toBe(true);
	expect(isKnown(keyOf('one', 2))).toBe(false);
	expect(isKnown(keyOf('other'))).toBe(false);
	expect(JSON.stringify(saved)).not.toContain('one');
});

test('an execution with several calls is known even if a later one has begun between them', () => {
	const next = { id: '12', call: '12' };
	const begun = () => {
		const executions = [{ id: '1', call: '1' }];
		return new SyncState('salt', {
			stored: { executions, contacts: {}, missing: {}, removed: [] },
		});
	};
	const counted = begun();
	counted.count({ id: '5', call: '6' }, true);
	counted.count({ id: '9', call: '9' }, true);
	expect(counted.isCalledRepeatedly(next)).toBe(false);
	counted.count({ id: '5', call: '10' }, false);
	expect(counted.isCalledRepeatedly(next)).toBe(true);
	expect(counted.isOverlapped({ id: '5', call: '11' })).toBe(true);
	expect(counted.isOverlapped(next)).toBe(false);

	const late = begun();
	late.count({ id: '9', call: '9' }, true);
	late.noteCall({ id: '5', call: '6' });
	late.noteCall({ id: '5', call: '6' });
	expect(late.isCalledRepeatedly(next)).toBe(false);
	late.noteCall({ id: '5', call: '10' });
	expect(late.isCalledRepeatedly(next)).toBe(true);
	expect(late.isOverlapped({ id: '5', call: '11' })).toBe(true);

	// More have begun than are remembered, so it may have been called before.
	const displaced = begun();
	for (let id = 20; id < 30; id++) displaced.count({ id: `${id}`, call: `${id}` }, true);
	displaced.noteCall({ id: '5', call: '5' });
	displaced.noteCall({ id: '35', call: '36' });
	expect(displaced.isCalledRepeatedly(next)).toBe(false);
	displaced.noteCall({ id: '5', call: '6' });
	expect(displaced.isCalledRepeatedly(next)).toBe(true);
});
