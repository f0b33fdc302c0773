import { sleep } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';

import { unlessAborted } from './abort';
import { isRefusal, ServiceFailure } from './answer';
import type { Asked, Failure } from './answer';
import { toFailure } from './errors';

/** How long a request is tried for. */
export interface Patience {
	/** Tries in all; 1 for no repetition. */
	tries: number;
	/** No further try begins later than this after the first one, in milliseconds. */
	totalMs: number;
	/** Ends the waiting. */
	signal?: AbortSignal;
	/** What became of the other requests of the run. */
	others?: Others;
}

/** What the requests of one run have in common. */
export interface Others {
	/** The last that came to an end had used up its tries. */
	gaveUp: boolean;
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
export function patienceOf(
	node: INode,
	isUnattended: boolean,
	signal?: AbortSignal,
	others?: Others,
): Patience {
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
 * @throws ServiceFailure when the last of several tries failed; what `send` throws when there was only one
 */
export async function withRetries<T>(
	send: () => Promise<T>,
	asked: Asked,
	patience: Patience,
): Promise<T> {
	const { others = { gaveUp: false } } = patience;
	const mostTries = others.gaveUp ? 1 : patience.tries;
	const started = performance.now();
	for (let tries = 1; ; tries++) {
		const result = await send().then(
			(value) => ({ value }),
			(error: unknown) => ({ error }),
		);
		if ('value' in result) {
			others.gaveUp = false;
			return result.value;
		}
		const failure = toFailure(result.error, asked);
		if (isRefusal(failure)) others.gaveUp = false;
		const pauseMs = mayBeRepeated(failure, asked) ? pauseAfter(tries, failure) : Infinity;
		const outOfTime = performance.now() - started + pauseMs > patience.totalMs;
		const mayGoOn = tries < mostTries && !outOfTime && !patience.signal?.aborted;
		if (mayGoOn && (await unlessAborted(sleep(pauseMs), patience.signal))) continue;
		if (tries === 1) throw result.error;
		others.gaveUp = true;
		const tried = `It was tried ${tries} times.`;
		const description = [failure.description, tried].filter((part) => part !== '').join(' ');
		throw new ServiceFailure({ ...failure, description });
	}
}

function mayBeRepeated({ temporary = false, carriedOut }: Failure, asked: Asked): boolean {
	return temporary && (!asked.changesData || carriedOut === 'no');
}

/** Doubles with every try; a random half of it keeps requests that failed together from coming back together. */
function pauseAfter(tries: number, { retryAfterMs = 0 }: Failure): number {
	const longest = firstPauseMs * 2 ** (tries - 1);
	const random = (longest / 2) * Math.random();
	return Math.max(retryAfterMs, longest / 2) + random;
}
