import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { fetchList } from '../../service/lists';
import { exclusively } from '../../run/exclusively';
import type { RunContext } from '../../run/runContext';
import { isGlobal } from '../../records/unsubscribes';
import { coerceText } from '../../util/coerce';
import { RECORDS_PER_REQUEST } from '../../util/chunks';
import { addressKey, spellingKey } from '../../util/email';
import { addEntries, type AddressList } from './addToList';
import { readInputItems } from '../contacts/inputItems';
import { runId } from '../contacts/runParams';
import { addVerbs, hintOf, toItems } from '../contacts/output';
import { createSyncAdapter, write } from '../contacts/syncAdapter';
import { consentOf } from '../consent/guard';
import { readSuppressions, respectedListsOfRun } from '../consent/suppressions';

async function add(
	run: RunContext,
	name: string,
	list: AddressList,
): Promise<INodeExecutionData[]> {
	const inputs = readInputItems(run);
	const rows = await exclusively(run, [name], async () => await addEntries(inputs, list, run.pool));
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
		chunk: 1,
		read: async () =>
			addressesIn(await fetchList(run.client, getRecipients, { segment_id }), 'email'),
		keyOf: addressKey,
		readSuppressions: async () => await readSuppressions(createSyncAdapter(run), lists),
		add: async ([entry]) =>
			entry &&
			(await write(run, {
				endpoint: addRecipient,
				body: { segment_id, email: entry.email, ...entry.fields },
				clearance: consentOf(entry.email),
			})),
	});
}

/** Global Unsubscribe: Add Many. The service takes addresses separated by commas (2). */
export async function addUnsubscribes(run: RunContext): Promise<INodeExecutionData[]> {
	const { add: addAddresses, getAll } = endpoints.globalUnsubscribe;
	return await add(run, 'global unsubscribes', {
		fields: [],
		chunk: RECORDS_PER_REQUEST,
		read: async () =>
			addressesIn((await fetchList(run.client, getAll)).filter(isGlobal), 'email_address'),
		keyOf: spellingKey,
		add: async (entries) =>
			await write(run, {
				endpoint: addAddresses,
				body: { email_address: entries.map(({ email }) => email).join(',') },
			}),
	});
}
