import { randomBytes } from 'crypto';

import { latestTime } from '../../../util/clock';
import { isObject } from '../../../util/coerce';
import { addressKey } from '../../../util/email';
import { shortHash } from '../../../util/text';
import type { StoredRun } from './lastRuns';

const FORMAT = 3;

/** The memory of a sync as n8n saves it between two executions: plain JSON. */
export interface StoredSyncState {
	format: typeof FORMAT;
	/** Of which node it is, as a hash: n8n keeps states by the names of nodes, so a node may find another's. */
	node: string;
	/** Counts the changes, so that the newer of two states has the higher number. */
	changes: number;
	/** Random, so that the same address has different hashes in different states. */
	salt: string;
	/** By contact type and account, see `typeKey`. */
	types: Record<string, StoredType>;
}

interface StoredType {
	/** The latest executions that counted, newest last. */
	executions: StoredExecution[];
	/** When an execution that called the workflow several times did so last (ms). */
	calledAgainAt?: number;
	/** The ID of a run that has begun but not ended. */
	open?: string;
	/** The known contacts, by the hash of their address. */
	contacts: Record<string, StoredContact>;
	/** By contact ID: in how many executions in a row the contact was missing from the input. */
	missing: Record<string, number>;
	/** When a run last raised these counts (ms). */
	raisedAt?: number;
	/** The IDs of contacts that this sync removed, or may have removed. */
	removed: number[];
	/** The hash of the name of the field whose external IDs the latest execution noted. */
	externalIdFieldHash?: string;
	/** The figures of the latest runs, newest last; see lastRuns.ts. */
	runs?: StoredRun[];
}

/** As short as possible, because there may be 100,000 of them. */
type StoredContact = [id: number | null, isAdded: 0 | 1, externalId?: string];

interface StoredExecution {
	/** If another workflow called this one, the ID of that workflow's execution. */
	id: string;
	/** The ID of this workflow's latest execution within it. */
	call: string;
	/** Whether a run of it has raised the counts of missing contacts. */
	hasRaised?: true;
}

interface KnownContact {
	/** Whether the sync created it; true only if the ID is known. */
	isAdded: boolean;
	id?: number;
	/** The hash of its external ID; '' if it has none. */
	externalId: string;
}

/** The maximum number of contacts in the state of a node. */
export const MAX_KNOWN_CONTACTS = 100_000;
const MAX_REMOVED = 10_000;
const MAX_EXECUTIONS = 10;

/** How long it is known that executions call the workflow several times: longer than many of them can overlap. */
const CALLED_AGAIN_MS = 7 * 24 * 60 * 60 * 1000;

/** Lengths of hashes. */
const ADDRESS_LENGTH = 7;
const EXTERNAL_ID_LENGTH = 8;

const nothing: StoredType = { executions: [], contacts: {}, missing: {}, removed: [] };

/** The values of a listed contact (18) that identify it. */
interface ContactIdentity {
	id?: number;
	email: string;
}

export interface RunOfExecution {
	/** See `StoredExecution`. */
	id: string;
	call: string;
}

/**
 * The contacts that a sync has seen in one contact type. Each has a salted hash of its address, its ID, a hash of its
 * external ID, and whether the sync created it. Addresses themselves are not kept.
 */
export class SyncState {
	/** Whether no execution is remembered. */
	readonly isFirst: boolean;
	/** Whether external IDs of this field were noted, so that those of new contacts can be compared with them. */
	readonly knowsExternalIdField: boolean;
	/** Whether a contact was left out because the state is full. */
	isFull = false;
	private readonly salt: string;
	private readonly contacts: Map<string, KnownContact>;
	private readonly capacity: number;
	/** Address hashes by external ID hash. */
	private readonly addresses: Map<string, string>;
	/** Address hashes by contact ID. */
	private readonly addressesById: Map<number, string>;
	private readonly externalIdField: string;
	/** See `StoredType`. */
	private notedFieldHash?: string;
	private executions: readonly StoredExecution[];
	private calledAgainAt?: number;
	private missing: ReadonlyMap<number, number>;
	private raisedAt?: number;
	private removed: readonly number[];

	constructor(
		salt: string,
		{
			stored = nothing,
			capacity = MAX_KNOWN_CONTACTS,
			externalIdField = '',
		}: { stored?: StoredType; capacity?: number; externalIdField?: string } = {},
	) {
		this.salt = salt;
		this.externalIdField = externalIdField;
		this.capacity = capacity;
		this.executions = stored.executions;
		this.calledAgainAt = stored.calledAgainAt;
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
		this.raisedAt = stored.raisedAt;
		this.removed = stored.removed;
		const known = [...this.contacts].filter(([, { externalId }]) => externalId !== '');
		this.addresses = new Map(known.map(([address, { externalId }]) => [externalId, address]));
		this.notedFieldHash = stored.externalIdFieldHash;
		// Earlier states do not have the field: their IDs count as those of the present one.
		this.knowsExternalIdField =
			this.notedFieldHash === undefined
				? this.addresses.size > 0
				: this.notedFieldHash === this.fieldHash();
		this.addressesById = new Map(
			[...this.contacts].flatMap(([address, { id }]) => (id === undefined ? [] : [[id, address]])),
		);
	}

	/** Whether no run of this execution has been counted yet. */
	private isNew({ id }: RunOfExecution): boolean {
		return !this.executions.some((execution) => execution.id === id);
	}

	/** Whether a later execution has been counted. */
	isOverlapped(run: RunOfExecution): boolean {
		const isBehind = !this.isNew(run) && this.executions.at(-1)?.id !== run.id;
		return isBehind || this.executions.some((execution) => isLater(execution, run));
	}

	/** Whether another workflow called this one in the latest execution. */
	get wasCalled(): boolean {
		const last = this.executions.at(-1);
		return last !== undefined && last.id !== last.call;
	}

	/**
	 * Whether this execution, or one of the last week, called the workflow several times. Any number of executions may
	 * make their first calls before one of them makes its second, so their number says nothing.
	 */
	isCalledRepeatedly(run: RunOfExecution): boolean {
		const { calledAgainAt = -Infinity } = this;
		return this.isCalledAgain(run) || Date.now() - calledAgainAt < CALLED_AGAIN_MS;
	}

	/** Whether this execution has called the workflow before. */
	isCalledAgain(run: RunOfExecution): boolean {
		return this.executions.some(({ id, call }) => id === run.id && call !== run.call);
	}

	/** Whether later executions may have displaced one that has called the workflow before. */
	private isDisplaced(run: RunOfExecution): boolean {
		const isFull = this.executions.length === MAX_EXECUTIONS;
		return run.id !== run.call && isFull && this.executions.every((one) => isLater(one, run));
	}

	/** Whether a run of this execution has raised the counts, such as an earlier try of the node. */
	hasRaised({ id }: RunOfExecution): boolean {
		return this.executions.some((execution) => execution.id === id && execution.hasRaised);
	}

	/**
	 * Counts a run, unless a later execution has been counted since. A new one takes the place of those with higher
	 * numbers: n8n may have begun to count from 1 again.
	 */
	count(run: RunOfExecution, raises: boolean): void {
		if (this.isNew(run)) {
			this.executions = this.executions.filter((execution) => !isLater(execution, run));
		}
		if (this.isOverlapped(run)) return this.noteCall(run);
		if (this.externalIdField !== '') this.notedFieldHash = this.fieldHash();
		this.note(run, raises);
	}

	/** Notes only that an execution calls the workflow: a limit has stopped this run, or a later execution has begun. */
	noteCall(run: RunOfExecution): void {
		if (this.isFirst) return;
		if (this.isDisplaced(run)) this.calledAgainAt = Date.now();
		this.note(run, false);
	}

	private note(run: RunOfExecution, raises: boolean): void {
		const { id, call } = run;
		if (this.isCalledAgain(run)) this.calledAgainAt = Date.now();
		const raised = (raises || this.hasRaised(run)) && { hasRaised: true as const };
		const others = this.executions.filter((execution) => execution.id !== id);
		const later = others.filter((execution) => isLater(execution, run));
		const earlier = others.filter((execution) => !isLater(execution, run));
		this.executions = [...earlier, { id, call, ...raised }, ...later].slice(-MAX_EXECUTIONS);
	}

	/**
	 * Whether a run has raised the counts since an execution started. Executions that overlap count as one: the one that
	 * began first may not have named everybody yet. A time to come is that of a clock that was set back.
	 */
	hasRaisedSince(startedAt: number): boolean {
		const { raisedAt = -Infinity } = this;
		return startedAt <= raisedAt && raisedAt <= latestTime();
	}

	/** In how many executions in a row the contact was missing from the input. */
	timesMissing({ id }: { id: number }): number {
		return this.missing.get(id) ?? 0;
	}

	/**
	 * Notes the contacts that are missing from a run. All others start again at zero.
	 *
	 * @param raises whether the run is the one of its execution that has the whole input
	 */
	noteMissing(contacts: ReadonlyArray<{ id: number }>, raises: boolean): void {
		const missing = new Map<number, number>();
		for (const contact of contacts) {
			const times = this.timesMissing(contact) + (raises ? 1 : 0);
			if (times === 0) continue;
			if (missing.size < MAX_KNOWN_CONTACTS) missing.set(contact.id, times);
			else this.isFull = true;
		}
		this.missing = missing;
		if (raises) this.raisedAt = latestTime();
	}

	isKnown(email: string): boolean {
		return this.contacts.has(this.addressHash(email));
	}

	/** Whether the sync created exactly this contact, and not an earlier one with the same address. */
	isAdded({ id, email }: ContactIdentity): boolean {
		const known = this.contacts.get(this.addressHash(email));
		return known !== undefined && isAddedAs(known, id);
	}

	/** Whether a remembered contact has this external ID. */
	isKnownExternalId(externalId: string): boolean {
		return this.addresses.has(this.externalIdHash(externalId));
	}

	/**
	 * Finds contacts of a list by their remembered external IDs. Others may have changed the address of a contact, but
	 * not its ID; only of a contact whose ID is not known, the address counts.
	 */
	byExternalId<T extends ContactIdentity>({
		contacts,
		byId,
	}: {
		contacts: readonly T[];
		byId: ReadonlyMap<number, T>;
	}): (externalId: string) => T | undefined {
		const byAddress = new Map<string, T>();
		const isWithoutId = ({ id, externalId }: KnownContact) => id === undefined && externalId !== '';
		if ([...this.contacts.values()].some(isWithoutId)) {
			for (const contact of contacts) byAddress.set(this.addressHash(contact.email), contact);
		}
		return (externalId) => {
			const address = this.addresses.get(this.externalIdHash(externalId));
			if (address === undefined) return undefined;
			const id = this.contacts.get(address)?.id;
			return id === undefined ? byAddress.get(address) : byId.get(id);
		};
	}

	/**
	 * Notes a contact that an item names, under its current address.
	 *
	 * @param isNew whether the sync created it. It counts as added only if its ID is known
	 */
	remember(contact: ContactIdentity, { isNew = false, externalId = '' } = {}): void {
		const { id } = contact;
		const address = this.addressHash(contact.email);
		const before = id === undefined ? undefined : this.addressesById.get(id);
		if (before !== undefined) this.move(before, address);
		const known = this.contacts.get(address);
		if (known === undefined && this.contacts.size >= this.capacity) {
			this.isFull = true;
			return;
		}
		this.put(address, {
			isAdded: id !== undefined && (isNew || (known !== undefined && isAddedAs(known, id))),
			id,
			externalId: externalId === '' ? (known?.externalId ?? '') : this.externalIdHash(externalId),
		});
	}

	/** The ID of the contact that was remembered under this address. */
	contactIdOf(email: string): number | undefined {
		return this.contacts.get(this.addressHash(email))?.id;
	}

	/** Whether those of the contacts that are not known can be remembered. */
	hasRoomFor(contacts: ReadonlyArray<{ email: string; contactId?: number }>): boolean {
		const { size } = this.contacts;
		if (size + contacts.length <= this.capacity) return true;
		const isUnknown = ({ email, contactId = 0 }: { email: string; contactId?: number }) =>
			!this.addressesById.has(contactId) && !this.isKnown(email);
		return size + contacts.filter(isUnknown).length <= this.capacity;
	}

	/** Notes the addresses that known contacts have now. They may have swapped them. */
	relocate(contacts: ReadonlyArray<{ id: number; email: string }>): void {
		this.moveAll(
			contacts.flatMap(({ id, email }) => {
				const before = this.addressesById.get(id);
				return before === undefined ? [] : [{ before, after: this.addressHash(email) }];
			}),
		);
	}

	/** Notes the new address of the contact with this external ID. */
	renameByExternalId(externalId: string, to: string): void {
		const before = this.addresses.get(this.externalIdHash(externalId));
		if (before !== undefined) this.move(before, this.addressHash(to));
	}

	/** Notes that others removed a contact. A later contact with its address does not count as added by this sync. */
	disown(email: string): void {
		const known = this.contacts.get(this.addressHash(email));
		if (known) known.isAdded = false;
		else this.remember({ email });
	}

	/** The IDs of contacts that this sync removed, or may have removed. */
	get removedIds(): readonly number[] {
		return this.removed;
	}

	/** Notes contacts that this sync may remove. Those that exist are still known, whether it added them or not. */
	noteRemoving(ids: readonly number[]): void {
		this.removed = [...this.removed, ...ids].slice(-MAX_REMOVED);
	}

	/** Notes contacts that this sync removed, and forgets their addresses. */
	noteRemoved(ids: readonly number[]): void {
		this.noteRemoving(ids);
		this.forget(new Set(ids));
	}

	/** A contact that this sync removed may be back in the service. It then no longer counts as removed. */
	notePresent(contacts: ReadonlyArray<{ id: number }>): void {
		if (this.removed.length === 0) return;
		const present = new Set(contacts.map(({ id }) => id));
		this.removed = this.removed.filter((id) => !present.has(id));
	}

	/** Forgets contacts that no longer exist, so that their addresses count as new. */
	forget(ids: ReadonlySet<number>): void {
		if (ids.size === 0) return;
		for (const [address, { id }] of this.contacts) {
			if (id !== undefined && ids.has(id)) this.drop(address);
		}
	}

	/** Forgets all contacts except those with these addresses or IDs. */
	keepOnly(contacts: Iterable<{ email: string; id?: number }>): void {
		const addresses = new Set<string>();
		const ids = new Set<number>();
		for (const { email, id } of contacts) {
			addresses.add(this.addressHash(email));
			if (id !== undefined) ids.add(id);
		}
		for (const [address, { id = -1 }] of this.contacts) {
			if (!addresses.has(address) && !ids.has(id)) this.drop(address);
		}
	}

	toStored(): StoredType {
		return {
			executions: [...this.executions],
			...(this.calledAgainAt !== undefined && { calledAgainAt: this.calledAgainAt }),
			contacts: Object.fromEntries(
				[...this.contacts].map(([address, { id = null, isAdded, externalId }]) => [
					address,
					[id, isAdded ? 1 : 0, ...(externalId === '' ? [] : [externalId])] as StoredContact,
				]),
			),
			missing: Object.fromEntries(this.missing),
			...(this.raisedAt !== undefined && { raisedAt: this.raisedAt }),
			removed: [...this.removed],
			...(this.notedFieldHash !== undefined && { externalIdFieldHash: this.notedFieldHash }),
		};
	}

	private move(before: string, after: string): void {
		this.moveAll([{ before, after }]);
	}

	private moveAll(moves: ReadonlyArray<{ before: string; after: string }>): void {
		const moved = moves.flatMap(({ before, after }) => {
			const known = this.contacts.get(before);
			return known && before !== after ? [{ before, after, known }] : [];
		});
		for (const { before } of moved) this.drop(before);
		for (const { after, known } of moved) this.put(after, known);
	}

	/** Replaces the contact at this address. Another contact with the same external ID loses that ID. */
	private put(address: string, contact: KnownContact): void {
		this.drop(address);
		const { externalId } = contact;
		if (externalId !== '') {
			const before = this.contacts.get(this.addresses.get(externalId) ?? '');
			if (before) before.externalId = '';
			this.addresses.set(externalId, address);
		}
		this.contacts.set(address, contact);
		if (contact.id !== undefined) this.addressesById.set(contact.id, address);
	}

	private drop(address: string): void {
		const known = this.contacts.get(address);
		if (known) this.addresses.delete(known.externalId);
		if (known?.id !== undefined) this.addressesById.delete(known.id);
		this.contacts.delete(address);
	}

	private addressHash(email: string): string {
		return shortHash(`${this.salt} email ${addressKey(email)}`, ADDRESS_LENGTH);
	}

	private fieldHash(): string {
		return shortHash(`${this.salt} field ${this.externalIdField}`, EXTERNAL_ID_LENGTH);
	}

	/** An ID counts only in its own field: another one may give the same number to somebody else. */
	private externalIdHash(externalId: string): string {
		const text = `${this.salt} external ID ${this.externalIdField} ${externalId}`;
		return shortHash(text, EXTERNAL_ID_LENGTH);
	}
}

/** By n8n's numbers. */
const isLater = ({ id }: StoredExecution, run: RunOfExecution): boolean =>
	Number(id) > Number(run.id);

const isAddedAs = (known: KnownContact, id: number | undefined): boolean =>
	known.isAdded && known.id === id;

/** Whether this version reads the state. */
export const isReadable = (stored: unknown): stored is StoredSyncState =>
	isObject(stored) && stored.format === FORMAT;

/** Whether a newer version of this package saved the state. This version cannot read it. */
export const isOfNewerVersion = (stored: unknown): boolean =>
	isObject(stored) && typeof stored.format === 'number' && stored.format > FORMAT;

/** Identifies a node in its state. */
export const nodeHash = (nodeKey: string): string => shortHash(nodeKey, EXTERNAL_ID_LENGTH);

/**
 * Reads the state that n8n saved for a node.
 *
 * @returns a new state if there is none, or if it has another format, or is that of another node
 */
export function readStoredState(stored: unknown, nodeKey: string): StoredSyncState {
	const node = nodeHash(nodeKey);
	if (isReadable(stored) && stored.node === node) return stored;
	const salt = randomBytes(9).toString('base64url');
	return { format: FORMAT, node, changes: 0, salt, types: {} };
}

/**
 * The key of one account's list in a state. The account is hashed, because it contains the address of the service and
 * the public key.
 *
 * @param account identifies the account
 * @param list the ID of a contact type, or the key of a recipient list
 */
export const typeKey = ({ salt }: StoredSyncState, account: string, list: string): string =>
	`${list} ${shortHash(`${salt} account ${account}`, EXTERNAL_ID_LENGTH)}`;

/** The state of one contact type. It shares the maximum number of contacts with the other types of the node. */
export function stateOf(
	{ salt, types }: StoredSyncState,
	key: string,
	externalIdField?: string,
): SyncState {
	const { [key]: stored, ...others } = types;
	const taken = Object.values(others).reduce(
		(sum, { contacts }) => sum + Object.keys(contacts).length,
		0,
	);
	const capacity = Math.max(0, MAX_KNOWN_CONTACTS - taken);
	return new SyncState(salt, { stored, capacity, externalIdField });
}

/** A copy of the state with changes to one contact type. */
export function withType(
	stored: StoredSyncState,
	key: string,
	changed: Partial<StoredType>,
): StoredSyncState {
	const { [key]: before = nothing } = stored.types;
	const types = { ...stored.types, [key]: { ...before, ...changed } };
	return { ...stored, changes: stored.changes + 1, types };
}
