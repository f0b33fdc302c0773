import { createHash, randomBytes } from 'crypto';

import { addressKey } from '../util/email';

/** What n8n keeps of a sync between two runs: plain JSON. */
export interface StoredSyncState {
	format: 1;
	/** How many runs have changed the state, which shows which of two states is newer. */
	changes: number;
	/** Makes the hashes of this state differ from those of all others. */
	salt: string;
	/** The hash of the account that the contacts belong to. */
	account: string;
	/** By ID of the contact type. */
	types: Record<string, StoredType>;
}

interface StoredType {
	/** Input items of the last run. */
	inputCount: number;
	/** Records of 7 or 12 bytes, as base64: see `SyncState`. */
	contacts: string;
	hasExternalIds: boolean;
}

/** What a sync knows of a contact. */
interface KnownContact {
	/** Whether the sync created it; never without its ID. */
	isAdded: boolean;
	/** Tells the contact from another one that has its address by now; 0 while the ID is not known. */
	idCheck: number;
	/** The hash of its external ID; 0 if there is none. */
	externalId: number;
}

/** The most contacts that the state of a node holds. */
export const MAX_KNOWN_CONTACTS = 50_000;

/** 39 bits of an address, and whether its contact was added; one byte of its ID; 48 bits of its external ID. */
const ADDRESS_BYTES = 5;
const ADDED_FLAG = 2 ** 39;
const ID_BYTES = 1;
const EXTERNAL_ID_BYTES = 6;

const recordBytes = (hasExternalIds: boolean): number =>
	ADDRESS_BYTES + ID_BYTES + (hasExternalIds ? EXTERNAL_ID_BYTES : 0);

/** A contact as the list (18) has it. */
interface ContactIdentity {
	id?: number;
	email: string;
}

/**
 * Whom a sync has seen in one contact type: for each contact a salted hash of its address, whether the sync created it,
 * and its external ID. Addresses themselves are not kept.
 */
export class SyncState {
	/** Input items of the last run; absent in the first one. */
	readonly lastInputCount?: number;
	private readonly salt: string;
	private readonly contacts: Map<number, KnownContact>;
	private readonly capacity: number;
	/** Whether there was no room for a contact. */
	isFull = false;
	/** By external ID. */
	private readonly addresses: Map<number, number>;

	constructor(
		salt: string,
		{ stored, capacity = MAX_KNOWN_CONTACTS }: { stored?: StoredType; capacity?: number } = {},
	) {
		this.salt = salt;
		this.capacity = capacity;
		this.lastInputCount = stored?.inputCount;
		this.contacts = stored ? decode(stored) : new Map<number, KnownContact>();
		const known = [...this.contacts].filter(([, { externalId }]) => externalId !== 0);
		this.addresses = new Map(known.map(([address, { externalId }]) => [externalId, address]));
	}

	/** Whether there is nothing to compare with: no run has been remembered. */
	get isBaseline(): boolean {
		return this.lastInputCount === undefined;
	}

	isKnown(email: string): boolean {
		return this.contacts.has(this.addressHash(email));
	}

	/** Whether the sync created this very contact. */
	isAdded({ id, email }: ContactIdentity): boolean {
		const known = this.contacts.get(this.addressHash(email));
		return known !== undefined && isAddedAs(known, idCheck(id));
	}

	/** Whether some contact had an external ID. */
	isKnownExternalId(externalId: string): boolean {
		return this.addresses.has(this.externalIdHash(externalId));
	}

	/** The contacts of a list by their external IDs, for those that had one. */
	byExternalId<T extends ContactIdentity>(
		contacts: readonly T[],
	): (externalId: string) => T | undefined {
		const byAddress = new Map<number, T>();
		for (const contact of contacts) {
			const address = this.addressHash(contact.email);
			const known = this.contacts.get(address);
			if (known && known.externalId !== 0 && isSame(known, idCheck(contact.id))) {
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
		const check = idCheck(contact.id);
		this.put(address, {
			isAdded: check !== 0 && (isNew || (known !== undefined && isAddedAs(known, check))),
			idCheck: check,
			externalId: externalId === '' ? (known?.externalId ?? 0) : this.externalIdHash(externalId),
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
		if (known && isSame(known, idCheck(id))) this.move(before, this.addressHash(to));
	}

	/** Notes that a contact was removed by others: one that has its address later is theirs. */
	disown(email: string): void {
		const known = this.contacts.get(this.addressHash(email));
		if (known) known.isAdded = false;
		else this.remember({ email });
	}

	forget(email: string): void {
		this.drop(this.addressHash(email));
	}

	/** Forgets all contacts but those with these addresses. */
	keepOnly(emails: Iterable<string>): void {
		const kept = new Set<number>();
		for (const email of emails) kept.add(this.addressHash(email));
		for (const address of this.contacts.keys()) {
			if (!kept.has(address)) this.drop(address);
		}
	}

	/** @param inputCount the input items of this run */
	toStored(inputCount: number): StoredType {
		const hasExternalIds = [...this.contacts.values()].some(({ externalId }) => externalId !== 0);
		const size = recordBytes(hasExternalIds);
		const bytes = Buffer.alloc(this.contacts.size * size);
		let offset = 0;
		for (const [address, { isAdded, idCheck, externalId }] of this.contacts) {
			bytes.writeUIntBE(address + (isAdded ? ADDED_FLAG : 0), offset, ADDRESS_BYTES);
			bytes.writeUInt8(idCheck, offset + ADDRESS_BYTES);
			if (hasExternalIds) {
				bytes.writeUIntBE(externalId, offset + ADDRESS_BYTES + ID_BYTES, EXTERNAL_ID_BYTES);
			}
			offset += size;
		}
		return { inputCount, hasExternalIds, contacts: bytes.toString('base64') };
	}

	private move(before: number, after: number): void {
		const known = this.contacts.get(before);
		if (before === after || known === undefined) return;
		this.drop(before);
		this.put(after, known);
	}

	/** Puts a contact in the place of the one with the address. Its external ID is no longer that of another. */
	private put(address: number, contact: KnownContact): void {
		this.drop(address);
		const { externalId } = contact;
		if (externalId !== 0) {
			const before = this.contacts.get(this.addresses.get(externalId) ?? -1);
			if (before) before.externalId = 0;
			this.addresses.set(externalId, address);
		}
		this.contacts.set(address, contact);
	}

	private drop(address: number): void {
		const known = this.contacts.get(address);
		if (known) this.addresses.delete(known.externalId);
		this.contacts.delete(address);
	}

	private digest(kind: string, text: string): Buffer {
		return createHash('sha256').update(`${this.salt} ${kind} ${text}`).digest();
	}

	private addressHash(email: string): number {
		return this.digest('email', addressKey(email)).readUIntBE(0, ADDRESS_BYTES) % ADDED_FLAG;
	}

	/** Never 0, which stands for no external ID. */
	private externalIdHash(externalId: string): number {
		return this.digest('external ID', externalId).readUIntBE(0, EXTERNAL_ID_BYTES) || 1;
	}
}

/** One byte of an ID, spread by a multiplicative hash; 0 stands for an ID that is not known. */
const idCheck = (id: number | undefined): number =>
	id === undefined ? 0 : Math.imul(id, 0x9e3779b1) >>> 24 || 1;

const isAddedAs = ({ isAdded, idCheck: known }: KnownContact, check: number): boolean =>
	isAdded && known === check;

const isSame = (known: KnownContact, check: number): boolean =>
	known.idCheck === 0 || check === 0 || known.idCheck === check;

function decode({ contacts, hasExternalIds }: StoredType): Map<number, KnownContact> {
	const bytes = Buffer.from(contacts, 'base64');
	const size = recordBytes(hasExternalIds);
	const known = new Map<number, KnownContact>();
	for (let offset = 0; offset + size <= bytes.length; offset += size) {
		const address = bytes.readUIntBE(offset, ADDRESS_BYTES);
		known.set(address % ADDED_FLAG, {
			isAdded: address >= ADDED_FLAG,
			idCheck: bytes.readUInt8(offset + ADDRESS_BYTES),
			externalId: hasExternalIds
				? bytes.readUIntBE(offset + ADDRESS_BYTES + ID_BYTES, EXTERNAL_ID_BYTES)
				: 0,
		});
	}
	return known;
}

/** The hash of an account in a state: addresses of the service and public keys are not kept either. */
const accountHash = (salt: string, account: string): string =>
	createHash('sha256').update(`${salt} account ${account}`).digest('base64').slice(0, 8);

/**
 * What n8n has kept of the contacts of an account. What is damaged, or is of another account, counts as lost.
 *
 * @param account anything that tells the account apart from others
 */
export function readStoredState(stored: unknown, account: string): StoredSyncState {
	const state = stored as StoredSyncState | undefined;
	if (state?.format === 1 && state.account === accountHash(state.salt, account)) return state;
	const salt = randomBytes(9).toString('base64');
	return {
		format: 1,
		changes: state?.format === 1 ? state.changes : 0,
		salt,
		account: accountHash(salt, account),
		types: {},
	};
}

/** The state of one contact type; others may leave less room. */
export function stateOf({ salt, types }: StoredSyncState, contactTypeId: number): SyncState {
	const { [contactTypeId]: stored, ...others } = types;
	const taken = Object.values(others).reduce((sum, one) => sum + contactCount(one), 0);
	return new SyncState(salt, { stored, capacity: Math.max(0, MAX_KNOWN_CONTACTS - taken) });
}

const contactCount = ({ contacts, hasExternalIds }: StoredType): number =>
	Math.floor(Buffer.byteLength(contacts, 'base64') / recordBytes(hasExternalIds));

/** @param inputCount the input items of this run */
export function withState(
	stored: StoredSyncState,
	contactTypeId: number,
	state: SyncState,
	inputCount: number,
): StoredSyncState {
	const types = { ...stored.types, [contactTypeId]: state.toStored(inputCount) };
	return { ...stored, changes: stored.changes + 1, types };
}
