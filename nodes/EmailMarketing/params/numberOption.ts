import type { IDataObject } from 'n8n-workflow';

import { coerceNumber } from '../util/coerce';
import { quote } from '../util/text';
import { InvalidInput } from './invalidInput';

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
