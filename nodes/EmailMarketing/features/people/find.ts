import type { IDataObject, INodeExecutionData, IPairedItemData } from 'n8n-workflow';

import { choice } from '../../params/validators';
import { readParameters } from '../../run/parse';
import type { RunContext } from '../../run/runContext';
import { coerceText } from '../../util/coerce';
import { addressesOf } from '../../util/addressesIn';
import { addressKey, isAddress } from '../../util/email';
import { truncateList } from '../../util/text';
import { forEachPerson } from './people';
import type { Person } from './people';
import { placeNames, places, referenceTo } from './places';
import type { Found } from './places';

/** A record in the output. */
function entryOf(found: Found): IDataObject {
	const { field, isDeleted, record } = found;
	return {
		...referenceTo(found),
		field,
		email: coerceText(record[field]),
		createdAt: coerceText(record.created_at),
		isDeleted,
	};
}

/** Who a person is, and how many records of each kind exist. Records marked as deleted are counted separately. */
export function summaryOf({ email, contactId }: Person, found: readonly Found[]): IDataObject {
	const present = found.filter(({ isDeleted }) => !isDeleted);
	const counts = placeNames.map((name) => [
		places[name].count,
		present.filter(({ place }) => place === name).length,
	]);
	return {
		email,
		...(contactId !== undefined && { contactId }),
		found: found.length > 0,
		isUnsubscribed: present.some(({ isGlobal }) => isGlobal),
		...(Object.fromEntries(counts) as IDataObject),
		deletedRecords: found.length - present.length,
	};
}

/** Other addresses that the person's contacts have. */
export function otherAddresses({ key }: Person, found: readonly Found[]): string[] {
	const addresses = found
		.filter(({ place, field }) => place === 'contact' && field === 'email')
		.flatMap(({ record }) => addressesOf(coerceText(record.alt_email)))
		.filter((address) => isAddress(address) && addressKey(address) !== key);
	return [...new Set(addresses)];
}

/** Warns of people who are in no list, such as those whose email has a typing error. */
export function warnOfNotFound(run: RunContext, items: readonly INodeExecutionData[]): void {
	const absent = items.flatMap(({ json, pairedItem }) => {
		if (json.found !== false && json.found !== 0) return [];
		return coerceText(json.email) || `item ${coerceText((pairedItem as IPairedItemData).item)}`;
	});
	if (absent.length === 0) return;
	run.showHint(`Nothing was found for ${truncateList(absent)}. Check the spelling.`, 'warning');
}

const nextStep =
	'For a copy of this data, use "Person: Export". To delete it, use "Person: Erase".';

const perRecord = { results: choice('results', ['people', 'records']) };

/** Person: Find. */
export async function findPeople(run: RunContext): Promise<INodeExecutionData[]> {
	const items = await forEachPerson(run, async (reading) => {
		const snapshot = await reading;
		return (person) => {
			const found = snapshot.get(person.key) ?? [];
			const { results } = readParameters(person.item, perRecord);
			if (found.length > 0) run.suggest(nextStep);
			const summary = summaryOf(person, found);
			if (results === 'records' && found.length > 0) {
				const { email } = person;
				return found.map((one) => ({
					json: { person: email, ...entryOf(one), record: one.record },
				}));
			}
			const entries = found.map(entryOf);
			return [{ json: { ...summary, otherAddresses: otherAddresses(person, found), entries } }];
		};
	});
	warnOfNotFound(run, items);
	return items;
}
