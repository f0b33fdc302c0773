import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { fetchLocations } from '../service/lists';
import { customFieldKey } from '../records/customFields';
import { readCountries } from '../features/locations/countryShape';
import { CONTACT_FIELDS, FIELD_LABELS, TEXT_FIELDS } from '../features/contacts/fields';
import { optionsFrom } from './loadOptions';
import { distinct, hasCredential, readForEditor, recordChoices } from './choices';

/** The columns that mapping by hand starts with; the others can be added. */
const SHOWN = new Set<string>(['contact_id', 'email', 'country', 'first_name', 'last_name']);

function column(
	id: string,
	displayName: string,
	rest: Partial<ResourceMapperField> = {},
): ResourceMapperField {
	return {
		id,
		displayName,
		type: 'string',
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		removed: !SHOWN.has(id),
		...rest,
	};
}

/**
 * Countries to choose from, or a text field where the lookup (50) fails or has a form that cannot be read. Whether the
 * run accepts names then depends on whether it can read the list.
 */
async function countryColumn(context: ILoadOptionsFunctions): Promise<ResourceMapperField> {
	const locations = await readForEditor(context, fetchLocations).catch(() => undefined);
	const countries = readCountries(locations?.countries ?? []);
	if (countries.length > 0) {
		const options = countries.map(({ id, name }) => ({ name, value: id }));
		return column('country', FIELD_LABELS.country, { type: 'options', options });
	}
	return column('country', FIELD_LABELS.country);
}

/** The columns of the contact mapper: those that the endpoints 19 and 23 take. */
async function getContactFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const isUpdate = this.getCurrentNodeParameter('operation') === 'update';
	const [country, contactTypes] = await Promise.all([
		countryColumn(this),
		isUpdate ? optionsFrom(recordChoices('ContactTypes')).call(this) : [],
	]);
	const fields = [
		column('email', FIELD_LABELS.email, { required: !isUpdate }),
		country,
		...TEXT_FIELDS.map((id) => column(id, FIELD_LABELS[id])),
	];
	if (isUpdate) {
		const type = 'options';
		const label = FIELD_LABELS.contact_type_id;
		fields.push(column('contact_type_id', label, { type, options: contactTypes }));
	}
	return { fields };
}

/** None where the list (32) fails, since all other fields can be mapped without it. */
async function customFieldColumns(context: ILoadOptionsFunctions): Promise<ResourceMapperField[]> {
	if (!hasCredential(context)) return [];
	const choices = await recordChoices('CustomFieldNames')(context).catch(() => []);
	return distinct(choices).map(({ value }) =>
		column(customFieldKey(String(value)), `${value} (Custom Field, New Contacts Only)`),
	);
}

/** The columns that each operation on all items can map. */
async function syncColumns(context: ILoadOptionsFunctions): Promise<ResourceMapperField[]> {
	const resource = context.getCurrentNodeParameter('resource');
	const columns = (ids: ReadonlyArray<keyof typeof FIELD_LABELS>, required: boolean) =>
		ids.map((id) => column(id, FIELD_LABELS[id], { required }));
	if (resource === 'globalUnsubscribe' || resource === 'unsubscribeGroup')
		return columns(['email'], true);
	if (resource === 'segment') return columns(['email', 'first_name', 'last_name'], true);
	if (resource === 'notificationRecipient')
		return [...columns(['email'], true), ...columns(['first_name', 'last_name'], false)];
	const byId = context.getCurrentNodeParameter('matchBy') === 'contactId';
	return [
		...columns([...(byId ? (['contact_id'] as const) : []), ...CONTACT_FIELDS], false),
		...(await customFieldColumns(context)),
	];
}

/** Countries are text here: names and ISO codes are resolved. */
async function getSyncFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return { fields: await syncColumns(this) };
}

export const resourceMapping = { getContactFields, getSyncFields };
