import type { IDataObject } from 'n8n-workflow';

import { quote } from '../util/text';
import { InvalidInput } from './invalidInput';
import { asText, isBlank } from './values';

/**
 * An option that is text. One whose expression returned nothing must not look like one that has not been added.
 *
 * @returns undefined if the option has not been added
 * @throws InvalidInput for anything but text
 */
export function textOption(options: IDataObject, name: string, label: string): string | undefined {
	if (!Object.hasOwn(options, name)) return undefined;
	const { [name]: value } = options;
	if (!isBlank(value)) return asText(value, label).trim();
	throw new InvalidInput(
		`"${label}" is required but empty`,
		'Enter a value, or remove the option. If it contains an expression, the expression returned nothing.',
	);
}

/** @throws InvalidInput for what is none of the choices */
export function choiceOf<T extends string>(
	value: unknown,
	label: string,
	choices: readonly T[],
): T {
	const choice = choices.find((one) => one === value);
	if (choice !== undefined) return choice;
	throw new InvalidInput(
		`"${label}" cannot be ${quote(value)}`,
		`Choose one of: ${choices.join(', ')}.`,
	);
}

/**
 * An option with several choices.
 *
 * @param choices the first is the one for an option that has not been added
 * @throws InvalidInput for what is none of them
 */
export const choiceOption = <T extends string>(
	options: IDataObject,
	name: string,
	label: string,
	choices: readonly [T, ...T[]],
): T => (Object.hasOwn(options, name) ? choiceOf(options[name], label, choices) : choices[0]);
