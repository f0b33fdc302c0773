import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { outputFields, sortFields } from '../run/output/simplify';
import { labelOf } from '../util/labels';
import { distinct, hasCredential, problemOf, recordChoices, reopenNode } from './choices';
import type { ChoiceFetcher, ChoiceSourceName } from './choices';
import { placeChoices } from './placeChoices';

/** The choices as options of a field, such as one that takes several records. */
export function optionsFrom(fetchChoices: ChoiceFetcher) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		if (!hasCredential(this)) return [reopenNode];
		const choices = await fetchChoices(this).catch((error: unknown) => [problemOf(error)]);
		return distinct(choices).map(({ name, value, detail }) => ({
			name,
			value,
			description: detail,
		}));
	};
}

/** The reference does not say whether these bulk deletes (43, 49b) take ids or utrs, so the user chooses. */
function byChosenKey(byUtr: ChoiceSourceName, byId: ChoiceSourceName): ChoiceFetcher {
	return async (context) => {
		const { options } = (context.getCurrentNodeParameters() ?? {}) as IDataObject;
		const identifyBy = (options as IDataObject | undefined)?.identifyBy;
		return await recordChoices(identifyBy === 'utr' ? byUtr : byId)(context);
	};
}

function fieldOptions(
	fieldsOf: (resource: string, operation: string) => string[],
	nameOf: (field: string) => string,
) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const { resource = '', operation = '' } = (this.getCurrentNodeParameters() ?? {}) as Record<
			string,
			string
		>;
		return fieldsOf(resource, operation).map((field) => ({ name: nameOf(field), value: field }));
	};
}

type OptionsLoader = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** With an entry for the empty default, which n8n would mark as an error. */
function withNone(name: string, load: OptionsLoader): OptionsLoader {
	return async function () {
		const options = await load.call(this);
		const isRead = options.every(({ value }) => value !== '');
		return isRead ? [{ name, value: '' }, ...options] : options;
	};
}

export const loadOptions = {
	getAutomations: optionsFrom(byChosenKey('Automations', 'AutomationIds')),
	getContacts: optionsFrom(recordChoices('Contacts')),
	getContactTypes: optionsFrom(recordChoices('ContactTypes')),
	getCountries: withNone('Choose a Country', optionsFrom(placeChoices('countries'))),
	getCustomFieldNames: optionsFrom(recordChoices('CustomFieldNames')),
	getGlobalUnsubscribes: optionsFrom(recordChoices('GlobalUnsubscribes')),
	getNotificationRecipients: optionsFrom(recordChoices('NotificationRecipients')),
	getOutputFields: fieldOptions(outputFields, (field) => field),
	getSingleSends: optionsFrom(byChosenKey('SingleSends', 'SingleSendIds')),
	getSortFields: withNone('As Returned by the Service', fieldOptions(sortFields, labelOf)),
	getTargets: optionsFrom(recordChoices('Targets')),
	getUnsubscribeGroupRecipients: optionsFrom(recordChoices('UnsubscribeGroupRecipients')),
	getUnsubscribeGroups: optionsFrom(recordChoices('UnsubscribeGroups')),
};
