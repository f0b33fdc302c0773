import type { IDataObject } from 'n8n-workflow';

import type { DraftStep } from '../../run/operation';
import { targetNames } from '../../params/currentValue';
import { fullDate, zoneOf } from '../../params/schedule';
import { codeText, coerceNumber, coerceText, isEmpty } from '../../util/coerce';

/** What an output says about a single send: its name, when it is sent, to whom, and by whom. */
function summaryOf(send: IDataObject, timezone?: string): IDataObject {
	const { single_send_name, subject, recipient_id, exclude_specific_recipient_id } = send;
	const isScheduled = codeText(send.schedule_type) === '1';
	const [date, time] = [fullDate(send.schedule_date), coerceText(send.schedule_time)];
	return {
		single_send_name,
		scheduleLabel: isScheduled
			? `${date} ${time}${timezone === undefined ? '' : `, if the account time zone is ${timezone}`}`
			: 'Immediately',
		subject,
		recipient_id,
		exclude_specific_recipient_id,
		schedule_type: Number(isScheduled),
		...(isScheduled && { schedule_date: date, schedule_time: time }),
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

/**
 * Adds to the output what is sent.
 *
 * @param prefix of the parameters, such as `updateFields.`
 */
export const summarize =
	(prefix = ''): DraftStep =>
	async ({ item, body, identity }) => {
		// The time zone of a kept time is unknown.
		const isSet = !isEmpty(item.param(`${prefix}scheduleAt`, ''));
		const summary = summaryOf(
			{
				...body,
				recipient_id: withoutBlank(body.recipient_id),
				exclude_specific_recipient_id: withoutBlank(body.exclude_specific_recipient_id),
			},
			isSet && body.schedule_type === '1' ? zoneOf(item, prefix) : undefined,
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
