import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../transport/answer';
import type { Failure } from '../transport/answer';
import { formWithCsv } from '../transport/file';
import { attempt, fetchList, fetchMessage, locationsPath } from '../transport/request';
import type { Call, RequestContext } from '../transport/request';
import type { SuppressedAddress, SyncApi, WriteFailure } from './api';
import type { ContactBody, ListedContact } from './types';

/** @returns a failed write as sync reports it */
export function asWriteFailure(failure: Failure | undefined): WriteFailure | undefined {
	if (!failure) return undefined;
	const { message, description, carriedOut } = failure;
	// What to do about an unknown outcome is said when the list has been looked at.
	return {
		message: carriedOut === 'no' ? `${message}. ${description}` : `${message}.`,
		carriedOut,
	};
}

/** @returns form fields, which are text */
export function asText(fields: object): IDataObject {
	return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

const isSuppressed = (row: IDataObject): boolean => typeof row.email_address === 'string';
const isContact = (row: IDataObject): boolean =>
	typeof row.id === 'number' && typeof row.email === 'string';

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
			return rows.filter(isContact) as unknown as ListedContact[];
		},
		async listGlobalUnsubscribes() {
			const rows = await fetchList(context, 'globalUnsubscribes');
			return rows.filter(isSuppressed) as unknown as SuppressedAddress[];
		},
		async listGroupRecipients(groupId) {
			const rows = await fetchList(context, 'unsubscribeGroupRecipients', { groupId });
			return rows.filter(isSuppressed) as unknown as SuppressedAddress[];
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
			return isObject(contact) ? String(contact.country ?? '').trim() : '';
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
