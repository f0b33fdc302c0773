import type { Fault } from '../../../sandbox/faults.ts';
import {
	account,
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
	message: `The service refused access (HTTP ${status})`,
	remedy: 'Check the public key and the secret key of the credential.',
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
			message: 'There is no such address in the service (HTTP 404)',
			remedy: 'Check "Base URL" of the credential: it must be the root of the API.',
			httpCode: '404',
		},
		...refusal,
	},
	{
		fault: 'HTTP 408',
		made: { kind: 'status', status: 408 },
		says: {
			message: 'There is no such address in the service (HTTP 408)',
			remedy: 'Check "Base URL" of the credential: it must be the root of the API.',
			httpCode: '408',
		},
		...passing,
	},
	{
		fault: 'HTTP 429 that names a date',
		made: { kind: 'status', status: 429, headers: { 'retry-after': at('45'), date: at('15') } },
		says: tooMany('It asks for a pause of 30 seconds. '),
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
			message: 'The service refused the request: Maintenance',
			remedy: account,
			httpCode: '503',
		},
		...passing,
	},
	{
		fault: 'HTTP 503 that names a pause',
		made: { kind: 'status', status: 503, headers: { 'retry-after': '20' } },
		says: { ...problem(503), remedy: 'Try again later. It asks for a pause of 20 seconds.' },
		...turnedAway,
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
			message: 'The service answered with a web page where data was expected (HTTP 200)',
			remedy:
				'"Base URL" of the credential probably points to a website or a login page: it must be the root of the API.',
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
