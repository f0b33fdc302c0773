import { ServiceError, serviceErrorOf } from '../../../service/failure';
import { nameFinder } from '../../../records/customFields';
import { spellingKey } from '../../../util/email';
import { settleAll } from '../../../util/promises';
import type { SuppressedAddress } from '../../consent/types';
import type { SyncReads } from '../../contacts/syncReads';
import { CountryLookup } from '../../locations/country';
import type { ContactInput } from '../../contacts/fields';
import { planContacts } from './plan';
import type { SuppressionReader } from '../../consent/entries';
import { readSuppressions } from '../../consent/suppressions';
import type { MissingPolicy, Plan, PlanInput, SyncOptions } from '../types';
import type { SyncContext } from '../syncContext';

/** A group may be respected and also be the target for missing contacts; it is read only once. */
function readingGroupsOnce(api: SyncReads): SuppressionReader {
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

/** Spelling keys of a group's entries, except deleted ones: adding an address again is safer than leaving it out. */
export const membersIn = (entries: readonly SuppressedAddress[]): Set<string> =>
	new Set(entries.filter((one) => !one.isDeleted).map((one) => spellingKey(one.email_address)));

async function readGroupMembers(
	reader: SuppressionReader,
	missing: MissingPolicy,
): Promise<Set<string>> {
	if (missing.kind !== 'addToUnsubscribeGroup') return new Set();
	return membersIn(await reader.listGroupRecipients(missing.unsubscribeGroupId));
}

/** Read only if custom fields are to be imported. Without the list, the trial import decides. */
async function readCustomFields(
	items: readonly ContactInput[],
	api: SyncReads,
	{ csvImport }: SyncOptions,
): Promise<PlanInput['findCustomField']> {
	const isImported = csvImport?.customFields && items.some((item) => item.customFields?.length);
	if (!isImported || !api.listCustomFields) return undefined;
	const names = await api.listCustomFields().catch(serviceErrorOf);
	return names instanceof ServiceError ? undefined : nameFinder(names);
}

/** Reads each list once, then plans. */
export async function readAndPlan(
	items: readonly ContactInput[],
	api: SyncReads,
	options: SyncOptions,
	{ memory, execution, approved }: Omit<SyncContext, 'note'> & Pick<PlanInput, 'approved'>,
): Promise<Plan> {
	const reader = readingGroupsOnce(api);
	const reads = [
		api.listContacts(),
		readSuppressions(reader, options),
		api.locations(),
		readGroupMembers(reader, options.missing),
		readCustomFields(items, api, options),
	] as const;
	const [contacts, suppressions, locations, groupMembers, findCustomField] = await settleAll(reads);
	memory?.forgetRemoved(contacts);
	return planContacts({
		...{ items, contacts, suppressions, groupMembers, findCustomField, options },
		countries: new CountryLookup(locations),
		...{ state: memory?.state, execution, approved },
	});
}
