import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { CONTACT_FIELDS, FIELD_LABELS, TEXT_FIELDS } from '../contacts/fields';
import { optionsFrom } from './loadOptions';
import { placeChoices } from './placeChoices';
import { recordChoices } from './recordChoices';

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
		...rest,
	};
}

/** The columns of the contact mapper: those that the endpoints 19 and 23 take. */
async function getContactFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const isUpdate = this.getCurrentNodeParameter('operation') === 'update';
	const required = !isUpdate;
	const [countries, contactTypes] = await Promise.all([
		optionsFrom(placeChoices('countries')).call(this),
		isUpdate ? optionsFrom(recordChoices('ContactTypes')).call(this) : [],
	]);
	const fields = [
		column('email', FIELD_LABELS.email, { required }),
		column('country', FIELD_LABELS.country, { type: 'options', options: countries, required }),
		...TEXT_FIELDS.map((id) => column(id, FIELD_LABELS[id])),
	];
	if (isUpdate) {
		const type = 'options';
		fields.push(column('contact_type_id', 'Contact Type', { type, options: contactTypes }));
	}
	return { fields };
}

/** The columns that each operation on all items can map. */
function syncFieldIds(context: ILoadOptionsFunctions): Array<keyof typeof FIELD_LABELS> {
	const resource = context.getCurrentNodeParameter('resource');
	if (resource === 'globalUnsubscribe') return ['email'];
	if (resource === 'segment') return ['email', 'first_name', 'last_name'];
	const byId = context.getCurrentNodeParameter('matchBy') === 'contactId';
	return [...(byId ? (['contact_id'] as const) : []), ...CONTACT_FIELDS];
}

/** Countries are text here: names and ISO codes are resolved. */
async function getSyncFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return { fields: syncFieldIds(this).map((id) => column(id, FIELD_LABELS[id])) };
}

export const resourceMapping = { getContactFields, getSyncFields };
