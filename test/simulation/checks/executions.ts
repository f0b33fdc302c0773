import type { IDataObject } from 'n8n-workflow';

import type { Entry } from '../history.ts';
import type { Evidence } from './finding.ts';

/** A request that had its effect. */
export interface Write {
	at: number;
	/** Of the execution that sent it. */
	run: number;
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

/** An execution of a workflow, and what it wrote. */
export interface Run {
	id: number;
	process: string;
	began: number;
	ended: number;
	/** Whether n8n has saved what it left behind. */
	isSaved: boolean;
	items: IDataObject[];
	parameters: IDataObject;
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
	const { query = {}, body = {}, run, before } = data as unknown as Write;
	const known = KINDS[request] ?? 'other';
	const kind = known === 'update' && isMove(list, body) ? 'move' : known;
	const to = known === 'update' && body.email !== undefined ? addressOf(body.email) : undefined;
	const isRenamed = to !== undefined && !emails.includes(to);
	return {
		...{ at, run, kind, request, list, ids, query, body, before },
		...(isRenamed ? { emails: [...emails, to], renamedTo: to } : { emails }),
	};
}

/** The items of a run with their rows. Those of missing people come after them, with the first item. */
export function rowsOfItems({
	rows,
	of,
	items,
}: Run): Array<{ row: IDataObject; item: IDataObject }> {
	const end = of.findIndex((item, position) => item <= (of[position - 1] ?? -1));
	return rows
		.slice(0, end < 0 ? undefined : end)
		.map((row, position) => ({ row, item: items[of[position] ?? -1] ?? {} }));
}

/** The contact that a row is about, also if it failed. */
export const contactOf = ({ contactId, error }: IDataObject) =>
	contactId ?? (error as IDataObject | undefined)?.contactId;

/** The executions of a workflow, in their order. */
export function runsOf({ entries, quiet }: Evidence, workflow: string): Run[] {
	const runs = new Map<number, Run>();
	for (const entry of entries) {
		const { at, id, op, type, process, data = {} } = entry;
		const write = writeIn(entry);
		if (write) runs.get(write.run)?.writes.push(write);
		if (op === 'output') {
			const { items, of, after } = data;
			Object.assign(runs.get(Number(data.run)) ?? {}, { rows: items, of, after });
		}
		if (op !== 'execution') continue;
		if (type !== 'invoke') {
			const failure = type === 'fail' && { failure: data };
			Object.assign(runs.get(id) ?? {}, { ended: at, isSaved: true, ...failure });
		} else if (data.workflow === workflow) {
			const { items, parameters, before } = data as unknown as Run;
			runs.set(id, {
				...{ id, process, began: at, ended: quiet.from, isSaved: false },
				...{ items, parameters, before, writes: [], rows: [], of: [] },
			});
		}
	}
	return [...runs.values()];
}
