import type { CustomValues } from '../../records/customFields';
import type { ErrorCode } from '../../service/errorCode';
import type { ClearedAddress } from '../consent/guard';
import type { Suppression } from '../consent/types';
import type { ContactField, TextField } from './fields';

/** A contact of the list (18), with only the fields that a plan uses. */
export interface ListedContact extends Partial<Record<TextField, string | null>> {
	id: number;
	contact_type_id: number | string;
	email: string;
	/** The name of the country; an id is understood too. */
	country?: string | number | null;
	/** The contact endpoints (19, 23) take neither this nor custom fields. */
	alt_email?: string | null;
	/** The custom fields that have a value, as JSON; '' or absent if none has. */
	customValues?: string;
	/** The whole name of a recipient who has no first and last name; only Apply Plan compares it. */
	wholeName?: string;
	/** Why it is unclear which contact this is, as the end of a sentence; everyone it may be is left alone. */
	unclear?: string;
	deleted_at?: string | null;
}

export type RowAction =
	'created' | 'updated' | 'unchanged' | 'skipped' | 'moved' | 'addedToGroup' | 'deleted' | 'failed';

export type Changes = Partial<Record<ContactField, { from: string | null; to: string }>>;

/** The body of a create (19), or of an update (23) without `contact_id`. A field that is '' is to be blanked. */
export type ContactBody = { contact_type_id: number; email: string; country: string } & Partial<
	Record<TextField, string>
>;

/** A body whose address the consent guard has cleared. */
export type ClearedBody = ContactBody & { email: ClearedAddress };

/** What should be done, or was done, for one input item or for one contact that no item names. */
export interface PlannedRow {
	/** Index of the input item; absent for contacts that are missing from the input. */
	item?: number;
	action: RowAction;
	email: string;
	contactId?: number;
	/** For skipped rows, the part before a colon is the same for all rows with that reason. */
	reason?: string;
	/** It is on the list, but another run may have added it: it does not count as added by this sync. */
	mayBeOfOthers?: true;
	/** When the outcome was known, in ISO 8601. For a row without a write, that was the time of the plan. */
	at?: string;
	/** Of a failure. */
	code?: ErrorCode;
	/** Label of the field that a failure is about. */
	field?: string;
	/** The text in it that is not accepted. */
	value?: string;
	suppression?: Suppression;
	changes?: Changes;
	/** Whether the list (18) does not show whether the contact has the country. It is then no reason to update. */
	isCountryUncompared?: boolean;
	body?: ClearedBody;
	/** What a new contact is to get by an import (21), since a create (19) takes no custom fields. */
	customFields?: CustomValues;
	/** Custom fields whose values in the input the contact does not have afterwards. */
	customFieldsNotWritten?: readonly string[];
	/** The country that a contact without one gets when it is moved. */
	newCountryId?: number;
	/** The group that a missing contact is added to. */
	unsubscribeGroupId?: number;
}

/** How the values of an item become a contact. */
export interface ContactRules {
	contactTypeId: number;
	matchBy: 'email' | 'contactId';
	/** What an empty value in a mapped field means. */
	emptyValues: 'ignore' | 'clear';
	/** Id, name or ISO code for new contacts that come without a country. */
	defaultCountry?: string;
}
