import { endpoints } from '../../service/endpoints';
import type { RecordDetails } from '../../run/mergeCurrent';
import { keep, keepFlag, keepId, keepTargets } from '../../params/currentValue';
import type { Keep } from '../../params/currentValue';
import { keepSchedule, scheduleDate, scheduleTime, scheduleType } from '../../params/schedule';
import {
	keepBody,
	keepTemplateId,
	templateHtml,
	templateId,
	templateJson,
} from '../../params/template';
import { exclusions, orKept, recordId, targets, text } from '../../params/validators';
import type { Input, Inputs } from '../../params/validators';

/** The fields of a single send, except its audience and time (38, 41). */
export const contentFields = (prefix = '') =>
	({
		single_send_name: text(`${prefix}singleSendName`, { required: true }),
		subject: text(`${prefix}subject`, { required: true, isForReaders: true }),
		preheader: text(`${prefix}preheader`, { required: true, isForReaders: true }),
		sender_id: recordId(`${prefix}senderId`, { identifies: false }),
		unsubscribe_group_id: recordId(`${prefix}unsubscribeGroupId`, { identifies: false }),
		template_id: templateId(prefix),
		template_html: templateHtml(prefix),
		template_json: templateJson(prefix),
	}) satisfies Inputs;

/** All fields of a single send, in the order in which they are sent. */
export function singleSendFields(prefix = '') {
	const content = contentFields(prefix);
	const given = (input: Input) => (prefix === '' ? input : orKept(input));
	return {
		single_send_name: given(content.single_send_name),
		subject: given(content.subject),
		preheader: given(content.preheader),
		sender_id: given(content.sender_id),
		unsubscribe_group_id: given(content.unsubscribe_group_id),
		recipient_id: given(targets(`${prefix}recipientId`, { required: true })),
		exclude_specific_recipient_id: exclusions(prefix),
		template_id: given(content.template_id),
		template_html: given(content.template_html),
		template_json: given(content.template_json),
		schedule_type: given(scheduleType(prefix)),
		schedule_date: given(scheduleDate(prefix)),
		schedule_time: given(scheduleTime(prefix)),
	} satisfies Inputs;
}

/** Where an update reads the current single send. */
export const singleSendDetails: RecordDetails = {
	details: endpoints.singleSend.get,
	id: 'utr',
	label: 'Campaign',
};

/** The fields of a single send that exists (40), as requests have them. */
export const keptFields: Record<string, Keep> = {
	single_send_name: keep('single_send_name'),
	subject: keep('subject'),
	preheader: keep('preheader'),
	sender_id: keepId('sender_id'),
	unsubscribe_group_id: keepId('unsubscribe_group_id'),
	recipient_id: keepTargets('recipient_id'),
	exclude_specific_recipient_id: keepTargets('exclude_specific_recipient_id'),
	template_id: keepTemplateId,
	template_html: keepBody('template_html'),
	template_json: keepBody('template_json'),
	schedule_type: keepFlag('schedule_type'),
	schedule_date: keepSchedule('schedule_date'),
	schedule_time: keepSchedule('schedule_time'),
};
