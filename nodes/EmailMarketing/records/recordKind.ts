import type { IDataObject } from 'n8n-workflow';

import type { KeyedEndpoint } from '../service/endpoints';
import { codeText, coerceText, isNoDate } from '../util/coerce';

/** The record that a list belongs to. */
export interface Parent {
	/** Query field that narrows the list. */
	field: string;
	/** The parameter with the parent's ID, and its label. */
	parameter: string;
	label: string;
}

/** The statistics of a single send or an automation, under the names that they have in the output. */
export type CountName =
	'triggered' | 'delivered' | 'bounces' | 'uniqueOpens' | 'totalOpens' | 'unsubscribes';

/** The properties of one kind of record of the service. */
export interface RecordKind {
	/** The list of all such records, or of those of the parent. */
	list: KeyedEndpoint;
	parent?: Parent;
	/** Distinguishes such a record from others that the list may contain. */
	includes?: (record: IDataObject) => boolean;
	/** The field that identifies a record in requests. */
	key: 'id' | 'utr' | 'name';
	/** The fields that people know a record by; the first one that is not empty is its name. */
	names: readonly string[];
	/** How many of these a choice in the editor shows together, 1 unless given. */
	shownNames?: number;
	/** The field by which a record can be chosen instead of its key. */
	email?: string;
	/** Whether all records of an address, in any spelling, keep somebody off lists. */
	isUnsubscribe?: true;
	/** Distinguishes records of the same address in a message. */
	twin?: (record: IDataObject) => string;
	/** The details that a choice in the editor shows after the name. */
	detail?: (record: IDataObject) => string;
	/** How many others belong to it; the words are for one and for several of them. */
	count?: { field: string; one: string; many: string };
	/** Codes with what the reference calls them; it does not name all of them. */
	status?: { field: string; labels: Readonly<Record<string, string>> };
	/** The fields with the statistics. */
	statistics?: Readonly<Record<CountName, string>>;
	/** The field with the time at which it began to be sent. */
	sentAt?: string;
	/**
	 * The fields that "Simplified" keeps, those that people act on, in the order of n8n's table: names and status first,
	 * IDs last. Absent if a record has few fields anyway.
	 */
	simplified?: readonly string[];
	/** The other fields. */
	further: readonly string[];
	/** Fields without an order: objects, lists and documents, and those that are sorted along with another. */
	unsorted?: readonly string[];
	/** Fields that only the list has, not the details of one record. */
	listOnly?: readonly string[];
}

/** All fields of such records. */
export const fieldsOf = ({ simplified = [], further }: RecordKind): string[] => [
	...simplified,
	...further,
];

/** The name of a record, or its ID if it has none. */
export const nameOrId = (record: IDataObject, { names }: Pick<RecordKind, 'names'>): string =>
	names.map((field) => coerceText(record[field])).find((name) => name !== '') ??
	coerceText(record.id);

/** Whether the service lists a record although it is deleted. */
export const isDeleted = ({ deleted_at: deletedAt }: { deleted_at?: unknown }): boolean =>
	!isNoDate(deletedAt);

/** Whether a single send has certainly not been sent: initiate, ready to send. A copy may keep when its original was. */
export const isUnsent = ({ status }: IDataObject): boolean => ['0', '1'].includes(codeText(status));

/** Whether a record of the list is there, and of this kind. */
export const isPresent = (record: IDataObject, { includes }: RecordKind): boolean =>
	!isDeleted(record) && (includes === undefined || includes(record));
