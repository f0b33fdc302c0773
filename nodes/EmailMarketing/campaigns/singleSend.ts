import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { zoneOf } from '../params/schedule';
import { inZone } from '../params/time';
import type { Enrich } from '../engine/operation';
import { isEmpty } from '../params/validators';
import type { Fields } from '../params/validators';
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
function checkTime(context: IExecuteSingleFunctions, fields: Fields, prefix: string): Finding[] {
	const sendAt = context.getNodeParameter(`${prefix}scheduleAt`, '');
	if (fields.schedule_type !== '1' || isEmpty(sendAt)) return [];
	const zone = zoneOf(context);
	const now = inZone(new Date(), zone);
	const planned = `${String(fields.schedule_date)} ${String(fields.schedule_time).slice(0, 5)}`;
	const present = `${now.date} ${now.time.slice(0, 5)}`;
	if (planned > present) return [];
	return [
		{
			problem: `"Send At" is not in the future: ${planned}, and in ${zone} it is ${present} now`,
			remedy:
				'Choose a later time, check "Time Zone" in Options, or choose "Send Immediately" as "Schedule".',
		},
	];
}

/** What can be known to go wrong with a single send (38, 41). */
export function preflightSingleSend(prefix = ''): Enrich {
	return preflight(async (context, fields, look) => {
		const ownBody = fields.template_html ?? fields.template_json;
		const texts = ['subject', 'preheader', 'template_html', 'template_json'].map((name) => ({
			label: labelOf(name),
			text: fields[name],
		}));
		const findings = await settleAll([
			checkSender(fields.sender_id, look),
			checkUnsubscribeGroup(fields.unsubscribe_group_id, look),
			checkAudience(
				{
					recipients: [fields.recipient_id ?? []].flat(),
					excluded: [fields.exclude_specific_recipient_id ?? []].flat(),
					groupId: String(fields.unsubscribe_group_id),
				},
				look,
			),
			ownBody === undefined ? checkTemplate(fields.template_id, look) : [],
			checkPlaceholders(texts, look),
			checkTime(context, fields, prefix),
		]);
		return findings.flat();
	});
}
