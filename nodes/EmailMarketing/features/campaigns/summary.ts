import type { IDataObject } from 'n8n-workflow';

import type { DraftStep } from '../../run/operation';
import { targetNames } from '../../params/currentValue';
import type { Item } from '../../params/item';
import { fullDate, hasChosenZone, zoneOf } from '../../params/schedule';
import { accountZoneLabel } from '../../params/time';
import { isScheduled } from '../../records/records';
import { coerceNumber, coerceText, isEmpty } from '../../util/coerce';

/** What an output says about a single send: its name, when it is sent, to whom, and by whom. */
function summaryOf(send: IDataObject, timezone?: string): IDataObject {
	const { single_send_name, subject, recipient_id, exclude_specific_recipient_id } = send;
	const hasTime = isScheduled(send);
	const [date, time] = [fullDate(send.schedule_date), coerceText(send.schedule_time)];
	return {
		single_send_name,
		subject,
		scheduleLabel: hasTime
			? `${date} ${time}${timezone === undefined ? '' : `, if the account time zone is ${timezone}`}`
			: 'Immediately',
		recipient_id,
		exclude_specific_recipient_id,
		schedule_type: Number(hasTime),
		...(hasTime && { schedule_date: date, schedule_time: time }),
		...(timezone !== undefined && { timezone }),
		...idIn(send, 'sender_id'),
		...idIn(send, 'unsubscribe_group_id'),
	};
}

/** An ID as a number, as records have it. */
function idIn(send: IDataObject, field: string): IDataObject {
	const id = coerceNumber(send[field]);
	return id > 0 ? { [field]: id } : {};
}

const withoutBlank = (value: unknown): string[] =>
	[value ?? []].flat().filter((one) => one !== '') as string[];

/** What an empty "Account Time Zone" means. */
const zoneOfWorkflow = ({ timezone }: Item): string =>
	`"Send At" was taken as a time in ${timezone}, the time zone of the workflow, because "${accountZoneLabel}" is empty. If your account uses another time zone, the campaign is sent at the wrong time: correct both fields with "Campaign: Update".`;

/**
 * Adds to the output what is sent.
 *
 * @param prefix of the parameters, such as `updateFields.`
 */
export const summarize =
	(prefix = ''): DraftStep =>
	async ({ run, item, body, identity }) => {
		// The time zone of a kept time is unknown.
		const isSet = body.schedule_type === '1' && !isEmpty(item.param(`${prefix}scheduleAt`, ''));
		if (isSet && !hasChosenZone(item, prefix)) run.showHint(zoneOfWorkflow(item), 'warning');
		const summary = summaryOf(
			{
				...body,
				recipient_id: withoutBlank(body.recipient_id),
				exclude_specific_recipient_id: withoutBlank(body.exclude_specific_recipient_id),
			},
			isSet ? zoneOf(item, prefix) : undefined,
		);
		Object.assign(identity, summary);
	};

export function summaryOfRecord(record: IDataObject): IDataObject {
	return summaryOf({
		...record,
		recipient_id: targetNames(record.recipient_id) ?? record.recipient_id,
		exclude_specific_recipient_id:
			targetNames(record.exclude_specific_recipient_id) ?? record.exclude_specific_recipient_id,
	});
}
