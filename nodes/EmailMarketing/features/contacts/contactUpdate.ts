import type { endpoints } from '../../service/endpoints';
import { changedContacts } from './consentGate';
import { CONTACT_FIELDS } from './fields';
import { mergeCurrent } from '../../run/mergeCurrent';
import type { Row } from '../../run/operation';
import { reportCleared } from '../../run/reportCleared';
import { done } from '../../run/output/responseMappers';
import { keep, keepId } from '../../params/currentValue';
import { recordId } from '../../params/validators';
import { records } from '../../records/records';
import { contactDetails, contactValues, mappedInputs, resolveCountry } from './contactValues';

/** The values that an update sends for fields that were left out. */
const keptFields = {
	contact_type_id: keepId('contact_type_id'),
	...Object.fromEntries(CONTACT_FIELDS.map((field) => [field, keep(field)])),
};

/** The request of Contact: Update. */
export const updateContact: Row<typeof endpoints.contact.update> = {
	values: contactValues,
	body: {
		contact_id: recordId('contactId', { identifies: 'id', source: records.contact }),
		contact_type_id: recordId('', { identifies: false }),
		...mappedInputs,
	},
	gate: changedContacts,
	plan: {
		record: contactDetails.id,
		ahead: [resolveCountry],
		stages: [mergeCurrent({ ...contactDetails, fields: keptFields }), resolveCountry],
		complete: reportCleared(contactDetails),
	},
	output: done('updated'),
};
