/**
 * Limits the time of a request. Depending on the version, n8n's own timeout covers only the wait for the headers, or
 * only silence on the connection. Neither ends a response that never stops, or one that switches to another protocol
 * (101).
 */
export class Deadline {
	/** Whether the time was up. */
	isOver = false;

	private readonly ms: number;
	private readonly sources: AbortSignal[];
	private readonly ending = new AbortController();
	private timer: AbortSignal;

	/**
	 * @param ms until it is over, or to the next restart
	 * @param sources whatever else ends the request
	 */
	constructor(ms: number, sources: Array<AbortSignal | undefined>) {
		this.ms = ms;
		this.sources = sources.filter((source) => source !== undefined);
		for (const source of this.sources) {
			if (source.aborted) this.end();
			source.addEventListener('abort', this.end);
		}
		this.timer = this.start();
	}

	readonly end = (): void => this.ending.abort();

	/** Aborted when the request must end. */
	get signal(): AbortSignal {
		return this.ending.signal;
	}

	restart(): void {
		this.timer.removeEventListener('abort', this.timeOut);
		this.timer = this.start();
	}

	/** To be called when the request has ended. */
	stop(): void {
		this.timer.removeEventListener('abort', this.timeOut);
		for (const source of this.sources) source.removeEventListener('abort', this.end);
	}

	private start(): AbortSignal {
		const timer = AbortSignal.timeout(this.ms);
		timer.addEventListener('abort', this.timeOut);
		return timer;
	}

	private readonly timeOut = (): void => {
		this.isOver = true;
		this.end();
	};
}

const STEP_BYTES = 1_000_000;

/** A response that is longer than expected. */
export class TooLong extends Error {}

/** The result of n8n's HTTP client with the encoding `stream`. */
export function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * Receives the body of a response, decompressed. Its time limit starts with the headers, and again with each megabyte:
 * a long list may take as long as it needs, but a connection with one byte a second may not.
 *
 * @throws TooLong, and the errors of n8n's HTTP client for a response that breaks off
 */
export async function receive(
	body: AsyncIterable<Uint8Array>,
	maxBytes: number,
	deadline: Deadline,
): Promise<Buffer> {
	deadline.restart();
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		const steps = Math.floor(length / STEP_BYTES);
		length += chunk.length;
		if (length > maxBytes) {
			deadline.end();
			throw new TooLong();
		}
		chunks.push(chunk);
		if (Math.floor(length / STEP_BYTES) > steps) deadline.restart();
	}
	return Buffer.concat(chunks, length);
}
