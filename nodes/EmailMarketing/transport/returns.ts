import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { isObject, readEnvelope, readList, ServiceFailure, unexpectedShape } from './answer';
import type { RawAnswer } from './answer';
import type { Returns } from './endpoint';
import { safeFileName } from './file';
import { choice } from './inputs';
import { listingOf } from './listing';
import { shapeRecord } from './output';
import { plainText } from './plain';

/** One item per record of the list under `key`; a plain text such as a placeholder's name becomes `{ name }`. */
export function list(key: string): Returns {
	const returns: Returns = (answer, asked, context) =>
		listingOf(context)(readList(answer, key, asked));
	return Object.assign(returns, { check: listingOf });
}

/** The one record under `key`; single send details (40) answer with an array that holds it. */
export function record(key: string): Returns {
	const returns: Returns = (answer, asked, context) => {
		const message = readEnvelope(answer, asked);
		const found = isObject(message) ? message[key] : undefined;
		if (Array.isArray(found) && found.length === 0) {
			throw new ServiceFailure({
				message: 'The service refused the request: Record not found',
				description:
					'No record has this ID or UTR. It may have been deleted: choose it from the list again.',
				carriedOut: 'no',
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
export function done(did: string): Returns {
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
export function csvSample(parameter: string): Returns {
	const propertyIn = (context: IExecuteSingleFunctions): string =>
		plainText(context.getNodeParameter(parameter, 'data')).trim() || 'data';
	const returns: Returns = async (answer, asked, context) => {
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

function fileName(answer: RawAnswer): string {
	const disposition = plainText(answer.headers['content-disposition']);
	const name = /filename="?([^";]+)/.exec(disposition)?.[1];
	return name === undefined ? 'contacts-sample.csv' : safeFileName(name);
}

/** The lookup (50): the chosen list with one item per entry, or all three lists in one item. */
export function locations(parameter: string): Returns {
	const { encode } = choice(parameter, ['all', 'cities', 'countries', 'states']);
	const chosenIn = (context: IExecuteSingleFunctions): string =>
		String(
			encode(context.getNodeParameter(parameter, ''), 'Location Type', context) ?? 'countries',
		);
	const returns: Returns = (answer, asked, context, identity) => {
		const chosen = chosenIn(context);
		if (chosen !== 'all') return list(chosen)(answer, asked, context, identity);
		const message = readEnvelope(answer, asked);
		if (!isObject(message)) throw unexpectedShape('the lists of places', answer, asked);
		return [{ json: message }];
	};
	const check = (context: IExecuteSingleFunctions) => [chosenIn(context), listingOf(context)];
	return Object.assign(returns, { check });
}
