import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../../../params/invalidInput';
import { coerceText, isEmpty, isId, isObject } from '../../../util/coerce';
import { addressKey, isAddress } from '../../../util/email';
import { quote } from '../../../util/text';
import { sameText } from '../../../util/values';
import { CONTACT_FIELDS, FIELD_LABELS, TEXT_FIELDS } from '../../contacts/fields';
import { notAnAddress } from '../../contacts/identify';
import { syncVerbs } from '../../contacts/output';
import type { PlanValues } from './planSnapshot';
import { readRowSnapshot } from './planValues';
import type { Action, Changes, ContactBody, PlannedRow } from '../../contacts/types';

/** A row of a dry run. */
export interface SavedPlanRow<Body extends ContactBody = ContactBody> {
	row: PlannedRow<Body>;
	contactTypeId: number;
	/** What the contact had; absent for rows that write nothing and for new contacts. */
	seen?: PlanValues;
	/** What it is to have; absent where no contact is written. */
	write?: PlanValues;
	/** The limit that would have stopped the run. */
	limit?: string;
}

const remedy =
	'Pass on the items that "Sync" or "Create or Update" returned with "Dry Run", complete and unchanged. "Output" must not be "Summary Only".';

const invalidField = (item: number, field: string, problem: string): InvalidInput =>
	new InvalidInput(
		'plan-row-damaged',
		`Item ${item} cannot be applied: ${field} ${problem}`,
		remedy,
		item,
	);

const actionsOf = (dryRun: boolean): Map<string, Action> =>
	new Map(Object.entries(syncVerbs(dryRun)).map(([action, verb]) => [verb, action as Action]));
const PLANNED = actionsOf(true);
const DONE = actionsOf(false);

/** @throws InvalidInput */
function actionOf(json: IDataObject, item: number): Action {
	const name = coerceText(json.action);
	const action = PLANNED.get(name);
	const isDryRun = json.dryRun === true || coerceText(json.dryRun).toLowerCase() === 'true';
	if (action !== undefined && isDryRun) return action;
	if (DONE.has(name)) {
		throw new InvalidInput(
			'not-a-dry-run',
			`Item ${item} is from a run that was not a dry run: "action" is ${quote(name)}, but "dryRun" is not true`,
			'The items of such a run were written already. Pass on the items of a run with "Dry Run".',
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

/** What a row of a dry run says that needs no write. */
function settledRow(json: IDataObject, item: number, action: Action): PlannedRow {
	const { email, reason, field, contactId, unsubscribedAt, unsubscribedFrom } = json;
	return {
		item,
		action,
		email: coerceText(email),
		reason: coerceText(reason),
		...(action === 'failed' && { code: 'failed-in-plan' }),
		...(isId(coerceText(contactId)) && { contactId: Number(contactId) }),
		...(!isEmpty(field) && { field: coerceText(field) }),
		...(!isEmpty(unsubscribedFrom) && {
			suppression: {
				list: coerceText(unsubscribedFrom),
				...(!isEmpty(unsubscribedAt) && { date: coerceText(unsubscribedAt) }),
			},
		}),
	};
}

const SETTLED: ReadonlySet<Action> = new Set(['unchanged', 'skipped', 'failed']);

/** Whether there is nothing to write. */
export const isSettled = (action: Action): boolean => SETTLED.has(action);

const WRITES_VALUES: ReadonlySet<Action> = new Set(['created', 'updated', 'moved']);

/** @throws InvalidInput for one that the service cannot take */
function addressIn(json: IDataObject, item: number, isKept: boolean): string {
	const email = coerceText(json.email);
	const isValid = isKept ? email.trim() !== '' : isAddress(email.trim());
	if (isValid) return email;
	throw invalidField(item, FIELD_LABELS.email, notAnAddress(email));
}

function bodyOf(email: string, write: PlanValues, contactTypeId: number): ContactBody {
	const body: ContactBody = {
		contact_type_id: contactTypeId,
		email,
		country: write.country?.id ?? '',
	};
	for (const field of TEXT_FIELDS) {
		const text = write[field];
		if (text !== undefined) body[field] = text;
	}
	return body;
}

const shownCountry = ({ country }: PlanValues): string => country?.name ?? country?.id ?? '';

/** @param seen undefined for a new contact */
function changesOf(email: string, write: PlanValues, seen?: PlanValues): Changes {
	const changes: Changes = {};
	if (!seen || seen.email !== undefined) changes.email = { from: seen?.email ?? null, to: email };
	if (!seen || seen.country) {
		changes.country = { from: seen ? shownCountry(seen) : null, to: shownCountry(write) };
	}
	for (const field of TEXT_FIELDS) {
		const to = write[field];
		const from = seen ? (seen[field] ?? to ?? '') : null;
		if (to !== undefined && (from === null || !sameText(from, to))) changes[field] = { from, to };
	}
	return changes;
}

/** The updates that somebody has seen are those that are written. @throws InvalidInput */
function checkShown(json: IDataObject, item: number, changes: Changes): void {
	const shown = readJson(json.changedFields);
	if (!isObject(shown)) return;
	for (const field of CONTACT_FIELDS) {
		const entry = shown[field];
		const to = isObject(entry) ? coerceText(entry.to) : undefined;
		const planned = changes[field]?.to;
		const isSame =
			to === undefined || planned === undefined ? to === planned : sameText(to, planned);
		if (isSame) continue;
		throw invalidField(
			item,
			FIELD_LABELS[field],
			'is not the same in "changedFields" and in "plan"',
		);
	}
}

function readJson(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}

/** The reason of a row without that of the limit, which does not stop it any more. */
function reasonOf({ reason }: IDataObject, limit?: string): string {
	const text = coerceText(reason);
	return limit === undefined ? text : text.replace(/(; )?stopped by the limit(: .*)?$/s, '');
}

/** @throws InvalidInput */
function readRow(json: IDataObject, item: number): SavedPlanRow {
	const action = actionOf(json, item);
	const contactTypeId = idIn(json, 'contactTypeId', item);
	if (isSettled(action)) {
		return { row: settledRow(json, item, action), contactTypeId };
	}
	const hasValues = WRITES_VALUES.has(action);
	const isNew = action === 'created';
	const plan = readRowSnapshot(readJson(json.plan), { write: hasValues, seen: !isNew });
	if ('problem' in plan) throw invalidField(item, plan.field, plan.problem);
	const { write, seen, limit } = plan;
	const isKept = action === 'deleted' || (action === 'updated' && seen?.email === undefined);
	const email = addressIn(json, item, isKept);
	const row: PlannedRow<ContactBody> = { item, action, email, reason: reasonOf(json, limit) };
	if (!isNew) row.contactId = idIn(json, 'contactId', item);
	if (write) {
		const target = action === 'moved' ? idIn(json, 'newContactTypeId', item) : contactTypeId;
		if (action === 'moved' && target === contactTypeId) {
			throw invalidField(item, '"newContactTypeId"', 'is the contact type that the contact is in');
		}
		row.body = bodyOf(email, write, target);
		row.changes = changesOf(email, write, seen);
		if (action === 'updated') checkShown(json, item, row.changes);
	}
	if (action === 'addedToGroup') row.unsubscribeGroupId = idIn(json, 'unsubscribeGroupId', item);
	return { row, contactTypeId, seen, write, limit };
}

/** Where a row puts an address that is not there yet. */
export function placeOf({ row, seen }: SavedPlanRow): string | undefined {
	const { action, body, unsubscribeGroupId } = row;
	const isPlaced = action !== 'updated' || seen?.email !== undefined;
	if (action === 'addedToGroup') return `unsubscribe group ${unsubscribeGroupId}`;
	return body && isPlaced ? `contact type ${body.contact_type_id}` : undefined;
}

/** @throws InvalidInput for the second of two rows that are about the same contact or address */
function refuseDuplicates(rows: readonly SavedPlanRow[]): void {
	const first = new Map<string, number>();
	const claim = (key: string, item: number, what: string) => {
		const other = first.get(key);
		if (other !== undefined) {
			throw new InvalidInput(
				'plan-rows-conflict',
				`Items ${other} and ${item} are for the same ${what}`,
				'Pass on each row of a dry run once, and the rows of one dry run only.',
				item,
			);
		}
		first.set(key, item);
	};
	rows.forEach((planRow) => {
		const { item = 0, contactId, action, email } = planRow.row;
		const place = placeOf(planRow);
		if (isSettled(action)) return;
		if (contactId !== undefined) claim(`contact ${contactId}`, item, 'contact');
		if (place !== undefined) claim(`${place} ${addressKey(email)}`, item, 'email');
	});
}

/** @throws InvalidInput if the rows differ in an ID that holds for all of them */
function refuseDifferent(
	rows: readonly SavedPlanRow[],
	label: string,
	idOf: (row: SavedPlanRow) => number | undefined,
): void {
	let known: { id: number; item: number } | undefined;
	rows.forEach((row) => {
		const id = idOf(row);
		const { item = 0 } = row.row;
		if (id === undefined) return;
		known ??= { id, item };
		if (known.id === id) return;
		throw new InvalidInput(
			'values-differ',
			`"${label}" is ${id} for item ${item}, but ${known.id} for item ${known.item}`,
			`Run the node once for each "${label}".`,
			item,
		);
	});
}

/**
 * Reads the rows of a dry run, also if they were stored in between and their objects are JSON texts now.
 *
 * @param indexOf the index of the item at a position: there may be items of other accounts
 * @throws InvalidInput for the first item that cannot be applied
 */
export function readPlanRows(
	items: readonly IDataObject[],
	indexOf = (position: number) => position,
): SavedPlanRow[] {
	const rows = items.map((json, position) => readRow(json, indexOf(position)));
	refuseDifferent(rows, FIELD_LABELS.contact_type_id, ({ contactTypeId }) => contactTypeId);
	refuseDifferent(rows, 'Unsubscribe Group', ({ row }) => row.unsubscribeGroupId);
	refuseDuplicates(rows);
	return rows;
}

/** @throws InvalidInput for a row of a plan that a limit would have stopped */
export function refuseLimited(rows: readonly SavedPlanRow[]): void {
	rows.forEach(({ limit, row: { item = 0 } }) => {
		if (limit === undefined) return;
		throw new InvalidInput(
			'plan-over-limit',
			`Item ${item} is part of a plan that a limit would have stopped: ${limit}`,
			'Check the plan. To apply it anyway, turn on "Allow Plans Over a Limit" in Options.',
			item,
		);
	});
}
