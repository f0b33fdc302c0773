import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { isObject, readEnvelope, readList, ServiceError, unexpectedShape } from '../api/envelope';
import type { HttpResponse } from '../api/envelope';
import type { ResponseMapper } from '../engine/operation';
import { safeFileName } from '../api/form';
import { choice } from '../params/validators';
import { listOutputOf } from './listOutput';
import { shapeRecord } from './simplify';
import { coerceText } from '../util/coerce';

/** One item per record of the list under `key`; a plain text such as a placeholder's name becomes `{ name }`. */
export function list(key: string): ResponseMapper {
	const returns: ResponseMapper = (answer, asked, context) =>
		listOutputOf(context)(readList(answer, key, asked));
	return Object.assign(returns, { check: listOutputOf });
}

/** The one record under `key`; single send details (40) answer with an array that holds it. */
export function record(key: string): ResponseMapper {
	const returns: ResponseMapper = (answer, asked, context) => {
		const message = readEnvelope(answer, asked);
		const found = isObject(message) ? message[key] : undefined;
		if (Array.isArray(found) && found.length === 0) {
			throw new ServiceError({
				message: 'The service refused the request: Record not found',
				description:
					'No record has this ID or UTR. It may have been deleted: choose it from the list again.',
				effect: 'none',
			});
		}
		const value: unknown = Array.isArray(found) ? found[0] : found;
		if (!isObject(value)) throw unexpectedShape(`the record "${key}"`, answer, asked);
		return [{ json: shapeRecord(context)(value) }];
	};
	return Object.assign(returns, { check: shapeRecord });
}

/**
 * What a write did: `{ created: true, utr, message }`. Ids and utrs of the request come along, so
 * that one sees which record it was.
 */
export function done(did: string): ResponseMapper {
	return (answer, asked, _context, identity) => {
		const message = readEnvelope(answer, asked);
		return [
			{
				json: {
					[did]: true,
					...identity,
					...(isObject(message) ? message : { message: confirmation(message) }),
				},
			},
		];
	};
}

function confirmation(message: unknown): string {
	return typeof message === 'string' ? message : '';
}

/** The file of the answer as binary data, or the plain statement that the service sent none (20). */
export function csvSample(parameter: string): ResponseMapper {
	const propertyIn = (context: IExecuteSingleFunctions): string =>
		coerceText(context.getNodeParameter(parameter, 'data')).trim() || 'data';
	const returns: ResponseMapper = async (answer, asked, context) => {
		const bytes = Buffer.isBuffer(answer.body)
			? answer.body
			: Buffer.from(answer.body as ArrayBuffer);
		const text = bytes.toString('utf8').trim();
		const data = parseJson(text);
		const isFile = data === undefined && /^[^<{[]/.test(text) && answer.statusCode < 300;
		if (isFile) {
			const binary = await context.helpers.prepareBinaryData(bytes, fileName(answer), 'text/csv');
			const item: INodeExecutionData = {
				json: { available: true, fileName: binary.fileName ?? '' },
				binary: { [propertyIn(context)]: binary },
			};
			return [item];
		}
		if (!isEmptyAnswer(data)) readEnvelope({ ...answer, body: data ?? text }, asked);
		return [
			{
				json: {
					available: false,
					message:
						'The service gave no sample file. "Import From CSV" takes a header line with the names of the API fields, such as email, country, first_name, last_name.',
				},
			},
		];
	};
	return Object.assign(returns, { check: propertyIn });
}

function isEmptyAnswer(data: unknown): boolean {
	return isObject(data) && Object.keys(data).length === 0;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

function fileName(answer: HttpResponse): string {
	const disposition = coerceText(answer.headers['content-disposition']);
	const name = /filename="?([^";]+)/.exec(disposition)?.[1];
	return name === undefined ? 'contacts-sample.csv' : safeFileName(name);
}

/** The lookup (50): the chosen list with one item per entry, or all three lists in one item. */
export function locations(parameter: string): ResponseMapper {
	const { encode } = choice(parameter, ['all', 'cities', 'countries', 'states']);
	const chosenIn = (context: IExecuteSingleFunctions): string =>
		String(
			encode(context.getNodeParameter(parameter, ''), 'Location Type', context) ?? 'countries',
		);
	const returns: ResponseMapper = (answer, asked, context, identity) => {
		const chosen = chosenIn(context);
		if (chosen !== 'all') return list(chosen)(answer, asked, context, identity);
		const message = readEnvelope(answer, asked);
		if (!isObject(message)) throw unexpectedShape('the lists of places', answer, asked);
		return [{ json: message }];
	};
	const check = (context: IExecuteSingleFunctions) => [chosenIn(context), listOutputOf(context)];
	return Object.assign(returns, { check });
}
