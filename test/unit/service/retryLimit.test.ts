import { ServiceError } from '../../../nodes/EmailMarketing/service/failure';
import type { Failure, HttpResponse } from '../../../nodes/EmailMarketing/service/failure';
import { retryPolicyOf, withRetries } from '../../../nodes/EmailMarketing/service/retry';
import type { SendTry } from '../../../nodes/EmailMarketing/service/retry';
import type { ConcurrencyLimit } from '../../../nodes/EmailMarketing/util/concurrencyLimit';
import { failure } from './failures';

const kind = 'GET /contacts/list';

type Turn = Failure | number | { arrived: HttpResponse; failure?: Failure };

interface Given {
	/** What the tries come to in turn: a failure, a value, or the same after the headers of a response. */
	turns: Turn[];
	/** How long each try waits to be admitted, in turn; undefined if it is not. */
	entries?: Array<number | undefined>;
	heldBy?: Error;
	changesData?: boolean;
	isInteractive?: boolean;
	signal?: AbortSignal;
}

/** Sends a request through a limit that records what it is asked for. A try takes 10 ms. */
async function sendWithLimit(given: Given) {
	const { turns, entries = [0, 0, 0, 0, 0], signal, heldBy } = given;
	const { changesData = false, isInteractive = false } = given;
	const log: unknown[][] = [];
	let [time, entered, tried] = [0, 0, 0];
	const clock = {
		now: () => time,
		pause: async (ms: number) => {
			log.push(['pause', ms]);
			time += ms;
		},
	};
	const limit = {
		clock,
		rate: {
			heldBy,
			heldMs: 40_000,
			hold: (ms: number, reason: ServiceError) => log.push(['hold', ms, reason.failure]),
		},
		async enter(...request: unknown[]) {
			log.push(['enter', ...request]);
			const waited = entries[entered++];
			time += waited ?? 0;
			return waited === undefined ? undefined : entered;
		},
		leave: (permit: number, outcome: unknown) => log.push(['leave', permit, outcome]),
	} as unknown as ConcurrencyLimit;
	const send: SendTry<number> = async (arrived) => {
		const turn = turns[tried++] ?? 0;
		time += 10;
		if (typeof turn === 'number') return turn;
		if (!('arrived' in turn)) throw new ServiceError(turn);
		arrived(turn.arrived);
		if (turn.failure) throw new ServiceError(turn.failure);
		return 1;
	};
	const policy = retryPolicyOf({ isInteractive, retries: true, signal, limit, kind });
	const result = await withRetries(send, { changesData }, policy).catch(
		(error: ServiceError) => error.failure,
	);
	return { log, result, tried };
}

const response = (statusCode: number, retryAfter?: string): HttpResponse => ({
	statusCode,
	headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
	body: undefined,
});

beforeEach(() => {
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
	jest.restoreAllMocks();
});

it('a request that is answered enters and leaves', async () => {
	const { signal } = new AbortController();
	expect(await sendWithLimit({ turns: [7], signal })).toEqual({
		log: [
			['enter', kind, 120_000, signal],
			['leave', 1, { kind: 'answered' }],
		],
		result: 7,
		tried: 1,
	});
});

it.each([
	[200, undefined, { kind: 'answered' }],
	[404, undefined, { kind: 'answered' }],
	[499, undefined, { kind: 'answered' }],
	[500, undefined, { kind: 'failed' }],
	[502, '5', { kind: 'failed' }],
	[503, undefined, { kind: 'overloaded' }],
	[503, '5', { kind: 'overloaded' }],
	[429, undefined, { kind: 'limited', retryAfterMs: undefined }],
	[429, '5', { kind: 'limited', retryAfterMs: 5_000 }],
])('a request leaves when HTTP %i (Retry-After: %s) arrives', async (status, asked, outcome) => {
	const { log } = await sendWithLimit({ turns: [{ arrived: response(status, asked) }] });
	expect(log[1]).toStrictEqual(['leave', 1, outcome]);
});

it.each([
	['is refused or lost', { retryable: true }, 'overloaded'],
	['cannot be repeated', { retryable: false }, 'failed'],
	['says nothing about repetition', { retryable: undefined }, 'failed'],
	['has a status', { retryable: true, httpCode: '500' }, 'failed'],
])('a request without headers that %s leaves', async (_what, rest, outcome) => {
	const { log } = await sendWithLimit({ turns: [failure(rest)] });
	expect(log[1]).toEqual(['leave', 1, { kind: outcome }]);
});

describe('a pause that the service asks for, or after a 429', () => {
	const asked = (rest: Partial<Failure>) => failure({ httpCode: '503', ...rest });

	it.each([
		['asks for a time', asked({ retryAfterMs: 30_000 }), 30_050],
		['asks for no time', asked({ retryAfterMs: 0 }), 300],
		['is a 429', asked({ httpCode: '429' }), 375],
		['is a 429 that asks for a time', asked({ httpCode: '429', retryAfterMs: 2_000 }), 2_050],
	])('holds for all requests where the failure %s', async (_what, first, ms) => {
		expect(await sendWithLimit({ turns: [first, 7] })).toEqual({
			log: [
				['enter', kind, 120_000, undefined],
				['leave', 1, { kind: 'failed' }],
				['hold', ms, first],
				['enter', kind, 119_990, undefined],
				['leave', 2, { kind: 'answered' }],
			],
			result: 7,
			tried: 2,
		});
	});

	it('grows with the tries', async () => {
		const { log } = await sendWithLimit({
			turns: Array.from({ length: 5 }, () => asked({ retryAfterMs: 100 })),
		});
		expect(log.filter(([what]) => what === 'hold').map(([, ms]) => ms)).toEqual([
			...[300, 550, 1_050, 2_050, 4_050],
		]);
	});

	it('holds also if this request is not repeated', async () => {
		const { log, result, tried } = await sendWithLimit({
			turns: [asked({ retryAfterMs: 3_000, effect: 'unknown' })],
			changesData: true,
		});
		expect(log[2]).toEqual(['hold', 3_050, asked({ retryAfterMs: 3_000, effect: 'unknown' })]);
		expect([result, tried]).toEqual([asked({ retryAfterMs: 3_000, effect: 'unknown' }), 1]);
	});

	it('is not waited for by a request that is not let in again', async () => {
		const first = asked({ retryAfterMs: 3_000 });
		const { log, result, tried } = await sendWithLimit({
			turns: [first],
			entries: [0, undefined],
		});
		expect(log.at(-1)).toEqual(['enter', kind, 119_990, undefined]);
		expect([result, tried]).toEqual([first, 1]);
	});

	it('may take all the time that there is, and no more', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const triesFor = async (retryAfterMs: number) =>
			(await sendWithLimit({ turns: [asked({ retryAfterMs })], isInteractive: true })).tried;
		expect(await triesFor(4_990)).toBe(2);
		expect(await triesFor(4_991)).toBe(1);
	});
});

it('any other pause concerns the request alone', async () => {
	expect(await sendWithLimit({ turns: [failure({ httpCode: '500' }), 7] })).toEqual({
		log: [
			['enter', kind, 120_000, undefined],
			['leave', 1, { kind: 'failed' }],
			['pause', 375],
			['enter', kind, 119_615, undefined],
			['leave', 2, { kind: 'answered' }],
		],
		result: 7,
		tried: 2,
	});
});

describe('a request that is not let in', () => {
	const report = { details: 1 };
	const notLetIn = async (rest: Omit<Given, 'turns' | 'entries'>) => {
		const { result, tried } = await sendWithLimit({ turns: [], entries: [undefined], ...rest });
		expect(tried).toBe(0);
		return result;
	};

	it('fails with what the service said when it asked for the pause', async () => {
		const heldBy = new ServiceError(failure({ httpCode: '429', report, effect: 'unknown' }));
		expect(await notLetIn({ heldBy, changesData: true })).toEqual({
			code: 'service-unavailable',
			message: 'Busy',
			description: 'Retry after 40 seconds. Nothing was changed.',
			httpCode: '429',
			effect: 'none',
			retryable: true,
			retryAfterMs: 40_000,
			report,
		});
		expect(await notLetIn({ heldBy })).toMatchObject({ description: 'Retry after 40 seconds.' });
	});

	it('was canceled if the execution was', async () => {
		const heldBy = new ServiceError(failure());
		expect(await notLetIn({ heldBy, changesData: true, signal: AbortSignal.abort() })).toEqual({
			code: 'canceled',
			message: 'The request was canceled',
			description: 'Nothing was changed.',
			effect: 'none',
			isStopped: true,
		});
	});

	it.each([
		['nothing', {}],
		['nothing, in a run that could be stopped', { signal: new AbortController().signal }],
		['something that is no failure of a request', { heldBy: new Error('first') }],
	])('was canceled if it was held up by %s', async (_what, rest) => {
		expect(await notLetIn(rest)).toEqual({
			code: 'canceled',
			message: 'The request was canceled',
			description: '',
			effect: 'none',
			isStopped: undefined,
		});
	});
});
