import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { currentRecord, type RecordDetails } from '../../run/mergeCurrent';
import type { Draft, DraftStep } from '../../run/operation';
import { simplifyRecord } from '../../run/output/simplify';
import { existingChoice, resolveExisting, type ExistingRecords } from '../../run/sameRecord';
import type { RunContext } from '../../run/runContext';
import { InvalidInput } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { email, text, type Input, type Inputs } from '../../params/validators';
import { isBlank, locatorValue, textOrEmpty } from '../../params/values';
import { customValuesOf, differingCustomFields } from '../../records/customFields';
import { isEmpty, isGarbled, withoutHalves } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { quote } from '../../util/text';
import { GARBLED, readCustomFields } from './changes';
import { countriesOf } from './countries';
import { TEXT_FIELDS } from './fields';
import { createDirectory, mainAddresses, type Directory } from './identify';
import { automaticMapping, contactValues, readInputItems, unusedFields } from './inputItems';
import { toContacts } from './syncReads';
import type { ListedContact } from './types';

/** Where an update reads the current contact. */
export const contactDetails: RecordDetails = {
	details: endpoints.contact.get,
	id: 'contact_id',
	label: 'Contact',
};

const anyText = text('');

const readableText: Input = {
	...anyText,
	encode(value, label, ...rest) {
		if (!isGarbled(value)) return anyText.encode(withoutHalves(value), label, ...rest);
		const { problem, remedy } = GARBLED;
		throw new InvalidInput('text-garbled', `"${label}" ${problem}`, `${remedy}.`);
	},
};

/** The fields of a contact that the mapper gives (19, 23). */
export const mappedInputs: Inputs = {
	email: email('', { required: true }),
	country: text('', { required: true }),
	...Object.fromEntries(TEXT_FIELDS.map((field) => [field, readableText])),
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
	return textOrEmpty(locatorValue(item.param('defaultCountry', '')), countryLabel);
}

/** The fields of a new contact. */
export const newContactInputs: Inputs = {
	...mappedInputs,
	country: text('', {
		required: true,
		ifEmpty: `Map it, or choose a "${countryLabel}".`,
	}),
};

/** The values for a new contact, with the default country. */
export function newContactValues(run: RunContext, item: Item): IDataObject {
	const values = contactValues(run, item);
	return isBlank(values.country) ? { ...values, country: newContactCountry(item) } : values;
}

/** Contact: Create. Once per run, as a sync does. */
export const tellUnusedFields: DraftStep = async ({ run }) =>
	run.memoize('unused fields', () => {
		for (const note of unusedFields(run, () => readInputItems(run))) run.showHint(note);
	});

/** The service requires a country's ID (19, 23); people also write names and ISO codes. The lookup (50) is read once. */
export const resolveCountry: DraftStep = async ({ run, client, body, item }) => {
	if (typeof body.country !== 'string') return;
	const given = body.country.trim();
	if (/^0*[1-9]\d{0,14}$/.test(given)) {
		body.country = String(Number(given));
		return;
	}
	const found = (await countriesOf({ run, client })).find(given);
	if ('problem' in found) {
		const isPreset = body.contact_id === undefined && isBlank(contactValues(run, item).country);
		throw new InvalidInput(
			isPreset ? 'default-country-invalid' : found.code,
			`"${isPreset ? countryLabel : 'Country'}" ${found.problem}`,
			'Enter the name as the service spells it, an ISO code, or the ID.',
		);
	}
	body.country = found.id;
};

const notWrittenHint =
	'Custom fields were not written: see "customFieldsNotWritten" in the output. They can only be set when a contact is created: use "Contact: Create or Update" with "Custom Fields of New Contacts" set to "Import as File".';

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

const ifExistsLabel = 'If Contact Exists';
const ifExistsParameter: ExistingRecords['parameter'] = {
	path: 'ifContactExists',
	label: ifExistsLabel,
	default: 'return',
};

/** The contacts of the account, read once per run. */
async function contactsOf(draft: Draft): Promise<ListedContact[]> {
	return await draft.run.memoize('contacts', async () =>
		toContacts(await draft.run.cachedList(draft, endpoints.contact.getAll)),
	);
}

const addressOf = ({ body }: Draft): string => String(body.email);
const typeOf = ({ body }: Draft): number => Number(body.contact_type_id);

/** The contacts of the contact type, found as in a sync: deleted ones do not count. */
async function directoryOf(draft: Draft): Promise<Directory> {
	const contacts = await contactsOf(draft);
	const type = typeOf(draft);
	return draft.run.memoize(`contacts of ${type}`, () => createDirectory(contacts, type));
}

/**
 * Reads what "If Contact Exists" depends on, if the choice depends on anything.
 *
 * @returns the main addresses of the contacts whose alternative email the item has
 */
export async function readExistingContacts(draft: Draft): Promise<string[]> {
	const { run, item } = draft;
	if (existingChoice(run, ifExistsParameter, item) === 'create') return [];
	const contacts = await contactsOf(draft);
	const mainOf = run.memoize('main addresses', () => mainAddresses(contacts));
	return mainOf(addressOf(draft));
}

/** The whole entry of a contact, with what a sync does not need. */
async function entryOf(draft: Draft, { id }: ListedContact): Promise<IDataObject | undefined> {
	const rows = await draft.run.cachedList(draft, endpoints.contact.getAll);
	const byId = draft.run.memoize(
		'entries of contacts',
		// As in a sync, entries without an address do not count.
		() => new Map(rows.filter(({ email }) => !isEmpty(email)).map((row) => [Number(row.id), row])),
	);
	return byId.get(id);
}

const identityOf = (draft: Draft, { id, email }: IDataObject): IDataObject => ({
	email: email ?? addressOf(draft),
	contact_type_id: typeOf(draft),
	...(id !== undefined && { id }),
});

/** "If Contact Exists" (19): found by its address within the contact type, from one read of the list (18). */
export const ifContactExists = resolveExisting({
	parameter: ifExistsParameter,
	key: (draft) => `${typeOf(draft)} ${addressKey(addressOf(draft))}`,
	find: async (draft) => {
		const { byEmail, unclear } = await directoryOf(draft);
		const key = addressKey(addressOf(draft));
		const found = byEmail.get(key);
		const why = found ? undefined : unclear.get(key);
		if (why === undefined) return found && (await entryOf(draft, found));
		throw new InvalidInput(
			'contact-unclear',
			`"Email" belongs to a contact that the service lists ${why}`,
			'Check the contact in the service.',
		);
	},
	existing: (record, draft) => ({
		created: false,
		...(record.id !== undefined && simplifyRecord(record, 'contact')),
		...identityOf(draft, record),
		message: 'A contact with this email already exists; nothing was written',
	}),
	existsCode: 'contact-exists',
	nounOf: (draft) => `contact with the email ${quote(addressOf(draft))}`,
	remedy: `Use another email, or set "${ifExistsLabel}" to "Return Existing", or use "Contact: Create or Update".`,
});
