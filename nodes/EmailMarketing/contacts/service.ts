import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { isObject, isRejected } from '../api/envelope';
import type { Failure } from '../api/envelope';
import { formWithCsv } from '../api/form';
import { coerceText, toJson } from '../util/coerce';
import { attempt, fetchList, fetchMessage, locationsPath } from '../api/http';
import type { Call, RequestContext } from '../api/http';
import { sanitize } from '../util/text';
import type { SuppressedAddress, SyncApi, WriteFailure } from './api';
import type { ContactBody, ListedContact } from './types';

/** @returns a failed write as sync reports it */
export function asWriteFailure(failure: Failure | undefined): WriteFailure | undefined {
	if (!failure) return undefined;
	const { message, description, effect } = failure;
	const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
	// What to do about an unknown outcome is said when the list has been looked at.
	return {
		message: effect === 'none' ? `${sentence} ${description}` : sentence,
		effect,
		isRejected: isRejected(failure),
	};
}

/** @returns form fields, which are text */
export function asText(fields: object): IDataObject {
	return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

/** What cannot be understood here could be somebody who unsubscribed, or be created a second time: better to stop. */
function strange(context: RequestContext, what: string, row: object): NodeOperationError {
	return new NodeOperationError(context.getNode(), `The service lists ${what}`, {
		description: `Nothing was written, since it is not certain whom this is about: ${sanitize(toJson(row) ?? '', 200)}. Look at this entry in the service, or report it if the entry is in order.`,
	});
}

function toContact(context: RequestContext, row: IDataObject): ListedContact | undefined {
	const { id, contact_type_id: contactTypeId, email } = row;
	// A contact without an address can be neither matched nor created again.
	if (email === undefined || email === null) return undefined;
	if (typeof email !== 'string') {
		throw strange(context, 'a contact whose address is no text', row);
	}
	if (email.trim() === '') return undefined;
	const ids = { id: toId(id), contact_type_id: toId(contactTypeId) };
	if (!(ids.id > 0 && ids.contact_type_id >= 0)) {
		throw strange(context, 'a contact without an ID or a contact type', row);
	}
	return { ...row, email, ...ids };
}

/** NaN for what is no id. */
function toId(value: unknown): number {
	const isText = typeof value === 'string' || typeof value === 'number';
	return isText && /^\d{1,15}$/.test(String(value)) ? Number(value) : NaN;
}

/** With two addresses under one id, a deletion of the one would delete the other. */
function refuseDoubles(context: RequestContext, contacts: readonly ListedContact[]): void {
	const emails = new Map<number, string>();
	for (const contact of contacts) {
		const other = emails.get(contact.id);
		if (other !== undefined && other !== contact.email) {
			throw strange(context, 'two contacts with the same ID', contact);
		}
		emails.set(contact.id, contact.email);
	}
}

function toSuppressed(
	context: RequestContext,
	list: string,
	rows: readonly IDataObject[],
): SuppressedAddress[] {
	return rows.map((row) => {
		const { email_address: address, created_at: since } = row;
		if (typeof address !== 'string' || address.trim() === '') {
			throw strange(context, `an entry without an address under ${list}`, row);
		}
		return { email_address: address, created_at: typeof since === 'string' ? since : '' };
	});
}

/**
 * The service as sync needs it, over the node's credential and n8n's request options.
 *
 * @param context the running node
 * @returns reads that throw NodeApiError, and writes that tell why they failed
 */
export function createSyncApi(context: RequestContext): SyncApi {
	const write = async (call: Call) => asWriteFailure(await attempt(context, call));
	const form = async (path: string, fields: object) =>
		await write({
			method: 'POST',
			path,
			body: asText(fields),
			contentType: 'multipart/form-data',
		});
	return {
		async listContacts() {
			const rows = await fetchList(context, 'contacts');
			const contacts = rows.flatMap((row) => toContact(context, row) ?? []);
			refuseDoubles(context, contacts);
			return contacts;
		},
		async listGlobalUnsubscribes() {
			const rows = await fetchList(context, 'globalUnsubscribes');
			return toSuppressed(context, 'Global Unsubscribes', rows);
		},
		async listGroupRecipients(groupId) {
			const rows = await fetchList(context, 'unsubscribeGroupRecipients', { groupId });
			return toSuppressed(context, 'the unsubscribe group', rows);
		},
		async lookup() {
			return await fetchMessage(context, { method: 'GET', path: locationsPath });
		},
		async contactCountry(contactId) {
			const message = await fetchMessage(context, {
				method: 'GET',
				path: '/contacts/details',
				query: { contact_id: contactId },
			});
			const contact = isObject(message) ? message.contact : undefined;
			return isObject(contact) ? coerceText(contact.country).trim() : '';
		},
		create: async (body: ContactBody) => await form('/contacts/add', body),
		update: async (contactId, body) =>
			await form('/contacts/update', { contact_id: contactId, ...body }),
		remove: async (contactId) =>
			await write({
				method: 'DELETE',
				path: '/contacts/delete',
				query: { contact_id: contactId },
			}),
		removeMany: async (contactIds) =>
			await write({
				method: 'POST',
				path: '/contacts/bulk-delete',
				body: asText(Object.fromEntries(contactIds.map((id, n) => [`strIds[${n}]`, id]))),
				contentType: 'application/x-www-form-urlencoded',
			}),
		uploadCsv: async (contactTypeId, text) =>
			await write({
				method: 'POST',
				path: '/contacts/upload-csv',
				body: formWithCsv(
					{ contact_type_id: String(contactTypeId) },
					{ field: 'file', name: 'contacts.csv', text },
				),
			}),
	};
}
