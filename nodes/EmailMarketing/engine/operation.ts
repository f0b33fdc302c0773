import type {
	IDataObject,
	IExecuteSingleFunctions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import type { RequestInfo, HttpResponse } from '../api/envelope';
import { encode } from './prepare';
import type { Fields, Input } from '../params/validators';
import { unwrap } from './unwrap';

export type Inputs = Record<string, Input>;

export interface ResponseMapper {
	/**
	 * Turns an answer into the items of the output.
	 *
	 * @throws ServiceError when the service refused the request, or the answer lacks what was asked for.
	 */
	(
		answer: HttpResponse,
		asked: RequestInfo,
		context: IExecuteSingleFunctions,
		identity: IDataObject,
	): INodeExecutionData[] | Promise<INodeExecutionData[]>;
	/**
	 * Looks, before anything is sent, at the parameters that say what comes out.
	 *
	 * @throws InvalidInput
	 */
	check?(context: IExecuteSingleFunctions): unknown;
}

/** Sends one GET with the options of the item's own request. */
export type Read = (path: string, query?: IDataObject) => Promise<HttpResponse>;

/**
 * Looks at the service before the item's own request is sent: for values of the record as it is, for
 * ids of names, for what would go wrong.
 */
export type Enrich = (
	context: IExecuteSingleFunctions,
	body: Fields,
	query: Fields,
	read: Read,
) => Promise<void>;

/** One endpoint of the API reference. */
export interface Endpoint {
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	query?: Inputs;
	body?: Inputs;
	encoding?: 'multipart/form-data' | 'application/x-www-form-urlencoded';
	/** Values by API field name, for fields that one parameter holds together. */
	values?: (context: IExecuteSingleFunctions) => IDataObject;
	/** Adds fields to the request. */
	complete?: Enrich[];
	/** Looks, at a request that is complete and valid, whether it should be sent. */
	guards?: Enrich[];
	/** Path of a parameter with the API names of fields to send blank on purpose. */
	clears?: string;
	/** The field of a bulk delete that takes the ids of several items. */
	gathers?: string;
	/** A streamed file, read from the binary field that the parameter names. */
	file?: { field: string; parameter: string; extension: string };
	changesData: boolean;
	/** Set where the answer may be a file. */
	responseEncoding?: 'arraybuffer';
	returns: ResponseMapper;
}

type EndpointOptions = Partial<Omit<Endpoint, 'method' | 'path' | 'returns'>> &
	Pick<Endpoint, 'returns'>;

/** Routing of an operation: what is sent where, and what comes out. */
function routing(endpoint: Endpoint): INodePropertyRouting {
	return {
		request: {
			method: endpoint.method,
			url: endpoint.path,
			...(endpoint.responseEncoding && { encoding: endpoint.responseEncoding }),
		},
		send: { preSend: [encode(endpoint)] },
		output: { postReceive: [unwrap(endpoint)] },
	};
}

/** A GET. Those that act (duplicate, pause, set live, resend) say `changesData: true`. */
export function get(path: string, options: EndpointOptions): INodePropertyRouting {
	return routing({ method: 'GET', path, changesData: false, ...options });
}

/** A POST with its fields as a multipart form. */
export function post(path: string, options: EndpointOptions): INodePropertyRouting {
	return routing({
		method: 'POST',
		path,
		encoding: 'multipart/form-data',
		changesData: true,
		...options,
	});
}

/** A bulk delete: a POST with urlencoded fields, the ids of many items in one. */
export function bulkDelete(path: string, options: EndpointOptions): INodePropertyRouting {
	return post(path, {
		encoding: 'application/x-www-form-urlencoded',
		gathers: 'strIds',
		...options,
	});
}

export function del(path: string, options: EndpointOptions): INodePropertyRouting {
	return routing({ method: 'DELETE', path, changesData: true, ...options });
}
