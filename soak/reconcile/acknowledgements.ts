import { wrong, type Finding } from './finding.ts';
import type { Overlaps } from './overlaps.ts';
import { type SyncRun, within } from './runs.ts';
import type { Write } from './write.ts';

/** What an execution of the sync says about a contact. */
interface Acknowledgement {
	run: SyncRun;
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

/**
 * Whether the sync told the truth: what it calls done was carried out, and what was carried out is not called failed.
 * A run that a kill cut short says nothing, and one that could not read the list afterwards says that it does not know.
 */
export function checkAcknowledgements(
	runs: SyncRun[],
	writes: Write[],
	overlaps: Overlaps,
): Finding[] {
	const done = writes
		.filter(({ carriedOut }) => carriedOut)
		.flatMap((write) => write.ids.map((id) => ({ ...write, ids: [id] })));
	const cut = runs.filter(({ isCut }) => isCut);
	const acknowledgements = runs.flatMap((run) =>
		(run.execution.items ?? []).map((json): Acknowledgement => ({
			run,
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
							within(write, acknowledgement.run),
					),
			)
			.map(({ action, email, run }) =>
				wrong(`execution ${run.execution.id} says that it ${action} ${email}, and no request did`),
			),
		...done
			.filter((write) => !cut.some((one) => within(write, one)))
			.filter(({ ids }) => !ids.some((id) => overlaps.isUndone(id)))
			.filter(
				(write) =>
					!acknowledgements.some(
						(acknowledgement) =>
							open(acknowledgement) &&
							isAbout(write, acknowledgement) &&
							within(write, acknowledgement.run),
					),
			)
			.map(({ n, kind }) =>
				wrong(`request ${n}, a ${kind}, was carried out and is told as failed`),
			),
	];
}
