import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { recordFields } from '../output/simplify';
import { labelOf } from '../util/labels';
import { distinct } from './choices';
import type { ChoiceFetcher, ChoiceSourceName } from './choices';
import { recordChoices } from './recordChoices';

/** The choices as options of a field, such as one that takes several records. */
export function optionsFrom(fetchChoices: ChoiceFetcher) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const choices = distinct(await fetchChoices(this));
		return choices.map(({ name, value, detail }) => ({ name, value, description: detail }));
	};
}

/** The reference does not say whether these bulk deletes (43, 49b) take ids or utrs, so the user does. */
function byChosenKey(byUtr: ChoiceSourceName, byId: ChoiceSourceName): ChoiceFetcher {
	return async (context) => {
		const { options } = (context.getCurrentNodeParameters() ?? {}) as IDataObject;
		const identifyBy = (options as IDataObject | undefined)?.identifyBy;
		return await recordChoices(identifyBy === 'utr' ? byUtr : byId)(context);
	};
}

async function getOutputFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const { resource, operation } = (this.getCurrentNodeParameters() ?? {}) as Record<string, string>;
	return recordFields(resource ?? '', operation ?? '').map((name) => ({ name, value: name }));
}

async function getSortFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const fields = await getOutputFields.call(this);
	return fields.map(({ value }) => ({ name: labelOf(String(value)), value }));
}

export const loadOptions = {
	getAutomations: optionsFrom(byChosenKey('Automations', 'AutomationIds')),
	getContacts: optionsFrom(recordChoices('Contacts')),
	getContactTypes: optionsFrom(recordChoices('ContactTypes')),
	getGlobalUnsubscribes: optionsFrom(recordChoices('GlobalUnsubscribes')),
	getNotificationRecipients: optionsFrom(recordChoices('NotificationRecipients')),
	getOutputFields,
	getSingleSends: optionsFrom(byChosenKey('SingleSends', 'SingleSendIds')),
	getSortFields,
	getTargets: optionsFrom(recordChoices('Targets')),
	getUnsubscribeGroupRecipients: optionsFrom(recordChoices('UnsubscribeGroupRecipients')),
	getUnsubscribeGroups: optionsFrom(recordChoices('UnsubscribeGroups')),
};
