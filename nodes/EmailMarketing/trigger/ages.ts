import { assignBits } from './bits';
import type { AssignedBit } from './bits';
import type { Row } from './types';

/** The ages of which snapshots were taken are bits of one number. */
export const MAX_AGES = 10;

export const MS_PER_MINUTE = 60_000;

/** When a poll takes place, and how it reads when a record was sent. */
export interface AgeClock {
	/** Milliseconds since 1970. */
	now: number;
	/** Undefined for a record that is not sent yet. */
	sentAt: (row: Row) => number | undefined;
}

export interface DueAge {
	/** The age in minutes. */
	age: number;
	dueAt: number;
}

export interface AssignedAge extends AssignedBit<number> {
	/** False for an age that is only remembered: it is noted without an event. */
	isConfigured: boolean;
}

/**
 * @param before ages by bit, as texts
 * @param ages in minutes
 */
export function assignAges(
	before: string[],
	ages: number[],
): { names: string[]; assigned: AssignedAge[] } {
	const configured = new Map(ages.map((age) => [String(age), age]));
	const { names, assigned } = assignBits(before, configured, MAX_AGES);
	const remembered = names.flatMap((name, index) =>
		configured.has(name)
			? []
			: [{ value: Number(name), bit: 1 << index, isNew: false, isConfigured: false }],
	);
	return {
		names,
		assigned: [...assigned.map((age) => ({ ...age, isConfigured: true })), ...remembered],
	};
}

/**
 * The ages that a record has reached since the poll before.
 *
 * @param before a bit for each age that was reached
 */
export function updateAges(
	row: Row,
	before: number,
	assigned: AssignedAge[],
	{ now, sentAt }: AgeClock,
): { aged: number; due: DueAge[] } {
	const open = assigned.filter(({ bit }) => (before & bit) === 0);
	const sent = open.length === 0 ? undefined : sentAt(row);
	if (sent === undefined) return { aged: before, due: [] };
	let aged = before;
	const due: DueAge[] = [];
	for (const { value: age, bit, isNew, isConfigured } of open) {
		const dueAt = sent + age * MS_PER_MINUTE;
		if (now < dueAt) continue;
		aged |= bit;
		if (isConfigured && !isNew) due.push({ age, dueAt });
	}
	return { aged, due: due.sort((a, b) => a.age - b.age) };
}
