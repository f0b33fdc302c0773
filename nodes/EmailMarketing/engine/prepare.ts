import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	PreSendAction,
} from 'n8n-workflow';

import type { Endpoint, Inputs, Read } from './operation';
import { formWithFile } from '../api/form';
import { InvalidInput, listOf, locatorValue } from '../params/validators';
import type { Fields } from '../params/validators';
import { labelOf } from '../util/labels';
import { n8nOptions } from '../api/http';
import { joinRun } from './runContext';
import type { Run, Settled } from './runContext';
import { callRouted } from './runItems';
import { quote } from '../util/text';

/** What `encode` leaves for `send` and `unwrap` about a request. */
export interface Prepared {
	endpoint: Endpoint;
	run: Run;
	/** Ids and utrs of the request, repeated in the output of a write. */
	identity: IDataObject;
	/** Ids that may share a request with those of other items. */
	ids?: string[];
	/** Why the request must not be sent. */
	refusal?: unknown;
	/** What became of it in an earlier try of the node. */
	earlier?: Settled;
	/** Items that come out in place of sending the request. */
	instead?: INodeExecutionData[];
	/** Waited for just before sending; gives items that come out in place of it, or nothing. */
	before?: () => Promise<INodeExecutionData[] | undefined>;
	/** Told what became of the request. */
	settled?: (became: Became) => void;
}

/** What became of a request: its items, not carried out, or not known. */
export type Became = INodeExecutionData[] | 'not made' | 'unknown';

// Under the request for `send`, under the item's context for `unwrap`, which does not see the request.
const prepared = new WeakMap<object, Prepared>();

export function preparedFor(requestOrContext: object): Prepared | undefined {
	return prepared.get(requestOrContext);
}

/** The step before sending: reads the operation's parameters once, checks them, and builds the request. */
export function encode(endpoint: Endpoint): PreSendAction {
	return async function (this: IExecuteSingleFunctions, options: IHttpRequestOptions) {
		const run = joinRun(this);
		const request: Prepared = { endpoint, run, identity: {} };
		prepared.set(options, request);
		prepared.set(this, request);
		request.earlier = run.settled.get(this.getItemIndex());
		if (request.earlier !== undefined) return options;
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
	Object.assign(options, n8nOptions(context));
	const values = endpoint.values?.(context) ?? {};
	const query = readInputs(context, endpoint.query ?? {}, values, request.identity);
	const body = readInputs(context, endpoint.body ?? {}, values, request.identity);
	for (const field of clearedFields(context, endpoint)) body[field] ??= '';
	requireInputs(endpoint.query ?? {}, query);
	endpoint.returns.check?.(context);
	const read: Read = async (path, readQuery) =>
		await callRouted(context, options, path, readQuery ?? {});
	for (const complete of endpoint.complete ?? []) await complete(context, body, query, read);
	requireInputs(endpoint.body ?? {}, body);
	for (const guard of endpoint.guards ?? []) {
		if (request.instead === undefined) await guard(context, body, query, read);
	}

	options.qs = indexed(query);
	if (endpoint.file !== undefined) {
		options.body = await formWithFile(context, indexed(body), endpoint.file);
	} else if (endpoint.body !== undefined) {
		if (endpoint.gathers !== undefined) request.ids = [...new Set(body[endpoint.gathers])];
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
				: locatorValue(context.getNodeParameter(input.parameter, ''));
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
	const label = 'Fields to Clear';
	const known = Object.entries(endpoint.body ?? {})
		.filter(([, { required }]) => !required)
		.map(([name]) => name);
	const chosen = listOf(context.getNodeParameter(endpoint.clears, []), label);
	const wrong = chosen.find((name) => !known.includes(name));
	if (wrong === undefined) return chosen;
	throw new InvalidInput(
		`"${label}" has a field that cannot be cleared: ${quote(wrong)}`,
		`Choose from: ${known.join(', ')}.`,
	);
}

/** Array entries get indexed keys: `strIds[0]`, `strIds[1]`, … */
export function indexed(fields: Fields): Record<string, string> {
	const form: Record<string, string> = {};
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined) continue;
		if (Array.isArray(value)) value.forEach((entry, index) => (form[`${name}[${index}]`] = entry));
		else form[name] = value;
	}
	return form;
}
