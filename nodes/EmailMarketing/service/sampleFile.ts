import { coerceText, fromJson } from '../util/coerce';
import type { HttpResponse } from './failure';

/**
 * Distinguishes the sample file (20) from a response of the API, which is JSON, and from a web page.
 *
 * @param text the body, without spaces around it
 */
export function isSampleFile({ headers, statusCode }: HttpResponse, text: string): boolean {
	const isAttachment = /^\s*attachment\b/i.test(coerceText(headers['content-disposition']));
	const isAnswer =
		fromJson(text) !== undefined || /^([{[]|<(!doctype|!--|html|head|body)\b)/i.test(text);
	return statusCode < 300 && text !== '' && (isAttachment || !isAnswer);
}
