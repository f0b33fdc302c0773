import { endpoints } from '../../service/endpoints';
import { currentRecord } from '../../run/mergeCurrent';
import type { RecordDetails } from '../../run/mergeCurrent';
import type { DraftStep } from '../../run/operation';
import { InvalidInput } from '../../params/invalidInput';
import { email, text, type Inputs } from '../../params/validators';
import { customValuesOf, differingCustomFields } from '../../records/customFields';
import { readCustomFields } from './changes';
import { countriesOf } from './countries';
import { TEXT_FIELDS } from './fields';
import { automaticMapping } from './inputItems';

/** Where an update reads the current contact. */
export const contactDetails: RecordDetails = {
	details: endpoints.contact.get,
	id: 'contact_id',
	label: 'Contact',
};

/** The fields of a contact that the mapper gives (19, 23). */
export const mappedInputs: Inputs = {
	email: email('', { required: true }),
	country: text('', { required: true }),
	...Object.fromEntries(TEXT_FIELDS.map((field) => [field, text('')])),
};

/** The service requires a country's ID (19, 23); people also write names and ISO codes. The lookup (50) is read once. */
export const resolveCountry: DraftStep = async ({ run, client, body }) => {
	if (typeof body.country !== 'string') return;
	const given = body.country.trim();
	if (/^0*[1-9]\d{0,14}$/.test(given)) {
		body.country = String(Number(given));
		return;
	}
	const found = (await countriesOf({ run, client })).find(given);
	if ('problem' in found) {
		throw new InvalidInput(
			found.code,
			`"Country" ${found.problem}`,
			'Enter the name as the service spells it, an ISO code, or the ID.',
		);
	}
	body.country = found.id;
};

const notWrittenHint =
	'Custom fields were not written: see "customFieldsNotWritten" in the output. They can only be set when a contact is created: use Contact > Create or Update with "Custom Fields of New Contacts" set to "Import as File".';

/**
 * Names the custom fields of an item in the output: creates (19) and updates (23) take none. Values that the contact has
 * already are not named.
 */
export const nameCustomFields: DraftStep = async (draft) => {
	const { run, item, identity, body } = draft;
	const { customFields = [] } = automaticMapping(run)?.(item.json) ?? {};
	const given = readCustomFields(customFields);
	if (given.customFields.length + given.unreadable.length === 0) return;
	const isNew = body.contact_id === undefined;
	const stored = isNew ? '' : customValuesOf((await currentRecord(draft, contactDetails)).record);
	const notWritten = [...differingCustomFields(stored, given.customFields), ...given.unreadable];
	if (notWritten.length === 0) return;
	identity.customFieldsNotWritten = notWritten;
	run.showHint(notWrittenHint);
};
