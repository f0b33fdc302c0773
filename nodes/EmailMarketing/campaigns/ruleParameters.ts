import type { IDataObject } from 'n8n-workflow';

import { optionalText, zoneParam } from '../params/givenOption';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import { numberOption } from '../params/numberOption';
import { clockIn, sentAtLabel, sentAtReader } from '../params/time';
import type { WallClock } from '../params/time';
import { toFlag } from '../params/values';
import { coerceText } from '../util/coerce';
import { quote } from '../util/text';

/** Whether broken rules prevent sending: what the user chose once for all of them. */
export type Severity = 'problem' | 'warning';

/** A part of the day in which nothing is to be sent. */
export interface QuietHours {
	/** Minutes since midnight; the end may be on the next day. */
	from: number;
	to: number;
	/** As it was entered, such as `20:00 to 08:00`. */
	text: string;
	zone: string;
	clock: (moment: Date) => WallClock;
}

/** The rules that the user has added to "Check". */
export interface Rules {
	severity: Severity;
	maxRecipients?: number;
	minHours?: number;
	quietHours?: QuietHours;
	nameUsed: boolean;
	preheader: boolean;
	subjectUsed: boolean;
	/** Reads `sent_at`, in milliseconds since 1970. */
	sentAt: (value: unknown) => number | undefined;
}

function severityOf({ severity = 'problem' }: IDataObject): Severity {
	if (severity === 'problem' || severity === 'warning') return severity;
	throw new InvalidInput(
		`"Severity" cannot be ${quote(severity)}`,
		'Choose one of: problem, warning.',
	);
}

/** Minutes since midnight. */
function minuteOf(value: unknown, label: string): number {
	const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(coerceText(value).trim()) ?? [];
	if (hours !== undefined && minutes !== undefined) return Number(hours) * 60 + Number(minutes);
	throw new InvalidInput(
		`"${label}" is not a time of day: ${quote(value)}`,
		'Enter hours and minutes, such as 20:00.',
	);
}

const zoneLabel = 'Quiet Hours Time Zone';

/** Each of its three options adds the rule; the others have their defaults then. */
function quietHoursOf(rules: IDataObject, item: Item): QuietHours | undefined {
	const names = ['quietFrom', 'quietTo', 'quietTimezone'];
	if (!names.some((name) => Object.hasOwn(rules, name))) return undefined;
	// An option whose expression returned nothing is there, and has no default.
	const { quietFrom, quietTo } = { quietFrom: '20:00', quietTo: '08:00', ...rules };
	const from = minuteOf(quietFrom, 'Quiet Hours From');
	const to = minuteOf(quietTo, 'Quiet Hours To');
	const text = `${coerceText(quietFrom)} to ${coerceText(quietTo)}`;
	if (from === to) {
		throw new InvalidInput(
			`"Quiet Hours From" and "Quiet Hours To" are the same time: ${text}`,
			'Enter two different times. If only one is added, the other is 20:00 or 08:00.',
		);
	}
	const zone = zoneParam(item, 'rules.quietTimezone', zoneLabel);
	return { from, to, text, zone, clock: clockIn(zone, zoneLabel) };
}

/** @throws InvalidInput for a rule whose expression returned nothing: it must not look like one that is turned off */
function isOn(rules: IDataObject, name: string, label: string): boolean {
	if (!Object.hasOwn(rules, name)) return false;
	const flag = toFlag(rules[name], label);
	if (flag !== undefined) return flag === '1';
	throw new InvalidInput(
		`"${label}" must be true or false, but it is ${quote(rules[name])}`,
		'Turn it on or off, or return true or false from the expression.',
	);
}

/**
 * Read before anything is requested: a rule that is not valid must not look like one that is kept.
 *
 * @throws InvalidInput
 */
export function readRules(item: Item): Rules {
	const rules = item.param('rules', {}) as IDataObject;
	return {
		severity: severityOf(rules),
		maxRecipients: numberOption(rules, 'maxRecipients', 'Max Recipients', 0),
		minHours: numberOption(rules, 'minHours', 'Min Hours Between Emails', 0),
		quietHours: quietHoursOf(rules, item),
		nameUsed: isOn(rules, 'nameUsed', 'Name Already Used'),
		preheader: isOn(rules, 'preheader', 'Spam-Prone Preheader'),
		subjectUsed: isOn(rules, 'subjectUsed', 'Subject Already Used'),
		sentAt: sentAtReader(
			optionalText(item, 'compatibility.sentAtTimezone', sentAtLabel, 'use UTC'),
		),
	};
}
