import type { Fields, FormValue } from '../../../service/form';
import type { DraftStep } from '../../../run/operation';
import { flagParam } from '../../../params/givenOption';
import type { Item } from '../../../params/item';
import { fullDate, hasChosenZone, zoneOf } from '../../../params/schedule';
import { accountZoneLabel, inZone } from '../../../params/time';
import type { WallClock } from '../../../params/time';
import { coerceText, isEmpty } from '../../../util/coerce';
import { labelOf } from '../../../util/labels';
import { settleAll } from '../../../util/promises';
import { checkAudience } from './audience';
import type { Audience } from './audience';
import { preflight } from './findings';
import type { Finding, ListReader } from './findings';
import { checkPlaceholders } from './placeholders';
import { hasPassed, scheduledAt } from '../sendTime';
import { checkSender, checkTemplate, checkUnsubscribeGroup } from './recordChecks';

/** Whether the item sets the time, rather than keeping that of an existing single send. */
const setsTime = (item: Item, fields: Fields, prefix: string): boolean =>
	fields.schedule_type === '1' &&
	fields.schedule_date !== undefined &&
	!isEmpty(item.param(`${prefix}scheduleAt`, ''));

/**
 * Whether the time is still to come, by the clock of n8n in the time zone of the schedule: the clock of the service is
 * unknown.
 */
export function checkTime(item: Item, fields: Fields, prefix: string): Finding[] {
	if (!setsTime(item, fields, prefix)) return [];
	const zone = zoneOf(item, prefix);
	const minute = (ms: number) => Math.floor(ms / 60_000);
	// What is sent, and not what the expression would return by now.
	if (minute(scheduledAt(fields, zone) ?? 0) > minute(Date.now())) return [];
	return [
		{
			...sendTimePassed(fields, zone),
			remedy:
				'Choose a later time, check "Account Time Zone", or, to send it now, set "Schedule" to "Send Immediately".',
		},
	];
}

/** The API does not return the time zone of the account, so one that nobody chose may be wrong. */
export function checkZone(item: Item, fields: Fields, prefix: string): Finding[] {
	if (!setsTime(item, fields, prefix) || hasChosenZone(item, prefix)) return [];
	return [
		{
			code: 'account-time-zone-empty',
			field: accountZoneLabel,
			problem: `"${accountZoneLabel}" is empty, so the campaign is scheduled in ${item.timezone}, the time zone of the workflow`,
			remedy:
				'If your account uses another time zone, the campaign is sent at the wrong time. Choose the time zone of your account, even if it is the same as that of the workflow.',
			isUnclear: true,
		},
	];
}

const minuteOf = ({ date, time }: WallClock): string => `${date} ${time.slice(0, 5)}`;

const plannedOf = ({ schedule_date, schedule_time }: Fields): string =>
	minuteOf({ date: fullDate(schedule_date), time: String(schedule_time) });

const sendTimePassed = (fields: Fields, zone: string): Omit<Finding, 'remedy'> => ({
	code: 'send-time-passed',
	field: 'Send At',
	problem: `"Send At" is not in the future: ${plannedOf(fields)} (the current time in ${zone} is ${minuteOf(inZone(new Date(), zone))})`,
});

/** The service may immediately send a campaign whose time has passed, for example a copy of an earlier one. */
export function checkKeptTime({ timezone }: Item, fields: Fields): Finding[] {
	if (!hasPassed(fields)) return [];
	return [
		{
			...sendTimePassed(fields, timezone),
			remedy:
				'Set "Send At" to a later time, or "Schedule" to "Send Immediately", with "Campaign: Update".',
		},
	];
}

/** The entries of a list; one that is cleared has a blank one. */
const entriesOf = (value: FormValue = []): string[] =>
	[value].flat().filter((entry) => entry !== '');

export const audienceOf = (fields: Fields): Audience => ({
	recipients: entriesOf(fields.recipient_id),
	excluded: entriesOf(fields.exclude_specific_recipient_id),
	groupId: coerceText(fields.unsubscribe_group_id),
});

/** Whether a single send has HTML or JSON of its own, so that its template does not count. */
export const hasOwnBody = ({ template_html, template_json }: Fields): boolean =>
	[template_html, template_json].some((body) => !isEmpty(body));

/** Foreseeable problems with the email itself, regardless of its audience. Missing fields are not checked. */
export async function checkContent(fields: Fields, lists: ListReader): Promise<Finding[][]> {
	const texts = ['subject', 'preheader', 'template_html', 'template_json'].map((name) => ({
		label: labelOf(name),
		text: fields[name],
	}));
	return await settleAll([
		ifGiven(fields.sender_id, checkSender, lists),
		ifGiven(fields.unsubscribe_group_id, checkUnsubscribeGroup, lists),
		hasOwnBody(fields) ? [] : ifGiven(fields.template_id, checkTemplate, lists),
		checkPlaceholders(texts, lists),
	]);
}

const ifGiven = async (
	value: FormValue,
	check: (value: unknown, lists: ListReader) => Promise<Finding[]>,
	lists: ListReader,
): Promise<Finding[]> => (value === undefined ? [] : await check(value, lists));

/**
 * Foreseeable problems with a single send, except its time.
 *
 * @param isExact whether to compare the addresses of the audience even if the counts would do
 */
export async function checkSingleSend(
	fields: Fields,
	lists: ListReader,
	isExact = false,
): Promise<Finding[]> {
	const audience = audienceOf(fields);
	const [[sender = [], group = [], ...content], recipients] = await settleAll([
		checkContent(fields, lists),
		audience.recipients.length === 0 ? [] : checkAudience(audience, lists, isExact),
	]);
	return [sender, group, recipients, ...content].flat();
}

/** Foreseeable problems with a single send (38, 41). */
export function preflightSingleSend(prefix = ''): DraftStep {
	return preflight(async ({ item }, fields, lists) => [
		...(await checkSingleSend(fields, lists)),
		...checkTime(item, fields, prefix),
		...checkZone(item, fields, prefix),
		...(keepsTime(item, prefix) ? checkKeptTime(item, fields) : []),
	]);
}

export const mayBeSentAgain = (item: Item): boolean =>
	flagParam(item, 'options.allowSendingAgain', 'Allow Sending Again');

/** Whether to check the time that an update keeps. The time of a campaign that may be sent again has always passed. */
const keepsTime = (item: Item, prefix: string): boolean =>
	isEmpty(item.param(`${prefix}scheduleAt`, '')) && !mayBeSentAgain(item);
