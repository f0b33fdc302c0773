import { ServiceError } from '../../../nodes/EmailMarketing/service/failure';
import type {
	Client,
	ReadResponse,
	ServiceRequest,
} from '../../../nodes/EmailMarketing/service/client';
import { endpoints } from '../../../nodes/EmailMarketing/service/endpoints';
import {
	fetchDynamicContent,
	fetchEach,
	fetchList,
	fetchLocations,
} from '../../../nodes/EmailMarketing/service/lists';

/** A client that answers every request with the same body, and what it was asked for. */
function clientWith(body: unknown) {
	const calls: Array<[ServiceRequest, boolean | undefined]> = [];
	const client: Client = {
		async read<T>(request: ServiceRequest, parse: ReadResponse<T>, isShared?: boolean) {
			calls.push([request, isShared]);
			return await parse({ statusCode: 200, headers: {}, body }, { changesData: false });
		},
	};
	return { client, calls };
}

const success = (message: unknown) => ({ status: 'success', message });

it('a list is one request, which the whole run shares', async () => {
	const { client, calls } = clientWith(success({ segments: [{ id: 1 }] }));
	const endpoint = endpoints.segment.getAll;
	expect(await fetchList(client, endpoint, { type: '2' })).toEqual([{ id: 1 }]);
	expect(calls).toEqual([[{ endpoint, query: { type: '2' } }, true]]);
});

it('a list read record by record is asked for as bytes', async () => {
	const { client, calls } = clientWith(
		Buffer.from(JSON.stringify(success({ contacts: [{ id: 1 }, { id: 2 }] }))),
	);
	const endpoint = endpoints.contact.getAll;
	expect(await fetchEach(client, endpoint, ({ id }) => id)).toEqual([1, 2]);
	expect(calls).toEqual([[{ endpoint, responseEncoding: 'arraybuffer' }, true]]);
});

it('the names of placeholders are texts', async () => {
	const endpoint = endpoints.designTemplate.getDynamicContent;
	const { client, calls } = clientWith(success({ [endpoint.key]: ['first_name'] }));
	expect(await fetchDynamicContent(client)).toEqual(['first_name']);
	expect(calls).toEqual([[{ endpoint }, true]]);
});

describe('the lookup', () => {
	const [countries, states, cities] = [[{ id: 1 }], [{ id: 2 }], [{ id: 3 }]];

	it('has three lists in one response', async () => {
		const { client, calls } = clientWith(success({ countries, states, cities }));
		expect(await fetchLocations(client)).toEqual({ countries, states, cities });
		expect(calls).toEqual([[{ endpoint: endpoints.location.getAll }, true]]);
	});

	it.each([
		['without some of its lists', { countries }, { countries, states: [], cities: [] }],
		[
			'with something else in their place',
			{ countries: { 1: {} }, states: 'none', cities: null },
			{ countries: [], states: [], cities: [] },
		],
		['that is a list', [countries], { countries: [], states: [], cities: [] }],
		['that is a text', 'Nothing found', { countries: [], states: [], cities: [] }],
	])('%s has empty ones', async (_what, message, expected) => {
		expect(await fetchLocations(clientWith(success(message)).client)).toEqual(expected);
	});

	it('fails with the words of the service', async () => {
		const { client } = clientWith({ status: 'failed', errors: 'Closed for today' });
		await expect(fetchLocations(client)).rejects.toThrow(
			new ServiceError({
				code: 'request-rejected',
				message: 'The service rejected the request: Closed for today',
				description: '',
				effect: 'none',
			}),
		);
	});
});
