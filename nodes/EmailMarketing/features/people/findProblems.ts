import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { choiceOf } from '../../params/givenOption';
import { valueRequired } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { listOf } from '../../params/values';
import { isDeleted } from '../../records/recordKind';
import { groupName } from '../../records/unsubscribes';
import { returnsNotFound } from '../../run/output/listOutput';
import type { RunContext } from '../../run/runContext';
import { requireSameOptions } from '../../run/sameForAll';
import { readingsOf } from '../../util/addressesIn';
import { coerceText } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { respectedListsOf } from '../consent/suppressions';
import { contactFilter, requireSameFilters } from '../contacts/contactList';
import { foundIn, places } from './places';
import type { Found, PlaceName, Source } from './places';
import { problemNames, problemsIn } from './problems';
import { readLists, RecordOwners } from './readPlaces';

/** @throws InvalidInput if none is chosen */
function problemsOf(item: Item): string[] {
	const label = 'Problems';
	const problems = listOf(item.param('problems', []), label);
	if (problems.length > 0) return problems.map((one) => choiceOf(one, label, problemNames));
	throw valueRequired(label, 'Choose a problem.');
}

function unsubscribedOf(found: readonly Found[], groups: readonly string[]): Map<string, string> {
	const unsubscribed = new Map<string, string>();
	for (const { place, list, listId = '', record } of found) {
		const isOfGroup = place === 'unsubscribeGroupRecipient' && groups.includes(listId);
		if (!isOfGroup && place !== 'globalUnsubscribe') continue;
		const name = isOfGroup ? groupName(listId) : list;
		for (const address of readingsOf(coerceText(record.email_address))) {
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
	const groups = respectedListsOf(run, item).unsubscribeGroupIds.map(String);
	const fits = await contactFilter(run, item);
	const owners = new RecordOwners();
	const pick = (source: Source, record: IDataObject): Found[] => {
		owners.note(source, record);
		const isWanted = !isDeleted(record) && (source.place !== 'contact' || fits(record));
		const [field = ''] = places[source.place].addresses;
		return isWanted ? [foundIn(source, record, field)] : [];
	};
	const names: PlaceName[] = problems.includes('unsubscribedInSegment')
		? ['contact', 'segmentRecipient', 'unsubscribeGroupRecipient', 'globalUnsubscribe']
		: ['contact'];
	const found = await readLists(run.pooled(run.client), names, pick, async (place, read) =>
		place === 'segmentRecipient' ? await read() : groups.map((id) => ({ id })),
	);
	owners.mark(found);
	const contacts = found.filter(({ place }) => place === 'contact');
	const results = problemsIn(
		{
			contacts,
			segmentRecipients: found.filter(({ place }) => place === 'segmentRecipient'),
			unsubscribed: unsubscribedOf(found, groups),
		},
		problems,
	);
	if (results.length === 0) {
		run.showHint(`No problems found. Contacts checked: ${contacts.length}.`);
		if (returnsNotFound(item)) results.push({ found: false });
	}
	return results.map((json) => ({ json, pairedItem: { item: run.firstIndex } }));
}
