import { NodeOperationError } from 'n8n-workflow';
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { fetchList } from '../api/http';
import { locatorValue } from '../params/validators';
import { coerceText, isId, isUtr } from '../util/coerce';
import { choiceSources } from './choices';
import type { ChoiceFetcher, ChoiceParent, ChoiceSource, ChoiceSourceName } from './choices';

/** @throws NodeOperationError where the list depends on a choice that has not been made */
export function recordChoices(name: ChoiceSourceName): ChoiceFetcher {
	return async (context) => {
		const sources: ChoiceSource[] = choiceSources[name];
		const lists = await Promise.all(
			sources.map(async ({ list, parent, toChoice }) => {
				const query = parent && { [parent.field]: parentValue(context, parent) };
				const choices = (await fetchList(context, list, query)).map(toChoice);
				return choices.filter(({ value }) => value !== '');
			}),
		);
		return lists.flat();
	};
}

function parentValue(
	context: ILoadOptionsFunctions,
	{ field, parameter, label }: ChoiceParent,
): string {
	const value = coerceText(locatorValue(context.getCurrentNodeParameter(parameter))).trim();
	if (field === 'utr' ? isUtr(value) : isId(value)) return value;
	throw new NodeOperationError(context.getNode(), `Choose "${label}" first`, {
		description: 'The list depends on it.',
	});
}
