import type { Deadline } from './deadline';

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
