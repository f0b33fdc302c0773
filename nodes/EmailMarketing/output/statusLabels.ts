import type { IDataObject } from 'n8n-workflow';

import { coerceText } from '../util/coerce';

/** What the reference calls the status codes of single sends (37), automations (44) and senders (51). */
const STATUS_LABELS = {
	singleSends: { '0': 'initiate', '1': 'ready to send', '2': 'running', '3': 'completed' },
	automations: { '0': 'draft', '1': 'live' },
	senders: { '0': 'unverified', '1': 'verified' },
};

/** The status of a single send that is being sent. */
export const RUNNING = '2';

/** The status of a single send that has been sent. */
export const COMPLETED = '3';

type StatusList = keyof typeof STATUS_LABELS;

/** Undefined for a code that the reference does not name, such as that of a paused automation. */
export function statusLabel(list: StatusList, code: string | number): string | undefined {
	const labels: Record<string, string> = STATUS_LABELS[list];
	return Object.hasOwn(labels, code) ? labels[code] : undefined;
}

/** What is shown for a status: `unknown (5)` for a code that the reference does not name. */
export const shownStatus = ({ code, label }: Pick<RecordStatus, 'code' | 'label'>): string =>
	label ?? `unknown (${code})`;

/** The kinds of records that have a status, and the field that it is in. */
const STATUS_FIELDS = {
	automation: { list: 'automations', field: 'status' },
	sender: { list: 'senders', field: 'is_verified' },
	singleSend: { list: 'singleSends', field: 'status' },
} as const;

const isStatusKind = (kind: string): kind is keyof typeof STATUS_FIELDS =>
	Object.hasOwn(STATUS_FIELDS, kind);

export interface RecordStatus {
	/** The field of the record that holds the code. */
	field: string;
	code: string;
	/** Undefined for a code that the reference does not name. */
	label?: string;
}

/** Undefined for kinds of records without a status, and for a record that has no code there. */
export function recordStatus(record: IDataObject, kind: string): RecordStatus | undefined {
	if (!isStatusKind(kind)) return undefined;
	const { list, field } = STATUS_FIELDS[kind];
	const value = record[field];
	const code = typeof value === 'boolean' ? String(Number(value)) : coerceText(value).trim();
	return code === '' ? undefined : { field, code, label: statusLabel(list, code) };
}

/** The fields that the node adds to the records of a kind. */
export const addedFields = (kind: string): string[] => (isStatusKind(kind) ? ['statusLabel'] : []);

/** The record with `statusLabel` right after its status. */
export function withStatusLabel(record: IDataObject, kind: string): IDataObject {
	const status = recordStatus(record, kind);
	if (status === undefined) return record;
	const entries = Object.entries(record);
	const at = entries.findIndex(([field]) => field === status.field);
	entries.splice(at + 1, 0, ['statusLabel', shownStatus(status)]);
	// Assigning would take a field named __proto__ for the prototype.
	return Object.fromEntries(entries);
}
