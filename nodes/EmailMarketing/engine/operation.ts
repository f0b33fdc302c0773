// Numbers in parentheses, here and elsewhere, are those of the endpoints in the API reference.
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../api/client';
import type { Endpoint } from '../api/endpoints';
import type { Fields, StreamedForm } from '../api/form';
import type { ResponseMapper, ToItems } from '../output/responseMappers';
import type { FileInput } from '../params/file';
import type { Item } from '../params/item';
import type { Input, Inputs, RecordSource } from '../params/validators';
import type { Outcome } from './outcome';
import type { RunContext } from './runContext';

/** Who reads: an item of a run. */
export interface Caller {
	run: RunContext;
	item: Item;
	/** For reads that the request depends on. */
	client: Client;
}

/** A request that is being put together. */
export interface Draft extends Caller {
	query: Fields;
	body: Fields;
	/** IDs and UTRs of the request, repeated in the output of a write. */
	identity: IDataObject;
}

/**
 * @throws InvalidInput, which refuses the request
 * @throws ServiceError if a read failed
 */
export type DraftStep = (draft: Draft) => Promise<void>;

/** A response mapper that reads something before the request is sent. */
export type OutputMapper = (run: RunContext, item: Item) => Promise<ToItems>;

/** What the node does for each item: one endpoint, the fields it takes, and the items that it returns. */
export interface Operation {
	endpoint: Endpoint;
	query?: Inputs;
	body?: Inputs;
	/** Values by API field name, for the inputs whose `parameter` is ''. */
	parse?: (run: RunContext, item: Item) => IDataObject;
	/** Path of a parameter with the API names of fields to send empty on purpose. */
	clearable?: string;
	/** A streamed file. */
	file?: FileInput;
	/** Adds fields to the request, or replaces them. */
	enrich?: DraftStep[];
	/** Replaces requests whose record exists already, or that an earlier item creates. */
	resolveExisting?: (
		run: RunContext,
		prepared: readonly PreparedRequest[],
	) => Promise<PreparedRequest[]>;
	/** Checks of a complete and valid request. */
	preconditions?: DraftStep[];
	/** Fields of the request that its output repeats, besides the IDs and UTRs. */
	summary?: (draft: Draft) => IDataObject;
	/** Adds to the output of writes, once all of the run are done. */
	complete?: (run: RunContext, written: Written[]) => Promise<void>;
	/** The field of a bulk delete that takes the IDs of several items. */
	batchBy?: string;
	/** Set if the response may be a file. */
	responseEncoding?: 'arraybuffer';
	output: ResponseMapper | OutputMapper;
}

/** What an operation of several requests does for each item by itself. */
export interface ItemWork {
	/**
	 * @returns the output
	 * @throws InvalidInput, if nothing was sent
	 * @throws ServiceError
	 */
	perform(caller: Caller): Promise<IDataObject>;
	/** Whether it writes. Items then run one after the other, and none that may have succeeded is repeated. */
	changesData: boolean;
}

/** A field whose records are looked up in their list before the request is sent. */
export interface Lookup {
	name: string;
	input: Input;
	label: string;
	source: RecordSource;
	/** The fields of the request that hold it. */
	fields: Fields;
	keys: string[];
	/** The record that the list belongs to. */
	parent?: { label: string; key: string };
}

/** A write that succeeded. */
export interface Written {
	draft: Draft;
	items: INodeExecutionData[];
}

/** A request that may be sent. */
export interface SendRequest {
	kind: 'send';
	item: Item;
	/** Sends the request. The pool has given it its slot by then; the client of the draft waits for one. */
	client: Client;
	draft: Draft;
	/** In place of the operation of the run: the update of a record that exists. */
	operation?: Operation;
	/** Records to find before anything else that depends on reads. */
	lookups: Lookup[];
	/** The body, if it holds a file. */
	form?: StreamedForm;
	toItems: ToItems;
}

/** What is to be done for an item. */
export type PreparedRequest =
	| SendRequest
	| { kind: 'items'; item: Item; items: INodeExecutionData[] }
	| { kind: 'refused'; item: Item; error: unknown }
	| {
			/** Depends on what becomes of earlier requests. */
			kind: 'follow';
			item: Item;
			request: SendRequest;
			/** Positions of those requests. */
			leaders: number[];
			decide: (outcomes: Outcome[]) => PreparedRequest;
	  };
