// Numbers in parentheses, here and elsewhere, are those of the endpoints in the API reference.
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Clearance } from '../service/clearance';
import type { Client, WritingClient } from '../service/client';
import type { Endpoint, GateName } from '../service/endpoints';
import type { Fields, FilePart } from '../service/form';
import type { ResponseMapper, ToItems } from './output/responseMappers';
import type { FileInput } from '../params/file';
import type { Item } from '../params/item';
import type { Input, Inputs } from '../params/validators';
import type { RecordKind } from '../records/recordKind';
import type { Outcome } from './writer/outcome';
import type { RunContext } from './runContext';

/** The item of a run that reads. */
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
	/** The file of the body. */
	file?: FilePart;
	/** Values that the output of a write repeats: IDs and UTRs of the request, and those that stages add. */
	identity: IDataObject;
	/** The fields of an update that keep their values. */
	kept?: ReadonlySet<string>;
	/** What the record had in the fields that an update empties, because the item replaces the content. */
	emptied?: ReadonlyMap<string, unknown>;
	/** Whether the request was made. */
	isMade?: boolean;
	/**
	 * Called once the request has succeeded, or may have.
	 *
	 * @param items the output; empty if there is no response
	 */
	onSent?: (items: readonly INodeExecutionData[]) => void;
	/** The record of an update, once it has been read. */
	current?: Promise<CurrentRecord>;
	/** The clearance from the gate of the endpoint. */
	clearance?: Clearance;
}

/** A record as the service returned it. */
export interface CurrentRecord {
	record: IDataObject;
	/** The error for a field that cannot be sent back. */
	refuse: (field: string) => Error;
}

/**
 * Completes a request, or decides about it.
 *
 * @returns nothing, or the output to return instead of sending the request
 * @throws InvalidInput, which refuses the request
 * @throws ServiceError if a read failed
 */
export type DraftStep = (draft: Draft) => Promise<IDataObject | undefined | void>;

/** A response mapper that reads something before the request is sent. */
export type OutputMapper = (run: RunContext, item: Item) => Promise<ToItems>;

/** A step with a check of its own. */
export interface StepStage {
	/**
	 * Checks the parameters, before anything is read.
	 *
	 * @throws InvalidInput
	 */
	check?(run: RunContext, item: Item): void;
	/** The fields of the body that it fills. */
	fills?: readonly string[];
	step: DraftStep;
}

/** Decides about all requests of a run at once. */
export interface GroupStage extends Pick<StepStage, 'check'> {
	resolve(run: RunContext, planned: readonly ItemPlan[]): Promise<ItemPlan[]>;
}

/** A step in deciding about requests before they are sent. */
export type Stage = DraftStep | StepStage | GroupStage;

/** The decisions about the requests of a run, in this order, and the steps after all of them are sent. */
export interface RequestPlan {
	/** The list that runs of the operation, of all executions, read and then add to one after the other. */
	list?: string;
	/**
	 * The field with the ID of the record that a request is about. Requests for one record are sent one after the other,
	 * in the order of the items, and the following steps run directly before each of them.
	 */
	record?: string;
	/** For all items, before the first request is sent. */
	ahead?: Stage[];
	stages?: Stage[];
	/** Adds to the output of writes, once all writes of the run are done. */
	complete?: (run: RunContext, written: Written[]) => Promise<void>;
}

/** The gate that every request of a gated endpoint passes. Only the gate files make one. */
export interface Gate<Name extends GateName = GateName> {
	readonly name: Name;
	/** For all items, before the first request is sent. */
	ahead?: Stage[];
	/** Before the stages of the plan. */
	before?: Stage[];
	/** After the request is complete. */
	after?: Stage[];
}

/** The work for each item: one endpoint, its fields, and the items to return. */
export interface Operation {
	endpoint: Endpoint;
	query?: Inputs;
	body?: Inputs;
	/** Values by API field name, for the inputs whose `parameter` is ''. */
	values?: (run: RunContext, item: Item) => IDataObject;
	/** A streamed file. */
	file?: FileInput;
	gate?: Gate;
	plan?: RequestPlan;
	output: ResponseMapper | OutputMapper;
}

/** The row of an operation. One that calls a gated endpoint names its gate. */
export type Row<E extends Endpoint> = Omit<Operation, 'endpoint' | 'gate'> &
	(E extends { gate: infer Name extends GateName } ? { gate: Gate<Name> } : { gate?: never });

/** The work of an operation that sends several requests for each item. */
export interface ItemWork<ItemParameters> {
	/**
	 * Reads the parameters of an item. The work begins once those of all items have been read.
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
	/** Whether it writes. If so, items run one after the other, and a write that may have succeeded is not repeated. */
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
	/** Sends the request in the slot that the pool has given it, unlike the client of the draft, which waits for one. */
	client: WritingClient;
	draft: Draft;
	/** Records to find before the other steps that read. */
	lookups: Lookup[];
	toItems: ToItems;
}

/** What is to be done for an item. */
export type ItemPlan =
	| SendRequest
	| {
			kind: 'items';
			item: Item;
			items: INodeExecutionData[];
			/** The request, if an earlier try of the node sent it. */
			prior?: Draft;
	  }
	| {
			kind: 'refused';
			item: Item;
			error: unknown;
			/** Whether further tries of the node would refuse it again. */
			isFinal?: boolean;
			prior?: Draft;
	  }
	| FollowRequest;

/** The requests for the same record that come before one. The positions are shared by all of them. */
export interface Leaders {
	positions: readonly number[];
	/** How many of the positions count. */
	count: number;
}

/** A request that depends on the outcome of earlier ones. */
interface FollowRequest {
	kind: 'follow';
	item: Item;
	request: SendRequest;
	leaders: Leaders;
	/** @param outcomes of the leaders that may have succeeded, up to the first that certainly did */
	decide: (outcomes: readonly Outcome[]) => ItemPlan;
}

/** The stages of an operation, in their order. */
interface Stages {
	/** Decide for all items before the first request is sent. */
	ahead: Stage[];
	/** Complete the requests; those that depend on a record come directly before its request. */
	before: Stage[];
	/** Check the complete requests. */
	after: Stage[];
}

export const stagesOf = ({ gate, plan }: Operation): Stages => ({
	ahead: [...(gate?.ahead ?? []), ...(plan?.ahead ?? [])],
	before: [...(gate?.before ?? []), ...(plan?.stages ?? [])],
	after: [...(gate?.after ?? [])],
});

export function allStages(operation: Operation): Stage[] {
	const { ahead, before, after } = stagesOf(operation);
	return [...ahead, ...before, ...after];
}
