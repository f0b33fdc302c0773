import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Endpoint } from '../../service/endpoints';
import { readEnvelope, readList, readRecord, unexpectedShape } from '../../service/envelope';
import type { ListSource } from '../../service/envelope';
import type { HttpResponse, RequestInfo } from '../../service/failure';
import type { Item } from '../../params/item';
import { choice } from '../../params/validators';
import { isObject } from '../../util/coerce';
import { listOutputOf } from './listOutput';
import { idsLast, recordItems } from './simplify';
import type { OutputContext } from './simplify';

/** Turns a response into the items of the output. */
export type ToItems = (
	response: HttpResponse,
	info: RequestInfo,
	/** IDs and UTRs of the request. */
	identity: IDataObject,
) => INodeExecutionData[] | Promise<INodeExecutionData[]>;

/**
 * Reads the parameters of the output before anything is sent.
 *
 * @throws InvalidInput
 */
export type ResponseMapper = (context: OutputContext, item: Item, endpoint: Endpoint) => ToItems;

/** One item per record of the list; a plain text such as a placeholder's name becomes `{ name }`. */
export const list: ResponseMapper = (context, item, endpoint) =>
	listFrom({ ...endpoint, key: endpoint.key ?? '' }, context, item);

function listFrom(source: ListSource, context: OutputContext, item: Item): ToItems {
	const toItems = listOutputOf(context, item);
	return (response, info) => toItems(readList(response, source, info));
}

export const record: ResponseMapper = (context, item, { key = '' }) => {
	const toItems = recordItems(context, item);
	return (response, info) => toItems([readRecord(response, key, info)]);
};

/**
 * The output of a write: `{ created: true, utr, message }`, with the ids and utrs of the request to show which record
 * was written.
 */
export function done(did: string): ResponseMapper {
	return () => (response, info, identity) => {
		const message = readEnvelope(response, info);
		const reported = isObject(message) ? message : { message: confirmation(message) };
		const about = idsLast({ ...(isObject(message) && message), ...identity });
		const json = { [did]: true, ...about, ...reported };
		return [{ json }];
	};
}

function confirmation(message: unknown): string {
	return typeof message === 'string' ? message : '';
}

/** The lookup (50): the chosen list with one item per entry, or all three lists in one item. */
export function locations(parameter: string): ResponseMapper {
	const { encode } = choice(parameter, ['all', 'cities', 'countries', 'states']);
	return (context, item) => {
		const chosen = encode(item.param(parameter, ''), 'Location Type', item) ?? 'countries';
		if (chosen !== 'all') {
			const key = String(chosen);
			const toItems = listOutputOf(context, item);
			return (response, info) => {
				const message = readEnvelope(response, info);
				const isNone = isObject(message) && message[key] === null;
				return toItems(isNone ? [] : readList(response, { key }, info));
			};
		}
		return (response, info) => {
			const message = readEnvelope(response, info);
			if (isObject(message)) return [{ json: message }];
			throw unexpectedShape('the lists of places are missing', response, info);
		};
	};
}
