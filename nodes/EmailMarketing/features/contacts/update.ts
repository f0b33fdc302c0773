import type { DraftStep } from '../../run/operation';
import { currentRecord } from '../../run/mergeCurrent';
import { keep, keepId } from '../../params/currentValue';
import { email, text, toAddress, type Inputs } from '../../params/validators';
import { clearAddress } from '../../util/addressesIn';
import { coerceText } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { contactDetails, mappedInputs } from './create';
import { CONTACT_FIELDS, FIELD_LABELS } from './fields';

/** What an update sends for fields that were left out. */
export const keptFields = {
	contact_type_id: keepId('contact_type_id'),
	...Object.fromEntries(CONTACT_FIELDS.map((field) => [field, keep(field)])),
	// It may be a name.
	country: keepId('country', /^/),
};

/** The fields of a contact that exists, whose email may be one that no new contact may have. */
export const changedContactInputs: Inputs = {
	...mappedInputs,
	email: email('', { required: true, isKnown: true }),
	country: text('', {
		required: true,
		ifEmpty:
			'The contact has no country, but every update requires one. Map one, or set it in the service.',
	}),
};

/** Refuses such an email unless the contact has it already, which then stays as it is. */
export const checkNewAddress: DraftStep = async (draft) => {
	const { email } = draft.body;
	if (email === undefined || clearAddress(coerceText(email)) !== undefined) return;
	const { record } = await currentRecord(draft, contactDetails);
	const current = coerceText(record.email).trim();
	if (addressKey(current) === addressKey(coerceText(email))) draft.body.email = current;
	else toAddress(email, FIELD_LABELS.email);
};

/** Does so before anything is sent: a mistake in any item stops the run. The record is read again in its turn. */
export const checkNewAddressAhead: DraftStep = async (draft) =>
	await checkNewAddress({ ...draft, body: { ...draft.body } });
