import type { INodeExecutionData } from 'n8n-workflow';

import { ServiceError } from '../service/failure';
import type { Item } from '../params/item';
import { settleAll } from '../util/settleAll';
import type { ItemWork } from './operation';
import { notSent } from './outcome';
import type { Outcome } from './outcome';
import { allFailed, outputOf } from './output/runOutput';
import { pooledClient } from './prepare';
import type { RunContext } from './runContext';
import { invalidOption } from './runItems';
import { effectOf, isStopped, namingRead } from './sendRequest';

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
	const error = invalidOption(run);
	if (error !== undefined) return outputOf(run, allFailed(run, error));
	const begun = run.items.map((item) => begin(run, item, work));
	const outcomes = begun.map((one): Outcome => (one.kind === 'ready' ? notSent : one));
	if (!run.continueOnFail && outcomes.some(({ kind }) => kind === 'failed')) run.halt();
	const runOne = async (item: Item, position: number) => {
		const ready = begun[position];
		if (run.isHalted || ready?.kind !== 'ready') return;
		const outcome = await workOn(run, item, work, ready.parameters);
		outcomes[position] = outcome;
		if (outcome.kind === 'failed' && !run.continueOnFail) run.halt();
	};
	if (work.changesData) {
		for (const [position, item] of run.items.entries()) await runOne(item, position);
	} else {
		await settleAll(run.items.map(runOne));
	}
	run.pool.check();
	const done = outcomes.filter(({ kind }) => kind === 'items').length;
	return outputOf(run, { outcomes, unit: 'items', done, total: outcomes.length });
}

/** What becomes of an item before anything is sent for any of them. */
function begin<ItemParameters>(
	run: RunContext,
	item: Item,
	{ read }: ItemWork<ItemParameters>,
): Outcome | { kind: 'ready'; parameters: ItemParameters } {
	const prior = run.ledger.priorOutcome(item.index);
	if (prior instanceof Error) return { kind: 'failed', error: prior, effect: 'unknown' };
	if (prior !== undefined) return { kind: 'items', items: prior };
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
		const client = pooledClient(run, run.clientFor(item));
		const items = [{ json: await perform({ run, item, client }, parameters) }];
		if (changesData) run.ledger.recordItems(item.index, items);
		return { kind: 'items', items };
	} catch (error) {
		if (isStopped(error)) return notSent;
		const effect = effectOf(error);
		if (error instanceof ServiceError && effect === 'unknown') {
			run.ledger.recordUncertain(item.index, error.failure);
		}
		const isBefore = changesData && effect === 'none';
		return { kind: 'failed', error: isBefore ? namingRead(error) : error, effect };
	}
}
