import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { coerceText } from '../util/coerce';
import { attempt, fetchList } from '../api/http';
import { addEntries, type AddressList } from './addToList';
import { readInputItems } from './inputItems';
import { numberOption } from '../params/numberOption';
import { toItems } from './output';
import { exclusively, poolOf, readId, runOperation } from './run';
import { asText, asWriteFailure } from './service';

async function add(
	context: IExecuteFunctions,
	name: string,
	list: AddressList,
): Promise<INodeExecutionData[]> {
	const inputs = readInputItems(context);
	const rows = await exclusively(
		context,
		name,
		async () => await addEntries(inputs, list, poolOf(context)),
	);
	return toItems(rows, undefined, {
		report: 'all',
		dryRun: false,
		failuresAsErrors: context.getNode().onError === 'continueErrorOutput',
	});
}

/** Segment: Add Many Recipients. The service takes one per request (#28). */
export async function addRecipients(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await runOperation(this, async () => {
		const segment_id = readId(this, 'segmentId', 'Segment');
		return await add(this, `segment ${segment_id}`, {
			fields: ['first_name', 'last_name'],
			chunk: 1,
			read: async () => {
				const rows = await fetchList(this, 'segmentRecipients', { segment_id });
				return rows.map(({ email }) => coerceText(email));
			},
			add: async (entries) =>
				asWriteFailure(
					await attempt(this, {
						method: 'POST',
						path: '/segment/email/store',
						body: asText({ segment_id, email: entries[0]?.email, ...entries[0]?.fields }),
						contentType: 'multipart/form-data',
					}),
				),
		});
	});
}

/** Global Unsubscribe: Add Many. The service takes addresses separated by commas (#2). */
export async function addUnsubscribes(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await runOperation(this, async () => {
		const options = this.getNodeParameter('options', 0, {}) as IDataObject;
		const chunk = numberOption(options, 'addressesPerRequest', 'Addresses per Request', 1) ?? 100;
		return await add(this, 'global unsubscribes', {
			fields: [],
			chunk: Math.floor(chunk),
			read: async () => {
				const rows = await fetchList(this, 'globalUnsubscribes');
				return rows.map(({ email_address }) => coerceText(email_address));
			},
			add: async (entries) =>
				asWriteFailure(
					await attempt(this, {
						method: 'POST',
						path: '/global-unsubscribes/save',
						body: { email_address: entries.map(({ email }) => email).join(',') },
						contentType: 'multipart/form-data',
					}),
				),
		});
	});
}
