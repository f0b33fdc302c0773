import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ServiceError } from '../../../service/failure';
import { flagParam, optionalText } from '../../../params/givenOption';
import { valueRequired } from '../../../params/invalidInput';
import type { Item } from '../../../params/item';
import { textOrEmpty } from '../../../params/values';
import type { RunContext } from '../../../run/runContext';
import { isNodeError } from '../../../run/nodeError';
import { itemKey } from '../../../run/writer/ledger';
import { coerceText } from '../../../util/coerce';
import { truncateList } from '../../../util/text';
import { warnOfNotFound } from '../find';
import { forEachPerson, keysOf } from '../people';
import type { PeopleWork, Person } from '../people';
import { readPlacesAgain } from '../readPlaces';
import type { Snapshot } from '../readPlaces';
import { KEPT_BY_OTHER, keepsRecords, OTHERS_LEFT, planErasure } from './plan';
import { receiptOf } from './receipt';
import type { Afterwards, Receipt, ReceiptOptions } from './receipt';
import { writeErasures } from './write';
import type { Erasure } from './write';

interface Options extends ReceiptOptions {
	isDryRun: boolean;
}

/**
 * The key is not trimmed, as in "Never Add".
 *
 * @throws InvalidInput
 */
function tombstoneKeyOf(item: Item): string {
	const path = 'options.tombstoneKey';
	const isGiven = optionalText(item, path, 'Tombstone Key', 'create no tombstone') !== '';
	return isGiven ? coerceText(item.param(path, '')) : '';
}

/** @throws InvalidInput */
function optionsOf(item: Item): Options {
	const options = {
		isDryRun: flagParam(item, 'dryRun', 'Dry Run', true),
		removesUnsubscribes: flagParam(item, 'options.removeUnsubscribes', 'Delete Unsubscribes Too'),
		deletesSenders: flagParam(item, 'options.deleteSenders', 'Delete Senders'),
		hidesAddress: flagParam(item, 'options.hideAddress', 'Hide Address in Receipt'),
		// Only repeated in the receipt: without it, the person is erased all the same.
		reference: textOrEmpty(item.param('options.reference', ''), 'Request Reference'),
		tombstoneKey: tombstoneKeyOf(item),
	};
	if (!options.hidesAddress || options.tombstoneKey !== '') return options;
	throw valueRequired(
		'Tombstone Key',
		'Enter a key, or turn off "Hide Address in Receipt", which replaces the address with a tombstone.',
	);
}

/** An incomplete erasure is a failure, so that nobody confirms it to the person yet. */
function failureOf(
	{ email, contactId }: Person,
	{ hidesAddress }: Options,
	{ json, left }: Receipt,
): ServiceError {
	const byEmail = hidesAddress ? 'the email of this person' : `the email ${email}`;
	const again = contactId === undefined ? 'the same item' : byEmail;
	return new ServiceError({
		code: 'erasure-incomplete',
		message: `The erasure is incomplete: ${left.length === 1 ? 'one step is left' : `${left.length} steps are left`}`,
		description: `Left: ${truncateList(left)}. Run the node again with ${again}: it continues with what is left.`,
		effect: 'unknown',
		report: { receipt: json },
	});
}

/**
 * The first error ends the run, and with it the output of all items: it has their receipts, and those of earlier tries.
 *
 * @param receipts by `itemKey`
 */
function withReceipts(error: unknown, receipts: ReadonlyMap<string, IDataObject>): unknown {
	if (!isNodeError(error)) return error;
	const report = error.context.report as IDataObject | undefined;
	const own = report?.receipt && itemKey({ index: Number(error.context.itemIndex) });
	const others = [...receipts].flatMap(([key, json]) => (key === own ? [] : [json]));
	if (others.length > 0) error.context.report = { ...report, receiptsOfOthers: others };
	return error;
}

function afterwardsOf(
	{ person }: Erasure,
	isDryRun: boolean,
	after: Snapshot | string,
): Afterwards {
	if (isDryRun) return { dryRun: true };
	return typeof after === 'string' ? { unread: after } : { records: after.get(person.key) ?? [] };
}

/**
 * Person: Erase. Reads all lists, keeps the address of each person off them, deletes the records, and reads all lists
 * again. Nothing is written in a dry run.
 */
export async function erasePeople(run: RunContext): Promise<INodeExecutionData[]> {
	const optionsFor = (item: Item) => run.memoize(`erasure ${item.index}`, () => optionsOf(item));
	// Those of earlier tries and of other accounts as well.
	const all = run.ledger.notesOf<IDataObject>('receipts');
	const startedAt = new Date().toISOString();
	const eraseAll: PeopleWork = async (reading, people, client) => {
		const before = await reading;
		const isDryRun = ({ item }: Person) => optionsFor(item).isDryRun;
		const plans = people.map((person) => ({
			person,
			plan: planErasure(person, before.get(person.key) ?? [], optionsFor(person.item)),
		}));
		const kept = new Set(
			plans.flatMap(({ person, plan }) => (plan.removesUnsubscribes ? [] : [person.key])),
		);
		/** Without a dry run, it is known once the other records have been deleted. */
		const keptOffOf = ({ person, plan }: Pick<Erasure, 'person' | 'plan'>): string | undefined => {
			if (!isDryRun(person) || !plan.removesUnsubscribes) return undefined;
			if (kept.has(person.key)) return KEPT_BY_OTHER;
			return keepsRecords(plan) ? OTHERS_LEFT : undefined;
		};
		const erasures = new Map(
			plans.map((one): [Person, Erasure] => [
				one.person,
				{ ...one, keptOff: keptOffOf(one), failures: new Map() },
			]),
		);
		const toWrite = [...erasures.values()].filter(({ person }) => !isDryRun(person));
		await writeErasures(run, toWrite);
		const after = toWrite.length === 0 ? before : await readPlacesAgain(client, keysOf(people));
		const times = { startedAt, finishedAt: new Date().toISOString() };
		const receipts = new Map(
			[...erasures].map(([person, erasure]): [Person, Receipt] => {
				const afterwards = afterwardsOf(erasure, isDryRun(person), after);
				const earlier = all.get(itemKey(person.item));
				return [person, receiptOf(erasure, afterwards, optionsFor(person.item), times, earlier)];
			}),
		);
		for (const [person, { json }] of receipts) {
			if (!isDryRun(person)) all.set(itemKey(person.item), json);
		}
		return (person) => {
			const receipt = receipts.get(person) as Receipt;
			const items = [{ json: receipt.json }];
			if (!isDryRun(person) && receipt.left.length > 0)
				throw failureOf(person, optionsFor(person.item), receipt);
			run.ledger.record([itemKey(person.item)], { kind: 'items', items });
			return items;
		};
	};
	const work: PeopleWork = async (...given) =>
		await eraseAll(...given).catch((error: unknown) => {
			if (!(error instanceof ServiceError)) throw error;
			return ({ item }) => {
				const receipt = all.get(itemKey(item));
				const { failure } = error;
				throw receipt
					? new ServiceError({ ...failure, report: { ...failure.report, receipt } })
					: error;
			};
		});
	const items = await forEachPerson(run, work, optionsFor).catch((error: unknown) => {
		throw withReceipts(error, all);
	});
	const planned = items.filter(({ json }) => json.dryRun === true);
	const count = planned.reduce((sum, { json }) => sum + Number(json.wouldDelete), 0);
	if (planned.length > 0) {
		const which =
			planned.length === items.length
				? 'Dry run: nothing was written.'
				: `Dry run for ${planned.length} of ${items.length} items: nothing was written for these.`;
		const how = count > 0 ? ' To delete them, turn off "Dry Run".' : '';
		run.showHint(`${which} Records to delete: ${count}.${how}`);
	}
	warnOfNotFound(run, items);
	return items;
}
