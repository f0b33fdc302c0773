import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import type { Operation, PreparedRequest, SendRequest } from '../engine/operation';
import type { Outcome } from '../engine/outcome';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import { choice } from '../params/validators';
import { coerceNumber, coerceText } from '../util/coerce';
import { quote } from '../util/text';
import { summaryOfRecord } from './summary';

const refuse = (name: string, where: string): InvalidInput =>
	new InvalidInput(
		`A single send named ${quote(name)} ${where}`,
		'Change "Single Send Name", or set "If Name Exists" to "Return Existing" or "Create Another".',
	);

const existingItems = (json: IDataObject = {}): INodeExecutionData[] => [
	{
		json: {
			...json,
			created: false,
			message: 'A single send with this name exists: nothing was created',
		},
	},
];

/** What the output says about it, as after its creation. */
const existingFields = (record: IDataObject): IDataObject => ({
	utr: record.utr,
	sender_id: record.sender_id,
	unsubscribe_group_id: record.unsubscribe_group_id,
	...summaryOfRecord(record),
});

/** The newest single send of this name. */
function named(sends: IDataObject[], name: string): IDataObject | undefined {
	return sends
		.filter((send) => coerceText(send.single_send_name).trim() === name)
		.sort((a, b) => coerceNumber(b.id) - coerceNumber(a.id))[0];
}

/** For a request whose name earlier items of the run have, too: it is sent only if none of them was, or may have been. */
function follow(
	request: SendRequest,
	leaders: number[],
	name: string,
	isReturned: boolean,
): PreparedRequest {
	const { item } = request;
	const refused = (where: string): PreparedRequest => ({
		kind: 'refused',
		item,
		error: refuse(name, where),
	});
	const decide = (outcomes: Outcome[]): PreparedRequest => {
		for (const outcome of outcomes) {
			if (outcome.kind === 'items') {
				if (!isReturned) return refused('was made by an earlier item');
				return { kind: 'items', item, items: existingItems(outcome.items[0]?.json) };
			}
		}
		const isUncertain = outcomes.some(
			(outcome) => outcome.kind === 'failed' && outcome.effect === 'unknown',
		);
		if (isUncertain) return refused('may have been made by an earlier item: its answer was lost');
		return request;
	};
	return { kind: 'follow', item, request, leaders, decide };
}

const actions = choice('ifNameExists', ['create', 'fail', 'return']);

const chosenAction = (item: Item): unknown =>
	actions.encode(item.param(actions.parameter, 'fail'), 'If Name Exists', item) ?? 'fail';

/** "If Name Exists" (38), from one read of the list (37). */
export const ifExists: Operation['resolveExisting'] = async (run, prepared) => {
	/** Positions of the requests of each name. */
	const positions = new Map<string, number[]>();
	const resolve = async (request: PreparedRequest, position: number): Promise<PreparedRequest> => {
		if (request.kind !== 'send') return request;
		const { item, draft } = request;
		const action = chosenAction(item);
		if (action === 'create') return request;
		const name = String(draft.body.single_send_name).trim();
		const isReturned = action === 'return';
		const earlier = positions.get(name) ?? [];
		positions.set(name, [...earlier, position]);
		const sends = await run.cachedList(draft, endpoints.singleSend.getAll);
		const existing = named(sends, name);
		if (existing !== undefined && isReturned) {
			return { kind: 'items', item, items: existingItems(existingFields(existing)) };
		}
		if (existing !== undefined) throw refuse(name, 'exists already');
		if (earlier.length === 0) return request;
		if (!isReturned && !run.continueOnFail)
			throw refuse(name, 'is made by an earlier item already');
		return follow(request, earlier, name, isReturned);
	};
	return await Promise.all(
		prepared.map(async (request, position) => {
			try {
				return await resolve(request, position);
			} catch (error) {
				return { kind: 'refused', item: request.item, error } as const;
			}
		}),
	);
};
