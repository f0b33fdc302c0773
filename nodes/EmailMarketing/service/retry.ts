import { realClock } from '../util/clock';
import type { ConcurrencyLimit, Permit, TryOutcome } from '../util/concurrencyLimit';
import { raceAbort } from '../util/promises';
import { CircuitBreaker } from './circuitBreaker';
import { toFailure } from './errors';
import { effectSentence, ServiceError } from './failure';
import type { Failure, HttpResponse, RequestInfo } from './failure';
import { retryAfterMs, retryAfterSentence } from './retryAfter';

/** How often, and for how long, a request is repeated. */
export interface RetryPolicy {
	/** Tries in all; 1 for no repetition. */
	tries: number;
	/** The latest time for another try after the first one, in milliseconds. */
	totalMs: number;
	/** Ends the waiting. */
	signal?: AbortSignal;
	breaker?: CircuitBreaker;
	/** Whether the response serves the whole run. */
	isShared?: boolean;
	/** Decides when a try may start. The requests of a run share it. */
	limit?: ConcurrencyLimit;
	/** Requests of one kind take about the same time. */
	kind?: string;
}

/**
 * One try.
 *
 * @param arrived to be called when the response is there, before it is read
 */
export type SendTry<T> = (arrived: (response: HttpResponse) => void) => Promise<T>;

/** Long enough for a service that restarts, or that limits requests by the minute. */
const unattended = { tries: 5, totalMs: 120_000 };

/** Somebody is waiting for a list in the editor. */
const interactive = { tries: 3, totalMs: 5_000 };

const firstPauseMs = 500;
const mostApartMs = 100;

interface PolicyOptions extends Omit<RetryPolicy, 'tries' | 'totalMs'> {
	isInteractive: boolean;
	/** Whether a request is repeated at all. */
	retries: boolean;
}

export const retryPolicyOf = ({ isInteractive, retries, ...rest }: PolicyOptions): RetryPolicy => ({
	...(isInteractive ? interactive : unattended),
	...(!retries && { tries: 1 }),
	...rest,
});

/**
 * Sends a request, and repeats it after a pause if the failure is temporary and it certainly had no effect: reads have
 * none, and neither do writes that the service rejected. The circuit breaker keeps the requests of a run from waiting
 * for hours for a service that is down.
 *
 * A pause that the service asks for, and the one after a 429, hold for all requests that share the limit.
 *
 * @throws ServiceError
 */
export async function withRetries<T>(
	send: SendTry<T>,
	info: RequestInfo,
	policy: RetryPolicy,
): Promise<T> {
	const { breaker = new CircuitBreaker(), isShared = false, limit, signal } = policy;
	const { now, pause } = limit?.clock ?? realClock;
	// The rate of the service holds for what is sent only.
	const refusedBefore = isShared ? undefined : breaker.refuse(info, isShared);
	if (refusedBefore) throw refusedBefore;
	let permit = await enter(policy, policy.totalMs);
	if (limit && !permit) throw notSent(limit, info, signal);
	const mostTries = breaker.triesOf(policy.tries, isShared);
	const started = now();
	const refusal = breaker.refuse(info, isShared);
	if (refusal) {
		if (permit) limit?.leave(permit, { kind: 'failed' });
		throw refusal;
	}
	for (let tries = 1; ; tries++) {
		const result = await tryOnce(send, limit, permit, info);
		if ('value' in result) {
			breaker.answered();
			return result.value;
		}
		const { failure } = result;
		const isHeld = limit !== undefined && isForAll(failure);
		if (isHeld) limit.rate.hold(pauseForAll(tries, failure), new ServiceError(failure));
		const pauseMs = mayBeRepeated(failure, info) ? pauseAfter(tries, failure) : Infinity;
		const outOfTime = now() - started + pauseMs > policy.totalMs;
		const isOver = outOfTime || breaker.isTripped || signal?.aborted;
		const mayGoOn = tries < mostTries && !isOver;
		if (mayGoOn && (isHeld || (await raceAbort(pause(pauseMs), signal)))) {
			permit = await enter(policy, policy.totalMs - (now() - started));
			if (!limit || permit) continue;
		}
		breaker.gaveUp(failure, { startedAt: started, now: now(), tries });
		throw givenUp(info.changesData ? failure : { ...failure, effect: 'none' }, tries);
	}
}

async function enter(
	{ limit, kind = '', signal }: RetryPolicy,
	mostMs: number,
): Promise<Permit | undefined> {
	return await limit?.enter(kind, mostMs, signal);
}

async function tryOnce<T>(
	send: SendTry<T>,
	limit: ConcurrencyLimit | undefined,
	permit: Permit | undefined,
	info: RequestInfo,
): Promise<{ value: T } | { failure: Failure }> {
	const leave = (outcome: TryOutcome) => {
		if (permit) limit?.leave(permit, outcome);
	};
	try {
		const value = await send((response) => leave(outcomeOf(response)));
		leave({ kind: 'answered' });
		return { value };
	} catch (error) {
		const failure = toFailure(error, info);
		leave({ kind: isLost(failure) ? 'overloaded' : 'failed' });
		return { failure };
	}
}

function outcomeOf(response: HttpResponse): TryOutcome {
	const { statusCode } = response;
	if (statusCode === 429) return { kind: 'limited', retryAfterMs: retryAfterMs(response) };
	if (statusCode === 503) return { kind: 'overloaded' };
	return { kind: statusCode < 500 ? 'answered' : 'failed' };
}

/** Whether the connection was refused or lost. */
function isLost({ httpCode, retryable = false }: Failure): boolean {
	return httpCode === undefined && retryable;
}

/** Whether the pause after a failure concerns the other requests of the run as well. */
function isForAll({ httpCode, retryAfterMs: asked }: Failure): boolean {
	return httpCode === '429' || asked !== undefined;
}

/** The requests of one run are spaced out afterwards, so a small random delay is enough to separate several runs. */
function pauseForAll(tries: number, failure: Failure): number {
	const { retryAfterMs: asked } = failure;
	if (asked === undefined) return pauseAfter(tries, failure);
	return Math.max(asked, backoffOf(tries) / 2) + mostApartMs * Math.random();
}

/** Why a request was not sent: the execution was stopped, or the pause that the service asked for takes too long. */
function notSent(
	{ rate: { heldBy, heldMs } }: ConcurrencyLimit,
	info: RequestInfo,
	signal: AbortSignal | undefined,
): ServiceError {
	if (signal?.aborted || !(heldBy instanceof ServiceError)) return canceled(info, signal);
	const { code, message, httpCode, report } = heldBy.failure;
	const description = `${retryAfterSentence(heldMs)} ${effectSentence(info, 'none')}`.trimEnd();
	const rest = { effect: 'none' as const, retryable: true, retryAfterMs: heldMs, report };
	return new ServiceError({ code, message, description, httpCode, ...rest });
}

function canceled(info: RequestInfo, signal: AbortSignal | undefined): ServiceError {
	return new ServiceError({
		code: 'canceled',
		message: 'The request was canceled',
		description: effectSentence(info, 'none'),
		effect: 'none',
		isStopped: signal?.aborted ? true : undefined,
	});
}

function givenUp(failure: Failure, tries: number): ServiceError {
	if (tries === 1) return new ServiceError(failure);
	const tried = `Tried ${tries} times.`;
	const description = [failure.description, tried].filter((part) => part !== '').join(' ');
	return new ServiceError({ ...failure, description });
}

function mayBeRepeated({ retryable = false, effect }: Failure, info: RequestInfo): boolean {
	return retryable && (!info.changesData || effect === 'none');
}

const backoffOf = (tries: number): number => firstPauseMs * 2 ** (tries - 1);

/**
 * Doubles with every try. A random part of up to half keeps requests that failed together from being repeated together.
 */
function pauseAfter(tries: number, { retryAfterMs: asked = 0 }: Failure): number {
	const half = backoffOf(tries) / 2;
	return Math.max(asked, half) + half * Math.random();
}
