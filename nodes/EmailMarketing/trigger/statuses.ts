import { coerceText } from '../util/coerce';
import type { RecordSource, Row, Status, StatusFilter } from './types';

export const STATUS_LABELS: Record<RecordSource, Record<string, string>> = {
	singleSends: { '0': 'initiate', '1': 'ready to send', '2': 'running', '3': 'completed' },
	automations: { '0': 'draft', '1': 'live' },
	senders: { '0': 'unverified', '1': 'verified' },
};

/** The status that every record starts with. */
export const FIRST_STATUS = '0';

/** The choice in a filter that stands for every code the reference does not name. */
export const OTHER_STATUS = 'other';

/**
 * The status of a record; undefined where it says none that can be kept in mind: `!` and `~` stand for something else in
 * the state.
 */
export function statusOf(row: Row, field: 'status' | 'is_verified'): string | undefined {
	const value = row[field];
	const status = typeof value === 'boolean' ? String(Number(value)) : coerceText(value).trim();
	return /^[^!~]{1,40}$/.test(status) ? status : undefined;
}

const isNamed = (source: RecordSource, code: string) => Object.hasOwn(STATUS_LABELS[source], code);

/** A status as it is shown: the code as a number where it is one, and its label. */
export function showStatus(source: RecordSource, code: string): Status {
	return {
		code: /^-?\d{1,15}$/.test(code) ? Number(code) : code,
		label: isNamed(source, code) ? (STATUS_LABELS[source][code] ?? '') : `unknown (${code})`,
	};
}

const lets = (source: RecordSource, chosen: string[], code: string) =>
	chosen.length === 0 ||
	chosen.includes(code) ||
	(chosen.includes(OTHER_STATUS) && !isNamed(source, code));

/**
 * Whether a change passes the filter. A record whose change is the first thing seen of it
 * (`previous` null) counts as coming from the status that every record starts with.
 */
export function passesFilter(
	source: RecordSource,
	filter: StatusFilter,
	change: { key: string; previous: string | null; status: string },
): boolean {
	return (
		(filter.only.length === 0 || filter.only.includes(change.key)) &&
		lets(source, filter.from, change.previous ?? FIRST_STATUS) &&
		lets(source, filter.to, change.status)
	);
}
