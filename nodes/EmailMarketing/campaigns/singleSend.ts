import type { Fields, FormValue } from '../api/form';
import type { DraftStep } from '../engine/operation';
import type { Item } from '../params/item';
import { zoneOf } from '../params/schedule';
import { inZone } from '../params/time';
import { isEmpty } from '../util/coerce';
import { labelOf } from '../util/labels';
import { settleAll } from '../util/settleAll';
import { checkAudience } from './audience';
import { preflight } from './findings';
import type { Finding } from './findings';
import { checkPlaceholders } from './placeholders';
import { checkSender, checkTemplate, checkUnsubscribeGroup } from './records';

/**
 * Whether the time is still to come. The clock of the service is not known: that of n8n counts, read
 * in the time zone in which the time is meant. A time that an update keeps is not looked at.
 */
function checkTime(item: Item, fields: Fields, prefix: string): Finding[] {
	const sendAt = item.param(`${prefix}scheduleAt`, '');
	if (fields.schedule_type !== '1' || isEmpty(sendAt)) return [];
	const zone = zoneOf(item, prefix);
	const now = inZone(new Date(), zone);
	const planned = `${String(fields.schedule_date)} ${String(fields.schedule_time).slice(0, 5)}`;
	const present = `${now.date} ${now.time.slice(0, 5)}`;
	if (planned > present) return [];
	return [
		{
			problem: `"Send At" is not in the future: ${planned} (the current time in ${zone} is ${present})`,
			remedy: 'Choose a later time, check "Time Zone", or choose "Send Immediately" as "Schedule".',
		},
	];
}

/** The entries of a list; one that is cleared has a blank one. */
const entriesOf = (value: FormValue = []): string[] =>
	[value].flat().filter((entry) => entry !== '');

/** What can be known to go wrong with a single send (38, 41). */
export function preflightSingleSend(prefix = ''): DraftStep {
	return preflight(async (item, fields, lists) => {
		const hasOwnBody = [fields.template_html, fields.template_json].some((body) => !isEmpty(body));
		const texts = ['subject', 'preheader', 'template_html', 'template_json'].map((name) => ({
			label: labelOf(name),
			text: fields[name],
		}));
		const findings = await settleAll([
			checkSender(fields.sender_id, lists),
			checkUnsubscribeGroup(fields.unsubscribe_group_id, lists),
			checkAudience(
				{
					recipients: entriesOf(fields.recipient_id),
					excluded: entriesOf(fields.exclude_specific_recipient_id),
					groupId: String(fields.unsubscribe_group_id),
				},
				lists,
			),
			hasOwnBody ? [] : checkTemplate(fields.template_id, lists),
			checkPlaceholders(texts, lists),
			checkTime(item, fields, prefix),
		]);
		return findings.flat();
	});
}
