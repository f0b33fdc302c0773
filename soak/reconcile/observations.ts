import type { Stored } from '../executions.ts';
import { wrong, type Finding } from './finding.ts';

/** An event as the trigger gives it. */
export interface TriggerEvent {
	event: string;
	occurredAt: string | null;
	previousStatus?: { code: number } | null;
	status?: { code: number } | null;
	record: Record<string, unknown>;
}

/** A poll of a trigger that reported events. */
export interface Observation {
	id: number;
	at: number;
	events: TriggerEvent[];
	/** A kill cut it short, and nothing is kept of what it reported. */
	hidden: boolean;
}

const isCut = (status: string) => status === 'crashed';

/** The observations behind the executions of a workflow; polls that failed are none. */
export const observationsOf = (executions: Stored[]): Observation[] =>
	executions
		.filter(({ failed }) => !failed)
		.map(({ id, status, createdAt, items }) => ({
			id,
			at: createdAt,
			events: (items ?? []) as unknown as TriggerEvent[],
			hidden: isCut(status) && items === undefined,
		}));

/** Executions of a trigger that no kill cut short and that nevertheless hold no events. */
export const withoutEvents = (executions: Stored[]): Finding[] =>
	executions
		.filter(({ failed, status, items }) => !failed && !isCut(status) && items === undefined)
		.map(({ id, status, error }) =>
			wrong(`execution ${id} of a trigger has no events and ended with ${error ?? status}`),
		);

/** What was found in the events of a trigger, and how many there were. */
export interface Heard {
	findings: Finding[];
	events: number;
}
