import { NodeOperationError } from 'n8n-workflow';
import type {
	DeclarativeRestApiSettings,
	IAllExecuteFunctions,
	IDataObject,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';

import { isRejected, readEnvelope, ServiceError } from '../api/envelope';
import type { RequestInfo, Failure, HttpResponse } from '../api/envelope';
import { credentialType } from '../api/credential';
import { indexed, preparedFor } from './prepare';
import type { Became, Prepared } from './prepare';
import { toFailure, toNodeError } from '../api/errors';
import { Gathering } from './bulkDelete';
import { InvalidInput } from '../params/validators';
import { coerceNumber } from '../util/coerce';
import { retryPolicyOf, withRetries } from '../api/retry';
import { runOf } from './runContext';
import type { Run } from './runContext';

type ResultOptions = DeclarativeRestApiSettings.ResultOptions;
type Transmit = (
	data: ResultOptions,
	isTrial?: boolean,
) => Promise<INodeExecutionData[] | undefined>;

/**
 * Sends the request of one item, in place of n8n's own sending: with few at a time, with every
 * output item and every failure paired to its input item, and with nothing more going out after
 * the first failure unless the node is set to continue.
 */
export async function send(
	this: IExecutePaginationFunctions,
	requestData: ResultOptions,
): Promise<INodeExecutionData[]> {
	const itemIndex = this.getItemIndex();
	const request = preparedFor(requestData.options);
	// n8n calls this on an object made from the item's context, so the run is found by the request.
	const run = request?.run ?? runOf(this);
	const asked = { changesData: request?.endpoint.changesData ?? true };
	let isSent = false;
	try {
		if (request?.refusal !== undefined) {
			if (!this.continueOnFail()) run.halt();
			await run.ready();
			throw request.refusal;
		}
		// The outputs of a run that has failed are dropped by n8n: the failing item's error is what counts.
		if (!(await run.ready())) return [];
		if (request?.earlier instanceof ServiceError) throw request.earlier;
		const instead = request?.earlier ?? request?.instead ?? (await request?.before?.());
		const transmit = transmitter(this, run, asked);
		isSent = instead === undefined;
		const given =
			instead ??
			(request?.ids === undefined
				? await transmit(requestData)
				: await deleteTogether(this, request, request.ids, requestData, transmit));
		if (given !== undefined) run.succeeded++;
		const items = given ?? [];
		for (const item of items) item.pairedItem = { item: itemIndex };
		request?.settled?.(items.length > 0 ? items : 'not made');
		if (asked.changesData && items.length > 0) run.settled.set(itemIndex, items);
		return items;
	} catch (caught) {
		const became = isSent || request?.earlier !== undefined ? becameOf(caught) : 'not made';
		request?.settled?.(became);
		if (asked.changesData && became === 'unknown') {
			run.settled.set(itemIndex, neverAgain(toFailure(caught, asked)));
		}
		const failure = asNodeError(this, caught, itemIndex, asked);
		if (this.continueOnFail()) return [errorItem(failure, itemIndex)];
		await run.stop();
		failure.description = [failure.description, progress(run, itemIndex)]
			.filter((sentence) => sentence)
			.join(' ');
		throw failure;
	}
}

/** Sends in one of the run's places, and lets nothing more go out after a failure that is not to be survived. */
function transmitter(context: IExecutePaginationFunctions, run: Run, asked: RequestInfo): Transmit {
	const sendOnce = async (data: ResultOptions) =>
		await context.makeRoutingRequest.call(context as unknown as IAllExecuteFunctions, data);
	const policy = retryPolicyOf(context.getNode(), true, run.signal, run.others);
	return async (data, isTrial = false) =>
		await run.limit(async () => {
			if (run.stopped) return undefined;
			return await withRetries(async () => await sendOnce(data), asked, policy).catch(
				(error: unknown) => {
					// Before the place is free: the next item takes it at once.
					const goesOn = isTrial && isRejected(toFailure(error, asked));
					if (!goesOn && !context.continueOnFail()) run.halt();
					throw error;
				},
			);
		});
}

/**
 * n8n sends an item whose only key is `error` to the error output and adds the keys of the input
 * item to it; of an item with an error object it would keep the message alone.
 */
export function errorItem(
	failure: NodeApiError | NodeOperationError,
	item: number,
): INodeExecutionData {
	const { message, description, context } = failure;
	const report = context.report as IDataObject | undefined;
	return { json: { error: { message, description, ...report } }, pairedItem: { item } };
}

const defaultIdsPerRequest = 100;

/** A bulk delete of one item, in the same requests as those of the others. */
async function deleteTogether(
	context: IExecutePaginationFunctions,
	{ run, endpoint, identity }: Prepared,
	ids: string[],
	requestData: ResultOptions,
	transmit: Transmit,
): Promise<INodeExecutionData[] | undefined> {
	const gathering = run.keep(`gathering ${endpoint.path}`, () => {
		const size = coerceNumber(
			context.getNodeParameter('options.deleteChunk', defaultIdsPerRequest),
		);
		return new Gathering(Number.isInteger(size) && size > 0 ? size : defaultIdsPerRequest);
	});
	const answer = await gathering.delete(ids, async (settleAll, isTrial) => {
		const body = indexed({ [endpoint.gathers ?? '']: settleAll });
		return await transmit({ ...requestData, options: { ...requestData.options, body } }, isTrial);
	});
	return answer && [{ json: { ...answer.json, ...identity } }];
}

function becameOf(error: unknown): Became {
	return toFailure(error, { changesData: true }).effect === 'none' ? 'not made' : 'unknown';
}

/** For the further tries that n8n makes when "Retry On Fail" is on. */
function neverAgain(failure: Failure): ServiceError {
	const left = 'n8n tried this node again; this request was left out.';
	const { description } = failure;
	return new ServiceError({
		...failure,
		description: description.endsWith(left) ? description : `${description} ${left}`,
	});
}

function asNodeError(
	context: IExecuteSingleFunctions,
	error: unknown,
	itemIndex: number,
	asked: RequestInfo,
): NodeApiError | NodeOperationError {
	const node = context.getNode();
	if (error instanceof InvalidInput) {
		return new NodeOperationError(node, `${error.message} [item ${itemIndex}]`, {
			description: `${error.remedy} Nothing was sent for this item.`,
			itemIndex,
		});
	}
	return toNodeError(node, error, asked, itemIndex);
}

/** What became of the other items of a run that stops at this one. */
function progress(run: Run, itemIndex: number): string {
	if (run.items <= 1) return '';
	if (run.succeeded === 0) return `No other item was carried out; ${run.items} were given.`;
	return (
		`${run.succeeded} of ${run.items} items were carried out before this one (item ${itemIndex}) failed. ` +
		'To go on past failures, set "On Error" of this node to "Continue (using error output)".'
	);
}

/**
 * A read beside the item's own request, with the same proxy, timeout and TLS options.
 *
 * @throws ServiceError when the read failed; the item's own request has not been sent by then
 */
export async function callRouted(
	context: IExecuteSingleFunctions,
	options: IHttpRequestOptions,
	path: string,
	query: IDataObject,
): Promise<HttpResponse> {
	const request: IHttpRequestOptions = {
		...options,
		headers: { ...options.headers },
		method: 'GET',
		url: path,
		qs: query,
		body: undefined,
		returnFullResponse: true,
	};
	const run = runOf(context);
	const asked = { changesData: false };
	const read = async () => {
		const answer = (await context.helpers.httpRequestWithAuthentication.call(
			context as unknown as IAllExecuteFunctions,
			credentialType,
			request,
		)) as HttpResponse;
		readEnvelope(answer, asked);
		return answer;
	};
	const policy = retryPolicyOf(context.getNode(), true, run.signal, run.others);
	return await run
		.limit(async () => await withRetries(read, asked, policy))
		.catch((error: unknown) => {
			throw new ServiceError(toFailure(error, asked));
		});
}
