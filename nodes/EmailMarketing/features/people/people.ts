import type { INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../../service/client';
import { endpoints } from '../../service/endpoints';
import { readRecordOf } from '../../service/envelope';
import { clearAddress } from '../../util/addressesIn';
import { coerceText } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { settleAll } from '../../util/settleAll';
import { quote } from '../../util/text';
import { InvalidInput } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { isEmailKey, recordId } from '../../params/validators';
import { records } from '../../records/records';
import { notSent } from '../../run/writer/outcome';
import type { Outcome } from '../../run/writer/outcome';
import { outputOf } from '../../run/output/runOutput';
import { pooledClient, readParameters } from '../../run/prepare';
import type { RunContext } from '../../run/runContext';

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
	const contact = await client.send(
		{ endpoint: get, query: { contact_id: id } },
		(response, info) => readRecordOf(response, get.key, info, id),
	);
	const email = clearAddress(coerceText(contact.email));
	if (email !== undefined) return email;
	throw new InvalidInput(
		'address-invalid',
		`The contact ${id} has no valid email: ${quote(contact.email)}`,
		'Enter the address of the person instead.',
	);
}

async function readPerson(client: Client, item: Item): Promise<Person> {
	const person = coerceText(readParameters(item, chosen).person);
	if (isEmailKey(person)) return { item, email: person, key: addressKey(person) };
	const email = await emailOf(client, person);
	return { item, email, key: addressKey(email), contactId: Number(person) };
}

const failed = (error: unknown): Outcome => ({ kind: 'failed', error, effect: 'none' });

/**
 * Does something for the people that the items name. Nothing is done for anybody while an item of a run that stops at
 * failures names nobody.
 *
 * @param work what is returned for each person
 * @throws NodeError for the first item that failed, unless the node is set to continue
 */
export async function forEachPerson(
	run: RunContext,
	work: (
		people: readonly Person[],
		client: Client,
	) => Promise<(person: Person) => INodeExecutionData[] | Promise<INodeExecutionData[]>>,
): Promise<INodeExecutionData[]> {
	const client = pooledClient(run, run.client);
	const people = await settleAll(
		run.items.map(async (item) => await readPerson(client, item).catch(failed)),
	);
	const known = people.filter((one): one is Person => 'key' in one);
	const isRefused = !run.continueOnFail && known.length < people.length;
	const answer =
		isRefused || known.length === 0 ? undefined : await work(known, client).catch(failed);
	const outcomes = await settleAll(
		people.map(async (one): Promise<Outcome> => {
			if (!('key' in one)) return one;
			if (typeof answer !== 'function') return answer ?? notSent;
			return { kind: 'items', items: await answer(one) };
		}),
	);
	run.pool.check();
	const done = outcomes.filter(({ kind }) => kind === 'items').length;
	return outputOf(run, { outcomes, unit: 'items', done, total: outcomes.length });
}
