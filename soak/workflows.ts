import type { INode } from 'n8n-workflow';
import { credentialType } from '../scripts/lib/demo-data.ts';
import type { Credential, WorkflowJson } from '../scripts/lib/n8n-client.ts';
import { limits, chain, node, pollEvery, typeOf, removal } from '../scripts/lib/workflow-json.ts';

/** The contact type that is synced, and one that nothing may touch. */
export const SYNCED_TYPE = 21;
export const OTHER_TYPE = 22;
/** The unsubscribe group that the sync respects besides the global unsubscribes. */
export const GROUP = 51;

/** What the first of the two triggers reports. */
export const EVENTS = [
	...['singleSendCreated', 'singleSendStatusChanged', 'singleSendDeleted'],
	...['automationCreated', 'automationStatusChanged'],
	...['contactAdded', 'contactUpdated'],
];

export const triggerName = 'Watch';
export const syncName = 'Sync';

const pollSeconds = 2;

/** Shorter than the five minutes that are usual, so that a service that is silent does not fill the whole time. */
const requestOptions = { timeout: 2_000 };

type Names = 'sync' | 'everything' | 'completed';

/** The workflows that are active all the time, as somebody would build them in the editor. */
export function workflows(
	sourceUrl: string,
	own: Credential,
	syncSeconds: number,
): Record<Names, WorkflowJson> {
	const credentials: Partial<INode> = {
		credentials: { [credentialType]: { id: own.id, name: own.name } },
	};
	const watch = (parameters: INode['parameters']) =>
		node(
			triggerName,
			typeOf('emailMarketingTrigger'),
			{ pollTimes: pollEvery(pollSeconds), ...parameters },
			credentials,
		);
	const end = () => node('End', 'n8n-nodes-base.noOp');
	return {
		sync: chain('Sync', [
			node(
				'Every few seconds',
				'n8n-nodes-base.scheduleTrigger',
				{ rule: { interval: [{ field: 'seconds', secondsInterval: syncSeconds }] } },
				{ typeVersion: 1.2 },
			),
			node('Read', 'n8n-nodes-base.httpRequest', { url: sourceUrl }, { typeVersion: 4.2 }),
			node(
				syncName,
				typeOf('emailMarketing'),
				{
					resource: 'contact',
					operation: 'sync',
					contactTypeId: { __rl: true, mode: 'id', value: String(SYNCED_TYPE) },
					fields: { mappingMode: 'autoMapInputData', value: null },
					missing: 'delete',
					options: {
						report: 'changes',
						unsubscribeGroups: [GROUP],
						// Nobody is there to look when many have gone while n8n was down.
						...limits({ maxRemovalPercent: 90 }),
						...removal({ onlyAddedBySync: false, removeAfter: 1 }),
					},
					requestOptions,
				},
				credentials,
			),
		]),
		everything: chain('Everything', [
			watch({
				events: EVENTS,
				contactTypeId: { __rl: true, mode: 'id', value: String(SYNCED_TYPE) },
				simplify: false,
			}),
			end(),
		]),
		completed: chain('Completed', [
			watch({
				events: ['singleSendStatusChanged'],
				singleSendFilters: { toStatus: ['3'] },
			}),
			end(),
		]),
	};
}
