import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../transport/inputs';
import { plainNumber } from '../transport/plain';
import { quote } from '../transport/words';

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
	const number = plainNumber(options[name]);
	if (Number.isFinite(number) && number >= least) return number;
	throw new InvalidInput(
		`"${label}" must be a number from ${least} on, but it is ${quote(options[name])}`,
		'Enter such a number, or take the option away.',
	);
}
