import type { IDataObject } from 'n8n-workflow';

import { InvalidInput, quote } from '../transport/inputs';

/** A number, or a text with one, as an expression may give it. */
function numberOf(value: unknown): number {
	return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
		? Number(value)
		: NaN;
}

/**
 * An option that is a number. What cannot be read as one must not stand for "no limit".
 *
 * @returns undefined where the option has not been added
 * @throws InvalidInput for anything but a number from `least` on
 */
export function numberOption(
	options: IDataObject,
	name: string,
	label: string,
	least: number,
): number | undefined {
	if (!Object.hasOwn(options, name)) return undefined;
	const number = numberOf(options[name]);
	if (Number.isFinite(number) && number >= least) return number;
	throw new InvalidInput(
		`"${label}" must be a number from ${least} on, but it is ${quote(options[name])}`,
		'Enter such a number, or take the option away.',
	);
}
