import type { IDataObject } from 'n8n-workflow';

import { kindNamed } from './records';
import type { RecordName } from './records';
import { codeText } from '../util/coerce';

/** The status of a single send that is being sent. */
export const RUNNING = '2';

/** The status of a single send that has been sent. */
export const COMPLETED = '3';

/** Whether an automation is live. */
export const isLive = ({ status }: IDataObject): boolean => codeText(status) === '1';

/** The choice for every code that the reference does not name. */
export const OTHER_STATUS = 'other';

/** Whether somebody can choose it as a status. */
export const isStatusChoice = (code: string): boolean =>
	code === OTHER_STATUS || /^\d+$/.test(code);

/** Undefined for a code that the reference does not name, such as that of a paused automation. */
export const statusLabel = (kind: RecordName, code: string | number): string | undefined =>
	labelIn(kindNamed(kind)?.status?.labels ?? {}, code);

const labelIn = (labels: Readonly<Record<string, string>>, code: string | number) =>
	Object.hasOwn(labels, code) ? labels[code] : undefined;

/** What is shown for a status: `unknown (5)` for a code that the reference does not name. */
export const shownStatus = ({ code, label }: Pick<RecordStatus, 'code' | 'label'>): string =>
	label ?? `unknown (${code})`;

interface RecordStatus {
	/** The field of the record that holds the code. */
	field: string;
	code: string;
	/** Undefined for a code that the reference does not name. */
	label?: string;
}

/** Undefined for kinds of records without a status, and for a record that has no code there. */
export function recordStatus(record: IDataObject, kind: string): RecordStatus | undefined {
	const status = kindNamed(kind)?.status;
	if (status === undefined) return undefined;
	const { field, labels } = status;
	const code = codeText(record[field]);
	return code === '' ? undefined : { field, code, label: labelIn(labels, code) };
}

/** The field that the node adds behind another one. */
export const labelAfter = (field: string, kind: string): string[] =>
	kindNamed(kind)?.status?.field === field ? ['statusLabel'] : [];

/** The record with more fields behind one of its own; at its end if it does not have it. */
export function withFieldsAfter(
	record: IDataObject,
	field: string,
	added: IDataObject,
): IDataObject {
	const entries = Object.entries(record);
	const at = entries.findIndex(([name]) => name === field);
	entries.splice(at < 0 ? entries.length : at + 1, 0, ...Object.entries(added));
	// An assignment would treat a field named __proto__ as the prototype.
	return Object.fromEntries(entries);
}

/** The record with `statusLabel` right after its status. */
export function withStatusLabel(record: IDataObject, kind: string): IDataObject {
	const status = recordStatus(record, kind);
	if (status === undefined) return record;
	return withFieldsAfter(record, status.field, { statusLabel: shownStatus(status) });
}
