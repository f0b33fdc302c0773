import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	INodeExecutionData,
	IExecuteFunctions,
} from 'n8n-workflow';

import { credentialType } from '../service/client';
import type { CredentialResult } from '../service/client';
import { credentialFailure } from '../service/errors';
import { ServiceError } from '../service/failure';
import { accountIn } from '../service/signRequest';
import type { Item } from '../params/item';
import { addTo, chunksOf } from '../util/groups';
import { Cancelled } from '../util/pool';
import { truncateList } from '../util/text';
import { withHelp } from './help';
import { errorItem, itemError } from './nodeError';
import { isTool, RunContext } from './runContext';
import type { RunOptions } from './runContext';

/** Runs an operation for the items of one account. */
export interface Perform {
	(run: RunContext): Promise<INodeExecutionData[]>;
	/** Whether it processes all items together. */
	isOnAllItems?: boolean;
	/** Whether it changes nothing in the service. */
	readsOnly?: boolean;
	/** What is done around all of it, from before the credentials are read. */
	around?: <T>(context: IExecuteFunctions, work: () => Promise<T>) => Promise<T>;
}

/** The run as n8n has started it. */
export interface Start {
	items: Item[];
	/** One for all items, or one for each; equal ones are the same object. */
	credentials: readonly CredentialResult[];
	shared: Omit<RunOptions, 'items' | 'credential' | 'readsOnly'>;
}

/**
 * Runs an operation once for each account, one after the other. An item whose credential cannot be read fails alone. It
 * stops an operation on all items, because its account is unknown.
 *
 * @returns the output in the order of the items
 * @throws NodeError unless the node is set to continue; nothing is sent if a credential cannot be read
 */
export async function performPerAccount(
	perform: Perform,
	{ items, credentials, shared }: Start,
): Promise<INodeExecutionData[]> {
	const { node, context } = shared;
	const accounts = new Map<ICredentialDataDecryptedObject, Item[]>();
	const outputs: INodeExecutionData[][] = [];
	const { readsOnly } = perform;
	const isPartOfInput = items.length > 1 || shared.isPartOfInput === true;
	for (const [position, item] of items.entries()) {
		const credential = credentials[credentials.length === 1 ? 0 : position];
		if (credential instanceof Error) {
			const failure = new ServiceError(credentialFailure(credential));
			const error = itemError({ node, hasSeveralItems: isPartOfInput, readsOnly }, failure, item);
			if (!context.continueOnFail()) throw isTool(node) ? error : withHelp(error);
			if (perform.isOnAllItems) return [errorItem(error, item.index)];
			outputs.push([errorItem(error, item.index)]);
			continue;
		}
		if (credential) addTo(accounts, credential, item);
	}
	const before: Item[][] = [];
	for (const [credential, own] of accounts) {
		const run = new RunContext({ ...shared, items: own, credential, isPartOfInput, readsOnly });
		outputs.push(
			await perform(run).catch((error: unknown) => {
				throw withOthers(error, before);
			}),
		);
		before.push(own);
	}
	const [only = [], ...more] = outputs;
	return more.length === 0 ? only : outputs.flat().sort((a, b) => itemOf(a) - itemOf(b));
}

/** What an error says about its items is not true of items of other accounts, which were processed before. */
function withOthers(error: unknown, before: readonly Item[][]): unknown {
	const isShown = error instanceof NodeOperationError || error instanceof NodeApiError;
	if (before.length > 0 && isShown) {
		const indexes = before.flat().map(({ index }) => String(index));
		const items = `${indexes.length === 1 ? 'item' : 'items'} ${truncateList(indexes, 10)}`;
		error.description = `Already processed, because they use another account: ${items}. For the others: ${error.description ?? ''}`;
	}
	return error;
}

/** The first item that an output is paired to. */
function itemOf({ pairedItem }: INodeExecutionData): number {
	const [first] = [pairedItem ?? []].flat();
	return typeof first === 'number' ? first : (first?.item ?? 0);
}

/** How many credentials are read at once. */
const readsAtOnce = 20;

/**
 * The credential of a run. n8n would read and decrypt it again for every request. One with expressions is read for each
 * item, since they may use any part of the item.
 *
 * @param length how many items there are
 * @returns one for all items, or one for each; equal credentials are the same object
 * @throws Cancelled
 */
export async function readCredentials(
	context: IExecuteFunctions,
	length: number,
): Promise<CredentialResult[]> {
	const read = async (index: number) =>
		await credentialOrError(context.getCredentials(credentialType, index));
	if (length === 1) return [await read(0)];
	let hasExpression = false;
	// For each expression, n8n looks up the item in the list with the index as a key.
	const watchedIndex = {
		[Symbol.toPrimitive]() {
			hasExpression = true;
			return 0;
		},
	};
	const probed = await read(watchedIndex as unknown as number);
	if (!hasExpression) {
		if (!(probed instanceof Error)) return [probed];
		// Either the credential cannot be read at all, or this n8n accepts only numbers.
		const first = await read(0);
		if (first instanceof Error) return [first];
	}
	const known = new Map<string, CredentialResult>();
	const credentials: CredentialResult[] = [];
	for (const indexes of chunksOf([...Array(length).keys()], readsAtOnce)) {
		if (context.getExecutionCancelSignal()?.aborted) throw new Cancelled();
		for (const credential of await Promise.all(indexes.map(read))) {
			if (credential instanceof Error) {
				credentials.push(credential);
				continue;
			}
			const key = JSON.stringify({ ...credential, ...accountIn(credential) });
			const same = known.get(key) ?? credential;
			known.set(key, same);
			credentials.push(same);
		}
	}
	return credentials;
}

/** The credential, or the error of one that cannot be read. */
export async function credentialOrError(
	reading: Promise<ICredentialDataDecryptedObject>,
): Promise<CredentialResult> {
	return await reading.catch((error: unknown) =>
		error instanceof Error ? error : new Error(String(error)),
	);
}
