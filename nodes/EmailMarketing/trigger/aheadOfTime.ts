import { updatedAt } from './rows';
import type { Row } from './types';

/**
 * A time of the service that had not come yet when a poll saw it, or a span of such times. They are remembered one by
 * one: as a high-water mark, one of them would hide all updates until it comes.
 */
export interface TimeAhead {
	at: string;
	/** The record with that time. */
	id?: number;
	/** The end of a span: of all times from `at` on, whatever their records. */
	to?: string;
}

const MAX_TIMES = 20;
/**
 * The clocks of the service and of n8n may differ, and either may be set to the wrong time zone. Within this, one
 * record that is ahead hides the updates of others until its time has come.
 */
const TOLERANCE_MS = 24 * 60 * 60 * 1000;

const endOf = ({ at, to = at }: TimeAhead) => to;
const isBefore = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
/** Whatever follows the minutes, such as microseconds. */
const minuteOf = (time: string) => Date.parse(time.slice(0, 'YYYY-MM-DDTHH:mm'.length));
const isoTime = (ms: number) => new Date(ms).toISOString();

function isAmong(times: TimeAhead[], row: Row): boolean {
	const time = updatedAt(row);
	return times.some(({ at, id, to = at }) =>
		id === undefined ? at <= time && time <= to : at === time && id === Number(row.id),
	);
}

/** Joins the times that are closest to each other where there are too many to remember. */
function joinClosest(times: TimeAhead[]): TimeAhead[] {
	if (times.length <= MAX_TIMES) return times;
	const sorted = [...times].sort((a, b) => isBefore(a.at, b.at));
	const gaps = sorted.slice(1).map((time, index) => ({
		start: index + 1,
		ms: minuteOf(time.at) - minuteOf(endOf(sorted[index] ?? time)),
	}));
	const widest = gaps.sort((a, b) => b.ms - a.ms).slice(0, MAX_TIMES - 1);
	const starts = [0, ...widest.map(({ start }) => start).sort((a, b) => a - b)];
	return starts.map((start, index) => {
		const group = sorted.slice(start, starts[index + 1]);
		const [first, last] = [group[0] as TimeAhead, group.at(-1) as TimeAhead];
		return group.length === 1 ? first : { at: first.at, to: endOf(last) };
	});
}

/** Distinguishes times that are too far ahead from those that a high-water mark may follow. */
export class TimesAhead {
	private readonly before: TimeAhead[];
	/** The time of the poll. */
	readonly now: string;
	private readonly latest: string;

	/** @param now the time of the poll, in milliseconds since 1970 */
	constructor(before: TimeAhead[], now: number) {
		this.before = before;
		this.now = isoTime(now);
		this.latest = isoTime(now + TOLERANCE_MS);
	}

	/** Whether a poll before has seen the record with the time that it has now. */
	hasSeen(row: Row): boolean {
		return isAmong(this.before, row);
	}

	isTooFar(time: string): boolean {
		return time > this.latest;
	}

	/** Whether the time of the record is to be remembered by itself. Once it was, it stays so until that time has come. */
	isAhead(row: Row): boolean {
		const time = updatedAt(row);
		return this.isTooFar(time) || (time > this.now && this.hasSeen(row));
	}

	/** What to remember. A record that is missing from this poll may be back in the next. */
	after(rows: Row[]): TimeAhead[] {
		const present = new Set(rows.map(({ id }) => Number(id)));
		const kept = this.before.filter(
			(time) => endOf(time) > this.now && (time.id === undefined || !present.has(time.id)),
		);
		const spans = kept.filter(({ id }) => id === undefined);
		const current = rows
			.filter((row) => this.isAhead(row) && !isAmong(spans, row))
			.map((row) => ({ at: updatedAt(row), id: Number(row.id) }));
		return joinClosest([...kept, ...current]);
	}
}
