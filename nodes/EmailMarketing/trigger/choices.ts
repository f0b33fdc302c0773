import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { fetchList } from '../transport/request';
import type { ListName } from '../transport/request';

async function choices(
	context: ILoadOptionsFunctions,
	list: ListName,
	fields: { name: string; value: string },
): Promise<INodePropertyOptions[]> {
	const rows = await fetchList(context, list);
	return rows.map((row) => ({
		name: String(row[fields.name]),
		value: row[fields.value] as string | number,
	}));
}

function search(list: ListName, name: string) {
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const all = await choices(this, list, { name, value: 'id' });
		return {
			results: all.filter((choice) => choice.name.toLowerCase().includes(filter.toLowerCase())),
		};
	};
}

function options(list: ListName, name: string) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await choices(this, list, { name, value: 'utr' });
	};
}

/** What the lists of the trigger's parameters offer. */
export const methods = {
	listSearch: {
		searchContactTypes: search('contactTypes', 'name'),
		searchSegments: search('segments', 'segment_name'),
		searchUnsubscribeGroups: search('unsubscribeGroups', 'group_name'),
	},
	loadOptions: {
		getAutomations: options('automations', 'automation_name'),
		getSingleSends: options('singleSends', 'single_send_name'),
	},
};
