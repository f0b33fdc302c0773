import type { IDataObject } from 'n8n-workflow';

import { countryNamed } from '../../../sandbox/data/locations.ts';
import type { ActorChoice, Limit, SyncChoice } from '../actors/index.ts';
import { TYPE } from '../world.ts';
import {
	addressOf,
	contactOf,
	rowsOfItems,
	runsOf,
	writeIn,
	type Run,
	type Write,
} from './executions.ts';
import type { Evidence, Finding } from './finding.ts';

/** The cells of an item that a contact has, too. */
const TEXTS = ['first_name', 'last_name', 'city', 'postal_code'];

/** The fields that are compared with an item. */
export const COMPARED = [...TEXTS, 'country'];

/** A cell as text; undefined where the item lacks the key. */
const cellOf = (item: IDataObject, key: string): string | undefined =>
	item[key] === undefined ? undefined : String(item[key] ?? '').trim();

/** What a cell says that the field is to be; undefined if it says nothing. */
function saidBy(item: IDataObject, key: string, emptyValues: SyncChoice['emptyValues']) {
	const text = cellOf(item, key);
	return text !== '' || (emptyValues === 'clear' && key !== 'country') ? text : undefined;
}

const COUNTRIES: Record<string, string> = { DE: 'Germany' };

/** Whether a field of a contact is as an item says, if it says anything. */
export function isAsSaid(
	contact: IDataObject,
	item: IDataObject,
	field: string,
	emptyValues: SyncChoice['emptyValues'],
): boolean {
	const said = saidBy(item, field, emptyValues);
	if (said === undefined) return true;
	if (field === 'country') return contact.country === countryNamed(COUNTRIES[said] ?? said)?.id;
	return contact[field] === said;
}

/** Whether items name contacts by their IDs. */
const isById = ({ parameters }: Run) => parameters.matchBy === 'contactId';
const idIn = (item: IDataObject) => cellOf(item, 'contact_id') ?? '';

/** Whether an item names a contact by its ID. */
export const namesId = (run: Run, id: unknown): boolean =>
	isById(run) && run.items.some((item) => /^\d+$/.test(idIn(item)) && Number(idIn(item)) === id);

/** Whether an item has an ID, or an email in place of one, that cannot be read: it could be anyone's. */
export const namesEverybody = (run: Run): boolean =>
	run.items.some((item) =>
		isById(run) && idIn(item) !== '' ? /\D/.test(idIn(item)) : / @/.test(String(item.email)),
	);

/** Contacts that were changed or added. */
type Touches = ReadonlyArray<{ at: number; run?: number; ids: unknown[]; emails: string[] }>;

const BY_HAND = ['edited', 'addedByHand', 'removedByHand', 'movedByHand'];

const touchesIn = ({ entries }: Evidence): Touches =>
	entries.flatMap((entry) => {
		const { at, data = {} } = entry;
		const write = writeIn(entry);
		if (write) return [{ at, run: write.run, ids: write.ids, emails: write.emails }];
		const isByHand = BY_HAND.includes(String(data.change));
		return isByHand ? [{ at, ids: [data.id], emails: [addressOf(data.email)] }] : [];
	});

/** The items that may say what a contact is to have. Those of an execution that was killed are not known by its rows. */
function itemsFor(
	run: Run,
	id: unknown,
	{ hasIds }: SyncChoice,
	isRetried: boolean,
): IDataObject[] {
	if (run.rows.length === 0) {
		const emails = run.writes.flatMap((write) =>
			write.ids.includes(Number(id)) ? write.emails : [],
		);
		return run.items.filter(
			(item) => hasIds || idIn(item) === String(id) || emails.includes(addressOf(item.email)),
		);
	}
	return rowsOfItems(run).flatMap(({ row, item }) =>
		contactOf(row) === id && (isRetried || row.action !== 'skipped') ? [item] : [],
	);
}

/** Nothing but what an item says is changed, and an update sends everything else as it is. */
function checkUpdates(evidence: Evidence, runs: Run[]): Finding[] {
	const { sync, retriesOnFail } = evidence.choice as ActorChoice;
	const touches = touchesIn(evidence);
	const check = (run: Run, { at, ids: [id], body, before = {}, emails }: Write): Finding[] => {
		const isTouched = touches.some(
			(one) => one.run !== run.id && one.at >= run.began && one.at <= at && one.ids.includes(id),
		);
		if (isTouched) return [];
		const isMissing = Number(body.contact_type_id) !== TYPE;
		const items = isMissing ? [] : itemsFor(run, id, sync, retriesOnFail);
		return TEXTS.flatMap((field) => {
			const [was, sent] = [before[field] ?? '', body[field] ?? ''];
			const isSaid = items.some((item) => saidBy(item, field, sync.emptyValues) === sent);
			if (sent === was || isSaid) return [];
			const promise =
				sent === ''
					? 'No field is blanked unless "Empty Values" says so'
					: 'No field is changed unless an item says so';
			return [
				{ promise, what: `${field} of ${emails} at ${at}: ${String(was)} to ${String(sent)}` },
			];
		});
	};
	return runs.flatMap((run) =>
		run.writes
			.filter(({ request }) => request === 'POST /contacts/update')
			.flatMap((write) => check(run, write)),
	);
}

/** Whoever is matched by email keeps it, unless an external ID says whose it is. */
function checkAddresses({ choice }: Evidence, runs: Run[]): Finding[] {
	if ((choice as ActorChoice).sync.hasIds) return [];
	const promise = 'No address is changed unless an ID says whose it is';
	return runs
		.filter((run) => !isById(run))
		.flatMap(({ writes }) => writes)
		.filter(({ renamedTo }) => renamedTo !== undefined)
		.map(({ emails, at }) => ({ promise, what: `${emails} at ${at}` }));
}

/** When a run has ended, the contact of each item is as the item says, unless others have changed it meanwhile. */
function checkRows(evidence: Evidence, runs: Run[]): Finding[] {
	const { emptyValues } = (evidence.choice as ActorChoice).sync;
	const touches = touchesIn(evidence);
	return runs.flatMap((run) => {
		const others = touches.filter(
			({ at, run: by }) => by !== run.id && at >= run.began && at <= run.ended,
		);
		const isTouched = ({ email, contactId }: IDataObject) =>
			others.some(
				({ ids, emails }) => ids.includes(contactId) || emails.includes(addressOf(email)),
			);
		return rowsOfItems(run).flatMap(({ row, item }): Finding[] => {
			const isDone = ['created', 'updated', 'unchanged'].includes(String(row.action));
			if (!isDone || row.contactId === undefined || isTouched(row)) return [];
			const contact = (run.after?.[String(row.contactId)] ?? {}) as IDataObject;
			const isSame = addressOf(contact.email) === addressOf(row.email);
			if (isSame && COMPARED.every((field) => isAsSaid(contact, item, field, emptyValues)))
				return [];
			const promise = 'The contact of an item is as the item says';
			return [{ promise, what: `${JSON.stringify(row)}: ${JSON.stringify(contact)}` }];
		});
	});
}

/** An item with an ID is about that contact and no other, and one without a contact is not written. */
function checkContactIds(evidence: Evidence, runs: Run[]): Finding[] {
	const gone = new Set(touchesIn(evidence).flatMap(({ ids }) => ids));
	const stays = new Set(
		evidence.first.contacts
			.filter(({ id, contact_type_id: type }) => type === TYPE && !gone.has(id))
			.map(({ id }) => id),
	);
	return runs.filter(isById).flatMap((run) =>
		rowsOfItems(run).flatMap(({ row, item }): Finding[] => {
			const id = idIn(item);
			if (id === '') return [];
			const about = (promise: string) => [
				{ promise, what: `${id}, ${String(item.email)} at ${run.began}: ${JSON.stringify(row)}` },
			];
			const contact = contactOf(row);
			const isOther = contact !== Number(id);
			// An item whose ID is unknown still means the person with its external ID, who is not removed.
			const isFailed = row.action === undefined || row.action === 'failed';
			if (isOther && !isFailed) {
				return about('An item is about the contact whose ID it has');
			}
			const isThere = /^\d+$/.test(id) && stays.has(Number(id));
			return isThere && contact === undefined ? about('A contact is found by its ID') : [];
		}),
	);
}

/** The custom fields that have a value, by name. */
function customFieldsOf({ custom_field: fields }: IDataObject): Map<string, unknown> {
	const shown = Object.values((fields ?? {}) as Record<string, IDataObject>);
	return new Map(shown.map(({ field_name: name, field_value: value }) => [String(name), value]));
}

const PREFIX = 'custom_field_';

const wantedIn = (item: IDataObject): Array<[name: string, value: string]> =>
	Object.keys(item).flatMap((key) => {
		const text = key.startsWith(PREFIX) ? cellOf(item, key) : undefined;
		return text ? [[key.slice(PREFIX.length), text]] : [];
	});

/** An item says which of its custom fields the contact does not have. Nothing changes those of a contact that is there. */
function checkCustomFields(evidence: Evidence, runs: Run[]): Finding[] {
	const { isApproved, customFields } = (evidence.choice as ActorChoice).sync;
	const contacts = new Map(evidence.last.contacts.map((one) => [one.id as unknown, one]));
	const check = (run: Run, row: IDataObject, item: IDataObject): Finding[] => {
		const contact = contacts.get(contactOf(row));
		const actions = ['created', 'updated', 'unchanged'];
		if (isApproved || !contact || !actions.includes(String(row.action))) return [];
		const has = customFieldsOf(contact as unknown as IDataObject);
		const said = (row.customFieldsNotWritten ?? []) as string[];
		const wrong = wantedIn(item).filter(
			([name, value]) => (String(has.get(name) ?? '') !== value) !== said.includes(name),
		);
		return wrong.map(([name, value]) => ({
			promise: 'An item says which custom fields its contact does not have',
			what: `${name} ${value} of ${String(row.email)} at ${run.began}: ${JSON.stringify(row)}`,
		}));
	};
	return runs.flatMap((run) => [
		...rowsOfItems(run).flatMap(({ row, item }) => check(run, row, item)),
		...run.writes.flatMap(({ request, emails, at }) => {
			if (customFields !== 'importOrFail' || request !== 'POST /contacts/add') return [];
			const named = run.items.filter((item) => emails.includes(addressOf(item.email)));
			const isLost = named.length > 0 && named.every((item) => wantedIn(item).length > 0);
			const promise = 'Nobody is created without custom fields that are required';
			return isLost ? [{ promise, what: `${emails} at ${at}` }] : [];
		}),
	]);
}

/** A list that a workflow keeps, with what a run of it may write at most. */
interface Limited {
	list: string;
	/** To which whoever is missing is added, in place of a removal. */
	leftList?: string;
	removal: { limits: Limit[] };
	runs: Run[];
}

/** What the limits count, of the writes of a run. */
const COUNTS: Record<string, (writes: Write[], of: Limited) => unknown[]> = {
	maxAdditions: (writes, { list: own }) =>
		writes.flatMap(({ kind, list, emails }) => (kind === 'add' && list === own ? emails : [])),
	maxUpdates: (writes) => writes.filter(({ kind }) => kind === 'update'),
	maxRemovals: (writes, { list: own, leftList }) => {
		// Duplicates that the run itself has created are no removals.
		const added = new Set(writes.flatMap(({ kind, emails }) => (kind === 'add' ? emails : [])));
		return writes.flatMap(({ kind, list, emails }) => {
			if (kind === 'add') return list === leftList ? emails : [];
			const isRemoval = kind === 'remove' || (kind === 'move' && list === own);
			return isRemoval ? emails.filter((email) => !added.has(email)) : [];
		});
	},
};

/**
 * No run writes more than a limit allows.
 *
 * @param tries each try of a node is measured on its own
 */
export const checkLimits = (kept: Limited, tries: number): Finding[] =>
	kept.removal.limits.flatMap(({ kind, value }) =>
		kept.runs.flatMap(({ writes, began }) => {
			const count = COUNTS[kind]?.(writes, kept).length ?? 0;
			const what = `${kind} ${value}, but ${count} at ${began}`;
			return count > value * tries ? [{ promise: 'No run exceeds a limit', what }] : [];
		}),
	);

/** Contacts become what the items of a sync say, and nothing else. */
export function checkContacts(evidence: Evidence): Finding[] {
	const runs = runsOf(evidence, 'sync');
	return [checkUpdates, checkAddresses, checkRows, checkContactIds, checkCustomFields].flatMap(
		(check) => check(evidence, runs),
	);
}
