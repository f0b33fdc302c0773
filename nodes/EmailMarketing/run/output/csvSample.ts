import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { readEnvelope } from '../../service/envelope';
import type { HttpResponse, RequestInfo } from '../../service/failure';
import { safeFileName } from '../../service/form';
import { coerceText, isEmpty, isObject } from '../../util/coerce';
import type { ResponseMapper } from './responseMappers';
import type { OutputContext } from './simplify';

/**
 * The sample file for imports, or the link to it, whichever the service has (20): the reference shows no more than an
 * empty object. A link is not followed, since it may lead to another host.
 */
export function csvSample(parameter: string): ResponseMapper {
	return ({ helpers }, item) => {
		const property = coerceText(item.param(parameter, 'data')).trim() || 'data';
		return async (response, info) => {
			const content = contentOf(response);
			if (content.isFile) {
				const binary = await sampleFile(helpers, content.bytes, response);
				const json = { available: true, fileName: binary.fileName ?? '' };
				return [{ json, binary: { [property]: binary } }];
			}
			return [{ json: sampleLink({ ...response, body: content.data }, info) }];
		};
	};
}

type Content = { isFile: true; bytes: Buffer } | { isFile: false; data: unknown };

/** Tells a file from an answer of the API, which is JSON, and from a web page. */
function contentOf({ body, headers, statusCode }: HttpResponse): Content {
	const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body as ArrayBuffer);
	const text = bytes.toString('utf8').trim();
	const data = parseJson(text);
	const isAttachment = /^\s*attachment\b/i.test(coerceText(headers['content-disposition']));
	const isAnswer =
		data !== undefined || /^([{[]|<(!doctype|!--|html|head|body)\b)/i.test(text) || isLink(text);
	const isFile = statusCode < 300 && text !== '' && (isAttachment || !isAnswer);
	return isFile ? { isFile, bytes } : { isFile, data: data ?? text };
}

async function sampleFile(
	{ prepareBinaryData }: OutputContext['helpers'],
	bytes: Buffer,
	{ headers }: HttpResponse,
): Promise<IBinaryData> {
	const type = coerceText(headers['content-type']).split(';')[0]?.trim();
	const disposition = coerceText(headers['content-disposition']);
	const name = /filename="?([^";]+)/.exec(disposition)?.[1];
	// The type of what has no type: n8n tells it from the first bytes, which text does not show.
	const mimeType = type || (bytes.includes(0) ? undefined : 'text/csv');
	const isText = mimeType?.startsWith('text/');
	const fileName = name ? safeFileName(name) : isText ? 'contacts-sample.csv' : undefined;
	const binary = await prepareBinaryData(bytes, fileName, mimeType);
	binary.fileName ??= ['contacts-sample', binary.fileExtension].filter(Boolean).join('.');
	return binary;
}

const noSample = { available: false, message: 'The service provides no sample file' };

function sampleLink(response: HttpResponse, info: RequestInfo): IDataObject {
	const { body, statusCode } = response;
	const target = redirectedTo(response);
	if (target !== undefined) return { available: true, url: target };
	if (isObject(body) && Object.keys(body).length === 0) return noSample;
	if (isObject(body) && body.status === 'failed' && isNotFound(body.errors)) return noSample;
	const isBare = statusCode < 300 && !(isObject(body) && 'status' in body);
	const message = isBare && findLink(body) !== undefined ? body : readEnvelope(response, info);
	const url = findLink(message);
	if (url !== undefined) return { available: true, url };
	return isBlankMessage(message) ? noSample : { ...noSample, response: message as IDataObject };
}

/** The file that a redirect leads to; other redirects come from a wrong base URL. */
function redirectedTo({ statusCode, headers }: HttpResponse): string | undefined {
	const location = coerceText(headers.location);
	const isFile = /^[^?#]+\.(csv|tsv|txt|xlsx?|ods|zip|gz)([?#]|$)/i.test(location);
	return statusCode >= 300 && statusCode < 400 && isLink(location) && isFile ? location : undefined;
}

const isNotFound = (errors: unknown): boolean =>
	typeof errors === 'string' && /^record not found$/i.test(errors.trim());

const isBlankMessage = (message: unknown): boolean =>
	isEmpty(message) || (typeof message === 'object' && Object.keys(message ?? {}).length === 0);

const isLink = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);

/** The first link in a text, in an object or in what it holds. */
function findLink(value: unknown, depth = 0): string | undefined {
	if (typeof value === 'string') return isLink(value.trim()) ? value.trim() : undefined;
	if (typeof value !== 'object' || value === null || depth > 3) return undefined;
	for (const one of Object.values(value)) {
		const link = findLink(one, depth + 1);
		if (link !== undefined) return link;
	}
	return undefined;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
