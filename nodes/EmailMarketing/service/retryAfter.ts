import type { HttpResponse } from './failure';

/**
 * The pause that a response asks for, in milliseconds; the header has seconds or a date. A date is compared with the
 * clock of the service if the response shows it, since the clock of this machine may be wrong.
 */
export function retryAfterMs({ headers }: Pick<HttpResponse, 'headers'>): number | undefined {
	const text = String(headers['retry-after'] ?? '').trim();
	if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
	const date = parseDate(text);
	if (Number.isNaN(date)) return undefined;
	const serviceTime = parseDate(String(headers.date ?? ''));
	return Math.max(0, date - (Number.isNaN(serviceTime) ? Date.now() : serviceTime));
}

/** @returns NaN for anything but a date as HTTP has it since 1999, since `Date.parse` accepts almost anything, such as -5 */
const parseDate = (text: string): number =>
	/^[A-Za-z]{3}, .*\d\d:\d\d:\d\d GMT$/.test(text) ? Date.parse(text) : NaN;

export function retryAfterSentence(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	return `Retry after ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
}
