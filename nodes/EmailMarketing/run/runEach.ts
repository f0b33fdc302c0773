import type { INodeExecutionData } from 'n8n-workflow';

import type { Item } from '../params/item';
import { settleAll } from '../util/promises';
import type { ItemWork } from './operation';
import { itemKey } from './writer/ledger';
import { failedBefore, failedWith, notSent, runOutcomeOf } from './writer/outcome';
import type { Outcome } from './writer/outcome';
import { invalidOption, outputOf } from './output/runOutput';
import type { RunContext } from './runContext';

/**
 * Does the work of an operation of several requests for each item of a run.
 *
 * @throws NodeError unless the node is set to continue; no further item is started then
 * @throws Cancelled if the execution was canceled
 */
export async function runEach<ItemParameters>(
	run: RunContext,
	work: ItemWork<ItemParameters>,
): Promise<INodeExecutionData[]> {
	const invalid = invalidOption(run);
	if (invalid) return invalid;
	const begun = run.items.map((item) => begin(run, item, work));
	const outcomes = begun.map((one): Outcome => (one.kind === 'ready' ? notSent : one));
	if (!run.continueOnFail && outcomes.some(({ kind }) => kind === 'failed')) run.halt();
	const runOne = async (item: Item, position: number) => {
		const ready = begun[position];
		if (run.isHalted || ready?.kind !== 'ready') return;
		const outcome = await workOn(run, item, work, ready.parameters);
		outcomes[position] = outcome;
		if (work.changesData) run.ledger.record([itemKey(item)], outcome);
		if (outcome.kind === 'failed' && !run.continueOnFail) run.halt();
	};
	if (work.changesData) {
		for (const [position, item] of run.items.entries()) await runOne(item, position);
	} else {
		await settleAll(run.items.map(runOne));
	}
	run.pool.check();
	return outputOf(run, runOutcomeOf(outcomes));
}

/** The outcome of an item before anything is sent for any item. */
function begin<ItemParameters>(
	run: RunContext,
	item: Item,
	{ read }: ItemWork<ItemParameters>,
): Outcome | { kind: 'ready'; parameters: ItemParameters } {
	const prior = run.ledger.priorOutcome(itemKey(item));
	if (prior !== undefined) return prior;
	try {
		return { kind: 'ready', parameters: read(item) };
	} catch (error) {
		return { kind: 'failed', error, effect: 'none' };
	}
}

async function workOn<ItemParameters>(
	run: RunContext,
	item: Item,
	{ perform, changesData }: ItemWork<ItemParameters>,
	parameters: ItemParameters,
): Promise<Outcome> {
	try {
		const client = run.pooled(run.clientFor(item));
		const json = await perform({ run, item, client }, parameters);
		return { kind: 'items', items: [{ json }] };
	} catch (error) {
		return changesData ? failedBefore(error) : failedWith(error);
	}
}
