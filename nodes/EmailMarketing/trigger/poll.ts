import { createHash } from 'crypto';
import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { credentialType } from '../api/client';
import { withHelp } from '../engine/help';
import { coerceText } from '../util/coerce';
import { detect } from './events';
import { nounOf, readLists } from './lists';
import { toItem } from './output';
import { readWatch } from './parameters';
import { recordPoll, stateToStartFrom, withPollLock } from './pollLock';
import { sampleEvents } from './sample';
import { countChange, EMPTY_STATE, readState, sourcesOf } from './state';
import type { TriggerEvent, Watch } from './types';

export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await pollOnce(context).catch((error: unknown) => {
		throw withHelp(error);
	});
}

async function pollOnce(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const watch = { ...readWatch(context), account: await accountKey(context) };
	if (context.getMode() === 'manual') return toOutput(context, await testEvents(context, watch));
	const key = `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
	return await withPollLock(key, async (lock) => {
		const staticData = context.getWorkflowStaticData('node');
		const before = stateToStartFrom(lock, readState(staticData));
		if (before === null) return null;
		const now = Date.now();
		const { rows, next } = await readLists(context, sourcesOf(watch), before);
		const { events, state } = detect(rows, before, watch, now);
		const output = toOutput(context, events);
		const after = countChange(before, { ...state, ...(next && { next }) });
		const hasEvents = events.length > 0;
		// Only now, when nothing can fail any more: a poll that fails leaves the state alone.
		staticData.state = after as unknown as IDataObject;
		recordPoll(lock, { before, after, hasEvents });
		return hasEvents ? output : null;
	});
}

/** A hash, since the state keeps it. Undefined if the credential cannot be read: the requests then say why. */
async function accountKey(context: IPollFunctions): Promise<string | undefined> {
	const credential = await context.getCredentials(credentialType).catch(() => undefined);
	if (credential === undefined) return undefined;
	const { baseUrl, publicKey } = credential;
	const account = `${coerceText(baseUrl)} ${coerceText(publicKey)}`;
	return createHash('sha256').update(account).digest('base64').slice(0, 12);
}

/** Real records in the shape of the events, for "Fetch Test Event"; leaves the state alone. */
async function testEvents(context: IPollFunctions, watch: Watch): Promise<TriggerEvent[]> {
	const sources = sourcesOf(watch);
	const { rows } = await readLists(context, sources, EMPTY_STATE);
	const events = sampleEvents(rows, watch, Date.now());
	if (events.length > 0) return events;
	throw new NodeOperationError(
		context.getNode(),
		`No test event available: the account has no ${sources.map(nounOf).join(', no ')} yet`,
		{
			description:
				'Add one in the service and fetch again, or publish the workflow anyway: it starts with the first event.',
			level: 'warning',
		},
	);
}

function toOutput(context: IPollFunctions, events: TriggerEvent[]): INodeExecutionData[][] {
	const simplify = context.getNodeParameter('simplify', true) === true;
	return [events.map((event) => toItem(event, simplify))];
}
