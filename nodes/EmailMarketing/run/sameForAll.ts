import type { IDataObject } from 'n8n-workflow';

import { operationError } from '../service/errors';
import type { RunContext } from './runContext';
import type { Item } from '../params/item';
import { expressionsIn, mayDependOnItem } from '../params/expression';
import { locatorValue } from '../params/values';
import { coerceText, isEmpty, isId, isObject, textOrJson, toJson } from '../util/coerce';
import { quote, sanitize } from '../util/text';

const shown = (text: string): string => sanitize(text, 60) || 'empty';

/** The expressions of a parameter. */
const expressionsOf = ({ node }: RunContext, path: string): string[] =>
	expressionsIn(
		path
			.split('.')
			.reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), node.parameters),
	);

/**
 * A parameter that holds for the whole run.
 *
 * @param parameter such as `dryRun` or `filters.email`
 * @throws NodeOperationError if items differ in it
 */
export function sameForAll(
	run: RunContext,
	parameter: string,
	label: string,
	fallback: unknown,
	valueOf: (given: unknown) => unknown = locatorValue,
): unknown {
	const [first, ...others] = run.items;
	const read = (item: Item | undefined) => valueOf(item?.param(parameter, fallback));
	const value = read(first);
	const varies = expressionsOf(run, parameter).length > 0;
	for (const item of varies ? others : []) {
		const other = read(item);
		if (toJson(other) === toJson(value) || (isEmpty(other) && isEmpty(value))) continue;
		throw operationError(
			run.node,
			'values-differ',
			`"${label}" is ${shown(textOrJson(other))} for item ${item.index}, but ${shown(textOrJson(value))} for item ${first?.index ?? 0}`,
			{
				itemIndex: item.index,
				description: `Use one value for all items, or run the node once for each value of "${label}".`,
			},
		);
	}
	return value;
}

/**
 * Reads an ID that holds for the whole run. If contacts can be deleted, a wrong ID must not go unnoticed.
 *
 * @param parameter the resource locator
 * @throws NodeOperationError if there is none, or if items differ in it
 */
export function idForAll(run: RunContext, parameter: string, label: string): number {
	const textOf = (given: unknown) => coerceText(locatorValue(given)).trim();
	const id = String(sameForAll(run, parameter, label, '', textOf));
	if (isId(id)) return Number(id);
	const advice = { description: 'Choose from the list, or enter a numeric ID.' };
	throw id === ''
		? operationError(run.node, 'value-required', `"${label}" is required but empty`, advice)
		: operationError(run.node, 'id-invalid', `"${label}" has no valid ID: ${quote(id)}`, advice);
}

/**
 * Parameters that hold for the whole run: another value for another item must not go unnoticed.
 *
 * @param labels by the paths of the parameters
 * @throws NodeOperationError if items differ in one of them
 */
export function requireSame(run: RunContext, labels: Readonly<Record<string, string>>): void {
	for (const [path, label] of Object.entries(labels)) {
		if (expressionsOf(run, path).some(mayDependOnItem)) sameForAll(run, path, label, '');
	}
}

/** The labels of options that are not simply their name in title case. */
const OPTION_LABELS: Readonly<Record<string, string>> = {
	allowOverLimit: 'Allow Plans Over a Limit',
	customFields: 'Custom Fields of New Contacts',
	defaultFirstName: 'First Name for Recipients Without One',
	defaultLastName: 'Last Name for Recipients Without One',
	externalIdField: 'External ID Field',
	globalUnsubscribes: 'Respect Global Unsubscribes',
	ifNothingFound: 'If Nothing Is Found',
	importAbove: 'Import as File If More New Contacts Than',
	onlyAddedBySync: 'Only Added by Sync',
	report: 'Output',
	unsubscribeGroups: 'Respect Unsubscribe Group Names or IDs',
};

/** Such as `Empty Values` for `emptyValues`. */
const inTitleCase = (name: string): string =>
	`${name.charAt(0).toUpperCase()}${name.slice(1)}`.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** The paths of the fields of an option such as "Removal"; otherwise, that of the option. */
function fieldsOf(path: string, value: unknown): string[] {
	const [[name, fields] = []] = isObject(value) ? Object.entries(value) : [];
	return isObject(fields) ? Object.keys(fields).map((field) => `${path}.${name}.${field}`) : [path];
}

/**
 * The same for all options of the node.
 *
 * @param others labels of other parameters, by their paths; an option may have another label in an operation
 */
export function requireSameOptions(
	run: RunContext,
	others: Readonly<Record<string, string>> = {},
): void {
	const options = Object.entries((run.node.parameters.options ?? {}) as IDataObject);
	const ofOptions = options
		.flatMap(([name, value]) => fieldsOf(`options.${name}`, value))
		.map((path) => {
			const name = path.slice(path.lastIndexOf('.') + 1);
			return [path, OPTION_LABELS[name] ?? inTitleCase(name)] as const;
		});
	requireSame(run, { ...Object.fromEntries(ofOptions), ...others });
}
