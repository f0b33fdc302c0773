import { OTHER_STATUS, shownStatus, statusLabel } from '../records/statusLabels';
import { codeText } from '../util/coerce';
import { kindOf } from './sources';
import type { SnapshotSource } from './sources';
import type { Row, Status, StatusFilter } from './types';

/** The status that every record starts with. */
export const FIRST_STATUS = '0';

export const VERIFIED = '1';

/** The status of a record; undefined if it has none, or text that is not a status. */
export function statusOf(row: Row, field: 'status' | 'is_verified'): string | undefined {
	const status = codeText(row[field]);
	return status !== '' && status.length <= 40 ? status : undefined;
}

export function showStatus(source: SnapshotSource, code: string): Status {
	return {
		code: /^-?\d{1,15}$/.test(code) ? Number(code) : code,
		label: shownStatus({ code, label: statusLabel(kindOf(source), code) }),
	};
}

const allows = (source: SnapshotSource, chosen: string[], code: string) =>
	chosen.length === 0 ||
	chosen.includes(code) ||
	(chosen.includes(OTHER_STATUS) && statusLabel(kindOf(source), code) === undefined);

/** Whether a filter lets the record with this utr through. */
export const isChosen = ({ only }: StatusFilter, key: string): boolean =>
	only.length === 0 || only.includes(key);

/** A record first seen in a later status (`previous` null) counts as coming from the first one. */
export function passesFilter(
	source: SnapshotSource,
	filter: StatusFilter,
	change: { key: string; previous: string | null; status: string },
): boolean {
	return (
		isChosen(filter, change.key) &&
		allows(source, filter.from, change.previous ?? FIRST_STATUS) &&
		allows(source, filter.to, change.status)
	);
}
