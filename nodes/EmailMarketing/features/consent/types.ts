/** What keeps one address off all lists. */
export interface Suppression {
	/** As people read it, such as `unsubscribed`. */
	reason: string;
	/** ISO 8601 time in UTC, as returned by the service; absent if it returns none. */
	date?: string;
	/** The list that somebody unsubscribed from, for people. */
	list?: string;
}

/** The `list` of whoever unsubscribed from everything. */
export const GLOBAL_LIST = 'Global Unsubscribes';

/** By address key (see `addressKey`). */
export interface Suppressions {
	get(key: string): Suppression | undefined;
}

/** An address on a suppression list, as the lists (1, 10) have it. */
export interface SuppressedAddress {
	email_address: string;
	/** Absent if the service does not say. */
	created_at?: string;
	/** The unsubscribe group of an entry that the service lists among the global ones. */
	group?: string;
	/** Whether the service marks it as deleted. It still holds the person back, but may not stop a campaign. */
	isDeleted?: boolean;
}
