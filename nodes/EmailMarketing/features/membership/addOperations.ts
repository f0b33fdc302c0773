import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { fetchList } from '../../service/lists';
import { exclusively } from '../../run/writer/exclusively';
import type { RunContext } from '../../run/runContext';
import type { Draft } from '../../run/operation';
import { requestOf } from '../../run/writer/write';
import { isGlobal } from '../../records/unsubscribes';
import { coerceText } from '../../util/coerce';
import { addressKey, spellingKey } from '../../util/email';
import { addEntries, type AddressList } from './addToList';
import { readInputItems } from '../contacts/inputItems';
import { runId } from '../contacts/runParams';
import { addVerbs, hintOf, toItems } from '../contacts/output';
import { syncReads } from '../contacts/syncReads';
import { consentOf } from '../consent/guard';
import { readSuppressions, respectedListsOfRun } from '../consent/suppressions';

async function add(
	run: RunContext,
	name: string,
	list: AddressList,
): Promise<INodeExecutionData[]> {
	const inputs = readInputItems(run);
	const rows = await exclusively(run, [name], async () => await addEntries(inputs, list, run));
	const isWarning = rows.some(({ action }) => action === 'failed');
	run.showHint(hintOf(rows, { verbs: addVerbs, dryRun: false }), isWarning ? 'warning' : 'info');
	return toItems(rows, {
		report: 'all',
		verbs: addVerbs,
		dryRun: false,
		failuresAsErrors: run.node.onError === 'continueErrorOutput',
		firstIndex: run.firstIndex,
	});
}

const addressesIn = (rows: IDataObject[], field: string): string[] =>
	rows.map((row) => coerceText(row[field]));

/** Segment: Add Many Recipients. The service takes one per request (28). */
export async function addManyRecipients(run: RunContext): Promise<INodeExecutionData[]> {
	const segment_id = String(runId(run, 'segmentId', 'Segment'));
	const lists = respectedListsOfRun(run);
	const { addRecipient, getRecipients } = endpoints.segment;
	return await add(run, `segment ${segment_id}`, {
		fields: ['first_name', 'last_name'],
		takesMany: false,
		read: async () =>
			addressesIn(await fetchList(run.client, getRecipients, { segment_id }), 'email'),
		keyOf: addressKey,
		readSuppressions: async () => await readSuppressions(syncReads(run), lists),
		add: ([entry]) =>
			requestOf(run.client, {
				endpoint: addRecipient,
				body: { segment_id, email: entry.email, ...entry.fields },
				clearance: consentOf(entry.email),
			}),
	});
}

const unsubscribed = (rows: IDataObject[]): string[] =>
	addressesIn(rows.filter(isGlobal), 'email_address');

/**
 * Global Unsubscribe: Add (2) sends only addresses that are not on the list (1) yet. If the list cannot be read, it sends
 * all of them: an unsubscribe must not get lost.
 */
export async function skipListed(draft: Draft): Promise<IDataObject | undefined> {
	const { body, identity, run } = draft;
	const { getAll } = endpoints.globalUnsubscribe;
	const listed = await run.memoize('unsubscribed keys', async () => {
		const rows = await run.cachedList(draft, getAll).catch(() => []);
		return new Set(unsubscribed(rows).map(spellingKey));
	});
	const addresses = String(body.email_address).split(',');
	const fresh = addresses.filter((address) => !listed.has(spellingKey(address)));
	if (fresh.length === addresses.length) return undefined;
	if (fresh.length === 0) {
		return {
			added: false,
			email_address: body.email_address,
			message: 'Already on the global unsubscribe list; nothing was written',
		};
	}
	body.email_address = fresh.join(',');
	identity.email_address = body.email_address;
	identity.alreadyListed = addresses
		.filter((address) => listed.has(spellingKey(address)))
		.join(',');
	return undefined;
}

/** Global Unsubscribe: Add Many. The service takes addresses separated by commas (2). */
export async function addUnsubscribes(run: RunContext): Promise<INodeExecutionData[]> {
	const { add: addAddresses, getAll } = endpoints.globalUnsubscribe;
	return await add(run, 'global unsubscribes', {
		fields: [],
		takesMany: true,
		read: async () => unsubscribed(await fetchList(run.client, getAll)),
		keyOf: spellingKey,
		add: (entries) =>
			requestOf(run.client, {
				endpoint: addAddresses,
				body: { email_address: entries.map(({ email }) => email).join(',') },
			}),
	});
}
