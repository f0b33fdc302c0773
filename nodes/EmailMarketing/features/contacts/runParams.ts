import type { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';

import { operationError } from '../../service/errors';
import type { RunContext } from '../../run/runContext';
import type { Item } from '../../params/item';
import { locatorValue } from '../../params/values';
import { coerceText, isId, isObject, toJson } from '../../util/coerce';
import { quote, sanitize } from '../../util/text';

const textOf = (value: unknown): string =>
	typeof value === 'object' ? (toJson(value) ?? '') : coerceText(value);

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

/** A parameter as the workflow has it, with its expressions. */
const rawOf = (node: INode, parameter: string): unknown =>
	parameter
		.split('.')
		.reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), node.parameters);

/**
 * A parameter that holds for the whole run.
 *
 * @param parameter such as `dryRun` or `filters.email`
 * @throws NodeOperationError if items differ in it
 */
export function sameForAll(
	{ node, items }: RunContext,
	parameter: string,
	label: string,
	fallback: unknown,
): unknown {
	const [first, ...others] = items;
	const read = (item: Item | undefined) => locatorValue(item?.param(parameter, fallback));
	const value = read(first);
	const varies = JSON.stringify({ raw: rawOf(node, parameter) }).includes('"=');
	for (const item of varies ? others : []) {
		const other = read(item);
		if (toJson(other) === toJson(value)) continue;
		throw differs(node, label, [first, item], [textOf(value), textOf(other)]);
	}
	return value;
}

/** What expressions with another value for each item contain. Any other is evaluated once. */
const OF_ITEM =
	/\$json|\$binary|\$node|\$itemIndex|\$position|\$data|\.item\b|\.pairedItem|itemMatching/;

/** Whether a parameter may have another value for each item. */
export function variesByItem({ node }: RunContext, parameter: string): boolean {
	const raw = JSON.stringify({ raw: rawOf(node, parameter) });
	return raw.includes('"=') && OF_ITEM.test(raw);
}

/** The labels of options that are not simply their name in title case. */
const OPTION_LABELS: Readonly<Record<string, string>> = {
	csvColumns: 'Compatibility: CSV Columns',
	csvCountry: 'Compatibility: CSV Country As',
	customFields: 'Custom Fields of New Contacts',
	externalIdField: 'External ID Field',
	globalUnsubscribes: 'Respect Global Unsubscribes',
	importAbove: 'Import as File If More New Contacts Than',
	onlyAddedBySync: 'Remove Only What This Sync Added',
	recreateRemoved: 'Recreate Removed Contacts',
	report: 'Output',
	unsubscribeGroups: 'Respect Unsubscribe Group Names or IDs',
};

/** Such as `Empty Values` for `emptyValues`. */
const inTitleCase = (name: string): string =>
	`${name.charAt(0).toUpperCase()}${name.slice(1)}`.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/**
 * Options hold for the whole run: another value for another item must not go unnoticed.
 *
 * @param parameters with their labels, besides the options
 * @throws NodeOperationError if items differ in one of them
 */
export function requireSameOptions(
	run: RunContext,
	parameters: Readonly<Record<string, string>>,
): void {
	const { options = {} } = run.node.parameters;
	const labels = Object.entries(parameters);
	for (const name of Object.keys(options as IDataObject)) {
		labels.push([`options.${name}`, OPTION_LABELS[name] ?? inTitleCase(name)]);
	}
	for (const [path, label] of labels) {
		if (variesByItem(run, path)) sameForAll(run, path, label, '');
	}
}
