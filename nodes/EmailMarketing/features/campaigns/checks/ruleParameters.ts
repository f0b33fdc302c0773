import type { IDataObject } from 'n8n-workflow';

import { choiceOption, optionalText, numberOption } from '../../../params/givenOption';
import { InvalidInput } from '../../../params/invalidInput';
import type { Item } from '../../../params/item';
import { sentAtLabel, sentAtReader } from '../../../params/time';
import { toFlag } from '../../../params/values';
import { quote } from '../../../util/text';

/** Whether broken rules prevent sending; the user chooses it once for all rules. */
export type Severity = 'problem' | 'warning';

/** The rules that the user has added to "Check". */
export interface Rules {
	severity: Severity;
	maxRecipients?: number;
	minHours?: number;
	nameUsed: boolean;
	subjectUsed: boolean;
	/** Reads `sent_at`, in milliseconds since 1970. */
	sentAt: (value: unknown) => number | undefined;
}

/** @throws InvalidInput for a rule whose expression returned nothing, which must not count as turned off */
function isOn(rules: IDataObject, name: string, label: string): boolean {
	if (!Object.hasOwn(rules, name)) return false;
	const flag = toFlag(rules[name], label);
	if (flag !== undefined) return flag === '1';
	throw new InvalidInput(
		'boolean-expected',
		`"${label}" must be true or false, but it is ${quote(rules[name])}`,
		'Turn it on or off, or return true or false from the expression.',
	);
}

/**
 * Read before any request: an invalid rule must not count as one that is met.
 *
 * @throws InvalidInput
 */
export function readRules(item: Item): Rules {
	const rules = item.param('rules', {}) as IDataObject;
	return {
		severity: choiceOption(rules, 'severity', 'Severity', ['problem', 'warning']),
		maxRecipients: numberOption(rules, 'maxRecipients', 'Max Recipients', 0),
		minHours: numberOption(rules, 'minHours', 'Min Hours Between Emails', 0),
		nameUsed: isOn(rules, 'nameUsed', 'Name Already Used'),
		subjectUsed: isOn(rules, 'subjectUsed', 'Subject Already Used'),
		sentAt: sentAtReader(optionalText(item, 'options.sentAtTimezone', sentAtLabel, 'use UTC')),
	};
}
