import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INode,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { CircuitBreaker } from '../service/circuitBreaker';
import { httpOptionsOf, mostAgeMs, ServiceClient, transportOf } from '../service/client';
import type { Client, Traffic } from '../service/client';
import type { KeyedEndpoint } from '../service/endpoints';
import type { Fields } from '../service/form';
import { fetchList } from '../service/lists';
import { keysIn, serviceIn } from '../service/signRequest';
import { retriesFailures } from '../params/givenOption';
import type { Item } from '../params/item';
import { realClock } from '../util/clock';
import { coerceNumber } from '../util/coerce';
import { ConcurrencyLimit } from '../util/concurrencyLimit';
import { Pool } from '../util/pool';
import type { PoolOptions } from '../util/pool';
import { raceAbort } from '../util/promises';
import { NodeContext } from './nodeContext';
import type { Ledger } from './writer/ledger';

/** The values of "Batching" right after it is added. */
const defaultBatch = { batchSize: 50, batchInterval: 1000 };

/**
 * n8n's "Batching" of Request Options.
 *
 * @param value the parameter `requestOptions.batching.batch`
 * @returns undefined if it is not set or disabled; a size of 0 counts as 1, as its description says
 */
export function throttleOf(value: unknown): PoolOptions['throttle'] {
	if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
		return undefined;
	}
	const { batchSize, batchInterval } = { ...defaultBatch, ...value } as Record<string, unknown>;
	const [size, pauseMs] = [coerceNumber(batchSize), coerceNumber(batchInterval)];
	if (!(size >= 0) || !(pauseMs > 0)) return undefined;
	return { size: Math.max(1, Math.floor(size)), pauseMs };
}

export interface RunOptions {
	context: IExecuteFunctions | IExecutePaginationFunctions;
	node: INode;
	items: Item[];
	ledger: Ledger;
	credential: ICredentialDataDecryptedObject;
	readBinary: (item: Item, property: string) => Promise<Buffer>;
	/** Whether n8n runs the node once for each item. */
	isItemByItem?: boolean;
	/** Whether there are further items: those of other accounts, or those that n8n runs one by one. */
	isPartOfInput?: boolean;
	/** Whether the operation changes nothing in the service. */
	readsOnly?: boolean;
}

/** One run of the node for one account, with everything that its items share. */
export class RunContext extends NodeContext {
	readonly node: INode;
	readonly items: Item[];
	readonly ledger: Ledger;
	readonly continueOnFail: boolean;
	/** Aborted when nothing more may be sent: the execution was canceled, or an item failed and the node stops. */
	readonly signal: AbortSignal;
	private readonly options: RunOptions;
	private readonly halting = new AbortController();
	private readonly breaker = new CircuitBreaker();
	private readonly traffic: Traffic = { sent: 0 };
	private readonly cache = new Map<string, unknown>();
	private readonly readings = new Map<string, { value: Promise<unknown>; beganAt: number }>();

	constructor(options: RunOptions) {
		const { context, node, items, ledger } = options;
		super(context);
		this.options = options;
		this.node = node;
		this.items = items;
		this.ledger = ledger;
		this.continueOnFail = context.continueOnFail();
		const canceled = context.getExecutionCancelSignal();
		this.signal = AbortSignal.any([this.halting.signal, ...(canceled ? [canceled] : [])]);
	}

	get resource(): string {
		return String(this.node.parameters.resource);
	}

	get operation(): string {
		return String(this.node.parameters.operation);
	}

	/** As a tool, the node does not see the item of its agent, to which `$json` refers. */
	get isTool(): boolean {
		return isTool(this.node);
	}

	/** Whether n8n passes only the first item to the node. */
	get executesOnce(): boolean {
		return this.node.executeOnce === true;
	}

	get helpers(): IExecuteFunctions['helpers'] {
		return this.context.helpers as IExecuteFunctions['helpers'];
	}

	/** HTTP requests of this run so far, with their repetitions. */
	get requestsSent(): number {
		return this.traffic.sent;
	}

	get isHalted(): boolean {
		return this.signal.aborted;
	}

	get timezone(): string {
		return this.context.getTimezone();
	}

	/** Identifies the service. */
	get service(): string {
		return serviceIn(this.options.credential).service;
	}

	/** Identifies the account. */
	get account(): string {
		const { service, publicKey } = serviceIn(this.options.credential);
		return `${service} ${publicKey}`;
	}

	/** Whether n8n runs this node once for each item, as agents do. */
	get isItemByItem(): boolean {
		return this.options.isItemByItem ?? false;
	}

	/** Whether a failure has to say which item it is about. */
	get hasSeveralItems(): boolean {
		return this.items.length > 1 || this.options.isPartOfInput === true;
	}

	get readsOnly(): boolean | undefined {
		return this.options.readsOnly;
	}

	/** Output that belongs to no item is paired to this one. */
	get firstIndex(): number {
		return this.items[0]?.index ?? 0;
	}

	/** A parameter that holds for the whole run. */
	param(path: string, fallback: unknown): unknown {
		return this.items[0]?.param(path, fallback);
	}

	/**
	 * Shows a line at the node's output, in versions of n8n that can; agents' tools have none. What is true of many items
	 * is shown once.
	 */
	showHint(message: string, type: 'info' | 'warning' = 'info'): void {
		const { addExecutionHints } = this.context as Partial<IExecuteFunctions>;
		if (message === '') return;
		this.memoize(`hint ${message}`, () =>
			addExecutionHints?.call(this.context, {
				message,
				location: 'outputPane',
				...(type === 'warning' && { type }),
			}),
		);
	}

	/** Names the next step to somebody who runs the node in the editor and has connected nothing to it. */
	suggest(nextStep: string): void {
		const { name } = this.node;
		if (this.mode !== 'manual' || this.context.getChildNodes(name).length > 0) return;
		this.showHint(nextStep);
	}

	/** "Parallel Requests", and n8n's "Batching". */
	get pool(): Pool {
		return this.memoize(
			'pool',
			() =>
				new Pool({
					parallel: () => this.limit.items,
					throttle: throttleOf(this.param('requestOptions.batching.batch', {})),
					signal: this.context.getExecutionCancelSignal(),
					pause: async (ms) => await this.pauseBatch(ms),
				}),
		);
	}

	/** Once nothing more is sent, no item has to wait for its batch. */
	private async pauseBatch(ms: number): Promise<void> {
		if (!this.isHalted && !this.breaker.isTripped) await raceAbort(sleep(ms), this.signal);
	}

	/** "Parallel Requests" for all requests of the run; any value other than a number of at least 1 means "Automatic". */
	private get limit(): ConcurrencyLimit {
		return this.memoize('limit', () => {
			const parallel = Math.floor(coerceNumber(this.param('options.parallelRequests', '')));
			return new ConcurrencyLimit(parallel >= 1 ? { parallel } : { service: this.service });
		});
	}

	/** Called after a failure if the node does not continue: nothing more is sent. */
	halt(): void {
		this.halting.abort();
	}

	/** Makes something that all items of the run share, on first use. */
	memoize<T>(key: string, make: () => T): T {
		if (!this.cache.has(key)) this.cache.set(key, make());
		return this.cache.get(key) as T;
	}

	/** For requests that belong to no item. */
	get client(): ServiceClient {
		return this.memoize('client', () => this.clientFor(this.items[0] as Item));
	}

	/** @throws NodeOperationError if Request Options are not valid for the item */
	clientFor(item: Item): ServiceClient {
		return this.makeClient(item, this.signal);
	}

	/** For reads after all writes: what the run has written is looked up even if it stopped at a failure. */
	clientAfterwards(item: Item): ServiceClient {
		return this.makeClient(item, this.context.getExecutionCancelSignal());
	}

	/** For one send, made when its checks begin: they and the request have one try each, and hardly wait. */
	sendingClient(item: Item): ServiceClient {
		return this.makeClient(item, this.signal, realClock.now() + mostAgeMs);
	}

	private makeClient(
		item: Item,
		signal: AbortSignal | undefined,
		waitsUntil?: number,
	): ServiceClient {
		const { context, node } = this;
		return new ServiceClient({
			retries: retriesFailures(node),
			transport: transportOf(context as unknown as IAllExecuteFunctions, this.options.credential),
			keys: keysIn(this.options.credential),
			httpOptions: httpOptionsOf(node, item.param('requestOptions', {})),
			isInteractive: false,
			signal,
			canceled: context.getExecutionCancelSignal(),
			breaker: this.breaker,
			traffic: this.traffic,
			limit: this.limit,
			waitsUntil,
		});
	}

	/** A client whose reads wait for a slot of the pool. */
	pooled(client: Client): Client {
		return {
			read: async (request, parse, isShared) =>
				await this.pool.run(async () => await client.read(request, parse, isShared)),
		};
	}

	/**
	 * All records of a list, read once for all items.
	 *
	 * @throws ServiceError for anything but a complete list
	 */
	async cachedList(
		{ client }: { client: Client },
		endpoint: KeyedEndpoint,
		query: Fields = {},
	): Promise<IDataObject[]> {
		const read = async () => await fetchList(client, endpoint, query);
		return await this.memoize(listKey(endpoint, query), read);
	}

	/** A read that checks share if they begin within a few seconds. One that failed is not shared with later checks. */
	async recent<T>(name: string, read: () => Promise<T>): Promise<T> {
		const known = this.readings.get(name);
		const beganAt = realClock.now();
		if (known && beganAt - known.beganAt <= mostAgeMs) return (await known.value) as T;
		const value = read();
		this.readings.set(name, { value, beganAt });
		value.catch(() => this.readings.get(name)?.value === value && this.readings.delete(name));
		return await value;
	}

	async readBinary(item: Item, property: string): Promise<Buffer> {
		return await this.options.readBinary(item, property);
	}
}

/** How the response of a list is kept. */
export const listKey = ({ path }: KeyedEndpoint, query: Fields): string =>
	`${path} ${JSON.stringify(query)}`;

/** n8n names the tool variant of a node like this. */
export function isTool(node: INode): boolean {
	return node.type.endsWith('Tool');
}
