import type { INodeExecutionData } from 'n8n-workflow';

import { keys, type NodeError, type Outcome } from '../engine/engine';

/** Nobody reads more than this. */
const longestMessage = 3_000;
const longestDescription = 3_000;

const traces =
	/\[object \w+\]|\bundefined\b|\b(?:Type|Range|Reference|Syntax|URI)Error\b|Cannot (?:read|convert)|is not (?:a function|iterable|defined)|Maximum call stack|failed before an answer came|\bat \S+ \(.+:\d+:\d+\)|\bat (?:file:|node:|\/)\S+:\d+:\d+/;
const unreadable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Fails for a text that is not one for people. */
export function expectWords(text: unknown, longest: number): void {
	if (typeof text !== 'string' || text.trim() === '') throw new Error('There are no words');
	const why =
		(text.length > longest && `is ${text.length} characters long`) ||
		(unreadable.test(text) && 'has control characters') ||
		(!text.isWellFormed() && 'has half a character') ||
		(traces.test(text) && 'is not for people') ||
		undefined;
	if (why !== undefined) throw new Error(`The text ${why}: ${JSON.stringify(text.slice(0, 400))}`);
}

export function expectError({ message, description }: Partial<NodeError>): void {
	expectWords(message, longestMessage);
	if (description === undefined || description === null || description === '') return;
	// Several problems are a list with a line for each.
	const lines = description.startsWith('1. ') ? description.split('\n') : [description];
	for (const line of lines) expectWords(line, longestDescription);
}

/** Fails unless an item of the error output says what is wrong; n8n itself gives a text or an error. */
export function expectFailedItem({ json, error }: INodeExecutionData): void {
	const told = json.error ?? error;
	expectError(typeof told === 'string' ? { message: told } : ((told ?? {}) as NodeError));
}

/** Fails unless the node stopped with an error of n8n's that says which item it is about. */
export function expectNodeError(error: NodeError, items: number): void {
	if (error.name !== 'NodeApiError' && error.name !== 'NodeOperationError') {
		throw new Error(`Not an error of a node: ${error.name}: ${error.message}\n${error.stack}`);
	}
	expectError(error);
	const told = /\[item (\d+)\]$/.exec(error.message)?.[1] ?? error.context.itemIndex;
	if (!(Number(told) < items))
		throw new Error(`It does not say which item: ${error.message} ${JSON.stringify(error)}`);
}

const secrets = Object.values(keys);

interface Saved {
	toJSON?: unknown;
	[name: string]: unknown;
}

/** What n8n saves of an object. */
function partsOf(one: Saved): unknown[] {
	const saved: unknown = typeof one.toJSON === 'function' ? one.toJSON() : one;
	if (saved !== one) return [saved];
	return Array.isArray(one) ? [...(one as unknown[])] : Object.entries(one).flat();
}

/** Whether a key of the credential is in a value; its JSON would often be megabytes long, and need not be written. */
function holdsKey(value: unknown): boolean {
	const waiting = [value];
	const seen = new Set<unknown>();
	while (waiting.length > 0) {
		const one = waiting.pop();
		if (typeof one === 'string' && secrets.some((secret) => one.includes(secret))) return true;
		if (typeof one !== 'object' || one === null || seen.has(one)) continue;
		seen.add(one);
		for (const part of partsOf(one as Saved)) waiting.push(part);
	}
	return false;
}

/** Fails if a key of the credential is anywhere in what n8n keeps of a run, the items of both outputs included. */
export function expectNoKeys({ run }: Outcome): void {
	const { runData, error } = run.data.resultData;
	if (holdsKey([runData, error, error?.stack])) throw new Error('A key came out');
}
