import type { WritingClient } from '../../../service/client';
import { endpoints } from '../../../service/endpoints';
import { serviceErrorOf, type Failure } from '../../../service/failure';
import { fetchList } from '../../../service/lists';
import { globalSpellings } from '../../../records/unsubscribes';
import type { RunContext } from '../../../run/runContext';
import { requestOf, write } from '../../../run/writer/write';
import type { WriteRequest } from '../../../run/writer/write';
import type { Outcome } from '../../../run/writer/outcome';
import { reasonOf } from '../../../run/writer/verify';
import { coerceText } from '../../../util/coerce';
import { addressKey, spellingKey } from '../../../util/email';
import { groupBy } from '../../../util/groups';
import { failureOf, removeRequest } from '../../contacts/contactWrites';
import { clearErased } from '../../sync/removalGate';
import type { Person } from '../people';
import { recordKey } from '../places';
import type { Found } from '../places';
import { readPlacesAgain } from '../readPlaces';
import {
	KEPT_BY_OTHER,
	keepsOff,
	needsUnsubscribe,
	OTHERS_LEFT,
	suppresses,
	type ErasurePlan,
} from './plan';

/** A deletion that failed. */
export interface Failed {
	reason: string;
	/** Whether it certainly had no effect. */
	isUndone: boolean;
}

/** The state of the erasure of a person, with the failures. */
export interface Erasure {
	person: Person;
	plan: ErasurePlan;
	/** Why the person could not be kept off all lists; nothing was deleted then. */
	notSuppressed?: string;
	/** Why records may be left, by `recordKey`. */
	failures: Map<string, Failed>;
	/** Why entries of unsubscribe lists were left. */
	keptOff?: string;
}

/** Why a write did not succeed. */
function reasonFor(outcome: Outcome | undefined): string | undefined {
	const failure = failureOf(outcome);
	if (failure) return reasonOf(failure);
	return outcome?.kind === 'items' ? undefined : 'not sent';
}

/**
 * Adds addresses to the global unsubscribes (2).
 *
 * @returns those that are not on the list, with the reason
 */
async function suppress(
	run: RunContext,
	addresses: readonly string[],
): Promise<Map<string, string>> {
	const { add, getAll } = endpoints.globalUnsubscribe;
	const verify = {
		async read() {
			const listed = globalSpellings(await fetchList(run.client, getAll));
			return (address: string) => listed.has(spellingKey(address));
		},
		rerun: 'addresses on the list are skipped.',
	};
	const actions = addresses.map((address) => ({
		part: address,
		batch: 'suppressed',
		prepare: ({ parts }: { parts: readonly string[] }) =>
			requestOf(run.client, { endpoint: add, body: { email_address: parts.join(',') } }),
		verify,
	}));
	const reasons = (await write(run, actions, false)).map(reasonFor);
	return new Map(
		addresses.flatMap((address, position): Array<[string, string]> => {
			const reason = reasons[position];
			return reason === undefined ? [] : [[address, reason]];
		}),
	);
}

/**
 * Each record is deleted with its own request, so that a failure affects only that record, and with that of the list that
 * has its ID: whether the IDs of the global list are those of groups is not shown.
 */
function removal(client: WritingClient, { source, id }: Found): WriteRequest {
	const { segment, unsubscribeGroup, globalUnsubscribe, notificationRecipient, sender } = endpoints;
	switch (source) {
		case 'contact':
			return removeRequest(client, Number(id), clearErased([Number(id)]));
		case 'segmentRecipient': {
			const query = { segment_recipient_id: id };
			return requestOf(client, { endpoint: segment.deleteRecipient, query });
		}
		case 'unsubscribeGroupRecipient':
			return requestOf(client, { endpoint: unsubscribeGroup.deleteRecipient, query: { id } });
		case 'globalUnsubscribe':
			return requestOf(client, { endpoint: globalUnsubscribe.delete, query: { id } });
		case 'notificationRecipient':
			return requestOf(client, { endpoint: notificationRecipient.delete, query: { id } });
		case 'sender':
			return requestOf(client, { endpoint: sender.delete, query: { sender_id: id } });
	}
}

/** The records to delete now. Those that keep a person off lists come last. */
const deletable = ({ plan, notSuppressed, keptOff }: Erasure, areLast: boolean): Found[] =>
	notSuppressed !== undefined || (areLast && keptOff !== undefined)
		? []
		: plan.records.flatMap(({ found, decision }) =>
				decision.kind === 'delete' && keepsOff(found) === areLast ? [found] : [],
			);

async function removeAll(run: RunContext, erasures: readonly Erasure[], areLast: boolean) {
	const owners = new Map<string, { found: Found; erasures: Erasure[] }>();
	for (const erasure of erasures) {
		for (const found of deletable(erasure, areLast)) {
			const key = recordKey(found);
			const owner = owners.get(key) ?? { found, erasures: [] };
			owner.erasures.push(erasure);
			owners.set(key, owner);
		}
	}
	const planned = [...owners.values()];
	const actions = planned.map(({ found }) => ({
		part: found,
		prepare: () => removal(run.client, found),
		// A record that is not found is gone; if not, the lists show it when they are read again.
		explain: (failure: Failure) => (failure.isNotFound ? undefined : failure),
	}));
	const outcomes = await write(run, actions, false);
	for (const [position, { found, erasures: those }] of planned.entries()) {
		const outcome = outcomes[position];
		const reason = reasonFor(outcome);
		if (reason === undefined) continue;
		const isUndone = (failureOf(outcome)?.effect ?? 'none') === 'none';
		for (const { failures } of those) failures.set(recordKey(found), { reason, isUndone });
	}
}

/**
 * Whoever is not on the global unsubscribes afterwards keeps the entries of unsubscribe lists, unless all other records
 * are certainly gone.
 */
async function keepUnsubscribes(run: RunContext, erasures: readonly Erasure[]): Promise<void> {
	// Those of earlier tries as well.
	const kept = run.ledger.notesOf<true>('kept off lists');
	const noteOf = ({ person }: Erasure) => `${run.account} ${person.key}`;
	const isKeeping = ({ plan }: Erasure) => !plan.removesUnsubscribes;
	for (const erasure of erasures.filter(isKeeping)) kept.set(noteOf(erasure), true);
	for (const erasure of erasures) {
		if (!isKeeping(erasure) && kept.has(noteOf(erasure))) erasure.keptOff = KEPT_BY_OTHER;
	}
	const unprotected = erasures.filter(
		({ plan, notSuppressed, keptOff }) =>
			plan.removesUnsubscribes &&
			notSuppressed === undefined &&
			keptOff === undefined &&
			plan.records.some(({ found, decision }) => decision.kind === 'delete' && keepsOff(found)),
	);
	if (unprotected.length === 0) return;
	const keys = new Set(unprotected.map(({ person }) => person.key));
	const listed = await readPlacesAgain(run.pooled(run.client), keys);
	for (const erasure of unprotected) {
		if (typeof listed === 'string') erasure.keptOff = `kept: ${listed}`;
		else if (listed.get(erasure.person.key)?.some(needsUnsubscribe)) erasure.keptOff = OTHERS_LEFT;
	}
}

/** Keeps all people off lists; `notSuppressed` says for whom the list does not confirm it. */
async function suppressAll(run: RunContext, erasures: readonly Erasure[]): Promise<void> {
	const toSuppress = erasures.filter(({ plan }) => plan.suppress.length > 0);
	if (toSuppress.length === 0) return;
	const addresses = new Set(toSuppress.flatMap(({ plan }) => plan.suppress));
	const failures = await suppress(run, [...addresses]);
	const listed = await fetchList(run.client, endpoints.globalUnsubscribe.getAll).then(
		(entries) => groupBy(entries, (entry) => addressKey(coerceText(entry.email_address))),
		(error: unknown) => serviceErrorOf(error).failure.description,
	);
	for (const erasure of toSuppress) {
		const { person, plan } = erasure;
		const before = plan.records.map(({ found }) => found);
		const failed = plan.suppress.find((address) => failures.has(address));
		if (failed !== undefined) erasure.notSuppressed = failures.get(failed);
		else if (typeof listed === 'string') erasure.notSuppressed = listed;
		else if (!listed.get(person.key)?.some((entry) => suppresses(entry, person, before))) {
			erasure.notSuppressed = 'the service does not list it';
		}
	}
}

/**
 * Suppresses first, then deletes. A person whose address could not be suppressed keeps all records.
 *
 * @throws Cancelled
 */
export async function writeErasures(run: RunContext, erasures: readonly Erasure[]): Promise<void> {
	await suppressAll(run, erasures);
	await removeAll(run, erasures, false);
	await keepUnsubscribes(run, erasures);
	await removeAll(run, erasures, true);
}
