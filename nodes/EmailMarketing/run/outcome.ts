import type { INodeExecutionData } from 'n8n-workflow';

/** What became of the request of one item. */
export type Outcome =
	| { kind: 'items'; items: INodeExecutionData[] }
	| {
			kind: 'failed';
			error: unknown;
			/** Whether the request may have had its effect nonetheless. */
			effect: 'none' | 'unknown';
	  }
	| { kind: 'notSent' };

export const notSent: Outcome = { kind: 'notSent' };

/** What became of all items of a run. */
export interface Sent {
	outcomes: Outcome[];
	/** What `done` and `total` count. */
	unit: 'items' | 'IDs';
	done: number;
	total: number;
}
