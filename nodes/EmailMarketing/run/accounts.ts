import { NodeOperationError } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, INodeExecutionData } from 'n8n-workflow';

import type { CredentialResult } from '../service/client';
import { credentialFailure } from '../service/errors';
import { ServiceError } from '../service/failure';
import type { Item } from '../params/item';
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
}

/** The run as n8n has started it. */
export interface Start {
	items: Item[];
	/** One for all items, or one for each; equal ones are the same object. */
	credentials: readonly CredentialResult[];
	shared: Omit<RunOptions, 'items' | 'credential'>;
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
	const isPartOfInput = items.length > 1 || shared.isPartOfInput === true;
	for (const [position, item] of items.entries()) {
		const credential = credentials[credentials.length === 1 ? 0 : position];
		if (credential instanceof Error) {
			const failure = new ServiceError(credentialFailure(credential));
			const error = itemError({ node, hasSeveralItems: isPartOfInput }, failure, item);
			if (!context.continueOnFail()) throw isTool(node) ? error : withHelp(error);
			if (perform.isOnAllItems) return [errorItem(error, item.index)];
			outputs.push([errorItem(error, item.index)]);
			continue;
		}
		const others = credential && accounts.get(credential);
		if (others) others.push(item);
		else if (credential) accounts.set(credential, [item]);
	}
	const before: number[] = [];
	for (const [credential, own] of accounts) {
		const run = new RunContext({ ...shared, items: own, credential, isPartOfInput });
		outputs.push(
			await perform(run).catch((error: unknown) => {
				throw withOthers(error, before);
			}),
		);
		before.push(...own.map(({ index }) => index));
	}
	const [only = [], ...more] = outputs;
	return more.length === 0 ? only : outputs.flat().sort((a, b) => itemOf(a) - itemOf(b));
}

/** What an error says about its items is not true of items of other accounts, which were processed before. */
function withOthers(error: unknown, before: readonly number[]): unknown {
	if (before.length > 0 && error instanceof NodeOperationError) {
		const items = `${before.length === 1 ? 'item' : 'items'} ${truncateList(before.map(String), 10)}`;
		error.description = `Processed before, because they belong to another account: ${items}. For the others: ${error.description ?? ''}`;
	}
	return error;
}

/** The first item that an output is paired to. */
function itemOf({ pairedItem }: INodeExecutionData): number {
	const [first] = [pairedItem ?? []].flat();
	return typeof first === 'number' ? first : (first?.item ?? 0);
}
