import { endpoints } from '../../../service/endpoints';
import { ownTemplate } from '../../../params/template';
import { records } from '../../../records/records';
import { codeText, coerceText } from '../../../util/coerce';
import { sanitize } from '../../../util/text';
import { nameOf, withId } from './findings';
import type { Finding, ListReader } from './findings';

/** The service may have anything in place of an ID. */
const shownId = (id: unknown): string => sanitize(coerceText(id), 60);

/**
 * Whether a sender may be used.
 *
 * @param where words that say where it is used, such as ` of the email "Welcome"`
 */
export async function checkSender(id: unknown, lists: ListReader, where = ''): Promise<Finding[]> {
	const sender = withId(await lists.records(endpoints.sender.getAll), id);
	if (sender === undefined) {
		return [
			{
				code: 'sender-not-found',
				field: 'Sender',
				problem: `"Sender"${where} does not exist: ${shownId(id)}`,
				remedy: 'Choose a sender from the list.',
			},
		];
	}
	if (codeText(sender.is_verified) === '1') return [];
	return [
		{
			code: 'sender-not-verified',
			field: 'Sender',
			problem: `"Sender"${where} is not verified: ${nameOf(sender, records.sender)}`,
			remedy: `Confirm the email that the service sent to ${sanitize(coerceText(sender.from_email), 100) || 'its address'}, send it again with Sender > Resend Verification, or choose a verified sender.`,
		},
	];
}

export async function checkUnsubscribeGroup(id: unknown, lists: ListReader): Promise<Finding[]> {
	if (withId(await lists.records(endpoints.unsubscribeGroup.getAll), id) !== undefined) return [];
	return [
		{
			code: 'unsubscribe-group-not-found',
			field: 'Unsubscribe Group',
			problem: `"Unsubscribe Group" does not exist: ${shownId(id)}`,
			remedy: 'Choose an unsubscribe group from the list.',
		},
	];
}

/** @param where as in `checkSender` */
export async function checkTemplate(
	id: unknown,
	lists: ListReader,
	where = '',
): Promise<Finding[]> {
	const template = withId(await lists.records(endpoints.designTemplate.getAll), id);
	if (template === undefined) {
		return [
			{
				code: 'template-not-found',
				field: 'Template',
				problem: `"Template"${where} does not exist: ${shownId(id)}`,
				remedy: 'Choose a template from the list.',
			},
		];
	}
	// Template 1 is blank, whatever its record says.
	if (codeText(template.is_blank) !== '1' && coerceText(id) !== ownTemplate) return [];
	return [
		{
			code: 'template-empty',
			field: 'Template',
			problem: `The email would be empty: "Template"${where} is the blank template ${nameOf(template, records.designTemplate)}`,
			remedy: 'Choose another template, or use your own HTML or JSON.',
		},
	];
}
