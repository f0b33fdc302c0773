import type { Fields, FormValue } from '../api/form';
import type { DraftStep } from '../engine/operation';
import type { Item } from '../params/item';
import { zoneOf } from '../params/schedule';
import { inZone } from '../params/time';
import { coerceText, isEmpty } from '../util/coerce';
import { labelOf } from '../util/labels';
import { settleAll } from '../util/settleAll';
import { checkAudience } from './audience';
import type { Audience } from './audience';
import { preflight } from './findings';
import type { Finding, ListReader } from './findings';
import { checkPlaceholders } from './placeholders';
import { checkSender, checkTemplate, checkUnsubscribeGroup } from './records';

/**
 * Whether the time is still to come. The clock of the service is not known: that of n8n counts, read
 * in the time zone in which the time is meant. A time that an update keeps is not looked at.
 */
export function checkTime(item: Item, fields: Fields, prefix: string): Finding[] {
	const sendAt = item.param(`${prefix}scheduleAt`, '');
	if (fields.schedule_type !== '1' || isEmpty(sendAt)) return [];
	const zone = zoneOf(item, prefix);
	const now = inZone(new Date(), zone);
	const planned = `${String(fields.schedule_date)} ${String(fields.schedule_time).slice(0, 5)}`;
	const present = `${now.date} ${now.time.slice(0, 5)}`;
	if (planned > present) return [];
	return [
		{
			code: 'sendTimePassed',
			field: 'Send At',
			problem: `"Send At" is not in the future: ${planned} (the current time in ${zone} is ${present})`,
			remedy: 'Choose a later time, check "Time Zone", or choose "Send Immediately" as "Schedule".',
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

/** What can be known to go wrong with the email itself, whoever gets it; a field that is missing is not checked. */
export async function checkContent(fields: Fields, lists: ListReader): Promise<Finding[][]> {
	const hasOwnBody = [fields.template_html, fields.template_json].some((body) => !isEmpty(body));
	const texts = ['subject', 'preheader', 'template_html', 'template_json'].map((name) => ({
		label: labelOf(name),
		text: fields[name],
	}));
	return await settleAll([
		ifGiven(fields.sender_id, checkSender, lists),
		ifGiven(fields.unsubscribe_group_id, checkUnsubscribeGroup, lists),
		hasOwnBody ? [] : ifGiven(fields.template_id, checkTemplate, lists),
		checkPlaceholders(texts, lists),
	]);
}

const ifGiven = async (
	value: FormValue,
	check: (value: unknown, lists: ListReader) => Promise<Finding[]>,
	lists: ListReader,
): Promise<Finding[]> => (value === undefined ? [] : await check(value, lists));

/**
 * What can be known to go wrong with a single send, except its time.
 *
 * @param isExact whether the addresses of the audience are compared even where counts say enough
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

/** What can be known to go wrong with a single send (38, 41). */
export function preflightSingleSend(prefix = ''): DraftStep {
	return preflight(async (item, fields, lists) => [
		...(await checkSingleSend(fields, lists)),
		...checkTime(item, fields, prefix),
	]);
}
