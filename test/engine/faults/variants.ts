import type { Fault } from '../../../sandbox/faults.ts';
import {
	brokeOff,
	inTime,
	lasting,
	notUnderstood,
	passing,
	problem,
	read,
	redirected,
	tooMany,
	turnedAway,
	write,
	type Row,
} from './table';

export type Variant = Omit<Row, 'sync' | 'poll' | 'made' | 'says'> & {
	made: Fault;
	says: NonNullable<Row['says']>;
};

const access = (status: number) => ({
	message: `The service denied access (HTTP ${status})`,
	remedy: 'Check the public key and the secret key in the credential.',
	httpCode: String(status),
});
const at = (time: string) => `Mon, 02 Mar 2026 10:00:${time} GMT`;
const refusal = { ...read('error'), ...write('error') };

/** Faults much like one of the table, which docs/faults.md does not tell apart. */
export const variants: Variant[] = [
	{ fault: 'HTTP 401', made: { kind: 'status', status: 401 }, says: access(401), ...refusal },
	{ fault: 'HTTP 403', made: { kind: 'status', status: 403 }, says: access(403), ...refusal },
	{
		fault: 'HTTP 404 without an envelope',
		made: { kind: 'status', status: 404, body: 'Not here' },
		says: {
			message: 'There is no such address (HTTP 404)',
			remedy: 'Check "Base URL" in the credential. It must be the root of the API.',
			httpCode: '404',
		},
		...refusal,
	},
	{
		fault: 'HTTP 408',
		made: { kind: 'status', status: 408 },
		says: {
			message: 'The service is temporarily unavailable (HTTP 408)',
			remedy: 'Try again later.',
			httpCode: '408',
		},
		...passing,
	},
	{
		fault: 'HTTP 429 that names a date',
		made: { kind: 'status', status: 429, headers: { 'retry-after': at('45'), date: at('15') } },
		says: tooMany('Retry after 30 seconds.'),
		...turnedAway,
	},
	{
		fault: 'HTTP 429 as a failure of the service',
		made: { kind: 'failed', status: 429, errors: 'Too Many Attempts.' },
		says: tooMany(),
		...turnedAway,
	},
	{
		fault: 'HTTP 503 as a failure of the service',
		made: { kind: 'failed', status: 503, errors: 'Maintenance' },
		says: {
			message: 'The service rejected the request: Maintenance',
			remedy: 'Try again later.',
			httpCode: '503',
		},
		...passing,
	},
	{
		fault: 'HTTP 503 as a failure of the service that names a pause',
		made: {
			kind: 'failed',
			status: 503,
			errors: 'Maintenance',
			headers: { 'retry-after': '20' },
		},
		says: {
			message: 'The service rejected the request: Maintenance',
			remedy: 'Retry after 20 seconds.',
			httpCode: '503',
		},
		...turnedAway,
	},
	{
		fault: 'HTTP 503 of a proxy that names a pause',
		made: { kind: 'html', status: 503, headers: { 'retry-after': '20' } },
		says: { ...problem(503), remedy: 'Retry after 20 seconds.' },
		...passing,
	},
	{ fault: 'HTTP 504', made: { kind: 'status', status: 504 }, says: problem(504), ...passing },
	{
		fault: 'HTTP 521 of a proxy',
		made: { kind: 'html', status: 521 },
		says: problem(521),
		...passing,
	},
	{
		fault: 'A web page',
		made: { kind: 'html' },
		says: {
			message: 'The service returned a web page instead of data (HTTP 200)',
			remedy:
				'"Base URL" in the credential probably points to a website or a login page. It must be the root of the API.',
			httpCode: '200',
		},
		...lasting,
	},
	{
		fault: 'Half an answer',
		made: { kind: 'truncated', effect: true },
		says: brokeOff,
		...passing,
	},
	...[[], { status: 'pending' }].map((body): Variant => ({
		fault: `The JSON ${JSON.stringify(body)}`,
		made: { kind: 'shape', body, effect: true },
		says: notUnderstood,
		...lasting,
	})),
	{
		fault: 'A text that is no JSON',
		made: { kind: 'shape', body: 'fine', effect: true },
		says: notUnderstood,
		...passing,
	},
	{ fault: 'Silence', made: { kind: 'timeout' }, says: inTime, ...passing },
	{
		fault: 'Redirect that asks for the same request elsewhere',
		made: { kind: 'redirect', status: 307 },
		says: redirected(307),
		...refusal,
	},
];
