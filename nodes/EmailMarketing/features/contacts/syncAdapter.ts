import { sleep } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import type { ClearanceFor } from '../../service/clearance';
import type { ServiceRequest } from '../../service/client';
import { endpoints } from '../../service/endpoints';
import type { Endpoint } from '../../service/endpoints';
import { isNotFound, readEnvelope, readRecordOf } from '../../service/envelope';
import { toFailure } from '../../service/errors';
import { isRejected, ServiceError } from '../../service/failure';
import type { Failure } from '../../service/failure';
import { csvPart, StreamedForm } from '../../service/form';
import type { Fields } from '../../service/form';
import { fetchEach, fetchList, fetchLocations } from '../../service/lists';
import type { RunContext } from '../../run/runContext';
import { toGlobalEntries, toSuppressed } from '../consent/entries';
import { consentOf } from '../consent/guard';
import { coerceText, isEmpty, isObject, toJson, withoutLeadingZeros } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { raceAbort } from '../../util/raceAbort';
import type { SyncPort, WriteFailure } from './syncPort';
import type { ListedContact } from './types';

/** @returns a failed write as sync reports it */
function asWriteFailure(failure: Failure | undefined): WriteFailure | undefined {
	if (!failure) return undefined;
	const { code, message, description, effect, rejectedFields, isNotFound } = failure;
	const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
	// What to do about an unknown outcome is said when the list has been looked at.
	return {
		code,
		message: effect === 'none' ? `${sentence} ${description}` : sentence,
		problem: sentence,
		effect,
		isRejected: isRejected(failure),
		...(rejectedFields && {
			mayBeTaken: rejectedFields.length === 0 || rejectedFields.includes('email'),
		}),
		...(isNotFound && { isNotFound }),
	};
}

/**
 * Sends a write.
 *
 * @returns why it failed, or nothing if it succeeded
 */
export async function write<E extends Endpoint>(
	{ client }: RunContext,
	request: ServiceRequest & { endpoint: E } & ClearanceFor<E>,
): Promise<WriteFailure | undefined> {
	return await client.send(request, readEnvelope).then(
		() => undefined,
		(error: unknown) => asWriteFailure(toFailure(error, request.endpoint)),
	);
}

/**
 * Whether a contact has more than the contact endpoints write, so that no other one can stand in for it. A form that
 * the reference does not show counts as a value.
 *
 * @param fields custom fields as the service returns them
 */
function hasCustomValues(fields: unknown): boolean {
	if (isEmpty(fields)) return false;
	if (!isObject(fields)) return !Array.isArray(fields) || fields.length > 0;
	return Object.values(fields).some((field) => {
		const isNamed = isObject(field) && Object.hasOwn(field, 'field_value');
		const value = isNamed ? field.field_value : field;
		return typeof value === 'string' ? value.trim() !== '' : !isEmpty(value);
	});
}

/** What sync needs of an entry; undefined for a contact without an address, which is never matched or created again. */
function toContact(row: IDataObject): ListedContact | undefined {
	const { email: address } = row;
	if (address === undefined || address === null) return undefined;
	const email = typeof address === 'string' ? address : (toJson(address) ?? '');
	if (email.trim() === '') return undefined;
	const id = toId(row.id);
	const contactTypeId = toId(row.contact_type_id);
	const values = row as Partial<ListedContact>;
	// All contacts with the same keys in the same order take the least memory.
	return {
		id,
		contact_type_id: contactTypeId,
		email,
		country: values.country,
		deleted_at: values.deleted_at,
		first_name: values.first_name,
		last_name: values.last_name,
		state: values.state,
		city: values.city,
		address_line1: values.address_line1,
		address_line2: values.address_line2,
		state_province_region: values.state_province_region,
		postal_code: values.postal_code,
		alt_email: values.alt_email,
		hasCustomValues: hasCustomValues(row.custom_field),
		unclear: whyUnclear(typeof address === 'string', id, contactTypeId),
	};
}

function whyUnclear(isText: boolean, id: number, contactTypeId: number): string | undefined {
	if (!isText) return 'with an email that is not text';
	if (!(id > 0)) return 'without an ID';
	return contactTypeId >= 0 ? undefined : 'without a contact type';
}

/** NaN for what is no id. */
function toId(value: unknown): number {
	const isText = typeof value === 'string' || typeof value === 'number';
	return isText && /^\d{1,15}$/.test(String(value)) ? Number(value) : NaN;
}

const isSame = (a: ListedContact, b: ListedContact): boolean =>
	addressKey(a.email) === addressKey(b.email) &&
	Object.is(a.contact_type_id, b.contact_type_id) &&
	!a.deleted_at === !b.deleted_at;

/** One contact for each ID. Where entries with one ID differ in whose or where it is, that is not clear. */
function distinct(entries: ReadonlyArray<ListedContact | undefined>): ListedContact[] {
	const byId = new Map<number, ListedContact>();
	const contacts: ListedContact[] = [];
	for (const contact of entries) {
		if (contact === undefined) continue;
		const first = Number.isNaN(contact.id) ? undefined : byId.get(contact.id);
		if (first === undefined) {
			byId.set(contact.id, contact);
			contacts.push(contact);
		} else if (!isSame(first, contact)) {
			const unclear = 'under the same ID as another one';
			first.unclear ??= unclear;
			contacts.push({ ...contact, unclear });
		}
	}
	return contacts;
}

/** The contacts of the list (18) that have an address, each once. */
export const toContacts = (rows: readonly IDataObject[]): ListedContact[] =>
	distinct(rows.map(toContact));

const texts = (fields: object): Fields =>
	Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));

/** The service as sync needs it. Reads throw ServiceError; writes give back why they failed. */
export function createSyncAdapter(run: RunContext): SyncPort {
	const { contact, globalUnsubscribe, unsubscribeGroup } = endpoints;
	const { client } = run;
	return {
		listContacts: async () => distinct(await fetchEach(client, contact.getAll, toContact)),
		async listGlobalUnsubscribes() {
			const rows = await fetchList(client, globalUnsubscribe.getAll);
			return toGlobalEntries(run, rows);
		},
		async listGroupRecipients(groupId) {
			const query = { groupId: String(groupId) };
			const rows = await fetchList(client, unsubscribeGroup.getRecipients, query);
			return toSuppressed(run, 'the unsubscribe group', rows);
		},
		lookup: async () => await fetchLocations(client),
		async contactCountry(contactId) {
			const query = { contact_id: String(contactId) };
			const message = await client
				.send({ endpoint: contact.get, query }, readEnvelope, true)
				.catch((error: unknown) => {
					// A contact that is gone by now has no country.
					if (error instanceof ServiceError && isRejected(error.failure)) return undefined;
					throw error;
				});
			const record = isObject(message) ? message.contact : undefined;
			return isObject(record) ? withoutLeadingZeros(coerceText(record.country).trim()) : '';
		},
		async contactDetails(contactId) {
			const record = await client.send(
				{ endpoint: contact.get, query: { contact_id: String(contactId) } },
				(response, info) =>
					isNotFound(response)
						? undefined
						: readRecordOf(response, contact.get.key, info, String(contactId)),
				true,
			);
			return record && distinct([toContact(record)])[0];
		},
		create: async (body) => {
			const clearance = consentOf(body.email);
			return await write(run, { endpoint: contact.create, body: texts(body), clearance });
		},
		update: async (contactId, body) => {
			const clearance = consentOf(body.email);
			const fields = texts({ contact_id: contactId, ...body });
			return await write(run, { endpoint: contact.update, body: fields, clearance });
		},
		remove: async (contactId, removal) => {
			const query = { contact_id: String(contactId) };
			const clearance = removal.require([contactId]);
			return await write(run, { endpoint: contact.delete, query, clearance });
		},
		removeMany: async (contactIds, removal) => {
			const body = { strIds: contactIds.map(String) };
			const clearance = removal.require(contactIds);
			return await write(run, { endpoint: contact.deleteMany, body, clearance });
		},
		addToGroup: async (groupId, addresses) => {
			const body = { unsubscribe_groups_id: String(groupId), email_address: addresses.join(',') };
			return await write(run, { endpoint: unsubscribeGroup.addRecipient, body });
		},
		uploadCsv: async (contactTypeId, text, addresses) => {
			const file = csvPart('contacts.csv', Buffer.from(text));
			const fields = { contact_type_id: String(contactTypeId) };
			return await write(run, {
				endpoint: contact.importCsv,
				body: new StreamedForm(fields, 'file', file),
				clearance: consentOf(...addresses),
				// No field of the editor has chosen this file.
				labels: { body: { file: { label: 'File' } } },
			});
		},
		wait: async (ms) => {
			await raceAbort(sleep(ms), run.signal);
		},
	};
}
