import type { IDataObject } from 'n8n-workflow';

import { isDeleted } from '../../../records/recordKind';
import { coerceText, sameText } from '../../../util/coerce';
import { quote, shortHash } from '../../../util/text';
import { failedRow, isSettled, type SyncRun } from '../../contacts/contactWrites';
import {
	CONTACT_FIELDS,
	FIELD_LABELS,
	TEXT_FIELDS,
	type ContactInput,
} from '../../contacts/fields';
import type { SyncReads } from '../../contacts/syncReads';
import type { ListedContact, PlannedRow } from '../../contacts/types';
import { onlyRun } from '../plan/planMissing';
import { readAndPlan } from '../plan/readAndPlan';
import { clearApproved } from '../removalGate';
import type { Plan, SyncOptions } from '../types';
import { writePlan, type WriteResult } from '../writePlan';
import { isRemoval, nameOfOne, type SavedPlanRow } from './planRows';

/**
 * A hash of all values of a contact (18) that a sync writes, short enough for a table or an email. It begins with a
 * letter, since a sheet may take a text such as `-1e5` for a formula or a number.
 */
function contactVersion(contact: ListedContact): string {
	const values = ['email', 'contact_type_id', 'country', ...TEXT_FIELDS] as const;
	const texts = values.map((field) => coerceText(contact[field]).trim());
	if (contact.wholeName !== undefined) texts.push(contact.wholeName.trim());
	return `v${shortHash(JSON.stringify(texts), 11)}`;
}

/** The additional columns that "Apply Plan" needs. All rows to write have them, since a table keeps only its own columns. */
export function columnsToApply(
	{ contacts, limit }: Plan,
	versionKey: 'contactVersion' | 'recipientVersion',
): (row: PlannedRow) => IDataObject {
	const isOfContacts = versionKey === 'contactVersion';
	const byId = new Map(contacts.map((contact) => [contact.id, contact]));
	return (row) => {
		if (isSettled(row)) return {};
		const contact = byId.get(row.contactId ?? 0);
		return {
			...(contact && { [versionKey]: contactVersion(contact) }),
			overLimit: limit !== undefined,
			...(isOfContacts &&
				row.action === 'created' && { customFields: Object.fromEntries(row.customFields ?? []) }),
		};
	};
}

interface AppliedPlan extends WriteResult {
	/** When the rows were planned again, in ISO 8601. */
	plannedAt: string;
}

const now = (): string => new Date().toISOString();

/**
 * Plans the rows of a dry run again. A row is written only if its action is still the same and its contact has not
 * changed since. Nothing is read if there is nothing to write.
 *
 * @throws Cancelled; errors of the reads, before any write
 */
export async function applyPlan(
	rows: readonly SavedPlanRow[],
	reads: SyncReads,
	options: SyncOptions,
	run: SyncRun,
): Promise<AppliedPlan> {
	const open = rows.filter(({ row }) => !isSettled(row));
	if (open.length === 0) return { rows: rows.map(({ row }) => row), notes: [], plannedAt: now() };
	const written = open.filter((planRow) => !isRemoval(planRow));
	const approved = new Set(open.filter(isRemoval).flatMap(({ row }) => row.contactId ?? []));
	const plan = await readAndPlan(written.map(inputOf), reads, options, {
		execution: onlyRun,
		approved,
	});
	const plannedAt = now();
	const removals = new Map(plan.rows.slice(written.length).map((row) => [row.contactId ?? 0, row]));
	const again = new Map(open.map((planRow) => [planRow, removals.get(planRow.row.contactId ?? 0)]));
	written.forEach((planRow, position) => again.set(planRow, plan.rows[position]));
	const listed = new Map(plan.listed.map((contact) => [contact.id, contact]));
	const one = nameOfOne(options.list);
	const checked = rows.map((planRow) =>
		isSettled(planRow.row)
			? planRow.row
			: checkedRow(planRow, again.get(planRow), listed.get(planRow.row.contactId ?? 0), one),
	);
	run.pool.check();
	const removal = clearApproved(checked);
	const { listed: before, suppressions } = plan;
	const executed = await writePlan(checked, { reads, run, options, before, removal, suppressions });
	return { ...executed, plannedAt };
}

/** Turns a row back into an input item. An existing contact is identified by its ID. */
function inputOf({
	row: { item, email, contactId, changes = {}, customFields = [] },
}: SavedPlanRow): ContactInput {
	const values: ContactInput['values'] = contactId === undefined ? { email } : {};
	for (const field of CONTACT_FIELDS) if (changes[field]) values[field] = changes[field].to;
	const custom = customFields.map(([name, value]): [string, unknown] => [name, value]);
	return { item, ...(contactId !== undefined && { contactId }), values, customFields: custom };
}

/** The custom fields that the dry run or the new plan could not write. */
function notWrittenBy(...rows: PlannedRow[]): Pick<PlannedRow, 'customFieldsNotWritten'> {
	const names = new Set(rows.flatMap((row) => row.customFieldsNotWritten ?? []));
	return names.size > 0 ? { customFieldsNotWritten: [...names] } : {};
}

/**
 * @param again the row in the new plan; undefined if the contact would no longer be removed
 * @param contact the contact or recipient as the service lists it now
 * @param one which of them it is
 * @returns the row to write, or the outcome of a row that is not written
 */
function checkedRow(
	{ row, version, newContactTypeId, contactTypeId }: SavedPlanRow,
	again: PlannedRow | undefined,
	contact: ListedContact | undefined,
	one: string,
): PlannedRow {
	const { item, action, email, contactId, reason } = row;
	const settled = (why: string, id = contactId): PlannedRow => ({
		...{ item, action: 'unchanged', email, contactId: id, reason: why },
	});
	const changed = (what: string, field?: string): PlannedRow => ({
		...failedRow(row, 'changed-since-plan', `changed since the plan: ${what}`),
		...(field !== undefined && { field }),
	});
	if (again === undefined) {
		const isThere = contact !== undefined && !isDeleted(contact);
		if (!isThere && action === 'deleted') return settled(`The ${one} was already deleted`);
		if (!isThere) return changed(`the ${one} no longer exists`);
		const type = Number(contact.contact_type_id);
		if (type === newContactTypeId) return settled('The contact was already moved');
		if (type === contactTypeId) return changed(`the ${one} would no longer be removed`);
		const what = `"${FIELD_LABELS.contact_type_id}" was ${contactTypeId} and is now ${type}`;
		return changed(what, FIELD_LABELS.contact_type_id);
	}
	switch (again.action) {
		case 'skipped':
			return { ...again, item, email };
		case 'unchanged':
			return settled(again.reason ?? `The ${one} already has the planned values`, again.contactId);
		case 'failed':
			return again.code === 'email-taken'
				? changed(`another ${one} now has the email`, FIELD_LABELS.email)
				: changed(again.reason ?? '', again.field);
		default:
			if (again.action !== action) {
				return {
					...changed(`${one} ${again.contactId} now has the email`, FIELD_LABELS.email),
					contactId: again.contactId,
				};
			}
			if (contact === undefined || version === undefined || contactVersion(contact) === version) {
				return { ...again, ...notWrittenBy(row, again), item, reason };
			}
			return changed(...differenceOf(row, contact, one));
	}
}

const shown = (text: string): string => (text === '' ? 'empty' : quote(text));

/** The changes since the dry run, as far as the row shows the old values, and the label of the first changed field. */
function differenceOf(
	{ email, changes = {} }: PlannedRow,
	contact: ListedContact,
	one: string,
): [what: string, field?: string] {
	const before = Object.entries(changes).map(([field, { from }]) => [field, from ?? ''] as const);
	if (!changes.email) before.push(['email', email]);
	const differences = before.flatMap(([name, from]) => {
		const field = name as keyof typeof changes;
		const to = coerceText(contact[field]);
		if (sameText(from, to)) return [];
		return [{ label: FIELD_LABELS[field], what: `was ${shown(from)} and is now ${shown(to)}` }];
	});
	const [first] = differences;
	if (first === undefined) return [`the values of the ${one} differ from the dry run`];
	return [differences.map(({ label, what }) => `"${label}" ${what}`).join(', '), first.label];
}
