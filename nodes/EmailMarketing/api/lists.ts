import type { IDataObject } from 'n8n-workflow';

import { coerceText, isObject } from '../util/coerce';
import type { Client } from './client';
import { endpoints } from './endpoints';
import type { KeyedEndpoint } from './endpoints';
import { readEnvelope, readList, readRecords } from './envelope';
import type { HttpResponse } from './failure';
import type { Fields } from './form';

/** The lists 35 and 36 take no ID and yet may say "Record Not Found": they are empty then. */
const isNotFound = ({ body }: HttpResponse): boolean =>
	isObject(body) && body.status === 'failed' && /^record not found$/i.test(coerceText(body.errors));

/**
 * All records of a list; the service has no paging, so this is one request.
 *
 * @throws ServiceError for anything but a complete list; a failure never looks like an empty list
 */
export async function fetchList(
	client: Client,
	endpoint: KeyedEndpoint,
	query?: Fields,
): Promise<IDataObject[]> {
	return await client.send(
		{ endpoint, query },
		(response, info) =>
			endpoint === endpoints.designTemplate.getAll && isNotFound(response)
				? []
				: readRecords(response, endpoint.key, info),
		true,
	);
}

/**
 * The names of placeholders, which is the one list that holds no records (36).
 *
 * @throws ServiceError
 */
export async function fetchDynamicContent(client: Client): Promise<unknown[]> {
	const endpoint = endpoints.designTemplate.getDynamicContent;
	return await client.send(
		{ endpoint },
		(response, info) => (isNotFound(response) ? [] : readList(response, endpoint.key, info)),
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
	const message = await client.send(
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
