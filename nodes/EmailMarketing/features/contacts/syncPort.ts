import type { ErrorCode } from '../../service/errorCode';
import type { ClearedAddress } from '../consent/guard';
import type { SuppressedAddress } from '../consent/types';
import type { RemovalClearance } from './removalClearance';
import type { ClearedBody, ListedContact } from './types';

/** Why a write failed. */
export interface WriteFailure {
	code: ErrorCode | undefined;
	/** In words for the person who runs the workflow. */
	message: string;
	/** What happened, as a sentence: the message without advice. */
	problem: string;
	/** Whether the write may have succeeded anyway. */
	effect: 'none' | 'unknown';
	/** Whether the service refused what was to be written, rather than being out of reach. */
	isRejected: boolean;
	/** Whether the service refused the email, or did not name what it refused: the address may be taken. */
	mayBeTaken?: boolean;
	/** Whether the service has no such record. */
	isNotFound?: boolean;
}

/** What sync needs of the service. Reads throw; writes return why they failed. */
export interface SyncPort {
	/** (18) */
	listContacts(): Promise<ListedContact[]>;
	/** (1) */
	listGlobalUnsubscribes(): Promise<SuppressedAddress[]>;
	/** (10) */
	listGroupRecipients(groupId: number): Promise<SuppressedAddress[]>;
	/** The message of the lookup (50). */
	lookup(): Promise<unknown>;
	/** (22): the country as the details show it, '' when there is none. */
	contactCountry(contactId: number): Promise<string>;
	/** (22): nothing if there is no such contact. */
	contactDetails(contactId: number): Promise<ListedContact | undefined>;
	/** (19) */
	create(body: ClearedBody): Promise<WriteFailure | undefined>;
	/** (23) */
	update(contactId: number, body: ClearedBody): Promise<WriteFailure | undefined>;
	/** (24) */
	remove(contactId: number, removal: RemovalClearance): Promise<WriteFailure | undefined>;
	/** (25) */
	removeMany(contactIds: number[], removal: RemovalClearance): Promise<WriteFailure | undefined>;
	/** (9) */
	addToGroup(groupId: number, addresses: string[]): Promise<WriteFailure | undefined>;
	/** (21); `addresses` are those of the file. */
	uploadCsv(
		contactTypeId: number,
		csv: string,
		addresses: readonly ClearedAddress[],
	): Promise<WriteFailure | undefined>;
	/** Gives the service time to finish what it has accepted; ends at once if the execution is canceled. */
	wait(ms: number): Promise<void>;
}
