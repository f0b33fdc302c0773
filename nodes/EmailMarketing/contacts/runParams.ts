import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../engine/runContext';
import type { Item } from '../params/item';
import { numberOption } from '../params/numberOption';
import { locatorValue } from '../params/values';
import { coerceText, isId } from '../util/coerce';
import { quote, sanitize } from '../util/text';

/**
 * Reads an ID that holds for the whole run. With deletions in play, a mix-up must not go unnoticed.
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
		throw new NodeOperationError(node, `"${label}" has no valid ID: ${quote(first)}`, {
			description: 'Choose from the list, or enter a numeric ID.',
		});
	}
	const varies = coerceText(locatorValue(node.parameters[parameter])).startsWith('=');
	for (const item of varies ? others : []) {
		if (read(item) === first) continue;
		throw new NodeOperationError(
			node,
			`"${label}" is ${sanitize(read(item), 60) || 'empty'} for item ${item.index}, but ${first} for item 0`,
			{ itemIndex: item.index, description: `Run the node once for each "${label}".` },
		);
	}
	return Number(first);
}

/** @throws InvalidInput */
export function addressesPerRequest(options: IDataObject): number {
	const label = 'Addresses per Request';
	return Math.floor(numberOption(options, 'addressesPerRequest', label, 1) ?? 100);
}
