import type { Fault } from '../../../sandbox/faults.ts';

/** What comes of one request that meets a fault, in the words of docs/faults.md. */
export const outcomes = {
	retried:
		'Sent again after a delay; it succeeds once the fault is over. If the fault stays: an error after the last attempt, and nothing was changed; for a poll, see _next poll_.',
	error: 'Sent once; an error says why. Nothing was changed.',
	'may have succeeded': 'Sent once; an error says why, and that the request may have succeeded.',
	'looked up':
		'Sent once. The list is read again at the end, and each item reports whether it succeeded.',
	failed: 'Sent once. Its items fail and say why; the others continue, and nothing was changed.',
	'next poll':
		'The list is not read, and the poll fails unless it can read others: the next poll that reads the list reports everything that happened until then, once.',
	'waited for':
		'Succeeds, if the response begins, and each megabyte of it arrives, within _Timeout_.',
} as const;

/** What an error says of a write, and of one whose effect is not known. */
export const unchanged = 'Nothing was changed.';
export const unclear = 'The request may have succeeded. Check the service before running it again.';

/** What a lost write says: nobody should try it again before they have looked. */
export const whenLost = (remedy: string): string =>
	[unclear, remedy.replace(/^Try again(?: later)?\. ?/, '')].join(' ').trim();

/** Of a call of the node that is one request. */
type Read = 'retried' | 'error' | 'waited for';
type Write = Read | 'may have succeeded';

/** Of Contact: Sync, for the lists that it reads and for what it writes. */
export interface SyncCell {
	reads: Read;
	writes: 'retried' | 'looked up' | 'failed' | 'waited for';
}

/** Of a poll of the trigger. */
export type PollCell = 'retried' | 'next poll' | 'waited for';

export interface Row {
	fault: string;
	/** How the sandbox makes it; nobody listens at the port of a service that refuses. */
	made: Fault | 'refused';
	/** What an error says, whatever was called; nothing where there is none. */
	says?: { message: string; remedy: string; httpCode: string | null };
	list: Read;
	detail: Read;
	create: Write;
	update: Write;
	delete: Write;
	sync: SyncCell;
	poll: PollCell;
}

export const columns = {
	list: 'List',
	detail: 'Detail',
	create: 'Create',
	update: 'Update',
	delete: 'Delete',
	sync: 'Sync',
	poll: 'Trigger poll',
} as const;

export type Column = keyof typeof columns;

export const read = (outcome: Read) => ({ list: outcome, detail: outcome });
export const write = (outcome: Write) => ({ create: outcome, update: outcome, delete: outcome });

const busy =
	'If this happens often, lower "Parallel Requests" in Options, or set a pause under "Batching" in Request Options; let a trigger poll less often.';
export const problem = (status: number) => ({
	message: `The service is temporarily unavailable (HTTP ${status})`,
	remedy: 'Try again later.',
	httpCode: String(status),
});
export const brokeOff = {
	message: 'The connection to the service was lost before the response was complete',
	remedy:
		'Try again. If this always happens, check whether "Base URL" in the credential should start with http:// or https://, and check any proxy or firewall in between.',
	httpCode: null,
};
export const inTime = {
	message: 'The service did not respond in time',
	remedy: 'Try again later. For slow responses, increase "Timeout" in Request Options.',
	httpCode: null,
};
export const redirected = (status: number) => ({
	message: 'The service responded with a redirect. To protect your keys, it was not followed',
	remedy:
		'Set "Base URL" in the credential to the final address of the service, for example with https:// instead of http://.',
	httpCode: String(status),
});
export const account =
	'Check the values of this operation and whether the keys in the credential belong to this account.';
export const tooMany = (advice = 'Try again later.') => ({
	message: 'Rate limit reached (HTTP 429)',
	remedy: `${advice} ${busy}`,
	httpCode: '429',
});
const cutOff =
	'Try again. If this happens again, check that "Base URL" in the credential leads to the API.';
export const notUnderstood = {
	message: 'The service returned a response that cannot be read',
	remedy: cutOff,
	httpCode: '200',
};

/** Repeated, whatever it is. */
export const turnedAway = {
	...read('retried'),
	...write('retried'),
	sync: { reads: 'retried', writes: 'retried' },
	poll: 'retried',
} as const;

/** Reads are repeated; what became of a write is open. */
export const passing = {
	...read('retried'),
	...write('may have succeeded'),
	sync: { reads: 'retried', writes: 'looked up' },
	poll: 'retried',
} as const;

/** Nothing is repeated; what became of a write is open. */
export const lasting = {
	...read('error'),
	...write('may have succeeded'),
	sync: { reads: 'error', writes: 'looked up' },
	poll: 'next poll',
} as const;

/** What each kind of call makes of each fault. Faults in which the request is carried out say so with `effect`. */
export const table: Row[] = [
	{
		fault: 'HTTP 429 without `Retry-After`',
		made: { kind: 'status', status: 429 },
		says: tooMany(),
		...turnedAway,
	},
	{
		fault: 'HTTP 429 with `Retry-After`',
		made: { kind: 'status', status: 429, headers: { 'retry-after': '7' } },
		says: tooMany('Retry after 7 seconds.'),
		...turnedAway,
	},
	{
		fault: 'HTTP 500',
		made: { kind: 'status', status: 500 },
		says: problem(500),
		...passing,
	},
	{
		fault: 'HTTP 502 with a web page',
		made: { kind: 'html', status: 502, effect: true },
		says: problem(502),
		...passing,
	},
	{
		fault: 'HTTP 503',
		made: { kind: 'status', status: 503 },
		says: problem(503),
		...passing,
	},
	{
		fault: 'HTTP 524 with a web page, from a proxy that timed out',
		made: { kind: 'html', status: 524, effect: true },
		says: problem(524),
		...passing,
	},
	{
		fault: 'Connection reset before the request takes effect',
		made: { kind: 'reset-before' },
		says: brokeOff,
		...passing,
	},
	{
		fault: 'Connection reset after it took effect',
		made: { kind: 'reset-after', effect: true },
		says: brokeOff,
		...passing,
	},
	{
		fault: 'Connection refused',
		made: 'refused',
		says: {
			message: 'The service cannot be reached: connection refused',
			remedy:
				'Check "Base URL" in the credential, any proxy in between, and whether the service is running. If n8n runs in a container, localhost in "Base URL" is the container itself: enter the host name of the service instead.',
			httpCode: null,
		},
		...turnedAway,
	},
	{
		fault: 'No response in time',
		made: { kind: 'timeout-after', effect: true },
		says: inTime,
		...passing,
		// The time that n8n gives a poll is over then.
		poll: 'next poll',
	},
	{
		fault: 'JSON that is cut off',
		made: { kind: 'truncated', contentLength: 'cut', effect: true },
		says: notUnderstood,
		...passing,
	},
	{
		fault: 'Empty body',
		made: { kind: 'empty', effect: true },
		says: { message: 'The service returned an empty response', remedy: cutOff, httpCode: '200' },
		...passing,
	},
	{
		fault: 'JSON of another shape',
		made: { kind: 'shape', body: { ok: true }, effect: true },
		says: notUnderstood,
		...lasting,
	},
	{
		fault: 'HTTP 200 with `failed`',
		made: { kind: 'failed', errors: 'Account suspended' },
		says: {
			message: 'The service rejected the request: Account suspended',
			remedy: account,
			httpCode: '200',
		},
		...lasting,
		...write('error'),
		sync: { reads: 'error', writes: 'failed' },
	},
	{
		fault: 'Redirect to another origin',
		made: { kind: 'redirect', status: 302 },
		says: redirected(302),
		...lasting,
	},
	{
		fault: 'Very slow response',
		made: { kind: 'slow', ms: 300, effect: true },
		...read('waited for'),
		...write('waited for'),
		sync: { reads: 'waited for', writes: 'waited for' },
		poll: 'waited for',
	},
];

/** Whether a request is carried out although it fails. */
export const effectOf = (made: Row['made']) => made !== 'refused' && made.effect === true;

function cellText(row: Row, column: Column): string {
	if (column !== 'sync') return row[column];
	const { reads, writes } = row.sync;
	return reads === writes ? reads : `reads: ${reads}; writes: ${writes}`;
}

/** The table and its legend as docs/faults.md has them. */
export function markdown(): string {
	const names = Object.keys(columns) as Column[];
	const lines = [
		['Fault', ...names.map((name) => columns[name])],
		...table.map((row) => [row.fault, ...names.map((name) => cellText(row, name))]),
	];
	const widths = lines[0]?.map((_, n) => Math.max(...lines.map((line) => line[n]?.length ?? 0)));
	const [head, ...body] = lines.map((line) => line.map((text, n) => text.padEnd(widths?.[n] ?? 0)));
	const rule = widths?.map((width) => '-'.repeat(width));
	return [
		...[head, rule, ...body].map((line) => `| ${line?.join(' | ')} |`),
		'',
		...Object.entries(outcomes).map(([word, text]) => `- **${word}**: ${text}`),
	].join('\n');
}
