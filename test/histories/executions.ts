import type { IDataObject } from 'n8n-workflow';

import type { Evidence } from './evidence.ts';
import type { Entry } from './history.ts';

/** A request that had its effect. */
export interface Write {
	at: number;
	/** The executions that may have sent it: one, unless requests do not say which of several did. */
	runs: number[];
	kind: 'add' | 'update' | 'move' | 'remove' | 'other';
	/** What was sent, as `POST /contacts/add`. */
	request: string;
	/** The list that people were on before it; for those who are added, afterwards. */
	list: string;
	ids: number[];
	emails: string[];
	/** The new address of a contact; the last one of `emails`. */
	renamedTo?: string;
	/** A contact as it was before an update. */
	before?: IDataObject;
	query: IDataObject;
	body: IDataObject;
}

/** An execution of a workflow, and what it wrote or may have written. */
export interface Run {
	id: number;
	process: string;
	began: number;
	ended: number;
	/** Whether n8n has saved what it left behind. */
	isSaved: boolean;
	/** Unknown where n8n has not kept its input. */
	items?: IDataObject[];
	parameters: IDataObject;
	/** How often the execution calls the workflow, if another one calls it. */
	calls: number;
	/** Whether it would have called the workflow more often, but failed. */
	isCutShort: boolean;
	writes: Write[];
	/** Of the node that wrote, with the item of each. */
	rows: IDataObject[];
	of: number[];
	/** Why it stopped, if it did. */
	failure?: IDataObject;
	/** What the service had before and afterwards. */
	before?: IDataObject;
	after?: IDataObject;
}

/** What an item says if only the list shows that its write was done. */
export const LISTED = 'the list is as planned';

/** Whether it is certain that this run sent it. */
export const isOf = ({ runs }: Write, { id }: Run) => runs.length === 1 && runs[0] === id;

export const addressOf = (email: unknown) => String(email).trim().toLowerCase();

const KINDS: Record<string, Write['kind']> = {
	'POST /contacts/add': 'add',
	'POST /contacts/upload-csv': 'add',
	'POST /contacts/update': 'update',
	'POST /contacts/bulk-delete': 'remove',
	'DELETE /contacts/delete': 'remove',
	'POST /segment/email/store': 'add',
	'DELETE /segment/email/delete': 'remove',
	'POST /unsubscribes-groups/manually-add': 'add',
	'POST /unsubscribes-groups/recipients-bulk-delete': 'remove',
	'DELETE /unsubscribes-groups/recipients-delete': 'remove',
	'POST /global-unsubscribes/save': 'add',
	'POST /global-unsubscribes/bulk-delete': 'remove',
	'DELETE /global-unsubscribes/delete': 'remove',
};

const isMove = (list: unknown, { contact_type_id: type }: IDataObject) =>
	type !== undefined && list !== `contacts ${Number(type)}`;

/** @returns undefined for anything but a write that had its effect */
export function writeIn({ at, op, data = {} }: Entry): Write | undefined {
	if (op !== 'effect') return undefined;
	const {
		write: request,
		list = '',
		ids = [],
		emails = [],
	} = data as unknown as Write & {
		write: string;
	};
	const { query = {}, body = {}, before } = data as unknown as Write;
	const runs = (data.runs ?? [data.run]) as number[];
	const known = KINDS[request] ?? 'other';
	const kind = known === 'update' && isMove(list, body) ? 'move' : known;
	const to = known === 'update' && body.email !== undefined ? addressOf(body.email) : undefined;
	const isRenamed = to !== undefined && !emails.includes(to);
	return {
		...{ at, runs, kind, request, list, ids, query, body, before },
		...(isRenamed ? { emails: [...emails, to], renamedTo: to } : { emails }),
	};
}

/**
 * How many rows of an output are those of items. Those of missing people come after them, with the first item.
 *
 * @param of the item of each row
 */
export function countOfItems(of: readonly number[]): number {
	const end = of.findIndex((item, position) => item <= (of[position - 1] ?? -1));
	return end < 0 ? of.length : end;
}

/** The items of a run, if its input is known, with their rows. */
export function rowsOfItems(run: Run): Array<{ row: IDataObject; item: IDataObject }> {
	const { rows, of, items } = run;
	if (items === undefined) return [];
	return rows
		.slice(0, countOfItems(of))
		.map((row, position) => ({ row, item: items[of[position] ?? -1] ?? {} }));
}

/** An item as it is in the output; of one that was routed to the error output, its error has the rest. */
const rowOf = (item: IDataObject): IDataObject => ({ ...Object(item.error), ...item });

/** The executions of a workflow, in their order. */
export function runsOf({ entries, end }: Evidence, workflow: string): Run[] {
	const runs = new Map<number, Run>();
	for (const entry of entries) {
		const { at, id, op, type, process, data = {} } = entry;
		const write = writeIn(entry);
		for (const run of write?.runs ?? []) runs.get(run)?.writes.push(write as Write);
		if (op === 'output') {
			const { of, after } = data;
			const rows = (data.items as IDataObject[]).map(rowOf);
			Object.assign(runs.get(Number(data.run)) ?? {}, { rows, of, after });
		}
		if (op !== 'execution') continue;
		if (type !== 'invoke') {
			const failure = type === 'fail' && { failure: data };
			Object.assign(runs.get(id) ?? {}, { ended: at, isSaved: type !== 'info', ...failure });
		} else if (data.workflow === workflow) {
			const { items, parameters, calls = 1, isCutShort = false, before } = data as unknown as Run;
			runs.set(id, {
				...{ id, process, began: at, ended: end, isSaved: false },
				...{ items, parameters, calls, isCutShort, before, writes: [], rows: [], of: [] },
			});
		}
	}
	return [...runs.values()];
}
