import { coerceText } from '../util/coerce';
import type { Input } from './validators';
import { integer } from './validators';

/** `waiting_period` (49d): always 1 for an instant email; otherwise days or hours. */
export function waitingPeriod(parameter: string, typeParameter: string): Input {
	const period = integer(parameter, { required: true });
	return {
		...period,
		encode: (value, label, item) =>
			coerceText(item.param(typeParameter, '')).trim() === 'instantly'
				? '1'
				: period.encode(value, label, item),
	};
}
