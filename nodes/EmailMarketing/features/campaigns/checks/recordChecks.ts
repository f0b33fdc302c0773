import { endpoints } from '../../../service/endpoints';
import { ownTemplate } from '../../../params/template';
import { records } from '../../../records/records';
import { codeText, coerceText } from '../../../util/coerce';
import { sanitize } from '../../../util/text';
import { nameOf, notFound, withId } from './findings';
import type { Finding, ListReader } from './findings';

/**
 * Whether a sender may be used.
 *
 * @param where as in `notFound`
 */
export async function checkSender(id: unknown, lists: ListReader, where = ''): Promise<Finding[]> {
	const sender = withId(await lists.records(endpoints.sender.getAll), id);
	if (sender === undefined) return [notFound('sender-not-found', 'Sender', id, where)];
	if (codeText(sender.is_verified) === '1') return [];
	return [
		{
			code: 'sender-not-verified',
			field: 'Sender',
			problem: `"Sender"${where} is not verified: ${nameOf(sender, records.sender)}`,
			remedy: `Confirm the email that the service sent to ${sanitize(coerceText(sender.from_email), 100) || 'its address'}, send it again with "Sender: Resend Verification", or choose a verified sender.`,
		},
	];
}

export async function checkUnsubscribeGroup(id: unknown, lists: ListReader): Promise<Finding[]> {
	if (withId(await lists.records(endpoints.unsubscribeGroup.getAll), id) !== undefined) return [];
	return [notFound('unsubscribe-group-not-found', 'Unsubscribe Group', id)];
}

/** @param where as in `notFound` */
export async function checkTemplate(
	id: unknown,
	lists: ListReader,
	where = '',
): Promise<Finding[]> {
	const template = withId(await lists.records(endpoints.designTemplate.getAll), id);
	if (template === undefined) return [notFound('template-not-found', 'Template', id, where)];
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
