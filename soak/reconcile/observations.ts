import { isCut, isGivenUp, type Stored } from '../executions.ts';
import type { KillOf } from '../n8n.ts';
import { expected, wrong, type Finding } from './finding.ts';

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

/** The observations behind the executions of a workflow, in their order; polls that failed are none. */
export const observationsOf = (executions: Stored[]): Observation[] =>
	executions
		.filter(({ failed }) => !failed)
		.sort((a, b) => a.id - b.id)
		.map((execution) => ({
			id: execution.id,
			at: execution.createdAt,
			events: (execution.items ?? []) as unknown as TriggerEvent[],
			hidden: isCut(execution) && execution.items === undefined,
		}));

/** Executions of a trigger that no kill cut short and that nevertheless hold no events. */
export const withoutEvents = (executions: Stored[]): Finding[] =>
	executions
		.filter((one) => !one.failed && !isCut(one) && one.items === undefined)
		.map(({ id, status, error }) =>
			wrong(`execution ${id} of a trigger has no events and ended with ${error ?? status}`),
		);

/** How long an execution of a trigger may take. */
const longestMs = 30_000;

/** Executions of triggers that n8n has begun or queued and then forgotten. */
export const notEnded = (unfinished: Stored[], now: number): Finding[] =>
	unfinished
		.filter(({ createdAt }) => createdAt < now - longestMs)
		.map(({ id, status, items = [] }) =>
			wrong(`execution ${id} is still "${status}", and holds ${items.length} events`),
		);

/** Executions that n8n gave up with all that they held, which is right only where their worker was killed. */
export const givenUp = (executions: Stored[], killOf: KillOf): Finding[] =>
	executions.filter(isGivenUp).map((execution) => {
		const { id, items } = execution;
		if (killOf(execution) === undefined) {
			return wrong(`execution ${id} was given up, and nobody killed its worker`);
		}
		const held = items === undefined ? 'its events' : `its ${items.length} events`;
		return expected(`execution ${id} was given up with its worker, and n8n has not kept ${held}`);
	});

/** What was found in the events of a trigger, and how many there were. */
export interface Heard {
	findings: Finding[];
	events: number;
}
