import { fromJson } from '../util/coerce';
import type { HttpResponse } from './failure';

/**
 * Distinguishes the sample file (20) from a response of the API, which is JSON, and from a web page.
 *
 * @param text the body, without spaces around it
 */
export function isSampleFile({ statusCode }: HttpResponse, text: string): boolean {
	const isAnswer =
		fromJson(text) !== undefined || /^([{[]|<(!doctype|!--|html|head|body)\b)/i.test(text);
	return statusCode < 300 && text !== '' && !isAnswer;
}
