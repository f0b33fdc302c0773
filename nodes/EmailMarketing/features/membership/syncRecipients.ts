import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { optionalText } from '../../params/givenOption';
import { InvalidInput } from '../../params/invalidInput';
import { isBlank, isOn } from '../../params/values';
import { isGlobal } from '../../records/unsubscribes';
import type { RunContext } from '../../run/runContext';
import { requestOf } from '../../run/writer/write';
import { endpoints } from '../../service/endpoints';
import { fetchList } from '../../service/lists';
import { consentOf } from '../consent/guard';
import { onlyNeverAdd, respectedListsOfRun, type RespectedLists } from '../consent/suppressions';
import { nameForThoseWithout } from '../contacts/changes';
import { FIELD_LABELS, falseOrZeroAsEmpty, type ContactInput } from '../contacts/fields';
import { readInputItems } from '../contacts/inputItems';
import { idForAll, requireSameOptions, sameForAll } from '../../run/sameForAll';
import { syncReads, toContacts, type SyncReads } from '../contacts/syncReads';
import type { ListedContact } from '../contacts/types';
import { limitsOf } from '../sync/limitOptions';
import { memoryOptionsOf } from '../sync/memory/memoryOptions';
import { approvedOnly, savedRows, writeSavedPlan } from '../sync/savedPlan/applyPlanOperation';
import { isDryRun, missingChoice, syncItems } from '../sync/syncOperations';
import type { MissingPolicy, RecipientList, SyncOptions } from '../sync/types';
import { allSpellingsToSend, isAddressAlone } from '../../util/addressesIn';
import { coerceText } from '../../util/coerce';
import { spellingKey } from '../../util/email';

/** Entries of these lists have no contact type. */
const NO_TYPE = 0;

interface Target extends RecipientList {
	/** The key of the whole name in an item that this list returned. */
	nameKey?: string;
	/** The suppression lists that additions respect. */
	respects: (run: RunContext) => RespectedLists;
	read: () => Promise<IDataObject[]>;
}

const addressList = (entries: ReadonlyArray<{ email: string }>) =>
	allSpellingsToSend(entries.map(({ email }) => email)).join(',');

const nobody = (): RespectedLists => ({ globalUnsubscribes: false, unsubscribeGroupIds: [] });

/**
 * What all lists of unsubscribes have in common. The service may match only plain addresses, so an entry in another
 * spelling does not count.
 */
const unsubscribes = {
	...{ suppresses: true, fields: [], keyOf: spellingKey, respects: nobody },
	...{ takesMany: true, removesMany: true },
};

/** (27, 28, 29) */
function segmentOf(run: RunContext): Target {
	const { client } = run;
	const { addRecipient, deleteRecipient, getRecipients } = endpoints.segment;
	const segmentId = idForAll(run, 'segmentId', 'Segment');
	const segment_id = String(segmentId);
	const fallback = (field: 'first_name' | 'last_name', option: string) => {
		const label = nameForThoseWithout(FIELD_LABELS[field]);
		const [item] = run.items;
		return item && optionalText(item, `options.${option}`, label, 'fail items without one');
	};
	const fallbacks = {
		first_name: fallback('first_name', 'defaultFirstName'),
		last_name: fallback('last_name', 'defaultLastName'),
	};
	return {
		fallbacks,
		...{ key: `segment ${segmentId}`, ids: { segmentId }, suppresses: false },
		...{ fields: ['first_name', 'last_name'], takesMany: false, removesMany: false },
		respects: respectedListsOfRun,
		read: async () => await fetchList(client, getRecipients, { segment_id }),
		add: (entries) => {
			const [{ email, first_name = '', last_name = '' } = {} as (typeof entries)[number]] = entries;
			return requestOf(client, {
				endpoint: addRecipient,
				body: { segment_id, email, first_name, last_name },
				clearance: consentOf(email),
			});
		},
		remove: ([id]) =>
			requestOf(client, { endpoint: deleteRecipient, query: { segment_recipient_id: String(id) } }),
	};
}

/** (9, 10, 12) */
function groupOf(run: RunContext): Target {
	const { client } = run;
	const { addRecipient, deleteManyRecipients, getRecipients } = endpoints.unsubscribeGroup;
	const unsubscribeGroupId = idForAll(run, 'unsubscribeGroupId', 'Unsubscribe Group');
	const groupId = String(unsubscribeGroupId);
	return {
		...{ key: `unsubscribe group ${groupId}`, ids: { unsubscribeGroupId } },
		...unsubscribes,
		read: async () => await fetchList(client, getRecipients, { groupId }),
		add: (entries) =>
			requestOf(client, {
				endpoint: addRecipient,
				body: { unsubscribe_groups_id: groupId, email_address: addressList(entries) },
			}),
		remove: (ids) =>
			requestOf(client, { endpoint: deleteManyRecipients, body: { strIds: ids.map(String) } }),
	};
}

/** (1, 2, 4) */
function globalListOf(run: RunContext): Target {
	const { client } = run;
	const { add, deleteMany, getAll } = endpoints.globalUnsubscribe;
	return {
		...{ key: 'global unsubscribes', ids: { list: 'globalUnsubscribes' } },
		...unsubscribes,
		read: async () => (await fetchList(client, getAll)).filter(isGlobal),
		add: (entries) =>
			requestOf(client, { endpoint: add, body: { email_address: addressList(entries) } }),
		remove: (ids) => requestOf(client, { endpoint: deleteMany, body: { strIds: ids.map(String) } }),
	};
}

/** (50a, 50b, 50d) */
function notificationListOf(run: RunContext): Target {
	const { client } = run;
	const { create, deleteMany, getAll } = endpoints.notificationRecipient;
	/** By the owner, who is one text in the list: the parts that this run sent it in. */
	const names = new Map<unknown, { first_name?: string; last_name?: string }>();
	return {
		...{ key: 'notification recipients', ids: { list: 'notificationRecipients' } },
		...{ suppresses: false, respects: onlyNeverAdd },
		...{ fields: ['first_name', 'last_name'], needsOne: true, takesMany: false, removesMany: true },
		nameKey: 'email_owner',
		read: async () =>
			(await fetchList(client, getAll)).map((recipient) => ({
				...recipient,
				...names.get(recipient.email_owner),
			})),
		add: (entries) => {
			const [{ email, first_name, last_name } = {} as (typeof entries)[number]] = entries;
			const email_owner = [first_name, last_name].filter((name) => name).join(' ');
			names.set(email_owner, { first_name, last_name });
			return requestOf(client, {
				endpoint: create,
				body: { email_address: email, email_owner },
				clearance: consentOf(email),
			});
		},
		remove: (ids) => requestOf(client, { endpoint: deleteMany, body: { strIds: ids.map(String) } }),
	};
}

const ALLOW = 'Allow Email to Removed People Again';

/** @throws InvalidInput if removals would allow email again without permission */
function checkRemovals(run: RunContext, { suppresses }: Target, instead: string): void {
	if (!suppresses) return;
	if (isOn(sameForAll(run, 'allowsEmailAgain', ALLOW, false), ALLOW)) return;
	throw new InvalidInput(
		'removal-not-allowed',
		`Removing people from this list may let email reach them again, and "${ALLOW}" is off`,
		`If that is intended, turn on "${ALLOW}"; otherwise, ${instead}.`,
	);
}

/** @throws InvalidInput if the input is never whole, or if removals would allow email again without permission */
function missingPolicy(run: RunContext, target: Target): MissingPolicy {
	const kind = missingChoice(run, ['ignore', 'delete']);
	if (kind === 'delete') checkRemovals(run, target, 'choose "Ignore" for "Missing From Input"');
	return { kind };
}

function optionsOf(run: RunContext, target: Target): SyncOptions {
	requireSameOptions(run);
	const options = run.param('options', {}) as IDataObject;
	const missing = missingPolicy(run, target);
	const { suppresses } = target;
	return {
		...{ contactTypeId: NO_TYPE, matchBy: 'email', emptyValues: 'ignore' },
		...{ missing, list: target, dryRun: isDryRun(run) },
		...memoryOptionsOf(run, options, missing),
		// Unsubscribes made in the service stay. Those in the input are added even if the service once removed them.
		...(suppresses && { onlyAddedBySync: missing.kind !== 'ignore', recreateRemoved: true }),
		// An unsubscribe must not get lost because other items fail.
		...(suppresses && missing.kind === 'ignore' && { maxFailurePercent: 100 }),
		...limitsOf(options),
		...target.respects(run),
	};
}

/**
 * An item without the values that such an entry does not have; a whole name counts as the last one. The ID of a contact
 * is none of an entry, even if an entry has the same one.
 */
function entryInput(
	input: ContactInput,
	{ fields, nameKey }: Target,
	json: IDataObject,
): ContactInput {
	const wanted = ['email', ...fields] as const;
	const values = Object.fromEntries(wanted.map((name) => [name, input.values[name]]));
	const isNamed = fields.some((name) => !isBlank(values[name]));
	if (nameKey !== undefined && !isNamed) values.last_name = falseOrZeroAsEmpty(json[nameKey]);
	const entry = { ...input, customFields: [], contactId: undefined, values };
	const isAboutId = input.unreadable?.field === FIELD_LABELS.contact_id;
	const isAboutOwn = wanted.some((name) => input.unreadable?.field === FIELD_LABELS[name]);
	// Only the first failure is known: a field without a value may have failed as well.
	const needed = isAboutId ? (['email'] as const) : wanted;
	const isComplete = needed.every((name) => !isBlank(values[name]));
	return !isAboutOwn && isComplete ? { ...entry, unreadable: undefined } : entry;
}

/**
 * The entries as contacts, with the values that a request has: the service may add those of a contact. On a list of
 * unsubscribes, one with more than an address, such as `Ada <ada@example.com>`, may match nobody, so it counts as none.
 */
async function readEntries(target: Target): Promise<ListedContact[]> {
	const { fields, nameKey, suppresses, read } = target;
	const rows = await read();
	const entries = rows.map((entry) => ({
		...{ id: entry.id, deleted_at: entry.deleted_at, contact_type_id: NO_TYPE },
		...Object.fromEntries(fields.map((name) => [name, entry[name]])),
		email: entry.email ?? entry.email_address,
	}));
	const contacts = toContacts(entries).filter(
		({ email, unclear }) => !suppresses || unclear !== undefined || isAddressAlone(email),
	);
	if (nameKey === undefined) return contacts;
	const names = new Map(rows.map((row) => [coerceText(row.id), coerceText(row[nameKey])]));
	return contacts.map((contact) => ({ ...contact, wholeName: names.get(String(contact.id)) }));
}

const readsOf = (run: RunContext, target: Target): SyncReads => ({
	...syncReads(run),
	listContacts: async () => await readEntries(target),
	locations: () => Promise.resolve({ countries: [] }),
});

async function sync(run: RunContext, target: Target): Promise<INodeExecutionData[]> {
	const items = readInputItems(run).map((input, position) =>
		entryInput(input, target, run.items[position]?.json ?? {}),
	);
	return (await syncItems(run, items, readsOf(run, target), optionsOf(run, target))).output;
}

async function apply(run: RunContext, target: Target): Promise<INodeExecutionData[]> {
	const rows = savedRows(run, target);
	const removes = rows.some(({ row }) => row.action === 'deleted');
	if (removes) checkRemovals(run, target, 'leave out the items with "wouldRemove"');
	return await writeSavedPlan(run, rows, readsOf(run, target), {
		...{ contactTypeId: NO_TYPE, matchBy: 'email', emptyValues: 'ignore', list: target },
		missing: { kind: removes ? 'delete' : 'ignore' },
		...approvedOnly,
		...target.respects(run),
	});
}

type OnList = (run: RunContext) => Promise<INodeExecutionData[]>;

/** "Add or Sync" and "Apply Plan" of a list. */
const operationsOf = (targetOf: (run: RunContext) => Target): { sync: OnList; apply: OnList } => ({
	sync: async (run) => await sync(run, targetOf(run)),
	apply: async (run) => await apply(run, targetOf(run)),
});

export const ofSegment = operationsOf(segmentOf);
export const ofUnsubscribeGroup = operationsOf(groupOf);
export const ofGlobalUnsubscribes = operationsOf(globalListOf);
export const ofNotificationRecipients = operationsOf(notificationListOf);
