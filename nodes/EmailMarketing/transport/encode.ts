import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	PreSendAction,
} from 'n8n-workflow';

import type { Endpoint, Inputs } from './endpoint';
import { formWithFile } from './file';
import { InvalidInput, listOf, plainValue } from './inputs';
import type { Fields } from './inputs';
import { labelOf } from './labels';
import { joinRun } from './run';
import type { Run } from './run';
import { callRouted } from './send';

/** What `encode` leaves for `send` and `unwrap` about a request. */
export interface Prepared {
	endpoint: Endpoint;
	run: Run;
	/** Ids and utrs of the request, repeated in the output of a write. */
	identity: IDataObject;
	/** Why the request must not be sent. */
	refusal?: unknown;
}

// Under the request for `send`, under the item's context for `unwrap`, which does not see the request.
const prepared = new WeakMap<object, Prepared>();

export function preparedFor(requestOrContext: object): Prepared | undefined {
	return prepared.get(requestOrContext);
}

/** The step before sending: reads the operation's parameters once, checks them, and builds the request. */
export function encode(endpoint: Endpoint): PreSendAction {
	return async function (this: IExecuteSingleFunctions, options: IHttpRequestOptions) {
		const request: Prepared = { endpoint, run: joinRun(this), identity: {} };
		prepared.set(options, request);
		prepared.set(this, request);
		try {
			await build(this, endpoint, options, request);
		} catch (error) {
			request.refusal = error;
		}
		return options;
	};
}

async function build(
	context: IExecuteSingleFunctions,
	endpoint: Endpoint,
	options: IHttpRequestOptions,
	request: Prepared,
): Promise<void> {
	const values = endpoint.values?.(context) ?? {};
	const query = readInputs(context, endpoint.query ?? {}, values, request.identity);
	const body = readInputs(context, endpoint.body ?? {}, values, request.identity);
	for (const field of clearedFields(context, endpoint)) body[field] ??= '';
	requireInputs(endpoint.query ?? {}, query);
	endpoint.returns.check?.(context);
	for (const complete of endpoint.complete ?? []) {
		await complete(
			context,
			body,
			query,
			async (path, readQuery) => await callRouted(context, options, path, readQuery ?? {}),
		);
	}
	requireInputs(endpoint.body ?? {}, body);

	options.qs = indexed(query);
	if (endpoint.file !== undefined) {
		options.body = await formWithFile(context, indexed(body), endpoint.file);
	} else if (endpoint.body !== undefined) {
		options.body = indexed(body);
		options.headers = { ...options.headers, 'content-type': endpoint.encoding };
	}
}

function readInputs(
	context: IExecuteSingleFunctions,
	inputs: Inputs,
	values: IDataObject,
	identity: IDataObject,
): Fields {
	const fields: Fields = {};
	for (const [name, input] of Object.entries(inputs)) {
		const value =
			input.parameter === ''
				? values[name]
				: plainValue(context.getNodeParameter(input.parameter, ''));
		fields[name] = input.encode(value, input.label ?? labelOf(name), context);
		if (input.identifies && fields[name] !== undefined) identity[name] = identityOf(fields[name]);
	}
	return fields;
}

/** Ids come out as numbers, as they are in the records. */
function identityOf(value: string | string[]): IDataObject[string] {
	const single = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : text);
	return Array.isArray(value) ? value.map(single) : single(value);
}

function requireInputs(inputs: Inputs, fields: Fields): void {
	const missing = Object.entries(inputs)
		.filter(([name, { required }]) => required && fields[name] === undefined)
		.map(([name, { label }]) => `"${label ?? labelOf(name)}"`);
	if (missing.length > 0) {
		throw new InvalidInput(
			`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} required but empty`,
			'Fill in a value. If it comes from an expression, this item has nothing there.',
		);
	}
}

function clearedFields(context: IExecuteSingleFunctions, endpoint: Endpoint): string[] {
	if (endpoint.clears === undefined) return [];
	return listOf(context.getNodeParameter(endpoint.clears, []), 'Fields to Clear');
}

/** Array entries get indexed keys: `strIds[0]`, `strIds[1]`, … */
function indexed(fields: Fields): Record<string, string> {
	const form: Record<string, string> = {};
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined) continue;
		if (Array.isArray(value)) value.forEach((entry, index) => (form[`${name}[${index}]`] = entry));
		else form[name] = value;
	}
	return form;
}
