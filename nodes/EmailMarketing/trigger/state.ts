import type { IDataObject } from 'n8n-workflow';

import { coerceText, isObject } from '../util/coerce';
import { shortHash } from '../util/text';
import type { SnapshotState } from './snapshotDiff';
import type { SnapshotSource, SourceName, WatermarkSource } from './sources';
import type { Row } from './types';
import type { WatermarkState } from './watermarkDiff';

/** The state that the node saves in n8n's static data: plain JSON, one part for each list it has ever watched. */
export interface TriggerState {
	format: 2;
	/** Hashes of the states that led to this one, which comes last. */
	lineage: string[];
	/** The list to start with, if the last poll ran out of time. */
	next?: SourceName;
	/** The lists whose existing records are to be reported once they can be read. */
	unreported?: SourceName[];
	/** Since when lists cannot be read, in milliseconds since 1970. */
	failing: Partial<Record<SourceName, number>>;
	/** When "Heartbeat" was last reported, or would have been for the first time, in milliseconds since 1970. */
	heartbeatAt?: number;
	records: Partial<Record<SnapshotSource, SnapshotState>>;
	entries: Partial<Record<WatermarkSource, WatermarkState>>;
}

export const EMPTY_STATE: TriggerState = {
	format: 2,
	lineage: [],
	failing: {},
	records: {},
	entries: {},
};

/**
 * n8n may save only polls with events, so the state that it has saved can be older than this many states. This process
 * recognizes its own older states (see `PollLock`), but those of another process only within this limit.
 */
const MAX_LINEAGE = 20;

const isSnapshotState = (list: unknown): boolean =>
	isObject(list) &&
	typeof list.since === 'string' &&
	isObject(list.records) &&
	Object.values(list.records).every((record) => Array.isArray(record)) &&
	isObject(list.absent) &&
	Array.isArray(list.watched) &&
	(list.earlier === undefined || isSnapshotState(list.earlier));

const isWatermarkState = (list: unknown): boolean =>
	isObject(list) &&
	typeof list.max === 'number' &&
	Array.isArray(list.gaps) &&
	(list.updates === undefined || (isObject(list.updates) && isObject(list.updates.seen))) &&
	(list.earlier === undefined || isWatermarkState(list.earlier));

/** @returns undefined for a damaged state, or one of another version */
export function readState({ state }: IDataObject): TriggerState | undefined {
	if (state === undefined) return EMPTY_STATE;
	const isReadable =
		isObject(state) &&
		state.format === EMPTY_STATE.format &&
		Array.isArray(state.lineage) &&
		isObject(state.failing) &&
		(state.unreported === undefined || Array.isArray(state.unreported)) &&
		isObject(state.records) &&
		Object.values(state.records).every(isSnapshotState) &&
		isObject(state.entries) &&
		Object.values(state.entries).every(isWatermarkState);
	return isReadable ? (state as unknown as TriggerState) : undefined;
}

const contentOf = ({ next, unreported, failing, heartbeatAt, records, entries }: TriggerState) =>
	JSON.stringify({ next, unreported, failing, heartbeatAt, records, entries });

const lineageHash = (previous: string | undefined, content: string) =>
	shortHash(`${previous} ${content}`, 12);

/** The state with its place in the lineage; `before` itself if nothing has changed. */
export function withLineage(before: TriggerState, after: TriggerState): TriggerState {
	const { lineage } = before;
	const content = contentOf(after);
	// Comparing hashes avoids serializing `before` again, which may be long.
	if (lineageHash(lineage.at(-2), content) === lineage.at(-1)) return before;
	const extended = [...lineage, lineageHash(lineage.at(-1), content)];
	return { ...after, lineage: extended.slice(-MAX_LINEAGE) };
}

/** Hashes of the service, and of the service with the keys. */
export const accountHash = (service: string, publicKey: string): string =>
	`${shortHash(service, 8)}.${shortHash(`${service} ${publicKey}`, 12)}`;

/** If no list has been read with these keys, those that cannot be read may be of another account. */
export function withoutFailuresOfOtherAccount(state: TriggerState, account?: string): TriggerState {
	const lists = [...Object.values(state.records), ...Object.values(state.entries)];
	const accounts = lists.flatMap((list) => list?.account ?? []);
	const isOther = account !== undefined && accounts.length > 0 && !accounts.includes(account);
	return isOther ? { ...state, failing: {}, unreported: undefined } : state;
}

const serviceOf = (account = ''): string | undefined => /^(.+)\./.exec(account)?.[1];

/** Whether two of these are certainly of two services. */
function isOtherService(one: string | undefined, other: string | undefined): boolean {
	const [service, before] = [serviceOf(one), serviceOf(other)];
	return service !== undefined && before !== undefined && service !== before;
}

/** Whose records a list had. */
interface Account {
	/** `user_id` of its records, which may be a number or a text. */
	owner?: string;
	/** See `Watch`. */
	account?: string;
}

/**
 * Whether the rows belong to the account that the state is about. If the credential now has another account, this is
 * its first poll, and its records are not new. The same keys are the same account, even if none of the records that
 * were there first is left. With other keys, the records decide, since an account may get new keys. Other keys mean
 * another account only if no record shows its owner, because the list is or was empty. Another service may have an
 * owner and IDs with the same numbers, so only a known UTR shows that it is the same under another address.
 *
 * @param isUnique whether no other service has records with the same keys
 */
export function isSameAccount(
	rows: Row[],
	before: Account,
	account: string | undefined,
	isKnown: (row: Row) => boolean = () => false,
	isUnique = false,
): boolean {
	if (account !== undefined && account === before.account) return true;
	const isElsewhere = isOtherService(account, before.account);
	if (rows.some((row) => isKnown(row)) && (isUnique || !isElsewhere)) return true;
	if (isElsewhere) return false;
	if (rows.length > 0 && before.owner !== undefined) {
		return rows.some((row) => coerceText(row.user_id) === before.owner);
	}
	return (before.account ?? account) === (account ?? before.account);
}

/**
 * The state to compare a list with, and the one to keep besides. A list that is empty when the keys change may be one
 * that could not be read whole: its next rows show whether the account has only new keys.
 *
 * @param last undefined at the first poll
 */
export function chooseState<T extends { earlier?: T }>(
	rows: Row[],
	last: T | undefined,
	isSame: (before: T) => boolean,
): { known?: T; earlier?: T } {
	const { earlier } = last ?? {};
	const known = last && isSame(last) ? last : undefined;
	if (rows.length === 0) return { known, earlier: known ? earlier : (earlier ?? last) };
	return { known: earlier && isSame(earlier) ? earlier : known };
}

/**
 * The account to remember: the same as before as long as it has rows, or none at all. A row that shows no account says
 * nothing.
 */
export function accountOf(
	rows: Row[],
	before: Account | undefined,
	account: string | undefined,
): Account {
	const shown = rows.map(({ user_id }) => coerceText(user_id)).filter((owner) => owner !== '');
	const isBefore = rows.length === 0 || shown.some((one) => one === before?.owner);
	const owner = isBefore ? before?.owner : shown[0];
	return {
		...(owner !== undefined && { owner }),
		...(account !== undefined && { account }),
	};
}
