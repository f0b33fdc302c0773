import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../../service/endpoints';
import { RUNNING } from '../../../records/statusLabels';
import { targetNames } from '../../../params/currentValue';
import { choiceParam, numberOption } from '../../../params/givenOption';
import type { Item } from '../../../params/item';
import { sentAtReaderOf } from '../../../params/time';
import { requireFlag } from '../../../params/values';
import { isDeleted } from '../../../records/recordKind';
import { isScheduled, records } from '../../../records/records';
import { isTestSend } from '../../../records/testName';
import { codeText, coerceText } from '../../../util/coerce';
import { quote, sanitize, truncateList } from '../../../util/text';
import { nameOf } from './findings';
import type { Finding, ListReader } from './findings';
import { plannedAt, scheduleZone, scheduledAt } from '../sendTime';
import type { CheckedSend } from '../sendTime';
import { sentState } from '../sendingGate';

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

/** @throws InvalidInput for a rule that is neither on nor off */
const isRuleOn = (rules: IDataObject, name: string, label: string): boolean =>
	Object.hasOwn(rules, name) && requireFlag(rules[name], label);

/**
 * Read before any request: an invalid rule must not count as one that is met.
 *
 * @throws InvalidInput
 */
export function readRules(item: Item): Rules {
	const rules = item.param('rules', {}) as IDataObject;
	return {
		severity: choiceParam(item, 'rules.severity', 'Severity', ['problem', 'warning']),
		maxRecipients: numberOption(rules, 'maxRecipients', 'Max Recipients', 0),
		minHours: numberOption(rules, 'minHours', 'Min Hours Between Emails', 0),
		nameUsed: isRuleOn(rules, 'nameUsed', 'Name Already Used'),
		subjectUsed: isRuleOn(rules, 'subjectUsed', 'Subject Already Used'),
		sentAt: sentAtReaderOf(item),
	};
}

const MS_PER_HOUR = 3_600_000;

/** For a new single send, a missing time is already a finding. */
const timeUnknown = ({ fields, utr }: CheckedSend): Finding[] =>
	utr === undefined
		? []
		: [
				{
					code: 'send-time-unknown',
					field: 'Send At',
					problem: `The scheduled time of the campaign cannot be read: ${sanitize(`${coerceText(fields.schedule_date)} ${coerceText(fields.schedule_time)}`, 60)}`,
					remedy: 'Set the time again with "Campaign: Update".',
				},
			];

/**
 * When a single send was sent and when it will be, in milliseconds since 1970; undefined for a time that is unknown. It
 * may be sent again. For one that waits to be sent immediately, the time of its last change counts.
 */
function timesOf(
	send: IDataObject,
	{ sentAt }: Rules,
	timezone: string,
): Array<number | undefined> {
	const sent = sentAt(send.sent_at);
	const before = sent === undefined ? [] : [sent];
	if (codeText(send.status) === RUNNING) return [...before, Date.now()];
	if (sentState(send) !== undefined) return [sent];
	return [...before, isScheduled(send) ? scheduledAt(send, timezone) : sentAt(send.updated_at)];
}

/** The recipients of a single send; undefined if they cannot be read, or are missing although it has been sent. */
function targetsOf(send: IDataObject): string[] | undefined {
	const targets = targetNames(send.recipient_id);
	return targets?.length === 0 && sentState(send) !== undefined ? undefined : targets;
}

/** For a single send whose time cannot be read: it was sent before its last change. */
function wasSentBefore(send: IDataObject, moment: number, { sentAt }: Rules): boolean {
	const changed = sentState(send) === undefined ? undefined : sentAt(send.updated_at);
	return changed !== undefined && changed <= moment;
}

function checkRecentlyMailed(
	hours: number,
	{ fields }: CheckedSend,
	planned: number,
	others: IDataObject[],
	timing: { rules: Rules; timezone: string },
): Finding[] {
	const { rules, timezone } = timing;
	const audience = [fields.recipient_id ?? []].flat();
	const near: IDataObject[] = [];
	const unclear: IDataObject[] = [];
	for (const other of others) {
		const times = timesOf(other, rules, timezone);
		const isNear = times.some(
			(time) => time !== undefined && Math.abs(planned - time) < hours * MS_PER_HOUR,
		);
		const targets = targetsOf(other);
		if (targets?.some((name) => audience.includes(name)) === false) continue;
		if (isNear) {
			(targets === undefined ? unclear : near).push(other);
		} else if (times.includes(undefined)) {
			if (!wasSentBefore(other, planned - hours * MS_PER_HOUR, rules)) unclear.push(other);
		}
	}
	const namesOf = (sends: IDataObject[]) =>
		truncateList(sends.map((other) => nameOf(other, records.singleSend)));
	const findings: Finding[] = [];
	if (near.length > 0) {
		findings.push({
			code: 'recently-mailed',
			field: 'Recipient Names or IDs',
			problem: `Another campaign to the same contact type or segment is less than ${hours} hours before or after this one: ${namesOf(near)}`,
			remedy: 'Send it at another time, or choose other recipients.',
		});
	}
	if (unclear.length > 0) {
		findings.push({
			code: 'recently-mailed-unknown',
			field: 'Recipient Names or IDs',
			problem: `Another email to the same contact type or segment within ${hours} hours cannot be ruled out: the recipients or send time of ${namesOf(unclear)} cannot be read`,
			remedy: 'Check these campaigns in the service.',
			isUnclear: true,
		});
	}
	return findings;
}

/** The rules about the time of sending. */
function checkPlanned(
	rules: Rules,
	item: Item,
	send: CheckedSend,
	others: IDataObject[],
): Finding[] {
	const { minHours } = rules;
	const planned = plannedAt(send, item);
	if (minHours === undefined) {
		const isUnknown = send.utr !== undefined && planned === undefined;
		return isUnknown ? timeUnknown(send).map((one) => ({ ...one, isUnclear: true })) : [];
	}
	if (planned === undefined) return timeUnknown(send);
	const timing = { rules, timezone: scheduleZone(send, item) };
	return checkRecentlyMailed(minHours, send, planned, others, timing);
}

const subjectKey = (value: unknown): string => coerceText(value).trim().toLowerCase();

function checkSubject({ fields }: CheckedSend, others: IDataObject[]): Finding[] {
	const subject = subjectKey(fields.subject);
	const same = others.filter((other) => subject !== '' && subjectKey(other.subject) === subject);
	if (same.length === 0) return [];
	const names = same.map((other) => nameOf(other, records.singleSend));
	return [
		{
			code: 'subject-used',
			field: 'Subject',
			problem: `"Subject" was already used by another campaign: ${truncateList(names)}`,
			remedy: 'Choose another subject.',
		},
	];
}

function checkName(
	name: unknown,
	{ field, label, noun }: { field: string; label: string; noun: string },
	others: IDataObject[],
): Finding[] {
	const wanted = coerceText(name).trim();
	if (wanted === '' || !others.some((other) => coerceText(other[field]).trim() === wanted))
		return [];
	return [
		{
			code: 'name-used',
			field: label,
			problem: `"${label}" is already used by another ${noun}: ${quote(wanted)}`,
			remedy: 'Choose another name.',
		},
	];
}

/** @param count null if unknown: the rule then counts as broken */
function checkCount(most: number | undefined, field: string, count: number | null): Finding[] {
	if (most === undefined || (count !== null && count <= most)) return [];
	return [
		{
			code: count === null ? 'recipients-uncounted' : 'too-many-recipients',
			field,
			problem:
				count === null
					? `The email may have more than ${most} recipients: they cannot be counted`
					: `The number of recipients is ${count}, but at most ${most} are allowed`,
			remedy:
				count === null
					? 'Correct the audience, or remove "Max Recipients" from Rules.'
					: 'Choose fewer recipients, or change "Max Recipients" in Rules.',
		},
	];
}

/** Violations of the rules that the user has added for single sends. */
export async function checkSendRules(
	rules: Rules,
	item: Item,
	send: CheckedSend,
	mostRecipients: number | null,
	lists: ListReader,
): Promise<Finding[]> {
	const { nameUsed, subjectUsed, minHours, maxRecipients } = rules;
	const needsSends = nameUsed || subjectUsed || minHours !== undefined;
	const sends = needsSends ? await lists.records(endpoints.singleSend.getAll) : [];
	// Test sends keep no campaign from being sent.
	const others = sends.filter((one) => one.utr !== send.utr && !isTestSend(one));
	// One that was deleted may have been sent before, so it still counts for the time.
	const present = others.filter((other) => !isDeleted(other));
	const name = { field: 'single_send_name', label: 'Campaign Name', noun: 'campaign' };
	return [
		...(nameUsed ? checkName(send.fields.single_send_name, name, present) : []),
		...(subjectUsed ? checkSubject(send, present) : []),
		...checkPlanned(rules, item, send, others),
		...checkCount(maxRecipients, 'Recipient Names or IDs', mostRecipients),
	];
}

/** Violations of the rules that the user has added for automations. */
export async function checkAutomationRules(
	{ nameUsed, maxRecipients }: Rules,
	automation: IDataObject,
	mostRecipients: number | null,
	lists: ListReader,
): Promise<Finding[]> {
	const automations = nameUsed ? await lists.records(endpoints.automation.getAll) : [];
	const others = automations.filter((one) => one.utr !== automation.utr && !isDeleted(one));
	const name = { field: 'automation_name', label: 'Automation Name', noun: 'automation' };
	return [
		...(nameUsed ? checkName(automation.automation_name, name, others) : []),
		...checkCount(maxRecipients, 'Audience', mostRecipients),
	];
}
