import { sleep } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';

import { raceAbort } from '../util/raceAbort';
import { toFailure } from './errors';
import { isRejected, ServiceError } from './failure';
import type { Failure, RequestInfo } from './failure';

/** How often, and for how long, a request is repeated. */
export interface RetryPolicy {
	/** Tries in all; 1 for no repetition. */
	tries: number;
	/** No further try begins later than this after the first one, in milliseconds. */
	totalMs: number;
	/** Ends the waiting. */
	signal?: AbortSignal;
	breaker?: CircuitBreaker;
}

/** Shared by the requests of a run. Open once a request has used up its tries; then each further one is tried once. */
export interface CircuitBreaker {
	open: boolean;
}

/** Long enough for a service that restarts, or that limits requests by the minute. */
const unattended = { tries: 5, totalMs: 120_000 };

/** Somebody is waiting for a list in the editor, or the next poll is due soon. */
const interactive = { tries: 3, totalMs: 5_000 };

const firstPauseMs = 500;

/** @param node its option "Retry Temporary Failures" decides whether anything is repeated */
export function retryPolicyOf(
	node: INode,
	{
		isInteractive,
		...rest
	}: { isInteractive: boolean; signal?: AbortSignal; breaker?: CircuitBreaker },
): RetryPolicy {
	const { retryTemporaryFailures = true } = (node.parameters.options ?? {}) as IDataObject;
	return {
		...(isInteractive ? interactive : unattended),
		...(retryTemporaryFailures === false && { tries: 1 }),
		...rest,
	};
}

/**
 * Sends a request, and repeats it after a pause if the failure is temporary and it certainly had no effect: a read has
 * none, and neither has a write that the service rejected. While the circuit breaker is open it is tried once: otherwise
 * the many requests of a run would wait for hours for a service that is down.
 *
 * @param send one try
 * @throws ServiceError
 */
export async function withRetries<T>(
	send: () => Promise<T>,
	info: RequestInfo,
	policy: RetryPolicy,
): Promise<T> {
	const { breaker = { open: false } } = policy;
	const mostTries = breaker.open ? 1 : policy.tries;
	const started = performance.now();
	for (let tries = 1; ; tries++) {
		const result = await send().then(
			(value) => ({ value }),
			(error: unknown) => ({ error }),
		);
		if ('value' in result) {
			breaker.open = false;
			return result.value;
		}
		const failure = toFailure(result.error, info);
		if (isRejected(failure)) breaker.open = false;
		const pauseMs = mayBeRepeated(failure, info) ? pauseAfter(tries, failure) : Infinity;
		const outOfTime = performance.now() - started + pauseMs > policy.totalMs;
		const mayGoOn = tries < mostTries && !outOfTime && !policy.signal?.aborted;
		if (mayGoOn && (await raceAbort(sleep(pauseMs), policy.signal))) continue;
		if (tries === 1) throw new ServiceError(failure);
		breaker.open = true;
		const tried = `Tried ${tries} times.`;
		const description = [failure.description, tried].filter((part) => part !== '').join(' ');
		throw new ServiceError({ ...failure, description });
	}
}

function mayBeRepeated({ retryable = false, effect }: Failure, info: RequestInfo): boolean {
	return retryable && (!info.changesData || effect === 'none');
}

/** Doubles with every try; a random half of it keeps requests that failed together from coming back together. */
function pauseAfter(tries: number, { retryAfterMs = 0 }: Failure): number {
	const longest = firstPauseMs * 2 ** (tries - 1);
	const random = (longest / 2) * Math.random();
	return Math.max(retryAfterMs, longest / 2) + random;
}
