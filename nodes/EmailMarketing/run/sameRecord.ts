import type { IDataObject } from 'n8n-workflow';

import type { ErrorCode } from '../service/errorCode';
import { choiceOf } from '../params/givenOption';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import { addTo } from '../util/groups';
import type { Draft, DraftStep, GroupStage, Leaders, ItemPlan, SendRequest } from './operation';
import type { RunContext } from './runContext';
import type { Outcome } from './writer/outcome';

/** Groups the requests of a run by record: those of an earlier try of the node first, then the others as they join. */
class SameRecord {
	private readonly groups = new Map<string, number[]>();

	/** @param keyOf names the record of a request; undefined for a request that is about several */
	constructor(planned: readonly ItemPlan[], keyOf: (draft: Draft) => string | undefined) {
		for (const [position, request] of planned.entries()) {
			const key = 'prior' in request && request.prior ? keyOf(request.prior) : undefined;
			if (key !== undefined) addTo(this.groups, key, position);
		}
	}

	join(key: string, position: number): Leaders {
		addTo(this.groups, key, position);
		const positions = this.groups.get(key) ?? [];
		return { positions, count: positions.length - 1 };
	}
}

/**
 * A request whose record other items write, too, is sent only if all of them certainly failed.
 *
 * @param outcomes of the others that may have succeeded, up to the first that certainly did
 * @param deed what messages say that they may have done, such as `saved the address "a@example.com"`
 * @param whenDone decides about the request if one of them succeeded
 */
function decideAfter(
	request: SendRequest,
	outcomes: readonly Outcome[],
	deed: string,
	whenDone: (done: Outcome & { kind: 'items' }) => ItemPlan,
): ItemPlan {
	const done = outcomes.find((outcome) => outcome.kind === 'items');
	if (done) return whenDone(done);
	if (outcomes.length === 0) return request;
	const error = new InvalidInput(
		'earlier-item-uncertain',
		`An earlier item may have ${deed}, but its response was lost`,
		'Check the service, and run the node again with this item if it is still needed.',
	);
	return { kind: 'refused', item: request.item, error, isFinal: true };
}

/** What a request does, and how other requests that do the same are recognized. */
interface Deed {
	key: string;
	/** As in `decideAfter`. */
	deed: string;
}

/**
 * What several items ask for is done once: a later item is sent only if the earlier ones certainly failed.
 *
 * @param did the first key of the output
 * @param message of the output of an item that is not sent
 * @param deedOf undefined for a request that is never left out
 */
export const onlyOnce = (
	did: string,
	message: string,
	deedOf: (draft: Draft) => Deed | undefined,
): GroupStage => ({
	async resolve(_run, planned) {
		const same = new SameRecord(planned, (draft) => deedOf(draft)?.key);
		return planned.map((request, position) => {
			const asked = request.kind === 'send' ? deedOf(request.draft) : undefined;
			if (request.kind !== 'send' || asked === undefined) return request;
			const leaders = same.join(asked.key, position);
			if (leaders.count === 0) return request;
			return {
				...{ kind: 'follow', item: request.item, request, leaders },
				decide: (outcomes) =>
					decideAfter(request, outcomes, asked.deed, () => ({
						kind: 'items',
						item: request.item,
						items: [{ json: { [did]: false, ...request.draft.identity, message } }],
					})),
			};
		});
	},
});

const choices = ['create', 'fail', 'return'] as const;

/** The choices for a record that already exists. */
type ExistingChoice = (typeof choices)[number];

/** How an operation that creates records recognizes those that exist. */
export interface ExistingRecords {
	/** The parameter with the choice. */
	parameter: { path: string; label: string; default: ExistingChoice };
	/** The key that requests for one record share. */
	key(draft: Draft): string;
	/** The record that exists. */
	find(draft: Draft): Promise<IDataObject | undefined>;
	/** The output instead of a new record: made from an existing one, or from the output of the item that created it. */
	existing(record: IDataObject, draft: Draft): IDataObject;
	/** What messages call it, without an article: `single send named "Spring"`. */
	nounOf(draft: Draft): string;
	existsCode: ErrorCode;
	/** The remedy if it exists and must not. */
	remedy: string;
}

/**
 * The choice of an item, read once.
 *
 * @throws InvalidInput for an unknown choice
 */
export const existingChoice = (
	run: RunContext,
	{ path, label, default: preset }: ExistingRecords['parameter'],
	item: Item,
): ExistingChoice =>
	run.memoize(`${path} of item ${item.index}`, () =>
		choiceOf(item.param(path, preset), label, choices),
	);

const refusal = (records: ExistingRecords, draft: Draft, where: string): InvalidInput =>
	new InvalidInput(records.existsCode, `A ${records.nounOf(draft)} ${where}`, records.remedy);

async function resolve(
	run: RunContext,
	records: ExistingRecords,
	request: SendRequest,
	leaders: Leaders,
): Promise<ItemPlan> {
	const { item, draft } = request;
	const choice = existingChoice(run, records.parameter, item);
	// It is sent in any case, but later items with another choice depend on it.
	if (choice === 'create') return request;
	const record = await records.find(draft);
	if (record && choice === 'return') {
		return { kind: 'items', item, items: [{ json: records.existing(record, draft) }] };
	}
	if (record) throw refusal(records, draft, 'already exists');
	if (leaders.count === 0) return request;
	if (choice === 'fail' && !run.continueOnFail) {
		throw refusal(records, draft, 'is also created by an earlier item');
	}
	return {
		...{ kind: 'follow', item, request, leaders },
		decide: (outcomes) =>
			decideAfter(request, outcomes, `saved the ${records.nounOf(draft)}`, ({ items: [first] }) => {
				if (choice === 'fail') {
					const error = refusal(records, draft, 'was already created by an earlier item');
					return { kind: 'refused', item, error };
				}
				const json = records.existing(first?.json ?? {}, draft);
				return { kind: 'items', item, items: [{ json }] };
			}),
	};
}

/** Does the same again directly before a send: somebody else may have created the record since the list was read. */
export function resolveAgain(records: ExistingRecords): DraftStep {
	return async (draft) => {
		const choice = existingChoice(draft.run, records.parameter, draft.item);
		const record = choice === 'create' ? undefined : await records.find(draft);
		if (record && choice === 'fail') throw refusal(records, draft, 'already exists');
		return record && records.existing(record, draft);
	};
}

/** Returns or refuses records that exist, or that earlier items of the run create, as the choice of the item says. */
export function resolveExisting(records: ExistingRecords): GroupStage {
	return {
		check: (run, item) => void existingChoice(run, records.parameter, item),
		async resolve(run, planned) {
			const keyOf = (draft: Draft) => records.key(draft);
			const same = new SameRecord(planned, keyOf);
			return await Promise.all(
				planned.map(async (request, position) => {
					if (request.kind !== 'send') return request;
					const leaders = same.join(keyOf(request.draft), position);
					return await resolve(run, records, request, leaders).catch(
						(error: unknown) => ({ kind: 'refused', item: request.item, error }) as const,
					);
				}),
			);
		},
	};
}
