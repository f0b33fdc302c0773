import { NodeOperationError } from 'n8n-workflow';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
	INodeType,
	ResourceMapperFields,
} from 'n8n-workflow';

import { CONTACT_FIELDS, FIELD_LABELS, TEXT_FIELDS } from '../contacts/fields';
import { locatorValue } from '../params/validators';
import { labelOf } from '../util/labels';
import { plain as normalize } from '../util/normalize';
import { recordFields } from '../output/simplify';
import { isId, isUtr, coerceText } from '../util/coerce';
import { fetchList } from '../api/http';
import { choiceSources } from './choices';
import type { Choice, ChoiceSource } from './choices';
import { placeChoices } from './places';
import type { PlaceKind } from './places';

/** Entries that the editor gets at a time; it asks for more when one scrolls. */
const pageSize = 500;

async function choicesFrom(
	context: ILoadOptionsFunctions,
	sources: ChoiceSource[],
): Promise<Choice[]> {
	const lists = await Promise.all(
		sources.map(async ({ list, parent, toChoice }) => {
			const query = parent && { [parent.field]: parentValue(context, parent) };
			const choices = (await fetchList(context, list, query)).map(toChoice);
			return choices.filter(({ value }) => value !== '');
		}),
	);
	return lists.flat();
}

function parentValue(
	context: ILoadOptionsFunctions,
	{ field, parameter, label }: { field: string; parameter: string; label: string },
): string {
	const value = coerceText(locatorValue(context.getCurrentNodeParameter(parameter))).trim();
	if (field === 'utr' ? isUtr(value) : isId(value)) return value;
	throw new NodeOperationError(context.getNode(), `Choose "${label}" first`, {
		description: 'The list depends on it.',
	});
}

/** NFKC first, so that ligatures and full-width letters match plain ones as well. */
const searchKey = (text: string) => normalize(text.normalize('NFKC'));

/** Search of a resource locator over the whole list: by part of the name, of its details, or by the id. */
function search(choices: (context: ILoadOptionsFunctions) => Promise<Choice[]>) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const wanted = searchKey(filter ?? '');
		const found = (await choices(this)).filter(
			({ name, value, detail = '' }) =>
				wanted === '' || value === filter || searchKey(`${name} ${detail}`).includes(wanted),
		);
		const start = Number(paginationToken ?? 0);
		const end = start + pageSize;
		return {
			results: found.slice(start, end).map(({ name, value, detail }) => ({
				name: detail === undefined || detail === '' ? name : `${name} (${detail})`,
				value,
			})),
			...(end < found.length && { paginationToken: String(end) }),
		};
	};
}

/** Options of a field that takes several records. */
function options(choices: (context: ILoadOptionsFunctions) => Promise<Choice[]>) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return (await choices(this)).map(({ name, value, detail }) => ({
			name,
			value,
			description: detail,
		}));
	};
}

const from = (name: string) => async (context: ILoadOptionsFunctions) =>
	await choicesFrom(context, choiceSources[name] ?? []);

const places = (kind: PlaceKind) => async (context: ILoadOptionsFunctions) =>
	await placeChoices(context, kind);

/** Records whose bulk delete takes ids or utrs, as the user says (43, 49b). */
const keyed = (name: string, nameOfIds: string) => async (context: ILoadOptionsFunctions) => {
	const given = (context.getCurrentNodeParameters() ?? {}) as IDataObject;
	const identifyBy = (given.options as IDataObject | undefined)?.identifyBy;
	return await from(identifyBy === 'utr' ? name : nameOfIds)(context);
};

async function getOutputFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const { resource, operation } = (this.getCurrentNodeParameters() ?? {}) as Record<string, string>;
	return recordFields(resource ?? '', operation ?? '').map((name) => ({ name, value: name }));
}

async function getSortFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const fields = await getOutputFields.call(this);
	return fields.map(({ value }) => ({ name: labelOf(String(value)), value }));
}

/** The columns of the contact mapper: those that the endpoints 19 and 23 take. */
async function getContactFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const isUpdate = this.getCurrentNodeParameter('operation') === 'update';
	const [countries, contactTypes] = await Promise.all([
		options(places('countries')).call(this),
		isUpdate ? options(from('ContactTypes')).call(this) : [],
	]);
	const field = {
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		required: false,
	};
	return {
		fields: [
			{
				...field,
				id: 'email',
				displayName: FIELD_LABELS.email,
				type: 'string',
				required: !isUpdate,
			},
			{
				...field,
				id: 'country',
				displayName: FIELD_LABELS.country,
				type: 'options',
				options: countries,
				required: !isUpdate,
			},
			...TEXT_FIELDS.map((id) => ({
				...field,
				id,
				displayName: FIELD_LABELS[id],
				type: 'string' as const,
			})),
			...(isUpdate
				? [
						{
							...field,
							id: 'contact_type_id',
							displayName: 'Contact Type',
							type: 'options' as const,
							options: contactTypes,
						},
					]
				: []),
		],
	};
}

/** The columns that each operation on all items at once can map. */
function syncFieldIds(context: ILoadOptionsFunctions): Array<keyof typeof FIELD_LABELS> {
	const resource = context.getCurrentNodeParameter('resource');
	if (resource === 'globalUnsubscribe') return ['email'];
	if (resource === 'segment') return ['email', 'first_name', 'last_name'];
	const byId = context.getCurrentNodeParameter('matchBy') === 'contactId';
	return [...(byId ? (['contact_id'] as const) : []), ...CONTACT_FIELDS];
}

/** The columns of their mapper. Countries are text there: names and ISO codes are resolved. */
async function getSyncFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const ids = syncFieldIds(this);
	return {
		fields: ids.map((id) => ({
			id,
			displayName: FIELD_LABELS[id],
			type: 'string',
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
		})),
	};
}

export const methods: INodeType['methods'] = {
	listSearch: {
		searchAutomations: search(from('Automations')),
		searchAutomationSchedules: search(from('AutomationSchedules')),
		searchCities: search(places('cities')),
		searchContacts: search(from('Contacts')),
		searchContactTypes: search(from('ContactTypes')),
		searchCountries: search(places('countries')),
		searchCustomFields: search(from('CustomFields')),
		searchDesignTemplates: search(from('DesignTemplates')),
		searchGlobalUnsubscribes: search(from('GlobalUnsubscribes')),
		searchNotificationRecipients: search(from('NotificationRecipients')),
		searchSegmentRecipients: search(from('SegmentRecipients')),
		searchSegments: search(from('Segments')),
		searchSenders: search(from('Senders')),
		searchSingleSends: search(from('SingleSends')),
		searchStates: search(places('states')),
		searchTargets: search(from('Targets')),
		searchUnsubscribeGroupRecipients: search(from('UnsubscribeGroupRecipients')),
		searchUnsubscribeGroups: search(from('UnsubscribeGroups')),
	},
	loadOptions: {
		getAutomations: options(keyed('Automations', 'AutomationIds')),
		getContacts: options(from('Contacts')),
		getContactTypes: options(from('ContactTypes')),
		getGlobalUnsubscribes: options(from('GlobalUnsubscribes')),
		getNotificationRecipients: options(from('NotificationRecipients')),
		getOutputFields,
		getSingleSends: options(keyed('SingleSends', 'SingleSendIds')),
		getSortFields,
		getTargets: options(from('Targets')),
		getUnsubscribeGroupRecipients: options(from('UnsubscribeGroupRecipients')),
		getUnsubscribeGroups: options(from('UnsubscribeGroups')),
	},
	resourceMapping: { getContactFields, getSyncFields },
};
