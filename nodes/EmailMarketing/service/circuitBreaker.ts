import { effectSentence, isRejected, ServiceError } from './failure';
import type { Failure, RequestInfo } from './failure';

/** Failed requests in a row that may be a coincidence. */
const mostInARow = 3;

/** How long a service that responds, but only with errors, is still sent requests. */
const mostMs = 300_000;

interface Ended {
	startedAt: number;
	now: number;
	tries: number;
}

/**
 * Shared by the requests of a run, as in Nygard's "Release It!". Open once a request has used up its tries: each
 * further request is then tried once. Tripped once three requests in a row got no response, or nothing has succeeded
 * for five minutes: nothing more is sent, since each request could block the run for as long as its timeout. One shared
 * read is still allowed, because it shows the outcome of lost writes.
 */
export class CircuitBreaker {
	private isOpen = false;
	/** Failed requests since the last success, and how many in a row got no response. */
	private failed = 0;
	private silent = 0;
	private since = Infinity;
	private reason: Failure | undefined;
	private isProbed = false;

	get isTripped(): boolean {
		return this.reason !== undefined;
	}

	/** How many tries a request has. */
	triesOf(most: number, isShared: boolean): number {
		if (this.isTripped) return 1;
		return this.isOpen && !isShared ? 1 : most;
	}

	/** Why a request must not be sent; undefined if it may be. */
	refuse(info: RequestInfo, isShared: boolean): ServiceError | undefined {
		if (this.reason === undefined) return undefined;
		if (isShared && !this.isProbed) {
			this.isProbed = true;
			return undefined;
		}
		const { code, message, httpCode } = this.reason;
		const cause = `The request was not sent, because ${this.failed} requests in a row failed.`;
		const effect = effectSentence(info, 'none');
		return new ServiceError({
			code,
			message,
			description: `${cause} Run again when the service responds. ${effect}`.trimEnd(),
			effect: 'none',
			retryable: true,
			httpCode,
		});
	}

	/** The service answered: it did the request, or refused it. */
	answered(): void {
		this.isOpen = false;
		this.failed = 0;
		this.silent = 0;
		this.since = Infinity;
		this.reason = undefined;
		this.isProbed = false;
	}

	/** A request failed permanently. */
	gaveUp(failure: Failure, { startedAt, now, tries }: Ended): void {
		if (isRejected(failure)) {
			this.answered();
			return;
		}
		if (tries > 1) this.isOpen = true;
		this.failed++;
		this.silent = failure.isSilent ? this.silent + 1 : 0;
		this.since = Math.min(this.since, startedAt);
		const isDown = this.failed >= mostInARow && now - this.since >= mostMs;
		if (isDown || this.silent >= mostInARow) this.reason ??= failure;
	}
}
