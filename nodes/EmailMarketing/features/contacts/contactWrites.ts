import { Clearance, NotCleared } from '../../service/clearance';
import type { WritingClient } from '../../service/client';
import { endpoints } from '../../service/endpoints';
import { toFailure } from '../../service/errors';
import type { Failure } from '../../service/failure';
import { csvPart, StreamedForm, type Fields } from '../../service/form';
import type { Outcome } from '../../run/writer/outcome';
import { reasonOf } from '../../run/writer/verify';
import { requestOf, type WriteContext, type WriteRequest } from '../../run/writer/write';
import { consentOf, type ClearedAddress } from '../consent/guard';
import type { RowAction, ClearedBody, PlannedRow } from './types';

/** The parts of a run that operations on all items need for writing. */
export type SyncRun = WriteContext & { client: WritingClient; account: string };

/** Permits the removal of these contacts only. */
export class RemovalClearance extends Clearance<'removal'> {
	private readonly contactIds: ReadonlySet<number>;

	constructor(contactIds: Iterable<number>) {
		super('removal');
		this.contactIds = new Set(contactIds);
	}

	/** @throws NotCleared for a contact that has not passed the gate */
	require(contactIds: readonly number[]): this {
		if (contactIds.some((id) => !this.contactIds.has(id))) throw new NotCleared(this.gate);
		return this;
	}
}

const { contact, unsubscribeGroup } = endpoints;

const texts = (fields: object): Fields =>
	Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));

/** (19) */
export const createRequest = (client: WritingClient, body: ClearedBody): WriteRequest =>
	requestOf(client, {
		endpoint: contact.create,
		body: texts(body),
		clearance: consentOf(body.email),
	});

/** (23) */
export const updateRequest = (
	client: WritingClient,
	contactId: number,
	body: ClearedBody,
): WriteRequest =>
	requestOf(client, {
		endpoint: contact.update,
		body: texts({ contact_id: contactId, ...body }),
		clearance: consentOf(body.email),
	});

/** (24) */
export const removeRequest = (
	client: WritingClient,
	contactId: number,
	removal: RemovalClearance,
): WriteRequest =>
	requestOf(client, {
		endpoint: contact.delete,
		query: { contact_id: String(contactId) },
		clearance: removal.require([contactId]),
	});

/** (25) */
export const removeManyRequest = (
	client: WritingClient,
	contactIds: readonly number[],
	removal: RemovalClearance,
): WriteRequest =>
	requestOf(client, {
		endpoint: contact.deleteMany,
		body: { strIds: contactIds.map(String) },
		clearance: removal.require(contactIds),
	});

/** (9) */
export const addToGroupRequest = (
	client: WritingClient,
	groupId: number,
	addresses: string[],
): WriteRequest =>
	requestOf(client, {
		endpoint: unsubscribeGroup.addRecipient,
		body: { unsubscribe_groups_id: String(groupId), email_address: addresses.join(',') },
	});

/** (21); `addresses` are those of the file. */
export const uploadRequest = (
	client: WritingClient,
	contactTypeId: number,
	csv: string,
	addresses: readonly ClearedAddress[],
): WriteRequest =>
	requestOf(client, {
		endpoint: contact.importCsv,
		body: new StreamedForm(
			{ contact_type_id: String(contactTypeId) },
			'file',
			csvPart('contacts.csv', Buffer.from(csv)),
		),
		clearance: consentOf(...addresses),
		// The file does not come from a field of the editor.
		labels: { body: { file: { label: 'File' } } },
	});

const settled: ReadonlySet<RowAction> = new Set(['unchanged', 'skipped', 'failed']);

/** Whether nothing is to be written for a row. */
export const isSettled = ({ action }: Pick<PlannedRow, 'action'>): boolean => settled.has(action);

/** Why an action failed. */
export const failureOf = (outcome: Outcome | undefined): Failure | undefined =>
	outcome?.kind === 'failed' ? toFailure(outcome.error, { changesData: true }) : undefined;

/** A row whose write failed, without the planned changes. */
export const failedRow = (
	{ item, email, contactId }: Pick<PlannedRow, 'item' | 'email' | 'contactId'>,
	code: PlannedRow['code'],
	reason: string,
): PlannedRow => ({ item, action: 'failed', email, contactId, code, reason });

/** The outcome of a row. */
export function rowAfter(row: PlannedRow, outcome: Outcome | undefined): PlannedRow {
	const failure = failureOf(outcome);
	if (outcome === undefined || outcome.kind === 'notSent') return row;
	const { at } = outcome;
	if (failure) return { ...failedRow(row, failure.code, reasonOf(failure)), at };
	const { note } = outcome as Extract<Outcome, { kind: 'items' }>;
	return { ...row, at, ...(note !== undefined && { reason: note }) };
}
