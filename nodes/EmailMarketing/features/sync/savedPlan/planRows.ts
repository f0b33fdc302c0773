import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../../../params/invalidInput';
import type { Item } from '../../../params/item';
import { requireFlag } from '../../../params/values';
import type { CustomValues } from '../../../records/customFields';
import { coerceText, fromJson, isEmpty, isId, isObject, toText } from '../../../util/coerce';
import { addressToSend, spellingsToSend } from '../../../util/addressesIn';
import { addressKey, isAddress, spellingKey } from '../../../util/email';
import { quote } from '../../../util/text';
import { CONTACT_FIELDS, FIELD_LABELS } from '../../contacts/fields';
import { isSettled } from '../../contacts/contactWrites';
import { notAnAddress } from '../../contacts/identify';
import { recipientVerbs, syncVerbs, type Verbs } from '../output';
import type { RowAction, Changes, PlannedRow } from '../../contacts/types';
import type { RecipientList } from '../types';

/** A row of a dry run, as the person who approved it saw it. */
export interface SavedPlanRow {
	/** Without the body of a request, which is planned again. */
	row: PlannedRow & { item: number };
	/** 0 for recipients. */
	contactTypeId: number;
	/** The version of the contact in the dry run; absent if no existing contact is written. */
	version?: string;
	/** The target of a move. */
	newContactTypeId?: number;
	/** Whether a limit would have stopped the plan. */
	isOverLimit: boolean;
}

/** How the rows of a plan are written down. */
interface Format {
	planned: ReadonlyMap<string, RowAction>;
	done: ReadonlyMap<string, RowAction>;
	/** The keys of the ID of a record, and of its version. */
	idKey: string;
	versionKey: string;
	/** The values by which each row identifies its list; a contact type may be any one. */
	list?: IDataObject;
}

const actionsOf = (verbs: Verbs, actions: readonly RowAction[]): Map<string, RowAction> =>
	new Map(actions.map((action) => [verbs[action], action]));

const OF_CONTACTS = Object.keys(syncVerbs(true)) as RowAction[];
const OF_RECIPIENTS: readonly RowAction[] = [
	'created',
	'deleted',
	'unchanged',
	'skipped',
	'failed',
];

const CONTACTS: Format = {
	planned: actionsOf(syncVerbs(true), OF_CONTACTS),
	done: actionsOf(syncVerbs(false), OF_CONTACTS),
	...{ idKey: 'contactId', versionKey: 'contactVersion' },
};

/** What a row is about. */
export const nameOfOne = (list: RecipientList | undefined): string =>
	list === undefined ? 'contact' : 'recipient';

const formatOf = (list: RecipientList | undefined): Format =>
	list === undefined
		? CONTACTS
		: {
				planned: actionsOf(recipientVerbs(true), OF_RECIPIENTS),
				done: actionsOf(recipientVerbs(false), OF_RECIPIENTS),
				...{ idKey: 'recipientId', versionKey: 'recipientVersion' },
				list: list.ids,
			};

const remedy =
	'Pass on the items that "Sync", "Create or Update" or "Add or Sync" returned with "Dry Run", complete and unchanged. "Output" must not be "Summary Only".';

const invalidField = (item: number, field: string, problem: string): InvalidInput =>
	new InvalidInput(
		'plan-row-damaged',
		`Item ${item} cannot be applied: ${field} ${problem}`,
		remedy,
		item,
	);

/** Databases and spreadsheets change true and false. @throws InvalidInput */
function flagIn(json: IDataObject, key: string, item: number): boolean {
	try {
		return requireFlag(json[key], key);
	} catch {
		throw invalidField(item, `"${key}"`, `is ${quote(json[key])}, neither true nor false`);
	}
}

/** A table that was made from another plan may not have the column of a value. @throws InvalidInput */
function requireColumn(json: IDataObject, key: string, item: number): void {
	if (isEmpty(json[key])) throw invalidField(item, `"${key}"`, 'is missing');
}

/** @throws InvalidInput */
function actionOf(json: IDataObject, item: number, { planned, done }: Format): RowAction {
	const name = coerceText(json.action);
	const action = planned.get(name);
	const isDryRun = !isEmpty(json.dryRun) && flagIn(json, 'dryRun', item);
	if (action !== undefined && isDryRun) return action;
	if (done.has(name)) {
		throw new InvalidInput(
			'not-a-dry-run',
			`Item ${item} is from a run that was not a dry run: "action" is ${quote(name)}, but "dryRun" is not true`,
			'The changes in this item have already been written. Pass on the items of a run with "Dry Run" on.',
			item,
		);
	}
	const [key, value] =
		action === undefined ? ['action', json.action] : ['dryRun', json.dryRun ?? null];
	throw new InvalidInput(
		'plan-row-invalid',
		`Item ${item} is not a row of a dry run: "${key}" is ${quote(value)}`,
		remedy,
		item,
	);
}

/** @throws InvalidInput */
function idIn(json: IDataObject, key: string, item: number): number {
	const text = coerceText(json[key]).trim();
	if (isId(text)) return Number(text);
	throw invalidField(item, `"${key}"`, `is ${quote(json[key])}, which is not an ID`);
}

/** A row that needs no write keeps its outcome from the dry run. */
function settledRow(
	json: IDataObject,
	item: number,
	action: RowAction,
	{ idKey }: Format,
): SavedPlanRow['row'] {
	const { [idKey]: contactId, email, reason, field, unsubscribedAt, unsubscribedFrom } = json;
	return {
		item,
		action,
		...notWrittenIn(json),
		email: coerceText(email),
		reason: coerceText(reason),
		...(action === 'failed' && { code: 'failed-in-plan' }),
		...(isId(coerceText(contactId)) && { contactId: Number(contactId) }),
		...(!isEmpty(field) && { field: coerceText(field) }),
		...(!isEmpty(unsubscribedFrom) && {
			suppression: {
				reason: coerceText(reason),
				list: coerceText(unsubscribedFrom),
				...(!isEmpty(unsubscribedAt) && { date: coerceText(unsubscribedAt) }),
			},
		}),
	};
}

/** Of all rows to write, only those of missing contacts have no changed fields. */
export const isRemoval = ({ row }: SavedPlanRow): boolean =>
	!isSettled(row) && row.changes === undefined;

const readJson = (value: unknown): unknown => (typeof value === 'string' ? fromJson(value) : value);

/** @throws InvalidInput */
function changesIn(json: IDataObject, item: number): Changes {
	const shown = readJson(json.changedFields);
	if (!isObject(shown)) {
		throw invalidField(item, '"changedFields"', `is ${quote(json.changedFields ?? null)}`);
	}
	const fields: readonly string[] = CONTACT_FIELDS;
	const unknown = Object.keys(shown).find((field) => !fields.includes(field));
	if (unknown !== undefined) {
		const problem = `contains ${quote(unknown)}, which is not a field of contacts`;
		throw invalidField(item, '"changedFields"', problem);
	}
	const changes: Changes = {};
	for (const field of CONTACT_FIELDS) {
		const change = shown[field];
		if (change === undefined) continue;
		if (!isObject(change) || change.to === undefined || change.to === null) {
			throw invalidField(item, FIELD_LABELS[field], `is ${quote(change)} in "changedFields"`);
		}
		const to = toText(change.to);
		if (typeof to !== 'string') throw invalidField(item, FIELD_LABELS[field], to.problem);
		changes[field] = { from: isEmpty(change.from) ? null : coerceText(change.from), to };
	}
	return changes;
}

/** @throws InvalidInput */
function customFieldsIn(json: IDataObject, item: number): CustomValues {
	const shown = readJson(json.customFields);
	if (!isObject(shown))
		throw invalidField(item, '"customFields"', `is ${quote(json.customFields)}`);
	return Object.entries(shown).map(([name, value]) => {
		const text = toText(value);
		if (typeof text !== 'string') throw invalidField(item, name, text.problem);
		return [name, text] as const;
	});
}

/** The custom fields that the dry run named. */
function notWrittenIn({ customFieldsNotWritten }: IDataObject): Partial<PlannedRow> {
	const names = readJson(customFieldsNotWritten);
	return Array.isArray(names) ? { customFieldsNotWritten: names.map(coerceText) } : {};
}

/** @throws InvalidInput if the address is missing, or is sent but not valid */
function addressIn(json: IDataObject, item: number, action: RowAction, isKept: boolean): string {
	const email = coerceText(json.email);
	const sent = action === 'addedToGroup' ? addressToSend(email) : email.trim();
	const isValid = isKept ? sent !== '' : isAddress(sent);
	if (isValid) return email;
	throw invalidField(item, FIELD_LABELS.email, notAnAddress(email));
}

/** The reason without the part about the limit, which no longer applies. */
const reasonOf = ({ reason }: IDataObject): string =>
	coerceText(reason).replace(/(; )?stopped by the limit(: .*)?$/s, '');

/**
 * The contact type of a row; 0 for recipients.
 *
 * @throws InvalidInput for a row of another list
 */
function placeOf(json: IDataObject, item: number, { list }: Format): number {
	if (list === undefined) return idIn(json, 'contactTypeId', item);
	for (const [key, value] of Object.entries(list)) {
		if (coerceText(json[key]).trim() === String(value)) continue;
		throw invalidField(item, `"${key}"`, `is ${quote(json[key] ?? null)}, not ${quote(value)}`);
	}
	return 0;
}

/** @throws InvalidInput */
function readRow(json: IDataObject, item: number, format: Format): SavedPlanRow {
	const action = actionOf(json, item, format);
	const contactTypeId = placeOf(json, item, format);
	if (isSettled({ action })) {
		return { row: settledRow(json, item, action, format), contactTypeId, isOverLimit: false };
	}
	requireColumn(json, 'overLimit', item);
	const isOverLimit = flagIn(json, 'overLimit', item);
	const isNew = action === 'created';
	if (isNew && format === CONTACTS) requireColumn(json, 'customFields', item);
	const changes = isNew || action === 'updated' ? changesIn(json, item) : undefined;
	const isKept = action === 'deleted' || (action === 'updated' && !changes?.email);
	const row: SavedPlanRow['row'] = {
		...{ item, action, email: addressIn(json, item, action, isKept), reason: reasonOf(json) },
		...notWrittenIn(json),
		...(changes && { changes }),
		...(isNew && !isEmpty(json.customFields) && { customFields: customFieldsIn(json, item) }),
	};
	if (changes?.email && addressKey(changes.email.to) !== addressKey(row.email)) {
		const problem = 'differs between "email" and "changedFields"';
		throw invalidField(item, FIELD_LABELS.email, problem);
	}
	if (isNew) return { row, contactTypeId, isOverLimit };
	row.contactId = idIn(json, format.idKey, item);
	const version = coerceText(json[format.versionKey]);
	if (version === '') throw invalidField(item, `"${format.versionKey}"`, 'is missing');
	if (action === 'addedToGroup') row.unsubscribeGroupId = idIn(json, 'unsubscribeGroupId', item);
	if (action !== 'moved') return { row, contactTypeId, version, isOverLimit };
	const newContactTypeId = idIn(json, 'newContactTypeId', item);
	if (!isEmpty(json.newCountryId)) row.newCountryId = idIn(json, 'newCountryId', item);
	if (newContactTypeId !== contactTypeId) {
		return { row, contactTypeId, version, newContactTypeId, isOverLimit };
	}
	throw invalidField(
		item,
		'"newContactTypeId"',
		'is the contact type that the contact already has',
	);
}

/** @throws InvalidInput for the second of two rows that write the same contact or the same address */
function refuseDuplicates(rows: readonly SavedPlanRow[], list: RecipientList | undefined): void {
	const { keyOf = addressKey } = list ?? {};
	const first = new Map<string, number>();
	const claim = (key: string, item: number, what: string) => {
		const other = first.get(key);
		if (other !== undefined) {
			throw new InvalidInput(
				'plan-rows-conflict',
				`Items ${other} and ${item} are for the same ${what}`,
				'Pass on each row only once, and only rows of a single dry run.',
				item,
			);
		}
		first.set(key, item);
	};
	for (const { row } of rows.filter(({ row }) => !isSettled(row))) {
		const { item, contactId, action, email, changes } = row;
		if (contactId !== undefined) claim(`contact ${contactId}`, item, nameOfOne(list));
		const isPlaced = action === 'updated' ? changes?.email !== undefined : action !== 'deleted';
		// A request to a group takes every spelling of an address.
		const key =
			action === 'addedToGroup' ? spellingKey(spellingsToSend(email).at(-1) ?? '') : keyOf(email);
		if (isPlaced) claim(`email ${key}`, item, 'email');
	}
}

/** @throws InvalidInput if rows differ in a value that all rows of one dry run share */
function refuseDifferent(
	rows: readonly SavedPlanRow[],
	label: string,
	valueOf: (row: SavedPlanRow) => number | string | undefined,
): void {
	let known: { value: number | string; item: number } | undefined;
	for (const row of rows) {
		const value = valueOf(row);
		const { item } = row.row;
		if (value === undefined) continue;
		known ??= { value, item };
		if (known.value === value) continue;
		throw new InvalidInput(
			'values-differ',
			`"${label}" is ${value} for item ${item}, but ${known.value} for item ${known.item}`,
			`Run the node once for each "${label}".`,
			item,
		);
	}
}

/**
 * Reads the rows of a dry run. If they were stored in between, their objects may now be JSON texts.
 *
 * @param list the list that the rows must be of; absent for contacts
 * @throws InvalidInput for the first item that cannot be applied
 */
export function readPlanRows(
	items: ReadonlyArray<Pick<Item, 'index' | 'json'>>,
	list?: RecipientList,
): SavedPlanRow[] {
	const verbs = syncVerbs(true);
	const format = formatOf(list);
	const rows = items.map(({ json, index }) => readRow(json, index, format));
	refuseDifferent(rows, FIELD_LABELS.contact_type_id, ({ contactTypeId }) => contactTypeId);
	refuseDifferent(rows, 'Unsubscribe Group', ({ row }) => row.unsubscribeGroupId);
	refuseDifferent(rows, 'Move to Contact Type', ({ newContactTypeId }) => newContactTypeId);
	refuseDifferent(rows, 'Missing From Input', (planRow) =>
		isRemoval(planRow) ? verbs[planRow.row.action] : undefined,
	);
	refuseDuplicates(rows, list);
	return rows;
}

/** @throws InvalidInput for a row of a plan that a limit would have stopped */
export function refuseLimited(rows: readonly SavedPlanRow[]): void {
	const limited = rows.find(({ isOverLimit }) => isOverLimit);
	if (limited === undefined) return;
	const { item } = limited.row;
	throw new InvalidInput(
		'plan-over-limit',
		`Item ${item} is part of a plan that a limit would have stopped`,
		'Check the plan. To apply it anyway, turn on "Allow Plans Over a Limit" in Options.',
		item,
	);
}
