import type { IDataObject } from 'n8n-workflow';

import { countryNamed } from '../../sandbox/data/locations.ts';
import type { ContactRules, Evidence, Finding } from './evidence.ts';
import { addressOf, isOf, rowsOfItems, writeIn, type Run, type Write } from './executions.ts';
import type { Kept } from './kept.ts';

/** The cells of an item that a contact has, too. */
const TEXTS = ['first_name', 'last_name', 'city', 'postal_code'];

/** The fields that are compared with an item. */
export const COMPARED = [...TEXTS, 'country'];

type EmptyValues = ContactRules['emptyValues'] | undefined;

/** A cell as text; undefined where the item lacks the key. */
const cellOf = (item: IDataObject, key: string): string | undefined =>
	item[key] === undefined ? undefined : String(item[key] ?? '').trim();

/** What a cell says that the field is to be; undefined if it says nothing. */
function saidBy(item: IDataObject, key: string, emptyValues: EmptyValues) {
	const text = cellOf(item, key);
	return text !== '' || (emptyValues === 'clear' && key !== 'country') ? text : undefined;
}

const COUNTRIES: Record<string, string> = { DE: 'Germany' };

/** Whether a field of a contact is as an item says, if it says anything. */
export function isAsSaid(
	contact: IDataObject,
	item: IDataObject,
	field: string,
	emptyValues: EmptyValues,
): boolean {
	const said = saidBy(item, field, emptyValues);
	if (said === undefined) return true;
	if (field === 'country') return contact.country === countryNamed(COUNTRIES[said] ?? said)?.id;
	return contact[field] === said;
}

/** Whether items name contacts by their IDs. */
const isById = ({ parameters = {} }: Partial<Run>) => parameters.matchBy === 'contactId';
const itemsOf = ({ items = [] }: Run) => items;
const idIn = (item: IDataObject) => cellOf(item, 'contact_id') ?? '';

/** Whether an item names a contact by its ID. */
export const namesId = (run: Run, id: unknown): boolean =>
	isById(run) && itemsOf(run).some((item) => /^\d+$/.test(idIn(item)) && Number(idIn(item)) === id);

/** Whether an item has an ID, or an email in place of one, that cannot be read: it could be anyone's. */
export const namesEverybody = (run: Run): boolean =>
	itemsOf(run).some((item) =>
		isById(run) && idIn(item) !== '' ? /\D/.test(idIn(item)) : / @/.test(String(item.email)),
	);

/** Contacts that were changed or added. */
type Touches = ReadonlyArray<{ at: number; write?: Write; ids: unknown[]; emails: string[] }>;

const BY_HAND = ['edited', 'addedByHand', 'removedByHand', 'movedByHand'];

const isBy = ({ write }: Touches[number], run: Run) => write !== undefined && isOf(write, run);

const touchesIn = ({ entries }: Evidence): Touches =>
	entries.flatMap((entry) => {
		const { at, data = {} } = entry;
		const write = writeIn(entry);
		if (write) return [{ at, write, ids: write.ids, emails: write.emails }];
		const isByHand = BY_HAND.includes(String(data.change));
		return isByHand ? [{ at, ids: [data.id], emails: [addressOf(data.email)] }] : [];
	});

/**
 * The items that may say what a contact is to have. Those of an execution that was killed are not known by its rows; nor
 * are those of an earlier try whose contact the last try no longer found.
 */
function itemsFor(
	run: Run,
	id: unknown,
	{ hasIds }: ContactRules,
	isRetried: boolean,
): IDataObject[] {
	const emails = run.writes.flatMap((write) =>
		write.ids.includes(Number(id)) ? write.emails : [],
	);
	const isWritten = (item: IDataObject) => emails.includes(addressOf(item.email));
	// A try that fails as a whole says nothing of its items.
	if (run.rows.every(({ action }) => action === undefined)) {
		return itemsOf(run).filter((item) => hasIds || idIn(item) === String(id) || isWritten(item));
	}
	return rowsOfItems(run).flatMap(({ row, item }) => {
		const isOwn = row.contactId === id || (isRetried && isWritten(item));
		return isOwn && (isRetried || row.action !== 'skipped') ? [item] : [];
	});
}

/** A list of contacts, and what becomes of those that items name. */
type KeptContacts = Kept & { contacts: ContactRules };

/** Nothing but what an item says is changed, and an update sends everything else as it is. */
function checkUpdates(evidence: Evidence, { runs, contacts, isRetried }: KeptContacts): Finding[] {
	const touches = touchesIn(evidence);
	const check = (run: Run, { at, ids: [id], body, before = {}, emails }: Write): Finding[] => {
		const isTouched = touches.some(
			(one) => !isBy(one, run) && one.at >= run.began && one.at <= at && one.ids.includes(id),
		);
		if (isTouched) return [];
		const isMissing = Number(body.contact_type_id) !== contacts.type;
		const items = isMissing ? [] : itemsFor(run, id, contacts, isRetried);
		return TEXTS.flatMap((field) => {
			const [was, sent] = [before[field] ?? '', body[field] ?? ''];
			const isSaid = items.some((item) => saidBy(item, field, contacts.emptyValues) === sent);
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
			.filter((write) => write.request === 'POST /contacts/update' && isOf(write, run))
			.flatMap((write) => check(run, write)),
	);
}

/** Whoever is matched by email keeps it, unless an external ID says whose it is. */
function checkAddresses(_: Evidence, { runs, contacts }: KeptContacts): Finding[] {
	if (contacts.hasIds) return [];
	const promise = 'No address is changed unless an ID says whose it is';
	return runs
		.filter((run) => !isById(run))
		.flatMap(({ writes }) => writes)
		.filter(({ renamedTo }) => renamedTo !== undefined)
		.map(({ emails, at }) => ({ promise, what: `${emails} at ${at}` }));
}

const DONE = ['created', 'updated', 'unchanged'];

/** The rows of contacts that are as their items say. Of several runs in one execution, the last one decides. */
export function lastOfEach(rows: ReturnType<typeof rowsOfItems>): ReturnType<typeof rowsOfItems> {
	const done = rows.filter(({ row }) => DONE.includes(String(row.action)));
	const last = new Map(done.map((one) => [one.row.contactId ?? addressOf(one.row.email), one]));
	return [...last.values()];
}

/** When a run has ended, the contact of each item is as the item says, unless others have changed it meanwhile. */
function checkRows(evidence: Evidence, { runs, contacts }: KeptContacts): Finding[] {
	const { emptyValues } = contacts;
	const touches = touchesIn(evidence);
	return runs.flatMap((run) => {
		const others = touches.filter(
			(one) => !isBy(one, run) && one.at >= run.began && one.at <= run.ended,
		);
		const isTouched = ({ email, contactId }: IDataObject) =>
			others.some(
				({ ids, emails }) => ids.includes(contactId) || emails.includes(addressOf(email)),
			);
		return lastOfEach(rowsOfItems(run)).flatMap(({ row, item }): Finding[] => {
			if (row.contactId === undefined || isTouched(row)) return [];
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
function checkContactIds(evidence: Evidence, { runs, contacts }: KeptContacts): Finding[] {
	const gone = new Set(touchesIn(evidence).flatMap(({ ids }) => ids));
	const stays = new Set(
		evidence.first.contacts
			.filter(({ id, contact_type_id: type }) => type === contacts.type && !gone.has(id))
			.map(({ id }) => id),
	);
	return runs.filter(isById).flatMap((run) =>
		rowsOfItems(run).flatMap(({ row, item }): Finding[] => {
			const id = idIn(item);
			if (id === '') return [];
			const about = (promise: string) => [
				{ promise, what: `${id}, ${String(item.email)} at ${run.began}: ${JSON.stringify(row)}` },
			];
			const { contactId: contact } = row;
			const isOther = contact !== Number(id);
			// An item whose ID is unknown still means the person with its external ID, who is not removed.
			const isFailed = row.action === undefined || row.action === 'failed';
			if (isOther && !isFailed) {
				return about('An item is about the contact whose ID it has');
			}
			// A run that failed as a whole looked for nobody.
			const isThere = row.action !== undefined && /^\d+$/.test(id) && stays.has(Number(id));
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
const ADDED_MEANWHILE = 'Another run or source added this address at the same time';

const wantedIn = (item: IDataObject): Array<[name: string, value: string]> =>
	Object.keys(item).flatMap((key) => {
		const text = key.startsWith(PREFIX) ? cellOf(item, key) : undefined;
		return text ? [[key.slice(PREFIX.length), text]] : [];
	});

/** An item says which of its custom fields the contact does not have. Nothing changes those of a contact that is there. */
function checkCustomFields(
	evidence: Evidence,
	{ runs, contacts: { customFields }, removal: { isApproved } }: KeptContacts,
): Finding[] {
	const contacts = new Map(evidence.last.contacts.map((one) => [one.id as unknown, one]));
	const check = (run: Run, row: IDataObject, item: IDataObject): Finding[] => {
		const contact = contacts.get(row.contactId);
		const actions = ['created', 'updated', 'unchanged'];
		if (isApproved || !contact || !actions.includes(String(row.action))) return [];
		// The other run may have imported the fields that this one could not write.
		if (String(row.reason).startsWith(ADDED_MEANWHILE)) return [];
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
			const named = itemsOf(run).filter((item) => emails.includes(addressOf(item.email)));
			const isLost = named.length > 0 && named.every((item) => wantedIn(item).length > 0);
			const promise = 'Nobody is created without custom fields that are required';
			return isLost ? [{ promise, what: `${emails} at ${at}` }] : [];
		}),
	]);
}

/** Contacts become what the items of a sync say, and nothing else. */
export function checkContacts(evidence: Evidence, kept: Kept): Finding[] {
	const { contacts } = kept;
	if (contacts === undefined) return [];
	return [checkUpdates, checkAddresses, checkRows, checkContactIds, checkCustomFields].flatMap(
		(check) => check(evidence, { ...kept, contacts }),
	);
}
