import type { NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { operationError } from '../../service/errors';
import type { RunContext } from '../../run/runContext';
import type { Item } from '../../params/item';
import { locatorValue } from '../../params/values';
import { coerceText, isId, toJson } from '../../util/coerce';
import { quote, sanitize } from '../../util/text';

const shown = (text: string): string => sanitize(text, 60) || 'empty';

/** @param values of the first item, and of this one */
function differs(
	node: INode,
	label: string,
	[firstItem, item]: [Item | undefined, Item],
	[first, other]: [string, string],
): NodeOperationError {
	return operationError(
		node,
		'values-differ',
		`"${label}" is ${shown(other)} for item ${item.index}, but ${shown(first)} for item ${firstItem?.index ?? 0}`,
		{
			itemIndex: item.index,
			description: `Use one value for all items, or run the node once for each value of "${label}".`,
		},
	);
}

/**
 * Reads an ID that holds for the whole run. If contacts can be deleted, a wrong ID must not go unnoticed.
 *
 * @param parameter the resource locator
 * @throws NodeOperationError if there is none, or if items differ in it
 */
export function runId({ node, items }: RunContext, parameter: string, label: string): number {
	const read = (item: Item | undefined) =>
		coerceText(locatorValue(item?.param(parameter, ''))).trim();
	const [firstItem, ...others] = items;
	const first = read(firstItem);
	if (!isId(first)) {
		throw operationError(node, 'id-invalid', `"${label}" has no valid ID: ${quote(first)}`, {
			description: 'Choose from the list, or enter a numeric ID.',
		});
	}
	const varies = coerceText(locatorValue(node.parameters[parameter])).startsWith('=');
	for (const item of varies ? others : []) {
		if (read(item) === first) continue;
		throw differs(node, label, [firstItem, item], [first, read(item)]);
	}
	return Number(first);
}

/**
 * A parameter that holds for the whole run.
 *
 * @throws NodeOperationError if items differ in it
 */
export function sameForAll(
	{ node, items }: RunContext,
	parameter: string,
	label: string,
	fallback: unknown,
): unknown {
	const [first, ...others] = items;
	const value = first?.param(parameter, fallback);
	const varies = coerceText(node.parameters[parameter]).startsWith('=');
	for (const item of varies ? others : []) {
		const other = item.param(parameter, fallback);
		if (toJson(other) === toJson(value)) continue;
		throw differs(node, label, [first, item], [coerceText(value), coerceText(other)]);
	}
	return value;
}
