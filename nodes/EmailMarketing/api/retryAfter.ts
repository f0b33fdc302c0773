import type { HttpResponse } from './failure';

/**
 * The pause that an answer asks for, in milliseconds; the header has seconds or a date. A date is read by the clock of
 * the service where the answer tells it, since the clock of this machine may be wrong.
 */
export function retryAfterMs({ headers }: Pick<HttpResponse, 'headers'>): number | undefined {
	const text = String(headers['retry-after'] ?? '').trim();
	if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
	// Date.parse takes nearly everything for a date, such as -5.
	const date = /^[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : NaN;
	if (Number.isNaN(date)) return undefined;
	const serviceTime = Date.parse(String(headers.date ?? ''));
	return Math.max(0, date - (Number.isNaN(serviceTime) ? Date.now() : serviceTime));
}

export function retryAfterSentence(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	return `Retry after ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
}
