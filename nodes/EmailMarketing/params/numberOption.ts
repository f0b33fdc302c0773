import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from './validators';
import { coerceNumber } from '../util/coerce';
import { quote } from '../util/text';

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
	const number = coerceNumber(options[name]);
	if (Number.isFinite(number) && number >= least) return number;
	throw new InvalidInput(
		`"${label}" must be a number from ${least} on, but it is ${quote(options[name])}`,
		'Enter such a number, or take the option away.',
	);
}
