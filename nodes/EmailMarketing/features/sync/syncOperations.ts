import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { exclusively } from '../../run/writer/exclusively';
import type { RunContext } from '../../run/runContext';
import { choiceOf, choiceParam } from '../../params/givenOption';
import { InvalidInput } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { requireFlag } from '../../params/values';
import { newContactCountry } from '../contacts/create';
import { csvImportOf, importHint } from './csvImportOption';
import { PlanLimitError, syncContacts } from './syncContacts';
import { readInputItems, unusedFields, withExternalIds } from '../contacts/inputItems';
import { limitError, limitsOf } from './limitOptions';
import { memoryNotes, memoryOptionsOf } from './memory/memoryOptions';
import { reportOf, returnOutcome } from './summary';
import { columnsToApply } from './savedPlan/applyPlan';
import { requireWholeInput } from './removalGate';
import { idForAll, requireSameOptions, sameForAll } from '../../run/sameForAll';
import { syncReads, type SyncReads } from '../contacts/syncReads';
import type { ContactInput } from '../contacts/fields';
import { respectedListsOfRun } from '../consent/suppressions';
import { unusualNote } from './memory/lastRuns';
import { openContext } from './syncContext';
import type { MissingPolicy, Plan, SyncOptions } from './types';
import type { PlannedRow } from '../contacts/types';

/**
 * @throws InvalidInput if it is neither on nor off: an expression that returns nothing must not cause writes
 * @throws NodeOperationError if items differ in it
 */
export const isDryRun = (run: RunContext): boolean =>
	requireFlag(sameForAll(run, 'dryRun', 'Dry Run', false), 'Dry Run');

/**
 * "Missing From Input".
 *
 * @throws InvalidInput for an unknown choice, or if anybody may count as missing although the input is never whole
 * @throws NodeOperationError if items differ in it
 */
export function missingChoice<Choice extends string>(
	run: RunContext,
	choices: readonly Choice[],
): Choice {
	const label = 'Missing From Input';
	const chosen = choiceOf(sameForAll(run, 'missing', label, 'ignore'), label, choices);
	if (chosen !== 'ignore') requireWholeInput(run);
	return chosen;
}

const missingChoices = ['ignore', 'delete', 'moveToContactType', 'addToUnsubscribeGroup'] as const;

/**
 * "Missing From Input" with its target, if it needs one.
 *
 * @throws NodeOperationError for a target without an ID
 * @throws InvalidInput for a move to the synced contact type
 */
function missingPolicy(run: RunContext, contactTypeId: number): MissingPolicy {
	const kind = missingChoice(run, missingChoices);
	switch (kind) {
		case 'moveToContactType': {
			const target = idForAll(run, 'missingContactTypeId', 'Move to Contact Type');
			if (target !== contactTypeId) return { kind, contactTypeId: target };
			throw new InvalidInput(
				'move-target-synced',
				'"Move to Contact Type" is the contact type that is synced',
				'Choose another contact type, or choose "Ignore" for "Missing From Input".',
			);
		}
		case 'addToUnsubscribeGroup':
			return {
				kind,
				unsubscribeGroupId: idForAll(run, 'missingUnsubscribeGroupId', 'Unsubscribe Group'),
			};
		default:
			return { kind };
	}
}

function optionsOf(run: RunContext, operation: 'upsert' | 'sync'): SyncOptions {
	requireSameOptions(run, { matchBy: 'Match By', defaultCountry: 'Country for New Contacts' });
	const options = run.param('options', {}) as IDataObject;
	const contactTypeId = idForAll(run, 'contactTypeId', 'Contact Type (List)');
	const matchBy = choiceOf(run.param('matchBy', 'email'), 'Match By', ['email', 'contactId']);
	const csvImport = csvImportOf(run, options);
	const missing: MissingPolicy =
		operation === 'sync' ? missingPolicy(run, contactTypeId) : { kind: 'ignore' };
	const memory = memoryOptionsOf(run, options, missing);
	const defaultCountry = newContactCountry(run.items[0] as Item);
	return {
		contactTypeId,
		matchBy,
		emptyValues: choiceParam(run, 'options.emptyValues', 'Empty Values', ['ignore', 'clear']),
		...(defaultCountry !== '' && { defaultCountry }),
		missing,
		...memory,
		...limitsOf(options),
		...respectedListsOfRun(run),
		dryRun: isDryRun(run),
		...(csvImport && { csvImport }),
	};
}

/** The lists that no other execution may write at the same time. */
export function writtenLists({ contactTypeId, missing, list }: SyncOptions): string[] {
	if (list) return [list.key];
	const types = [contactTypeId];
	if (missing.kind === 'moveToContactType') types.push(missing.contactTypeId);
	const lists = types.map((id) => `contacts ${id}`);
	if (missing.kind !== 'addToUnsubscribeGroup') return lists;
	return [...lists, `unsubscribe group ${missing.unsubscribeGroupId}`];
}

/** Makes the service match the items, and returns their outcomes. */
export async function syncItems(
	run: RunContext,
	items: readonly ContactInput[],
	reads: SyncReads,
	options: SyncOptions,
): Promise<{ output: INodeExecutionData[]; rows: readonly PlannedRow[]; plan: Plan }> {
	const started = Date.now();
	const report = reportOf(run);
	const work = async () => {
		const context = openContext(run, options);
		const done = await syncContacts(items, reads, options, run, context).catch((error: unknown) => {
			throw error instanceof PlanLimitError ? limitError(run.node, error) : error;
		});
		// A list takes no other fields than those that it requires.
		const unused = options.list ? [] : unusedFields(run, () => items, [options.externalIdField]);
		const medians = context.memory?.medians;
		const notes = [
			...done.notes,
			...unused,
			...memoryNotes(context, options, done.plan),
			...unusualNote(medians, items.length, done.rows),
		];
		return { ...done, notes, medians };
	};
	const { rows, plan, plannedAt, notes, medians } = options.dryRun
		? await work()
		: await exclusively(run, writtenLists(options), work);
	const output = returnOutcome(run, report, started, {
		...{ rows, plan, notes, plannedAt, options, medians },
		...(options.dryRun && {
			toApply: columnsToApply(plan, options.list ? 'recipientVersion' : 'contactVersion'),
		}),
	});
	return { output, rows, plan };
}

async function upsertOrSync(
	run: RunContext,
	operation: 'upsert' | 'sync',
): Promise<INodeExecutionData[]> {
	const options = optionsOf(run, operation);
	const items = withExternalIds(run, readInputItems(run), options.externalIdField);
	const { output, rows, plan } = await syncItems(run, items, syncReads(run), options);
	const { dryRun, csvImport } = options;
	const isOneByOne = !dryRun && (csvImport?.above ?? Infinity) === Infinity;
	for (const hint of isOneByOne ? importHint(rows, plan.rows) : []) run.showHint(hint, 'warning');
	return output;
}

/** Contact: Create or Update. */
export const upsert = async (run: RunContext) => await upsertOrSync(run, 'upsert');

/** Contact: Sync. */
export const sync = async (run: RunContext) => await upsertOrSync(run, 'sync');
