import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import { RUNNING } from '../output/statusLabels';
import { targetNames } from '../params/currentValue';
import type { Item } from '../params/item';
import { coerceText } from '../util/coerce';
import { quote, truncateList } from '../util/text';
import { nameOf } from './findings';
import type { Finding, ListReader } from './findings';
import { isScheduled, plannedAt, scheduledAt } from './planned';
import type { CheckedSend } from './planned';
import { checkPreheader } from './preheader';
import type { QuietHours, Rules } from './ruleParameters';
import { sentState } from './sendAgain';

const MS_PER_HOUR = 3_600_000;

/** Single sends that a finding names. */
const mostNamed = 3;

/** The minute of the day that a clock shows. */
const minuteShown = (time: string): number =>
	Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

function checkQuietHours(
	{ from, to, text, zone, clock }: QuietHours,
	{ fields }: CheckedSend,
	planned: number,
): Finding[] {
	const { date, time } = clock(new Date(planned));
	const at = minuteShown(time);
	const isQuiet = from <= to ? at >= from && at < to : at >= from || at < to;
	if (!isQuiet) return [];
	return [
		{
			code: 'quietHours',
			field: isScheduled(fields) ? 'Send At' : 'Schedule',
			problem: `The email would be sent during quiet hours: ${date} ${time.slice(0, 5)} in ${zone}`,
			remedy: `Choose a time outside ${text}.`,
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

/**
 * When a single send was sent or will be, in milliseconds since 1970; undefined if that is not known. One that waits to
 * be sent immediately was changed when that was decided.
 */
function timeOf(send: IDataObject, { sentAt }: Rules, timezone: string): number | undefined {
	const sent = sentAt(send.sent_at);
	if (sent !== undefined) return sent;
	if (coerceText(send.status) === RUNNING) return Date.now();
	if (sentState(send) !== undefined) return undefined;
	return isScheduled(send) ? scheduledAt(send, timezone) : sentAt(send.updated_at);
}

function checkRecentlyMailed(
	hours: number,
	{ fields }: CheckedSend,
	planned: number,
	others: IDataObject[],
	timeOfOther: (other: IDataObject) => number | undefined,
): Finding[] {
	const audience = [fields.recipient_id ?? []].flat();
	const near = others
		.filter((other) => targetNames(other.recipient_id)?.some((name) => audience.includes(name)))
		.filter((other) => Math.abs(planned - (timeOfOther(other) ?? NaN)) < hours * MS_PER_HOUR);
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

/** The rules about the time of sending. */
function checkPlanned(
	rules: Rules,
	item: Item,
	send: CheckedSend,
	others: IDataObject[],
): Finding[] {
	const { quietHours, minHours } = rules;
	if (quietHours === undefined && minHours === undefined) return [];
	const planned = plannedAt(send, item);
	if (planned === undefined) return timeUnknown(send);
	const quiet = quietHours === undefined ? [] : checkQuietHours(quietHours, send, planned);
	if (minHours === undefined) return quiet;
	const timeOfOther = (other: IDataObject) => timeOf(other, rules, item.timezone);
	return [...quiet, ...checkRecentlyMailed(minHours, send, planned, others, timeOfOther)];
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
function checkCount(most: number | undefined, field: string, count: number | null): Finding[] {
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
	rules: Rules,
	item: Item,
	send: CheckedSend,
	audienceCount: number | null,
	lists: ListReader,
): Promise<Finding[]> {
	const { nameUsed, subjectUsed, preheader, minHours, maxRecipients } = rules;
	const needsSends = nameUsed || subjectUsed || minHours !== undefined;
	const sends = needsSends ? await lists.records(endpoints.singleSend.getAll) : [];
	const others = sends.filter(({ utr }) => utr !== send.utr);
	const name = { field: 'single_send_name', label: 'Single Send Name' };
	return [
		...(nameUsed ? checkName(send.fields.single_send_name, name, others) : []),
		...(subjectUsed ? checkSubject(send, others) : []),
		...(preheader ? checkPreheader(send.fields) : []),
		...checkPlanned(rules, item, send, others),
		...checkCount(maxRecipients, 'Recipient Names or IDs', audienceCount),
	];
}

/** What breaks the rules that the user has added for automations. */
export async function checkAutomationRules(
	{ nameUsed, maxRecipients }: Rules,
	automation: IDataObject,
	audienceCount: number | null,
	lists: ListReader,
): Promise<Finding[]> {
	const automations = nameUsed ? await lists.records(endpoints.automation.getAll) : [];
	const others = automations.filter(({ utr }) => utr !== automation.utr);
	const name = { field: 'automation_name', label: 'Automation Name' };
	return [
		...(nameUsed ? checkName(automation.automation_name, name, others) : []),
		...checkCount(maxRecipients, 'Audience', audienceCount),
	];
}
