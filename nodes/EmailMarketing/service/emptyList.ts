import { coerceNumber, coerceText, isNoDate, isObject } from '../util/coerce';
import type { Endpoint, KeyedEndpoint } from './endpoints';
import { isNotFound, parsedIfShort, readRecords, unexpectedShape } from './envelope';
import type { HttpResponse, RequestInfo } from './failure';
import type { Fields } from './form';

/** Whether the service reports "nothing found" instead of an empty list. */
function saysNothing(given: HttpResponse, key: string): boolean {
	const response = parsedIfShort(given);
	const { status, message } = isObject(response.body) ? response.body : {};
	return (
		isNotFound(response) || (status === 'success' && isObject(message) && message[key] === null)
	);
}

/**
 * The response of a list. It is an empty list if it is null, or if the service reports "Record Not Found" for a list
 * without a parent or with one that exists. The reference leaves both open.
 *
 * @param ask sends a request for the records that count the entries
 * @throws ServiceError if the service counts entries that it does not list
 */
export async function withEmptyList(
	response: HttpResponse,
	{ endpoint, query = {} }: { endpoint: Endpoint; query?: Fields },
	info: RequestInfo,
	ask: (list: KeyedEndpoint) => Promise<HttpResponse>,
): Promise<HttpResponse> {
	const { key, countedBy } = endpoint;
	if (key === undefined || countedBy === undefined || !saysNothing(response, key)) return response;
	if (countedBy !== 'nothing') {
		const { list, count, parent } = countedBy;
		const answer = await withEmptyList(await ask(list), { endpoint: list }, info, ask);
		const records = readRecords(answer, list, info).filter(
			(record) =>
				isNoDate(record.deleted_at) &&
				(!parent || coerceText(record[parent.field]) === query[parent.parameter]),
		);
		const counted = records.reduce((sum, record) => sum + coerceNumber(record[count]), 0);
		if (counted > 0) {
			const problem = `the list "${key}" is missing, although its count is ${counted}`;
			throw unexpectedShape(problem, response, info);
		}
		// The parent does not exist, or its number of entries is unknown.
		if ((parent && records.length === 0) || Number.isNaN(counted)) return response;
	}
	return { ...response, statusCode: 200, body: { status: 'success', message: { [key]: [] } } };
}
