import { endpoints } from '../../service/endpoints';
import { mergeCurrent } from '../../run/mergeCurrent';
import type { RecordDetails } from '../../run/mergeCurrent';
import type { DraftStep, Operation } from '../../run/operation';
import { reportCleared } from '../../run/reportCleared';
import { done } from '../../run/output/responseMappers';
import { keep, keepId } from '../../params/currentValue';
import { email, recordId, text, type Inputs } from '../../params/validators';
import { records } from '../../records/records';
import { contactValues, resolveCountry } from './contactValues';

/** The fields of a contact that the mapper gives (19, 23). */
export const mappedInputs: Inputs = {
	email: email('', { required: true }),
	country: text('', { required: true }),
	first_name: text(''),
	last_name: text(''),
	state: text(''),
	city: text(''),
	address_line1: text(''),
	address_line2: text(''),
	state_province_region: text(''),
	postal_code: text(''),
};

/** What an update sends for the fields that are left out. */
export const keptFields = {
	contact_type_id: keepId('contact_type_id'),
	email: keep('email'),
	country: keep('country'),
	first_name: keep('first_name'),
	last_name: keep('last_name'),
	state: keep('state'),
	city: keep('city'),
	address_line1: keep('address_line1'),
	address_line2: keep('address_line2'),
	state_province_region: keep('state_province_region'),
	postal_code: keep('postal_code'),
};

/** Returns the address along with the IDs, since it is what people know a contact by. */
export const identifyByEmail: DraftStep = async ({ body, identity }) => {
	identity.email = body.email;
};

/** Where an update finds the contact as it is now. */
export const contactDetails: RecordDetails = {
	details: endpoints.contact.get,
	id: 'contact_id',
	label: 'Contact',
};

/** The request of Contact: Update. */
export const updateContact: Operation = {
	endpoint: endpoints.contact.update,
	parse: contactValues,
	body: {
		contact_id: recordId('contactId', { identifies: 'id', source: records.contact }),
		contact_type_id: recordId('', { identifies: false }),
		...mappedInputs,
	},
	clearable: 'options.clearFields',
	inTurn: { field: contactDetails.id, readsRecord: true },
	resolveValues: [resolveCountry],
	enrich: [
		mergeCurrent({ ...contactDetails, fields: keptFields }),
		resolveCountry,
		identifyByEmail,
	],
	complete: reportCleared(contactDetails),
	output: done('updated'),
};
