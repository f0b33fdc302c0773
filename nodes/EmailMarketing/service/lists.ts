import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../util/coerce';
import type { Client } from './client';
import { endpoints } from './endpoints';
import type { KeyedEndpoint } from './endpoints';
import { readEach, readEnvelope, readList, readRecords } from './envelope';
import type { Fields } from './form';

/**
 * All records of a list; the service has no paging, so this is one request.
 *
 * @throws ServiceError for anything but a complete list; a failure never counts as an empty list, except where the
 *   reference leaves that open (`withEmptyList`)
 */
export async function fetchList(
	client: Client,
	endpoint: KeyedEndpoint,
	query?: Fields,
): Promise<IDataObject[]> {
	return await client.read(
		{ endpoint, query },
		(response, info) => readRecords(response, endpoint, info),
		true,
	);
}

/**
 * The needed values of all records of a list. The list itself is never in memory as a whole.
 *
 * @throws ServiceError as `fetchList` does
 */
export async function fetchEach<T>(
	client: Client,
	endpoint: KeyedEndpoint,
	pick: (record: IDataObject) => T,
	query?: Fields,
): Promise<T[]> {
	return await client.read(
		{ endpoint, query, responseEncoding: 'arraybuffer' },
		(response, info) => readEach(response, endpoint, info, pick),
		true,
	);
}

/**
 * The names of placeholders, the only list without records (36).
 *
 * @throws ServiceError
 */
export async function fetchDynamicContent(client: Client): Promise<unknown[]> {
	const endpoint = endpoints.designTemplate.getDynamicContent;
	return await client.read(
		{ endpoint },
		(response, info) => readList(response, endpoint, info),
		true,
	);
}

export interface Locations {
	countries: unknown[];
	states: unknown[];
	cities: unknown[];
}

/**
 * The three lists of the lookup (50). A missing list counts as empty.
 *
 * @throws ServiceError
 */
export async function fetchLocations(client: Client): Promise<Locations> {
	const message = await client.read(
		{ endpoint: endpoints.location.getAll },
		(response, info) => readEnvelope(response, info),
		true,
	);
	const list = (key: string): unknown[] => {
		const value: unknown = isObject(message) ? message[key] : undefined;
		return Array.isArray(value) ? value : [];
	};
	return { countries: list('countries'), states: list('states'), cities: list('cities') };
}
