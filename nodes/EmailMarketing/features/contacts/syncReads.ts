import { sleep } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { fetchEach, fetchList, fetchLocations } from '../../service/lists';
import type { Locations } from '../../service/lists';
import type { RunContext } from '../../run/runContext';
import { customValuesOf } from '../../records/customFields';
import { isDeleted } from '../../records/recordKind';
import { suppressionReader, type SuppressionReader } from '../consent/entries';
import { coerceText, toJson } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { raceAbort } from '../../util/promises';
import type { ListedContact } from './types';

/** What sync reads. */
export interface SyncReads extends SuppressionReader {
	/** (18) */
	listContacts(): Promise<ListedContact[]>;
	/** The names of the custom fields (32); absent if the list has none. */
	listCustomFields?(): Promise<string[]>;
	/** The lookup (50). */
	locations(): Promise<Pick<Locations, 'countries'>>;
	/** Gives the service time to finish what it has accepted; ends at once if the execution is canceled. */
	wait(ms: number): Promise<void>;
}

/**
 * The part of an entry that a sync needs; undefined for a contact without an address, which is never matched or created
 * again.
 */
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
		customValues: customValuesOf(row),
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
	isDeleted(a) === isDeleted(b);

/** One contact for each ID. Entries with the same ID but another address or contact type are unclear. */
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

/** The contacts of the list (18) with an address, each once. */
export const toContacts = (rows: readonly IDataObject[]): ListedContact[] =>
	distinct(rows.map(toContact));

/** The reads of a sync; each returns the current list. */
export function syncReads(run: RunContext): SyncReads {
	const { contact, customField } = endpoints;
	const { client } = run;
	return {
		...suppressionReader(run, async (...list) => await fetchList(client, ...list)),
		listContacts: async () => distinct(await fetchEach(client, contact.getAll, toContact)),
		async listCustomFields() {
			const rows = await fetchList(client, customField.getAll);
			return rows.map((row) => coerceText(row.field_name).trim());
		},
		locations: async () => await fetchLocations(client),
		wait: async (ms) => {
			await raceAbort(sleep(ms), run.signal);
		},
	};
}
