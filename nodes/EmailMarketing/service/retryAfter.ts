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

/**
 * Dates in HTTP are in GMT even if they do not say so, as in the oldest format (`Wed Jul  1 10:00:30 2026`).
 *
 * @returns NaN for anything but a date and time that begins with a day of the week
 */
function parseDate(text: string): number {
	// Date.parse accepts almost anything as a date, such as -5.
	if (!/^[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d/.test(text)) return NaN;
	return Date.parse(/(GMT|UTC|Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text} GMT`);
}

export function retryAfterSentence(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	return `Retry after ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
}
