/** One address that unsubscribed. */
export interface Suppression {
	/** ISO 8601 time in UTC, as the service gives it; absent if it gives none. */
	date?: string;
	/** The list that it stands on, for people. */
	list: string;
}

/** By address key (see `addressKey`). */
export type Suppressions = ReadonlyMap<string, Suppression>;

/** An address on a suppression list, as the lists (1, 10) have it. */
export interface SuppressedAddress {
	email_address: string;
	/** Absent if the service does not say. */
	created_at?: string;
	/** The unsubscribe group of an entry that the service lists among the global ones. */
	group?: string;
}
