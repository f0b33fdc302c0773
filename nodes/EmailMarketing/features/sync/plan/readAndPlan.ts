import { coerceText } from '../../../util/coerce';
import { spellingKey } from '../../../util/email';
import type { Pool } from '../../../util/pool';
import { settleAll } from '../../../util/settleAll';
import type { SuppressedAddress } from '../../consent/types';
import type { SyncReads } from '../../contacts/syncReads';
import { createCountryLookup, type CountryLookup } from '../../locations/country';
import type { ContactInput } from '../../contacts/fields';
import { planContacts } from './plan';
import { readSuppressions, type SuppressionReader } from '../../consent/suppressions';
import type { SyncOptions } from '../syncOptions';
import type { SyncContext } from '../syncContext';
import type { ListedContact } from '../../contacts/types';
import type { MissingPolicy, Plan, PlanInput } from '../types';

/** Reads the country ids of contacts from their details (22). A contact that is gone has none. */
async function readCountryIds(
	api: SyncReads,
	pool: Pool,
	ids: readonly number[],
): Promise<Map<number, string>> {
	const countryIds = new Map<number, string>();
	await pool.each(ids, async (id) => {
		countryIds.set(id, await api.contactCountry(id));
	});
	return countryIds;
}

/** The ids that the details show for names of countries which are not in the lookup. */
function learnNames(
	contacts: readonly ListedContact[],
	countryIds: ReadonlyMap<number, string>,
	countries: CountryLookup,
): Map<string, string> {
	const learned = new Map<string, string>();
	for (const { id, country } of contacts) {
		const countryId = countryIds.get(id);
		const name = coerceText(country).trim();
		if (name === '' || !countryId || !/^\d+$/.test(countryId)) continue;
		const found = countries.find(name);
		if ('problem' in found && found.code !== 'country-ambiguous') learned.set(name, countryId);
	}
	return learned;
}

/** A group may be respected and be the one that missing contacts are added to. */
export function readingGroupsOnce(api: SyncReads): SuppressionReader {
	const groups = new Map<number, Promise<SuppressedAddress[]>>();
	return {
		listGlobalUnsubscribes: async () => await api.listGlobalUnsubscribes(),
		listGroupRecipients: async (id) => {
			const known = groups.get(id) ?? api.listGroupRecipients(id);
			groups.set(id, known);
			return await known;
		},
	};
}

/** @returns keys of their spellings: a redundant addition to a group does no harm */
export async function readGroupMembers(
	reader: SuppressionReader,
	missing: MissingPolicy,
): Promise<Set<string>> {
	if (missing.kind !== 'addToUnsubscribeGroup') return new Set();
	const entries = await reader.listGroupRecipients(missing.unsubscribeGroupId);
	return new Set(entries.map(({ email_address: address }) => spellingKey(address)));
}

/** Reads each list once, and the details of a contact only where the list is not enough, and plans. */
export async function readAndPlan(
	items: readonly ContactInput[],
	api: SyncReads,
	options: SyncOptions,
	pool: Pool,
	{ memory, execution, approved }: Partial<SyncContext> & Pick<PlanInput, 'approved'> = {},
): Promise<Plan> {
	const reader = readingGroupsOnce(api);
	const reads = [
		api.listContacts(),
		readSuppressions(reader, options),
		api.lookup(),
		readGroupMembers(reader, options.missing),
	] as const;
	const [contacts, suppressions, lookup, groupMembers] = await settleAll(reads);
	const countries = createCountryLookup(lookup);
	memory?.forgetRemoved(contacts);
	const input: PlanInput = {
		...{ items, contacts, suppressions, groupMembers, countries, options },
		...{ state: memory?.state, execution, approved },
	};
	const plan = planContacts(input);
	if (plan.detailsNeeded.length === 0) return plan;
	const countryIds = await readCountryIds(api, pool, plan.detailsNeeded);
	const learned = learnNames(contacts, countryIds, countries);
	return planContacts({
		...input,
		countries: createCountryLookup(lookup, learned),
		countryIds,
	});
}
