const WINDOW_MS = 1000;

/** Counts requests in windows of a second. A window begins with the first request after the last window. */
export class RateLimit {
	private start = -Infinity;
	private count = 0;

	/**
	 * Counts a request.
	 *
	 * @param limit requests in a window
	 * @param now in milliseconds
	 * @returns for how many seconds it and those after it are refused; undefined if it is within the limit
	 */
	secondsToWait(limit: number, now: number): number | undefined {
		if (now >= this.start + WINDOW_MS) {
			this.start = now;
			this.count = 0;
		}
		this.count++;
		return this.count > limit ? Math.ceil((this.start + WINDOW_MS - now) / 1000) : undefined;
	}
}
