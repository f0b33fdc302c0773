import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { syncContacts, type CsvImport, type SyncOptions } from './execute';
import { InvalidInput, isEmpty, listOf, toFlag } from '../params/validators';
import { isId, coerceText } from '../util/coerce';
import { quote } from '../util/text';
import { CONTACT_FIELDS, type ContactField } from './fields';
import { readInputItems } from './inputItems';
import { numberOption } from '../params/numberOption';
import { toItems, type Report } from './output';
import { exclusively, poolOf, readId, runOperation } from './run';
import { createSyncApi } from './service';

const DEFAULT_DELETE_CHUNK = 100;
const DEFAULT_PERCENT = 10;

function csvImportOf(options: IDataObject): CsvImport | undefined {
	const above = numberOption(options, 'csvImportAbove', 'CSV Import Above', 0);
	if (above === undefined) return undefined;
	const chosen = (options.csvColumns as { column?: CsvImport['columns'] } | undefined)?.column;
	return {
		above,
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

const groupsLabel = 'Respect Unsubscribe Group Names or IDs';

/** An array of ids, or a text with commas from an expression. */
function groupsOf(value: unknown): number[] {
	const ids = listOf(value, groupsLabel);
	const wrong = ids.find((id) => !isId(id));
	if (wrong === undefined) return ids.map(Number);
	throw new InvalidInput(
		`"${groupsLabel}" has an entry that is no ID: ${quote(wrong)}`,
		'Choose groups from the list, or give their IDs as an array.',
	);
}

/** @throws InvalidInput for what is neither on nor off: an expression that gives nothing must not write */
function isDryRun(context: IExecuteFunctions): boolean {
	const value = context.getNodeParameter('dryRun', 0, false);
	return toFlag(isEmpty(value) ? 'empty' : value, 'Dry Run') === '1';
}

function optionsOf(context: IExecuteFunctions, operation: 'upsert' | 'sync'): SyncOptions {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const missing =
		operation === 'sync' ? context.getNodeParameter('missing', 0, 'ignore') : 'ignore';
	const matchBy = context.getNodeParameter('matchBy', 0, 'email');
	const csvImport = csvImportOf(options);
	checkColumns(context, csvImport);
	const maxDeletions = numberOption(options, 'maxDeletions', 'Stop If More Than (Contacts)', 0);
	const defaultCountry = coerceText(options.defaultCountry).trim();
	return {
		contactTypeId: readId(context, 'contactTypeId', 'Contact Type'),
		matchBy: matchBy === 'contactId' ? 'contactId' : 'email',
		emptyValues: options.emptyValues === 'clear' ? 'clear' : 'ignore',
		...(defaultCountry !== '' && { defaultCountry }),
		missing: missing === 'delete' ? 'delete' : 'ignore',
		...(maxDeletions !== undefined && { maxDeletions }),
		maxDeletionPercent:
			numberOption(options, 'maxDeletionPercent', 'Stop If More Than (Percent)', 0) ??
			DEFAULT_PERCENT,
		globalUnsubscribes: options.globalUnsubscribes !== false,
		unsubscribeGroupIds: groupsOf(options.unsubscribeGroups),
		dryRun: isDryRun(context),
		newIds: options.newIds === true,
		deleteChunk: Math.floor(
			numberOption(options, 'deleteChunk', 'Deletions per Request', 1) ?? DEFAULT_DELETE_CHUNK,
		),
		...(csvImport && { csvImport }),
	};
}

async function run(
	context: IExecuteFunctions,
	operation: 'upsert' | 'sync',
): Promise<INodeExecutionData[][]> {
	return await runOperation(context, async () => {
		const options = optionsOf(context, operation);
		const api = createSyncApi(context);
		const items = readInputItems(context);
		const work = async () => await syncContacts(items, api, options, poolOf(context));
		const list = `contacts ${options.contactTypeId}`;
		const { rows, plan } = options.dryRun ? await work() : await exclusively(context, list, work);
		return toItems(rows, plan, {
			report: context.getNodeParameter('options.report', 0, 'all') as Report,
			dryRun: options.dryRun,
			failuresAsErrors: context.getNode().onError === 'continueErrorOutput',
		});
	});
}

/** Contact: Create or Update. */
export async function upsert(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await run(this, 'upsert');
}

/** Contact: Sync. */
export async function sync(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await run(this, 'sync');
}
