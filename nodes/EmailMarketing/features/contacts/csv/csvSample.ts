import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { isNotFound, readEnvelope } from '../../../service/envelope';
import type { HttpResponse, RequestInfo } from '../../../service/failure';
import { safeFileName } from '../../../service/form';
import { isSampleFile } from '../../../service/sampleFile';
import { outputFieldOf } from '../../../params/file';
import { coerceText, fromJson, isEmpty } from '../../../util/coerce';
import type { ResponseMapper } from '../../../run/output/responseMappers';
import type { OutputContext } from '../../../run/output/simplify';

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
		const binary = await sampleFile(helpers, body, response);
		const json = { available: true, fileName: binary.fileName ?? '' };
		return [{ json, binary: { [property]: binary } }];
	};
};

async function sampleFile(
	{ prepareBinaryData }: OutputContext['helpers'],
	bytes: Buffer,
	{ headers }: HttpResponse,
): Promise<IBinaryData> {
	const type = coerceText(headers['content-type']).split(';')[0]?.trim();
	const disposition = coerceText(headers['content-disposition']);
	const name = /filename="?([^";]+)/.exec(disposition)?.[1];
	// The type of a response without one: n8n would detect it from the first bytes, which does not work for text.
	const mimeType = type || (bytes.includes(0) ? undefined : 'text/csv');
	const isText = mimeType?.startsWith('text/');
	const fileName = name ? safeFileName(name) : isText ? 'contacts-sample.csv' : undefined;
	const binary = await prepareBinaryData(bytes, fileName, mimeType);
	binary.fileName ??= ['contacts-sample', binary.fileExtension].filter(Boolean).join('.');
	return binary;
}

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
