import type { Stored } from '../executions.ts';
import { wrong, type Finding } from './finding.ts';
import type { Write } from './writes.ts';

/** How long a request of an n8n that is gone may wait in the sandbox's queue. */
const underWayMs = 1_000;

/** What an execution of the sync says about a contact. */
interface Acknowledgement {
	execution: Stored;
	until: number;
	action: string;
	email: string;
	id: number | undefined;
	reason: string;
}

const DONE: Record<string, Write['kind']> = {
	created: 'create',
	updated: 'update',
	deleted: 'delete',
};

const isAbout = ({ kind, email, ids }: Write, acknowledgement: Acknowledgement) =>
	acknowledgement.id !== undefined && kind !== 'create'
		? ids.includes(acknowledgement.id)
		: email === acknowledgement.email;

const within = (
	{ at }: Write,
	{ execution, until }: Pick<Acknowledgement, 'execution' | 'until'>,
) => execution.startedAt <= at && at <= until;

/**
 * Whether the sync told the truth: what it calls done was carried out, and what was carried out is not called failed.
 * A run that a kill cut short says nothing, and one that could not read the list afterwards says that it does not know.
 */
export function checkAcknowledgements(
	executions: Stored[],
	writes: Write[],
	kills: Date[],
): Finding[] {
	const done = writes
		.filter(({ carriedOut }) => carriedOut)
		.flatMap((write) => write.ids.map((id) => ({ ...write, ids: [id] })));
	const cut = executions
		.filter(({ status }) => status === 'crashed')
		.map((execution) => {
			const kill = kills.find((one) => one.getTime() >= execution.startedAt);
			return { execution, until: (kill?.getTime() ?? execution.stoppedAt) + underWayMs };
		});
	const acknowledgements = executions.flatMap((execution) =>
		(execution.items ?? []).map((json): Acknowledgement => ({
			execution,
			until: execution.stoppedAt,
			action: String(json.action),
			email: String(json.email).toLowerCase(),
			id: typeof json.contactId === 'number' ? json.contactId : undefined,
			reason: String(json.reason ?? ''),
		})),
	);
	const open = (acknowledgement: Acknowledgement) =>
		acknowledgement.action in DONE ||
		acknowledgement.reason.includes('could not be read afterwards');
	return [
		...acknowledgements
			.filter(({ action }) => action in DONE)
			.filter(
				(acknowledgement) =>
					!done.some(
						(write) =>
							write.kind === DONE[acknowledgement.action] &&
							isAbout(write, acknowledgement) &&
							within(write, acknowledgement),
					),
			)
			.map(({ action, email, execution }) =>
				wrong(`execution ${execution.id} says that it ${action} ${email}, and no request did`),
			),
		...done
			.filter((write) => !cut.some((one) => within(write, one)))
			.filter(
				(write) =>
					!acknowledgements.some(
						(acknowledgement) =>
							open(acknowledgement) &&
							isAbout(write, acknowledgement) &&
							within(write, acknowledgement),
					),
			)
			.map(({ n, kind }) =>
				wrong(`request ${n}, a ${kind}, was carried out and is told as failed`),
			),
	];
}
