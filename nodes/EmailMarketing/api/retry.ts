import { sleep } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';

import { raceAbort } from '../util/raceAbort';
import { isRejected, ServiceError } from './envelope';
import type { RequestInfo, Failure } from './envelope';
import { toFailure } from './errors';

/** How long a request is tried for. */
export interface RetryPolicy {
	/** Tries in all; 1 for no repetition. */
	tries: number;
	/** No further try begins later than this after the first one, in milliseconds. */
	totalMs: number;
	/** Ends the waiting. */
	signal?: AbortSignal;
	/** What became of the other requests of the run. */
	others?: CircuitBreaker;
}

/** What the requests of one run have in common. */
export interface CircuitBreaker {
	/** The last that came to an end had used up its tries. */
	open: boolean;
}

/** A run that nobody watches can wait out a service that is restarted or counts requests by the minute. */
const unattended = { tries: 5, totalMs: 120_000 };

/** Somebody sits before a list that is being loaded, or another poll is due soon. */
const attended = { tries: 3, totalMs: 5_000 };

const firstPauseMs = 500;

/**
 * @param node the node whose "Options" say whether anything is repeated
 * @param isUnattended whether it is part of an execution
 * @param signal ends the waiting
 * @param others shared by the requests of one run
 */
export function retryPolicyOf(
	node: INode,
	isUnattended: boolean,
	signal?: AbortSignal,
	others?: CircuitBreaker,
): RetryPolicy {
	const { retryTemporaryFailures = true } = (node.parameters.options ?? {}) as IDataObject;
	return {
		...(isUnattended ? unattended : attended),
		...(retryTemporaryFailures === false && { tries: 1 }),
		signal,
		others,
	};
}

/**
 * Sends a request, and sends it again after a pause when it failed for a passing reason and is certain to have had no
 * effect: a read has none, and a write has none when the service turned it away. Where another request of the run has
 * just been given up, it is tried once: the many requests of a run would wait for hours on a service that is down.
 *
 * @param send one try
 * @param asked what is being asked
 * @throws ServiceError when the last of several tries failed; what `send` throws when there was only one
 */
export async function withRetries<T>(
	send: () => Promise<T>,
	asked: RequestInfo,
	policy: RetryPolicy,
): Promise<T> {
	const { others = { open: false } } = policy;
	const mostTries = others.open ? 1 : policy.tries;
	const started = performance.now();
	for (let tries = 1; ; tries++) {
		const result = await send().then(
			(value) => ({ value }),
			(error: unknown) => ({ error }),
		);
		if ('value' in result) {
			others.open = false;
			return result.value;
		}
		const failure = toFailure(result.error, asked);
		if (isRejected(failure)) others.open = false;
		const pauseMs = mayBeRepeated(failure, asked) ? pauseAfter(tries, failure) : Infinity;
		const outOfTime = performance.now() - started + pauseMs > policy.totalMs;
		const mayGoOn = tries < mostTries && !outOfTime && !policy.signal?.aborted;
		if (mayGoOn && (await raceAbort(sleep(pauseMs), policy.signal))) continue;
		if (tries === 1) throw result.error;
		others.open = true;
		const tried = `It was tried ${tries} times.`;
		const description = [failure.description, tried].filter((part) => part !== '').join(' ');
		throw new ServiceError({ ...failure, description });
	}
}

function mayBeRepeated({ temporary = false, effect }: Failure, asked: RequestInfo): boolean {
	return temporary && (!asked.changesData || effect === 'none');
}

/** Doubles with every try; a random half of it keeps requests that failed together from coming back together. */
function pauseAfter(tries: number, { retryAfterMs = 0 }: Failure): number {
	const longest = firstPauseMs * 2 ** (tries - 1);
	const random = (longest / 2) * Math.random();
	return Math.max(retryAfterMs, longest / 2) + random;
}
