import { ServiceError } from '../../service/failure';
import type { Draft } from '../../run/operation';
import type { RunContext } from '../../run/runContext';
import { flagParam } from '../../params/givenOption';
import { InvalidInput } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { entriesOf } from '../../params/values';
import { groupName } from '../../records/unsubscribes';
import { keysIn } from '../../util/addressesIn';
import { isEmpty, isId } from '../../util/coerce';
import { settleAll } from '../../util/promises';
import { quote } from '../../util/text';
import { suppressionReader, type SuppressionReader } from './entries';
import { neverAddOf } from './neverAdd';
import { GLOBAL_LIST } from './types';
import type { SuppressedAddress, Suppression, Suppressions } from './types';

/** Which lists hold back the addresses on them. */
export interface RespectedLists {
	globalUnsubscribes: boolean;
	/** Unsubscribe groups whose recipients are held back too. */
	unsubscribeGroupIds: readonly number[];
	/** The people of the option "Never Add", the same for all items. */
	neverAdd?: Suppressions;
}

const globalLabel = 'Respect Global Unsubscribes';
const groupsLabel = 'Respect Unsubscribe Group Names or IDs';

/**
 * An array of ids, or a text with commas from an expression. An empty entry means that an expression returned nothing.
 */
function groupsOf(item: Item): number[] {
	const value = item.param('options.unsubscribeGroups', []);
	if (isEmpty(value)) {
		throw new InvalidInput(
			'unsubscribe-lists-empty',
			`"${groupsLabel}" is empty`,
			'If the option contains an expression, it returned nothing. Return an array of IDs. To respect no group, return an empty array.',
		);
	}
	const ids = entriesOf(value, groupsLabel);
	const wrong = ids.find((id) => !isId(id));
	if (wrong === undefined) return [...new Set(ids.map(Number))];
	throw new InvalidInput(
		'ids-expected',
		`"${groupsLabel}" accepts only IDs, but it has ${quote(wrong)}`,
		'Choose groups from the list, or enter their IDs as an array.',
	);
}

/** The people of "Never Add"; read once. */
const neverAddIn = (run: RunContext): Suppressions | undefined =>
	run.memoize('never add', () => neverAddOf(run));

/**
 * The options with the lists, as they are for an item; read once.
 *
 * @throws InvalidInput for a group that is no ID, or an entry of "Never Add" that could be anybody
 */
export const respectedListsOf = (run: RunContext, item: Item): RespectedLists =>
	run.memoize(`respectedLists ${item.index}`, () => ({
		globalUnsubscribes: flagParam(item, 'options.globalUnsubscribes', globalLabel, true),
		unsubscribeGroupIds: groupsOf(item),
		neverAdd: neverAddIn(run),
	}));

/** Of those who get no campaigns, such as colleagues, only the people of "Never Add" are held back. */
export const onlyNeverAdd = (run: RunContext): RespectedLists => ({
	globalUnsubscribes: false,
	unsubscribeGroupIds: [],
	neverAdd: neverAddIn(run),
});

/** The lists for an operation on all items, which has checked that their options are the same. */
export const respectedListsOfRun = (run: RunContext): RespectedLists =>
	respectedListsOf(run, run.items[0] as Item);

/** Whether anybody is held back. */
export const respectsAny = (lists: RespectedLists): boolean =>
	lists.globalUnsubscribes || lists.unsubscribeGroupIds.length > 0 || lists.neverAdd !== undefined;

/** A known date counts as earlier than an unknown one. */
const isEarlier = (date: string | undefined, known: string | undefined): boolean =>
	date !== undefined && (known === undefined || date < known);

/** Whoever left everything is not shown as having left one group; otherwise, the earlier one counts. */
function precedes(found: Suppression, known: Suppression): boolean {
	const isGlobal = found.list === GLOBAL_LIST;
	return isGlobal === (known.list === GLOBAL_LIST) ? isEarlier(found.date, known.date) : isGlobal;
}

/** Adds to a failed read what it means for this and other items, and which option skips the list. */
function unreadable(error: unknown, list: string, remedy: string): unknown {
	if (!(error instanceof ServiceError)) return error;
	const { readOf: _, ...failure } = error.failure;
	const description = [
		failure.description,
		`The list of unsubscribes could not be read (${list}), so no address that needs this check was written. To write without this check, ${remedy} in Options.`,
	];
	return new ServiceError({ ...failure, description: description.filter(Boolean).join(' ') });
}

/** The keys of all addresses that entries may stand for. */
const keysOf = (entries: readonly SuppressedAddress[]): Set<string> =>
	new Set(entries.flatMap(({ email_address: text }) => keysIn(text)));

/**
 * Whether an entry of the global list only unsubscribes from its group: the list of the group shows it as well, and not
 * only as deleted. Any other may be of somebody who unsubscribed from everything in an email to the group.
 *
 * @param respected groups whose entries count in any case
 * @param read the list of a group
 */
export async function readGroupsOf(
	entries: readonly SuppressedAddress[],
	respected: readonly number[],
	read: (groupId: number) => Promise<SuppressedAddress[]>,
): Promise<(entry: SuppressedAddress) => boolean> {
	const groups = [...new Set(entries.flatMap(({ group }) => group ?? []))];
	const members = new Map(
		await settleAll(
			groups
				.filter((group) => !respected.includes(Number(group)))
				.map(async (group) => {
					const listed = await read(Number(group));
					const present = listed.filter(({ isDeleted }) => !isDeleted);
					return [group, { all: keysOf(listed), present: keysOf(present) }] as const;
				}),
		),
	);
	return ({ group = '', isDeleted = false, email_address: text }) => {
		const keys = members.get(group)?.[isDeleted ? 'all' : 'present'];
		return keys !== undefined && keysIn(text).every((key) => keys.has(key));
	};
}

/**
 * The addresses on the lists, each list read once, and those never to be added.
 *
 * @param toError makes the error for a list that cannot be read
 * @returns by address key; of several entries for one address, the earliest, and a global one before those of groups
 * @throws what the reads throw: a list that cannot be read is never taken as empty
 */
export async function readSuppressions(
	reader: SuppressionReader,
	{ globalUnsubscribes, unsubscribeGroupIds, neverAdd }: RespectedLists,
	toError = unreadable,
): Promise<Suppressions> {
	const reads: Array<Promise<{ list: string; entries: SuppressedAddress[] }>> = [];
	const add = (list: string, read: Promise<SuppressedAddress[]>, remedy: string) =>
		reads.push(
			read.then(
				(entries) => ({ list, entries }),
				(error: unknown) => {
					throw toError(error, list, remedy);
				},
			),
		);
	if (globalUnsubscribes) {
		add(GLOBAL_LIST, reader.listGlobalUnsubscribes(), `turn off "${globalLabel}"`);
	}
	for (const id of unsubscribeGroupIds) {
		const remedy = `remove the group from "${groupsLabel}"`;
		add(groupName(id), reader.listGroupRecipients(id), remedy);
	}
	const lists = await settleAll(reads);
	const all = lists.flatMap(({ entries }) => entries);
	const isOfOtherGroup = await readGroupsOf(
		all,
		unsubscribeGroupIds,
		async (id) =>
			await reader.listGroupRecipients(id).catch((error: unknown) => {
				if (error instanceof ServiceError && error.failure.isNotFound) return [];
				throw toError(error, groupName(id), `turn off "${globalLabel}"`);
			}),
	);
	const unsubscribed = new Map<string, Suppression>();
	for (const { list: name, entries } of lists) {
		for (const entry of entries) {
			if (isOfOtherGroup(entry)) continue;
			const { email_address, created_at: date, group } = entry;
			const isOfGroup = group !== undefined && unsubscribeGroupIds.includes(Number(group));
			const list = isOfGroup ? groupName(group) : name;
			for (const key of keysIn(email_address)) {
				const known = unsubscribed.get(key);
				const found = { reason: 'unsubscribed', date, list };
				if (!known || precedes(found, known)) unsubscribed.set(key, found);
			}
		}
	}
	return { get: (key) => unsubscribed.get(key) ?? neverAdd?.get(key) };
}

/**
 * The addresses on these lists. Each list is read once for all items of the run, and items with
 * the same options share the result.
 *
 * @throws InvalidInput
 * @throws ServiceError if a list cannot be read
 * @throws NodeOperationError for an entry that cannot be understood
 */
export async function suppressionsFor(
	draft: Draft,
	lists: RespectedLists = respectedListsOf(draft.run, draft.item),
): Promise<Suppressions> {
	const { run } = draft;
	const reader = suppressionReader(run, async (...list) => await run.cachedList(draft, ...list));
	return await run.memoize(
		`suppressions ${JSON.stringify(lists)}`,
		async () => await readSuppressions(reader, lists),
	);
}
