import { NodeApiError, NodeOperationError, sleep } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Pace } from './pace';
import { BrakeError, syncContacts, type CsvImport, type SyncOptions } from './execute';
import { CONTACT_FIELDS, type ContactField } from './fields';
import { readInputItems } from './inputItems';
import { toItems, type Report } from './output';
import { createSyncApi } from './service';

interface Batching {
	batch?: { batchSize?: number; batchInterval?: number };
}

const DEFAULT_AT_A_TIME = 10;
const DEFAULT_DELETE_CHUNK = 100;
const DEFAULT_PERCENT = 10;

/**
 * @param context the running node
 * @returns how fast it may write: its own option, n8n's batching, and no more once the execution is cancelled
 */
export function paceOf(context: IExecuteFunctions): Pace {
	const { batch } = context.getNodeParameter('requestOptions.batching', 0, {}) as Batching;
	const atATime = Number(context.getNodeParameter('options.requestsAtATime', 0, DEFAULT_AT_A_TIME));
	return new Pace({
		atATime: Math.max(1, Math.floor(atATime) || DEFAULT_AT_A_TIME),
		...(batch && {
			batchSize: batch.batchSize ?? 50,
			batchIntervalMs: batch.batchInterval ?? 1000,
		}),
		pause: async (ms) => await sleep(ms),
		signal: context.getExecutionCancelSignal(),
	});
}

/** One run works on one contact type: with deletions in play, a mix-up must not go unnoticed. */
function contactTypeOf(context: IExecuteFunctions): number {
	const read = (item: number) =>
		String(context.getNodeParameter('contactTypeId', item, '', { extractValue: true })).trim();
	const first = read(0);
	if (!/^[1-9]\d*$/.test(first)) {
		throw new NodeOperationError(context.getNode(), `"Contact Type" has no valid ID: "${first}"`, {
			description: 'Choose a contact type from the list, or enter its numeric ID.',
		});
	}
	const saved = context.getNode().parameters.contactTypeId as IDataObject | undefined;
	const varies = String(saved?.value ?? '').startsWith('=');
	const count = varies ? context.getInputData().length : 0;
	for (let item = 1; item < count; item++) {
		if (read(item) === first) continue;
		throw new NodeOperationError(
			context.getNode(),
			`"Contact Type" is ${read(item)} for item ${item}, but ${first} for item 0`,
			{ itemIndex: item, description: 'Use one node, or one run, for each contact type.' },
		);
	}
	return Number(first);
}

function csvImportOf(options: IDataObject): CsvImport | undefined {
	if (options.csvImportAbove === undefined) return undefined;
	const chosen = (options.csvColumns as { column?: CsvImport['columns'] } | undefined)?.column;
	return {
		above: Number(options.csvImportAbove),
		columns: chosen?.length ? chosen : CONTACT_FIELDS.map((field) => ({ header: field, field })),
		country: options.csvCountry === 'name' ? 'name' : 'id',
	};
}

function checkColumns(context: IExecuteFunctions, csvImport: CsvImport | undefined): void {
	if (!csvImport) return;
	const needed: ContactField[] = ['email', 'country'];
	const missing = needed.filter((field) => !csvImport.columns.some((one) => one.field === field));
	if (missing.length === 0) return;
	throw new NodeOperationError(
		context.getNode(),
		`"CSV Columns" has no column for ${missing.join(' and ')}`,
		{ description: 'The service wants both for a new contact. Add the columns, or none at all.' },
	);
}

function optionsOf(context: IExecuteFunctions, operation: 'upsert' | 'sync'): SyncOptions {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const missing =
		operation === 'sync' ? context.getNodeParameter('missing', 0, 'ignore') : 'ignore';
	const matchBy = context.getNodeParameter('matchBy', 0, 'email');
	const csvImport = csvImportOf(options);
	checkColumns(context, csvImport);
	const defaultCountry = String(options.defaultCountry ?? '').trim();
	return {
		contactTypeId: contactTypeOf(context),
		matchBy: matchBy === 'contactId' ? 'contactId' : 'email',
		emptyValues: options.emptyValues === 'clear' ? 'clear' : 'ignore',
		...(defaultCountry !== '' && { defaultCountry }),
		missing: missing === 'delete' ? 'delete' : 'ignore',
		...(options.maxDeletions !== undefined && { maxDeletions: Number(options.maxDeletions) }),
		maxDeletionPercent: Number(options.maxDeletionPercent ?? DEFAULT_PERCENT),
		globalUnsubscribes: options.globalUnsubscribes !== false,
		unsubscribeGroupIds: ((options.unsubscribeGroups ?? []) as Array<string | number>).map(Number),
		dryRun: context.getNodeParameter('dryRun', 0, false) === true,
		newIds: options.newIds === true,
		deleteChunk: Math.max(1, Math.floor(Number(options.deleteChunk ?? DEFAULT_DELETE_CHUNK))),
		...(csvImport && { csvImport }),
	};
}

function asNodeError(context: IExecuteFunctions, error: unknown): unknown {
	if (!(error instanceof BrakeError)) return error;
	return new NodeOperationError(context.getNode(), error.message, {
		description:
			'Nothing was written. Check that the input is complete. If the deletions are meant, look at them with "Dry Run", then raise "Stop If More Than" in Options.',
	});
}

async function run(
	context: IExecuteFunctions,
	operation: 'upsert' | 'sync',
): Promise<INodeExecutionData[][]> {
	const failuresAsErrors = context.getNode().onError === 'continueErrorOutput';
	try {
		const options = optionsOf(context, operation);
		const api = createSyncApi(context);
		const items = readInputItems(context);
		const { rows, plan } = await syncContacts(items, api, options, paceOf(context));
		const report = context.getNodeParameter('options.report', 0, 'all') as Report;
		const { dryRun } = options;
		return [toItems(rows, plan, { report, dryRun, failuresAsErrors })];
	} catch (caught) {
		const error = asNodeError(context, caught);
		const forOutput = error instanceof NodeOperationError || error instanceof NodeApiError;
		if (!context.continueOnFail() || !forOutput) throw error;
		return [[{ json: { error: error.message }, error, pairedItem: { item: 0 } }]];
	}
}

/** Contact: Create or Update. */
export async function upsert(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await run(this, 'upsert');
}

/** Contact: Sync. */
export async function sync(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await run(this, 'sync');
}
