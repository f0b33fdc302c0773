import type { INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../../service/client';
import { endpoints } from '../../service/endpoints';
import { readRecord } from '../../service/envelope';
import { knownAddress, storedAddress } from '../../util/addressesIn';
import { coerceText } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { settleAll } from '../../util/promises';
import { quote } from '../../util/text';
import { InvalidInput } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { isEmailKey, recordId, toAddress } from '../../params/validators';
import { records } from '../../records/records';
import { itemKey } from '../../run/writer/ledger';
import { failedWith, notSent, runOutcomeOf } from '../../run/writer/outcome';
import type { Outcome } from '../../run/writer/outcome';
import { outputOf } from '../../run/output/runOutput';
import { readParameters } from '../../run/parse';
import type { RunContext } from '../../run/runContext';
import type { Found } from './places';
import { readPlaces } from './readPlaces';
import type { Snapshot } from './readPlaces';

/** Who an item is about. */
export interface Person {
	item: Item;
	email: string;
	/** See `addressKey`. */
	key: string;
	/** If the item names a contact. */
	contactId?: number;
}

const chosen = { person: recordId('person', { label: 'Person', source: records.contact }) };

/** @throws ServiceError if there is no such contact */
async function emailOf(client: Client, id: string): Promise<string> {
	const { get } = endpoints.contact;
	const contact = await client.read(
		{ endpoint: get, query: { contact_id: id } },
		(response, info) => readRecord(response, get.key, info),
	);
	const email = storedAddress(coerceText(contact.email));
	if (email !== undefined) return email;
	throw new InvalidInput(
		'address-invalid',
		`The contact ${id} has no valid email: ${quote(contact.email)}`,
		'Enter the address of the person instead.',
	);
}

async function readPerson(run: RunContext, client: Client, item: Item): Promise<Person> {
	const person = coerceText(readParameters(item, chosen).person);
	if (isEmailKey(person)) return { item, email: person, key: addressKey(person) };
	// An earlier try of the node may have deleted the contact.
	const lookups = run.ledger.lookupsOf(item.index);
	const [email = await emailOf(client, person)] = lookups.get(person) ?? [];
	lookups.set(person, [email]);
	return { item, email, key: addressKey(email), contactId: Number(person) };
}

/**
 * An address with rare characters may be more than an address, unless a record has the same one, or had it when an earlier
 * try of the node began.
 *
 * @throws InvalidInput
 */
function checkAddress(run: RunContext, { item, email, key, contactId }: Person, found: Found[]) {
	const lookups = run.ledger.lookupsOf(item.index);
	if (contactId !== undefined || lookups.has(email)) return;
	const isStored = found.some(({ record, field }) => addressKey(coerceText(record[field])) === key);
	if (!isStored) toAddress(email, 'Person', knownAddress);
	lookups.set(email, [email]);
}

export const keysOf = (people: readonly Person[]): Set<string> =>
	new Set(people.map(({ key }) => key));

const isPerson = (one: Person | Outcome): one is Person => 'key' in one;

/**
 * @param reading the records of all people
 * @returns what is returned for each person
 */
export type PeopleWork = (
	reading: Promise<Snapshot>,
	people: readonly Person[],
	client: Client,
) => Promise<(person: Person) => INodeExecutionData[] | Promise<INodeExecutionData[]>>;

/**
 * Does something for the people that the items name. If a run stops at failures, nothing is done for anybody as long as
 * one item names nobody.
 *
 * @param check of the other parameters of an item
 * @throws NodeError for the first item that failed, unless the node is set to continue
 */
export async function forEachPerson(
	run: RunContext,
	work: PeopleWork,
	check: (item: Item) => unknown = () => undefined,
): Promise<INodeExecutionData[]> {
	const client = run.pooled(run.client);
	const begin = async (item: Item): Promise<Person | Outcome> => {
		const prior = run.ledger.priorOutcome(itemKey(item));
		if (prior !== undefined) return prior;
		check(item);
		return await readPerson(run, client, item);
	};
	const named = await settleAll(run.items.map(async (item) => await begin(item).catch(failedWith)));
	const isStopped = (all: ReadonlyArray<Person | Outcome>): boolean =>
		!all.some(isPerson) ||
		(!run.continueOnFail && all.some((one) => !isPerson(one) && one.kind === 'failed'));
	const checked = (one: Person | Outcome, snapshot: Snapshot): Person | Outcome => {
		if (!isPerson(one)) return one;
		try {
			checkAddress(run, one, snapshot.get(one.key) ?? []);
			return one;
		} catch (error) {
			return failedWith(error);
		}
	};
	const reading = isStopped(named) ? undefined : readPlaces(client, keysOf(named.filter(isPerson)));
	// What cannot be read is a failure of the work.
	const snapshot = await reading?.catch(() => undefined);
	const begun = snapshot ? named.map((one) => checked(one, snapshot)) : named;
	const answer =
		reading === undefined || isStopped(begun)
			? notSent
			: await work(reading, begun.filter(isPerson), client).catch(failedWith);
	const outcomes = await settleAll(
		begun.map(async (one): Promise<Outcome> => {
			if (!isPerson(one)) return one;
			if (typeof answer !== 'function') return answer;
			const items = (async () => await answer(one))();
			return await items.then((all): Outcome => ({ kind: 'items', items: all }), failedWith);
		}),
	);
	run.pool.check();
	return outputOf(run, runOutcomeOf(outcomes));
}
