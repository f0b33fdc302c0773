import { createHash, randomBytes } from 'crypto';

import { isObject } from '../../../util/coerce';
import { addressKey } from '../../../util/email';

const FORMAT = 3;

/** What n8n keeps of a sync between two executions: plain JSON. */
export interface StoredSyncState {
	format: typeof FORMAT;
	/** How often it has been changed, which shows which of two states is newer. */
	changes: number;
	/** Makes the hashes of this state differ from those of all others. */
	salt: string;
	/** By contact type and account, see `typeKey`. */
	types: Record<string, StoredType>;
}

interface StoredType {
	/** The last ones that counted, the newest last. */
	executions: StoredExecution[];
	/** The run that has begun, until it says whom its items name. */
	open?: string;
	/** The known contacts, by the hash of their address. */
	contacts: Record<string, StoredContact>;
	/** By contact ID: in how many executions in a row no item has named the contact. */
	missing: Record<string, number>;
	/** The IDs of contacts that this sync removed. */
	removed: number[];
}

/** A contact in as few characters as plain JSON allows: there may be 100,000 of them. */
type StoredContact = [id: number | null, isAdded: 0 | 1, externalId?: string];

interface StoredExecution {
	/** That of the workflow which called this one, if one did. */
	id: string;
	/** The last one of this workflow in it. */
	call: string;
	/** How often this workflow ran in it. */
	calls: number;
}

/** What a sync knows of a contact. */
interface KnownContact {
	/** Whether the sync created it; never without its ID. */
	isAdded: boolean;
	id?: number;
	/** The hash of its external ID; '' if there is none. */
	externalId: string;
}

/** The most contacts that the state of a node holds. */
export const MAX_KNOWN_CONTACTS = 100_000;
const MAX_REMOVED = 10_000;
const MAX_EXECUTIONS = 3;

/** In letters of base64, 6 bits each. */
const ADDRESS_LENGTH = 7;
const EXTERNAL_ID_LENGTH = 8;

const nothing: StoredType = { executions: [], contacts: {}, missing: {}, removed: [] };

/** A contact as the list (18) has it. */
interface ContactIdentity {
	id?: number;
	email: string;
}

/** A run as part of an execution. */
export interface RunOfExecution {
	/** See `StoredExecution`. */
	id: string;
	call: string;
}

/**
 * Whom a sync has seen in one contact type: for each contact a salted hash of its address, its ID, whether the sync
 * created it, and a hash of its external ID. Addresses themselves are not kept.
 */
export class SyncState {
	/** Whether no execution is remembered. */
	readonly isFirst: boolean;
	/** Whether there was no room for a contact. */
	isFull = false;
	private readonly salt: string;
	private readonly contacts: Map<string, KnownContact>;
	private readonly capacity: number;
	/** By external ID. */
	private readonly addresses: Map<string, string>;
	private executions: readonly StoredExecution[];
	private missing: ReadonlyMap<number, number>;
	private removed: readonly number[];

	constructor(
		salt: string,
		{
			stored = nothing,
			capacity = MAX_KNOWN_CONTACTS,
		}: { stored?: StoredType; capacity?: number } = {},
	) {
		this.salt = salt;
		this.capacity = capacity;
		this.executions = stored.executions;
		this.isFirst = stored.executions.length === 0;
		this.contacts = new Map(
			Object.entries(stored.contacts).map(([address, [id, isAdded, externalId = '']]) => [
				address,
				{ id: id ?? undefined, isAdded: isAdded === 1, externalId },
			]),
		);
		this.missing = new Map(
			Object.entries(stored.missing).map(([id, times]) => [Number(id), times]),
		);
		this.removed = stored.removed;
		const known = [...this.contacts].filter(([, { externalId }]) => externalId !== '');
		this.addresses = new Map(known.map(([address, { externalId }]) => [externalId, address]));
	}

	/** Whether no run of the execution has been counted. */
	isNew({ id }: RunOfExecution): boolean {
		return !this.executions.some((execution) => execution.id === id);
	}

	/** Whether a later execution has been counted. */
	isOverlapped(run: RunOfExecution): boolean {
		return !this.isNew(run) && this.executions.at(-1)?.id !== run.id;
	}

	/** Whether the workflow was called several times in one of the last executions, this one included. */
	isCalledRepeatedly(run: RunOfExecution): boolean {
		return this.executions.some(
			({ id, call, calls }) => calls > 1 || (id === run.id && call !== run.call),
		);
	}

	/** Counts a run, unless a later execution has been counted. */
	count(run: RunOfExecution): void {
		if (this.isOverlapped(run)) return;
		const { id, call } = run;
		const last = this.executions.at(-1);
		if (last?.id !== id) {
			const executions = [...this.executions, { id, call, calls: 1 }];
			this.executions = executions.slice(-MAX_EXECUTIONS);
			return;
		}
		const calls = last.calls + (last.call === call ? 0 : 1);
		this.executions = [...this.executions.slice(0, -1), { id, call, calls }];
	}

	/** In how many executions in a row no item has named the contact. */
	timesMissing({ id }: { id: number }): number {
		return this.missing.get(id) ?? 0;
	}

	/**
	 * Notes whom no item of a run names; all others are named.
	 *
	 * @param isNew whether it is the first run of an execution that counts
	 */
	noteMissing(contacts: ReadonlyArray<{ id: number }>, isNew: boolean): void {
		const missing = new Map<number, number>();
		for (const contact of contacts) {
			const times = this.timesMissing(contact) + (isNew ? 1 : 0);
			if (times === 0) continue;
			if (missing.size < MAX_KNOWN_CONTACTS) missing.set(contact.id, times);
			else this.isFull = true;
		}
		this.missing = missing;
	}

	isKnown(email: string): boolean {
		return this.contacts.has(this.addressHash(email));
	}

	/** Whether the sync created this very contact. */
	isAdded({ id, email }: ContactIdentity): boolean {
		const known = this.contacts.get(this.addressHash(email));
		return known !== undefined && isAddedAs(known, id);
	}

	/** Whether some contact had an external ID. */
	isKnownExternalId(externalId: string): boolean {
		return this.addresses.has(this.externalIdHash(externalId));
	}

	/** The contacts of a list by their external IDs, for those that had one. */
	byExternalId<T extends ContactIdentity>(
		contacts: readonly T[],
	): (externalId: string) => T | undefined {
		const byAddress = new Map<string, T>();
		for (const contact of contacts) {
			const address = this.addressHash(contact.email);
			const known = this.contacts.get(address);
			if (known && known.externalId !== '' && isSame(known, contact.id)) {
				byAddress.set(address, contact);
			}
		}
		return (externalId) => {
			const address = this.addresses.get(this.externalIdHash(externalId));
			return address === undefined ? undefined : byAddress.get(address);
		};
	}

	/**
	 * Notes a contact that is in the service and in the input.
	 *
	 * @param isNew whether the sync created it: it counts as added only if its ID is known
	 */
	remember(contact: ContactIdentity, { isNew = false, externalId = '' } = {}): void {
		const address = this.addressHash(contact.email);
		const known = this.contacts.get(address);
		if (known === undefined && this.contacts.size >= this.capacity) {
			this.isFull = true;
			return;
		}
		const { id } = contact;
		this.put(address, {
			isAdded: id !== undefined && (isNew || (known !== undefined && isAddedAs(known, id))),
			id,
			externalId: externalId === '' ? (known?.externalId ?? '') : this.externalIdHash(externalId),
		});
	}

	/** Whether there is room for so many more contacts. */
	hasRoomFor(count: number): boolean {
		return this.contacts.size + count <= this.capacity;
	}

	/** Notes that the contact with an external ID has another address now. */
	renameByExternalId(externalId: string, to: string): void {
		const before = this.addresses.get(this.externalIdHash(externalId));
		if (before !== undefined) this.move(before, this.addressHash(to));
	}

	/** Notes that a contact has another address now. One that shares the address before keeps it. */
	rename(from: string, { id, email: to }: ContactIdentity): void {
		const before = this.addressHash(from);
		const known = this.contacts.get(before);
		if (known && isSame(known, id)) this.move(before, this.addressHash(to));
	}

	/** Notes that a contact was removed by others: one that has its address later is theirs. */
	disown(email: string): void {
		const known = this.contacts.get(this.addressHash(email));
		if (known) known.isAdded = false;
		else this.remember({ email });
	}

	/** Notes contacts that this sync removed. */
	noteRemoved(ids: readonly number[]): void {
		this.removed = [...this.removed, ...ids].slice(-MAX_REMOVED);
		this.forget(new Set(ids));
	}

	/** Notes who is in the service, where a contact may be again that this sync removed. */
	notePresent(contacts: ReadonlyArray<{ id: number }>): void {
		if (this.removed.length === 0) return;
		const present = new Set(contacts.map(({ id }) => id));
		this.removed = this.removed.filter((id) => !present.has(id));
	}

	/** Forgets contacts that are no longer there, so that their people are new. */
	forget(ids: ReadonlySet<number>): void {
		if (ids.size === 0) return;
		for (const [address, { id }] of this.contacts) {
			if (id !== undefined && ids.has(id)) this.drop(address);
		}
	}

	/** Forgets all contacts but those with these addresses. */
	keepOnly(emails: Iterable<string>): void {
		const kept = new Set<string>();
		for (const email of emails) kept.add(this.addressHash(email));
		for (const address of this.contacts.keys()) {
			if (!kept.has(address)) this.drop(address);
		}
	}

	toStored(): StoredType {
		return {
			executions: [...this.executions],
			contacts: Object.fromEntries(
				[...this.contacts].map(([address, { id = null, isAdded, externalId }]) => [
					address,
					[id, isAdded ? 1 : 0, ...(externalId === '' ? [] : [externalId])] as StoredContact,
				]),
			),
			missing: Object.fromEntries(this.missing),
			removed: [...this.removed],
		};
	}

	private move(before: string, after: string): void {
		const known = this.contacts.get(before);
		if (before === after || known === undefined) return;
		this.drop(before);
		this.put(after, known);
	}

	/** Puts a contact in the place of the one with the address. Its external ID is no longer that of another. */
	private put(address: string, contact: KnownContact): void {
		this.drop(address);
		const { externalId } = contact;
		if (externalId !== '') {
			const before = this.contacts.get(this.addresses.get(externalId) ?? '');
			if (before) before.externalId = '';
			this.addresses.set(externalId, address);
		}
		this.contacts.set(address, contact);
	}

	private drop(address: string): void {
		const known = this.contacts.get(address);
		if (known) this.addresses.delete(known.externalId);
		this.contacts.delete(address);
	}

	private addressHash(email: string): string {
		return hash(`${this.salt} email ${addressKey(email)}`, ADDRESS_LENGTH);
	}

	private externalIdHash(externalId: string): string {
		return hash(`${this.salt} external ID ${externalId}`, EXTERNAL_ID_LENGTH);
	}
}

const hash = (text: string, length: number): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, length);

const isAddedAs = (known: KnownContact, id: number | undefined): boolean =>
	known.isAdded && known.id === id;

const isSame = (known: KnownContact, id: number | undefined): boolean =>
	known.id === undefined || id === undefined || known.id === id;

/** Whether a state is one of a version to come: only that one can go on from it. */
export const isOfNewerVersion = (stored: unknown): boolean =>
	isObject(stored) && typeof stored.format === 'number' && stored.format > FORMAT;

/**
 * What n8n has kept of a node; what is damaged counts as lost.
 *
 * @returns a new state if there is none
 */
export function readStoredState(stored: unknown): StoredSyncState {
	const state = stored as StoredSyncState | undefined;
	if (state?.format === FORMAT) return state;
	return { format: FORMAT, changes: 0, salt: randomBytes(9).toString('base64url'), types: {} };
}

/**
 * Names a list of an account, such as the ID of a contact type, in a state: addresses of the service and public keys are not kept either.
 *
 * @param account anything that tells the account apart from others
 */
export const typeKey = ({ salt }: StoredSyncState, account: string, list: string): string =>
	`${list} ${hash(`${salt} account ${account}`, EXTERNAL_ID_LENGTH)}`;

/** The state of one contact type; others may leave less room. */
export function stateOf({ salt, types }: StoredSyncState, key: string): SyncState {
	const { [key]: stored, ...others } = types;
	const taken = Object.values(others).reduce(
		(sum, { contacts }) => sum + Object.keys(contacts).length,
		0,
	);
	return new SyncState(salt, { stored, capacity: Math.max(0, MAX_KNOWN_CONTACTS - taken) });
}

/** The state with something changed about one contact type. */
export function withType(
	stored: StoredSyncState,
	key: string,
	changed: Partial<StoredType>,
): StoredSyncState {
	const { [key]: before = nothing } = stored.types;
	const types = { ...stored.types, [key]: { ...before, ...changed } };
	return { ...stored, changes: stored.changes + 1, types };
}
