import type { IDataObject } from 'n8n-workflow';

import { isNotFound, readEnvelope } from '../../../service/envelope';
import type { HttpResponse, RequestInfo } from '../../../service/failure';
import { isSampleFile } from '../../../service/sampleFile';
import { outputFieldOf } from '../../../params/file';
import { fromJson, isEmpty } from '../../../util/coerce';
import type { ResponseMapper } from '../../../run/output/responseMappers';

const fileName = 'contacts-sample.csv';

/**
 * The sample file for imports, or whatever the service returns instead (20): the reference shows only an empty object.
 * Links are not followed, since they may lead to another host.
 */
export const csvSample: ResponseMapper = ({ helpers }, item) => {
	const property = outputFieldOf(item);
	return async (response, info) => {
		const body = response.body as Buffer;
		const text = body.toString('utf8').trim();
		if (!isSampleFile(response, text)) {
			return [{ json: answerOf({ ...response, body: fromJson(text) ?? text }, info) }];
		}
		const binary = await helpers.prepareBinaryData(body, fileName, 'text/csv');
		return [{ json: { available: true, fileName }, binary: { [property]: binary } }];
	};
};

function answerOf(response: HttpResponse, info: RequestInfo): IDataObject {
	const { body, statusCode } = response;
	// PHP writes an empty object as an empty list.
	const isShown =
		statusCode < 300 && typeof body === 'object' && Object.keys(body ?? {}).length === 0;
	const message = isShown || isNotFound(response) ? undefined : readEnvelope(response, info);
	const isBlank =
		isEmpty(message) || (typeof message === 'object' && Object.keys(message ?? {}).length === 0);
	return isBlank
		? { available: false, message: 'The service provides no sample file' }
		: { available: true, response: message as IDataObject };
}
