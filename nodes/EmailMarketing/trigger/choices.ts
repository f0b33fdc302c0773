import type { ILoadOptionsFunctions, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { methods as shared } from '../methods';
import { choiceSources } from '../methods/choices';
import { fetchList } from '../api/lists';
import { readForEditor } from '../methods/readForEditor';

/** Records by their utr, which is what the filters compare. */
function options(name: 'Automations' | 'SingleSends') {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const choices = (choiceSources[name] ?? []).map(async ({ list, toChoice }) =>
			(await readForEditor(this, async (client) => await fetchList(client, list)))
				.map(toChoice)
				.filter(({ value }) => value !== ''),
		);
		return (await Promise.all(choices))
			.flat()
			.map(({ name: shown, value, detail }) => ({ name: shown, value, description: detail }));
	};
}

/** What the lists of the trigger's parameters offer. */
export const methods: INodeType['methods'] = {
	listSearch: shared?.listSearch,
	loadOptions: {
		getAutomations: options('Automations'),
		getSingleSends: options('SingleSends'),
	},
};
