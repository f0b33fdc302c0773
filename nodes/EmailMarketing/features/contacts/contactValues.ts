import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { currentRecord } from '../../run/mergeCurrent';
import type { RecordDetails } from '../../run/mergeCurrent';
import type { DraftStep } from '../../run/operation';
import type { RunContext } from '../../run/runContext';
import { keep, keepId } from '../../params/currentValue';
import { InvalidInput } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { email, text, toAddress, type Inputs } from '../../params/validators';
import { asText, isBlank, locatorValue } from '../../params/values';
import { customValuesOf, differingCustomFields } from '../../records/customFields';
import { clearAddress } from '../../util/addressesIn';
import { coerceText } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { readCustomFields } from './changes';
import { countriesOf } from './countries';
import { CONTACT_FIELDS, createAutomaticMapping, FIELD_LABELS, TEXT_FIELDS } from './fields';
import { createMappedReader } from './mapped';
import { ignoredFields, readInputItems } from './inputItems';
import type { Mapper } from './mapped';

/** Where an update reads the current contact. */
export const contactDetails: RecordDetails = {
	details: endpoints.contact.get,
	id: 'contact_id',
	label: 'Contact',
};

type ReadContact = (item: Item) => IDataObject;

/** How items are read if their keys are mapped automatically. */
function automaticMapping(run: RunContext): ReturnType<typeof createAutomaticMapping> | undefined {
	const { mappingMode } = (run.node.parameters.fields ?? {}) as Mapper;
	if (mappingMode !== 'autoMapInputData') return undefined;
	return run.memoize('automatic mapping', createAutomaticMapping);
}

function createReader(run: RunContext): ReadContact {
	const { node, isTool } = run;
	const { value } = (node.parameters.fields ?? {}) as Mapper;
	const read = automaticMapping(run);
	if (read) {
		return ({ json }) => {
			const { values, contactTypeId } = read(json);
			return { ...values, contact_type_id: contactTypeId } as IDataObject;
		};
	}
	const readers = Object.entries(value ?? {}).map(
		([field, mapped]) => [field, createMappedReader(mapped, isTool)] as const,
	);
	return (item) => {
		const values = readers.map(([field, read]) => [
			field,
			read(item, () => item.param(`fields.value.${field}`, '')),
		]);
		return Object.fromEntries(values) as IDataObject;
	};
}

/** The values of an item for a contact, by API field name: mapped by hand, or read from the keys of the item. */
export function contactValues(run: RunContext, item: Item): IDataObject {
	return run.memoize('contact values', () => createReader(run))(item);
}

const notWrittenHint =
	'Custom fields were not written: see "customFieldsNotWritten" in the output. The API accepts them only when new contacts are imported, as Contact > Create or Update does.';

/** Contact: Create. Once per run, as a sync does. An item with a country does not need one for new contacts. */
export const tellIgnoredFields: DraftStep = async ({ run, item }) =>
	run.memoize('ignored fields', () => {
		const { notes, warnings } = ignoredFields(run, () => ({
			inputs: readInputItems(run),
			used: [],
			hasCountry: isBlank(contactValues(run, item).country) && newContactCountry(item) !== '',
		}));
		for (const warning of warnings) run.showHint(warning, 'warning');
		for (const note of notes) run.showHint(note);
	});

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

const countryLabel = 'Country for New Contacts';

/**
 * The country for new contacts whose item has none. If it is empty, also because an expression returned nothing, these
 * items fail.
 *
 * @returns '' if there is none
 * @throws InvalidInput for anything but text
 */
export function newContactCountry(item: Item): string {
	const value = locatorValue(item.param('defaultCountry', ''));
	return isBlank(value) ? '' : asText(value, countryLabel).trim();
}

/** The values for a new contact, with the default country. */
export function newContactValues(run: RunContext, item: Item): IDataObject {
	const values = contactValues(run, item);
	return isBlank(values.country) ? { ...values, country: newContactCountry(item) } : values;
}

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

/** What an update sends for fields that were left out. */
export const keptFields = {
	contact_type_id: keepId('contact_type_id'),
	...Object.fromEntries(CONTACT_FIELDS.map((field) => [field, keep(field)])),
};

/** The fields of a contact that the mapper gives (19, 23). */
const mappedInputs: Inputs = {
	email: email('', { required: true }),
	country: text('', { required: true }),
	...Object.fromEntries(TEXT_FIELDS.map((field) => [field, text('')])),
};

/** The same for a contact that exists, whose email may be one that no new contact may have. */
export const changedContactInputs: Inputs = {
	...mappedInputs,
	email: email('', { required: true, isKnown: true }),
};

/** Refuses such an email unless the contact has it already. */
export const checkNewAddress: DraftStep = async (draft) => {
	const { email } = draft.body;
	if (email === undefined || clearAddress(coerceText(email)) !== undefined) return;
	const { record } = await currentRecord(draft, contactDetails);
	if (addressKey(coerceText(record.email)) !== addressKey(coerceText(email))) {
		toAddress(email, FIELD_LABELS.email);
	}
};

/** The same for a new contact. */
export const newContactInputs: Inputs = {
	...mappedInputs,
	country: text('', {
		required: true,
		ifEmpty: `Map it, or choose a "${countryLabel}".`,
	}),
};
