import type { IDataObject, INode } from 'n8n-workflow';

import { coerceNumber, coerceText } from '../util/coerce';
import { quote } from '../util/text';
import { InvalidInput } from './invalidInput';
import type { Item } from './item';
import { isExpression, isOn, locatorValue, textOrEmpty } from './values';

/** @throws InvalidInput for a value that is none of the choices */
export function choiceOf<T extends string>(
	value: unknown,
	label: string,
	choices: readonly T[],
): T {
	const choice = choices.find((one) => one === value);
	if (choice !== undefined) return choice;
	throw new InvalidInput(
		'choice-invalid',
		`"${label}" cannot be ${quote(value)}`,
		`Choose one of: ${choices.join(', ')}.`,
	);
}

/**
 * A parameter that is on or off; if its expression returns nothing, the default applies.
 *
 * @throws InvalidInput for what is neither
 */
export const flagParam = (item: Item, path: string, label: string, preset = false): boolean =>
	isOn(item.param(path, preset), label, preset);

/**
 * A parameter with several choices.
 *
 * @param choices the first one is the default
 * @throws InvalidInput for what is none of them
 */
export const choiceParam = <T extends string>(
	item: Pick<Item, 'param'>,
	path: string,
	label: string,
	choices: readonly [T, ...T[]],
): T => choiceOf(item.param(path, choices[0]), label, choices);

/**
 * Whether an empty value of a field was left empty on purpose. An expression that returned nothing was not, unless an
 * agent fills in the field.
 */
export function mayBeEmpty({ raw, isTool }: Pick<Item, 'raw' | 'isTool'>, path: string): boolean {
	const given = raw(path);
	if (!isExpression(given)) return true;
	return isTool && /\$fromAI\s*\(/i.test(coerceText(locatorValue(given)));
}

/** The error for a field that may be empty, but whose expression returned nothing. */
export const emptyExpression = (label: string, meaning: string): InvalidInput =>
	new InvalidInput(
		'expression-empty',
		`"${label}" contains an expression that returned nothing`,
		`Correct the expression, or clear the field to ${meaning}.`,
	);

/**
 * A field or option that may be left empty. An expression that returned nothing must not count as empty.
 *
 * @param path such as `rules.quietTimezone`
 * @param meaning what an empty field does, such as `use UTC`
 * @returns '' if it is empty
 * @throws InvalidInput for anything but text
 */
export function optionalText(
	item: Pick<Item, 'param' | 'raw' | 'isTool'>,
	path: string,
	label: string,
	meaning: string,
): string {
	const text = textOrEmpty(locatorValue(item.param(path, '')), label);
	if (text === '' && !mayBeEmpty(item, path)) throw emptyExpression(label, meaning);
	return text;
}

/** @throws InvalidInput for anything but a number from `least` on */
export function numberOf(value: unknown, label: string, least: number): number {
	const number = coerceNumber(value);
	if (Number.isFinite(number) && number >= least) return number;
	throw new InvalidInput(
		'number-too-small',
		`"${label}" must be a number of at least ${least}, but it is ${quote(value)}`,
		'Enter a valid number, or remove the option.',
	);
}

/**
 * An option that is a number. An invalid one must not mean "no limit".
 *
 * @returns undefined if the option has not been added
 * @throws InvalidInput for anything but a number from `least` on
 */
export function numberOption(
	options: IDataObject,
	name: string,
	label: string,
	least: number,
): number | undefined {
	return Object.hasOwn(options, name) ? numberOf(options[name], label, least) : undefined;
}

/** "Retry Temporary Failures", which is on unless it is turned off without an expression. */
export const retriesFailures = ({ parameters }: Pick<INode, 'parameters'>): boolean =>
	(parameters.options as IDataObject | undefined)?.retryTemporaryFailures !== false;
