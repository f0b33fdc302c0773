import type { IDataObject } from 'n8n-workflow';

import type { Settings } from '../../sandbox/settings.ts';
import { automation, segment, unsubscribeGroup } from './records';
import { useService, type Sent } from './sandbox';

/** One run of an operation: what is entered, what is sent for it, and what comes out. */
export interface Row {
	operation: string;
	/** What is special about this run. */
	with?: string;
	parameters?: IDataObject;
	settings?: Partial<Settings>;
	sends: Sent[];
	/** The JSON of every output item, in order. */
	gives: IDataObject[];
}

/** A resource locator as the editor stores it. */
export const chosen = (value: string | number, mode = 'list') => ({ __rl: true, mode, value });

/** A campaign that is sent immediately, as far as it has to be filled in. */
export const newSend: IDataObject = {
	resource: 'singleSend',
	operation: 'create',
	singleSendName: 'Spring',
	subject: 'It is spring',
	preheader: 'At last',
	senderId: chosen('81'),
	unsubscribeGroupId: chosen('51'),
	recipientId: ['contacts_21'],
	templateId: chosen('2'),
	scheduleType: 'immediately',
};

/** Every list that the node returns: the resource, the operation and the parameters that choose its parent. */
export const listOperations: Array<[resource: string, operation: string, parent: IDataObject]> = [
	['automation', 'getAll', {}],
	['automationSchedule', 'getAll', { automationUtr: chosen(automation.utr) }],
	['contact', 'getAll', {}],
	['contactType', 'getAll', {}],
	['customField', 'getAll', {}],
	['customField', 'getReserved', {}],
	['designTemplate', 'getAll', {}],
	['designTemplate', 'getDynamicContent', {}],
	['globalUnsubscribe', 'getAll', {}],
	['notificationRecipient', 'getAll', {}],
	['segment', 'getAll', {}],
	['segment', 'getRecipients', { segmentId: chosen(segment.id) }],
	['sender', 'getAll', {}],
	['singleSend', 'getAll', {}],
	['unsubscribeGroup', 'getAll', {}],
	['unsubscribeGroup', 'getRecipients', { unsubscribeGroupId: chosen(unsubscribeGroup.id) }],
];

/** A workflow runs the node with all items; n8n's engine for declarative nodes is what its agents use. */
const ways = ['emailMarketing', 'emailMarketingRouted'] as const;

/**
 * Runs every row of a resource for one empty item, in either of the ways in which n8n runs the node, and holds the whole
 * requests and items against it.
 */
export function checkRows(resource: string, rows: Row[]): void {
	const test = useService();
	const runs = ways.flatMap((type) =>
		rows.map(
			(row) => [[row.operation, row.with, type].filter(Boolean).join(', '), type, row] as const,
		),
	);
	it.each(runs)(
		`${resource}: %s`,
		async (_name, type, { operation, parameters, settings, sends, gives }) => {
			const { service } = test;
			Object.assign(service.state.settings, settings);

			const { items, failed, error } = await service.run(
				{ resource, operation, ...parameters },
				{ type },
			);

			expect(error).toBeUndefined();
			expect(service.sent()).toEqual(sends);
			expect(service.violations()).toEqual([]);
			expect(items).toEqual(gives.map((json) => ({ json, pairedItem: { item: 0 } })));
			expect(failed).toEqual([]);
		},
	);
}
