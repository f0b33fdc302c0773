import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import { numberOption } from '../params/numberOption';
import { inZone } from '../params/time';
import { targetNames } from '../params/currentValue';
import { toFlag } from '../params/values';
import { coerceText } from '../util/coerce';
import { quote, truncateList } from '../util/text';
import { nameOf } from './findings';
import type { Finding, ListReader } from './findings';
import { plannedAt } from './planned';
import type { CheckedSend } from './planned';
import { checkPreheader } from './preheader';

/** Single sends that a finding names. */
const mostNamed = 3;

/** Whether broken rules prevent sending: what the user chose once for all of them. */
export type Severity = 'problem' | 'warning';

const rulesOf = (item: Item): IDataObject => item.param('rules', {}) as IDataObject;

export function ruleSeverity(item: Item): Severity {
	const { severity = 'problem' } = rulesOf(item);
	if (severity === 'problem' || severity === 'warning') return severity;
	throw new InvalidInput(
		`"Severity" cannot be ${quote(severity)}`,
		'Choose one of: problem, warning.',
	);
}

const isOn = (rules: IDataObject, name: string, label: string): boolean =>
	toFlag(rules[name], label) === '1';

/** Minutes since midnight. */
function minuteOf(value: unknown, label: string): number {
	const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(coerceText(value).trim()) ?? [];
	if (hours !== undefined && minutes !== undefined) return Number(hours) * 60 + Number(minutes);
	throw new InvalidInput(
		`"${label}" is not a time of day: ${quote(value)}`,
		'Enter hours and minutes, such as 20:00.',
	);
}

function checkQuietHours(rules: IDataObject, item: Item, send: CheckedSend): Finding[] {
	if (rules.quietFrom === undefined && rules.quietTo === undefined) return [];
	const { quietFrom = '20:00', quietTo = '08:00' } = rules;
	const from = minuteOf(quietFrom, 'Quiet Hours From');
	const to = minuteOf(quietTo, 'Quiet Hours To');
	const zone = coerceText(rules.quietTimezone).trim() || item.timezone;
	const planned = plannedAt(send, item);
	if (planned === undefined) return timeUnknown(send);
	const { date, time } = inZone(new Date(planned), zone);
	const at = minuteOf(time.slice(0, 5), 'Send At');
	const isQuiet = from <= to ? at >= from && at < to : at >= from || at < to;
	if (!isQuiet) return [];
	return [
		{
			code: 'quietHours',
			field: send.fields.schedule_type === '1' ? 'Send At' : 'Schedule',
			problem: `The email would be sent during quiet hours: ${date} ${time.slice(0, 5)} in ${zone}`,
			remedy: `Choose a time outside ${coerceText(quietFrom)} to ${coerceText(quietTo)}.`,
		},
	];
}

/** For one that is to be created, a missing time is a finding already. */
const timeUnknown = ({ fields, utr }: CheckedSend): Finding[] =>
	utr === undefined
		? []
		: [
				{
					code: 'sendTimeUnknown',
					field: 'Send At',
					problem: `The time at which the single send is scheduled cannot be read: ${coerceText(fields.schedule_date)} ${coerceText(fields.schedule_time)}`,
					remedy: 'Set the time again with Single Send > Update.',
				},
			];

/** When a single send was sent, in milliseconds since 1970: as UTC, like the other times of the service. */
function sentAt({ sent_at: at, status }: IDataObject): number {
	const moment = Date.parse(`${coerceText(at).replace(' ', 'T')}Z`);
	if (moment > 0) return moment;
	return coerceText(status) === '2' ? Date.now() : NaN;
}

function checkRecentlyMailed(
	rules: IDataObject,
	item: Item,
	send: CheckedSend,
	others: IDataObject[],
): Finding[] {
	const label = 'Min Hours Between Emails';
	const hours = numberOption(rules, 'minHours', label, 0);
	if (hours === undefined) return [];
	const planned = plannedAt(send, item);
	if (planned === undefined) return timeUnknown(send);
	const audience = [send.fields.recipient_id ?? []].flat();
	const near = others.filter((other) => {
		const isNear = Math.abs(planned - sentAt(other)) < hours * 3_600_000;
		return isNear && targetNames(other.recipient_id)?.some((name) => audience.includes(name));
	});
	if (near.length === 0) return [];
	const names = near.map((other) => nameOf(other, 'single_send_name'));
	return [
		{
			code: 'recentlyMailed',
			field: 'Recipient Names or IDs',
			problem: `The same contact type or segment is mailed within ${hours} hours of ${truncateList(names, mostNamed)}`,
			remedy: 'Send it at another time, or choose other recipients.',
		},
	];
}

const sameText = (value: unknown): string => coerceText(value).trim().toLowerCase();

function checkSubject({ fields }: CheckedSend, others: IDataObject[]): Finding[] {
	const subject = sameText(fields.subject);
	const same = others.filter((other) => subject !== '' && sameText(other.subject) === subject);
	if (same.length === 0) return [];
	const names = same.map((other) => nameOf(other, 'single_send_name'));
	return [
		{
			code: 'subjectUsed',
			field: 'Subject',
			problem: `"Subject" was already used by another single send: ${truncateList(names, mostNamed)}`,
			remedy: 'Choose another subject.',
		},
	];
}

function checkName(
	name: unknown,
	{ field, label }: { field: string; label: string },
	others: IDataObject[],
): Finding[] {
	const wanted = coerceText(name).trim();
	if (wanted === '' || !others.some((other) => coerceText(other[field]).trim() === wanted))
		return [];
	return [
		{
			code: 'nameUsed',
			field: label,
			problem: `"${label}" is already used by another campaign: ${quote(wanted)}`,
			remedy: 'Choose another name.',
		},
	];
}

/** @param count null where it is not known: then the rule counts as broken */
function checkCount(rules: IDataObject, field: string, count: number | null): Finding[] {
	const most = numberOption(rules, 'maxRecipients', 'Max Recipients', 0);
	if (most === undefined || (count !== null && count <= most)) return [];
	return [
		{
			code: 'tooManyRecipients',
			field,
			problem:
				count === null
					? `It is not known whether the email has more than ${most} recipients`
					: `The number of recipients is ${count}, but at most ${most} are allowed`,
			remedy: 'Choose fewer recipients, or change "Max Recipients" in Rules.',
		},
	];
}

/** What breaks the rules that the user has added for single sends. */
export async function checkSendRules(
	item: Item,
	send: CheckedSend,
	audienceCount: number | null,
	lists: ListReader,
): Promise<Finding[]> {
	const rules = rulesOf(item);
	const isSubject = isOn(rules, 'subjectUsed', 'Subject Already Used');
	const isName = isOn(rules, 'nameUsed', 'Name Already Used');
	const needsSends = isSubject || isName || Object.hasOwn(rules, 'minHours');
	const sends = needsSends ? await lists.records(endpoints.singleSend.getAll) : [];
	const others = sends.filter(({ utr }) => utr !== send.utr);
	const name = { field: 'single_send_name', label: 'Single Send Name' };
	return [
		...(isName ? checkName(send.fields.single_send_name, name, others) : []),
		...(isSubject ? checkSubject(send, others) : []),
		...(isOn(rules, 'preheader', 'Preheader') ? checkPreheader(send.fields) : []),
		...checkQuietHours(rules, item, send),
		...checkRecentlyMailed(rules, item, send, others),
		...checkCount(rules, 'Recipient Names or IDs', audienceCount),
	];
}

/** What breaks the rules that the user has added for automations. */
export async function checkAutomationRules(
	item: Item,
	automation: IDataObject,
	audienceCount: number | null,
	lists: ListReader,
): Promise<Finding[]> {
	const rules = rulesOf(item);
	const automations = await lists.records(endpoints.automation.getAll);
	const others = automations.filter(({ utr }) => utr !== automation.utr);
	const name = { field: 'automation_name', label: 'Automation Name' };
	return [
		...(isOn(rules, 'nameUsed', 'Name Already Used')
			? checkName(automation.automation_name, name, others)
			: []),
		...checkCount(rules, 'Audience', audienceCount),
	];
}
