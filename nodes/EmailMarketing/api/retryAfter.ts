import type { HttpResponse } from './failure';

/**
 * The pause that an answer asks for, in milliseconds; the header has seconds or a date. A date is read by the clock of
 * the service where the answer tells it, since the clock of this machine may be wrong.
 */
export function retryAfterMs({ headers }: Pick<HttpResponse, 'headers'>): number | undefined {
	const text = String(headers['retry-after'] ?? '').trim();
	if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
	const date = parseDate(text);
	if (Number.isNaN(date)) return undefined;
	const serviceTime = parseDate(String(headers.date ?? ''));
	return Math.max(0, date - (Number.isNaN(serviceTime) ? Date.now() : serviceTime));
}

/**
 * Of the three forms that a date has in HTTP, the oldest (`Wed Jul  1 10:00:30 2026`) does not say that it is in GMT.
 *
 * @returns NaN for what has none of these forms
 */
function parseDate(text: string): number {
	// Date.parse takes nearly everything for a date, such as -5.
	if (!/^[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d/.test(text)) return NaN;
	return Date.parse(/ \d{4}$/.test(text) ? `${text} GMT` : text);
}

export function retryAfterSentence(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	return `Retry after ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
}
