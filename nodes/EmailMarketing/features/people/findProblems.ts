import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { choiceOf } from '../../params/givenOption';
import { valueRequired } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { listOf } from '../../params/values';
import type { Client } from '../../service/client';
import { ServiceError } from '../../service/failure';
import { isDeleted } from '../../records/recordKind';
import { groupName } from '../../records/unsubscribes';
import { returnsNotFound } from '../../run/output/listOutput';
import type { RunContext } from '../../run/runContext';
import { requireSameOptions } from '../../run/sameForAll';
import { addressesOf } from '../../util/addressesIn';
import { addressKey } from '../../util/email';
import { suppressedBy } from '../consent/entries';
import { readGroupsOf, respectedListsOf } from '../consent/suppressions';
import type { SuppressedAddress } from '../consent/types';
import { contactFilter, requireSameFilters } from '../contacts/contactList';
import { foundIn, places } from './places';
import type { Found, PlaceName, Source } from './places';
import { problemNames, problemsIn } from './problems';
import { readLists } from './readPlaces';

/** @throws InvalidInput if none is chosen */
function problemsOf(item: Item): string[] {
	const label = 'Problems';
	const problems = listOf(item.param('problems', []), label);
	if (problems.length > 0) return problems.map((one) => choiceOf(one, label, problemNames));
	throw valueRequired(label, 'Choose a problem.');
}

const groupRecipients = 'unsubscribeGroupRecipient';

/** The list of a group; empty if the group does not exist. */
const readGroup = async (client: Client, id: number): Promise<SuppressedAddress[]> =>
	await readLists(
		client,
		[groupRecipients],
		(_source, record) => [suppressedBy(record)],
		async () => [{ id }],
	).catch((error: unknown) => {
		if (error instanceof ServiceError && error.failure.isNotFound) return [];
		throw error;
	});

/** An entry of the global list with a group counts as it does for the gate of consent. */
async function readUnsubscribed(
	client: Client,
	found: readonly Found[],
	groups: readonly number[],
): Promise<Map<string, string>> {
	const entries = found
		.filter(({ place }) => place === groupRecipients || place === 'globalUnsubscribe')
		.map(({ listId: group, record }) => ({ ...suppressedBy(record), group }));
	const isOfOtherGroup = await readGroupsOf(
		entries,
		groups,
		async (id) => await readGroup(client, id),
	);
	const unsubscribed = new Map<string, string>();
	for (const entry of entries) {
		if (isOfOtherGroup(entry)) continue;
		const { email_address: text, group } = entry;
		const isOfGroup = group !== undefined && groups.includes(Number(group));
		const name = isOfGroup ? groupName(group) : places.globalUnsubscribe.title;
		for (const address of addressesOf(text)) {
			if (address !== '') unsubscribed.set(addressKey(address), name);
		}
	}
	return unsubscribed;
}

/** Contact: Find Problems. Once for the whole run, however many input items there are. */
export async function findProblems(run: RunContext): Promise<INodeExecutionData[]> {
	const item = run.items[0] as Item;
	requireSameFilters(run);
	requireSameOptions(run, { problems: 'Problems' });
	const problems = problemsOf(item);
	const groups = respectedListsOf(run, item).unsubscribeGroupIds;
	const fits = await contactFilter(run, item);
	const pick = (source: Source, record: IDataObject): Found[] => {
		const [field = ''] = places[source.place].addresses;
		return isDeleted(record) ? [] : [foundIn(source, record, field)];
	};
	const names: PlaceName[] = problems.includes('unsubscribedInSegment')
		? ['contact', 'segmentRecipient', groupRecipients, 'globalUnsubscribe']
		: ['contact'];
	const client = run.pooled(run.client);
	const found = await readLists(client, names, pick, async (place, read) =>
		place === 'segmentRecipient' ? await read() : groups.map((id) => ({ id })),
	);
	const contacts = found.filter(({ place }) => place === 'contact');
	const isChosen = ({ record }: Found) => fits(record);
	const results = problemsIn(
		{
			contacts,
			isChosen,
			segmentRecipients: found.filter(({ place }) => place === 'segmentRecipient'),
			unsubscribed: await readUnsubscribed(client, found, groups),
		},
		problems,
	);
	if (results.length === 0) {
		run.showHint(`No problems found. Contacts checked: ${contacts.filter(isChosen).length}.`);
		if (returnsNotFound(item)) results.push({ found: false });
	}
	return results.map((json) => ({ json, pairedItem: { item: run.firstIndex } }));
}
