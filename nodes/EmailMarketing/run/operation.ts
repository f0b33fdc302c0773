// Numbers in parentheses, here and elsewhere, are those of the endpoints in the API reference.
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../service/client';
import type { Endpoint } from '../service/endpoints';
import type { Fields, FilePart } from '../service/form';
import type { ResponseMapper, ToItems } from './output/responseMappers';
import type { FileInput } from '../params/file';
import type { Item } from '../params/item';
import type { Input, Inputs } from '../params/validators';
import type { RecordKind } from '../records/recordKind';
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
	/** The record that an update is about, once something has asked for it. */
	current?: Promise<CurrentRecord>;
}

/** A record of the service as it was read. */
export interface CurrentRecord {
	record: IDataObject;
	/** Says that a field of it cannot be sent back. */
	refuse: (field: string) => Error;
}

/**
 * @throws InvalidInput, which refuses the request
 * @throws ServiceError if a read failed
 */
export type DraftStep = (draft: Draft) => Promise<void>;

/** A response mapper that reads something before the request is sent. */
export type OutputMapper = (run: RunContext, item: Item) => Promise<ToItems>;

/** Keeps the records of some items from being written. */
export interface HoldBack {
	/**
	 * Checks the parameters, before anything is read.
	 *
	 * @throws InvalidInput
	 */
	check(run: RunContext, item: Item): void;
	/**
	 * What is returned in place of an item that must not be written; undefined if it may be.
	 *
	 * @throws ServiceError if a read failed: what could not be checked is not written
	 */
	find(draft: Draft): Promise<IDataObject | undefined>;
}

/** What happens to requests whose record exists already. */
export interface ExistingStep {
	/**
	 * Checks the parameters, before anything is read.
	 *
	 * @throws InvalidInput
	 */
	check(run: RunContext, item: Item): void;
	resolve(run: RunContext, prepared: readonly PreparedRequest[]): Promise<PreparedRequest[]>;
}

/**
 * Takes out of a file what must not be sent, once every item has passed the checks that need no reads.
 *
 * @returns what to send and what to add to its output, or items instead if nothing is left to send
 * @throws InvalidInput, which refuses the request
 * @throws ServiceError if a read failed
 */
export type FileFilter = (
	draft: Draft,
) => Promise<{ file: FilePart; report: IDataObject } | { items: INodeExecutionData[] }>;

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
	/** Returns items in place of requests that must not be sent, before anything else is read for them. */
	holdBack?: HoldBack;
	/**
	 * Looks at the file without reading from the service.
	 *
	 * @returns undefined if all of the file is to be sent
	 * @throws InvalidInput
	 */
	fileFilter?: (run: RunContext, item: Item, file: FilePart) => Promise<FileFilter | undefined>;
	/** Replaces values of the item, such as the name of a country, by what the service takes for them. */
	resolveValues?: DraftStep[];
	/** Adds fields to the request, or replaces them. */
	enrich?: DraftStep[];
	/** Replaces requests whose record exists already, that an earlier item creates, or whose response a list has. */
	resolveExisting?: ExistingStep;
	/** The list that runs of the operation, of all executions, read and then add to one after the other. */
	queue?: string;
	/** Requests for one record are sent one after the other, in the order of the items. */
	inTurn?: {
		/** The field with the ID of the record. */
		field: string;
		/** Whether a request depends on its record as it is, which is then read directly before it. */
		readsRecord?: boolean;
	};
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
export interface ItemWork<ItemParameters> {
	/**
	 * Reads the parameters of an item. The work begins when those of all items were read.
	 *
	 * @throws InvalidInput
	 */
	read(item: Item): ItemParameters;
	/**
	 * @returns the output
	 * @throws InvalidInput, if nothing was sent
	 * @throws ServiceError
	 */
	perform(caller: Caller, parameters: ItemParameters): Promise<IDataObject>;
	/** Whether it writes. Items then run one after the other, and none that may have succeeded is repeated. */
	changesData: boolean;
}

/** A field whose records are looked up in their list before the request is sent. */
export interface Lookup {
	name: string;
	input: Input;
	label: string;
	source: RecordKind;
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
	/** The file of the body. */
	file?: FilePart;
	/** To apply before the file is sent. */
	fileFilter?: FileFilter;
	toItems: ToItems;
}

/** What is to be done for an item. */
export type PreparedRequest =
	| SendRequest
	| { kind: 'items'; item: Item; items: INodeExecutionData[] }
	| {
			kind: 'refused';
			item: Item;
			error: unknown;
			/** Whether further tries of the node refuse it as well. */
			isFinal?: boolean;
	  }
	| FollowRequest;

/** A request that depends on what becomes of earlier ones. */
export interface FollowRequest {
	kind: 'follow';
	item: Item;
	request: SendRequest;
	/** Its own position. */
	position: number;
	/** Positions of the requests for the same record, ascending; only those before its own one count. */
	leaders: readonly number[];
	/** @param outcomes of the leaders, up to the first that succeeded */
	decide: (outcomes: Outcome[]) => PreparedRequest;
}
