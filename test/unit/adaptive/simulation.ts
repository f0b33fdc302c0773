import type { CircuitBreaker } from '../../../nodes/EmailMarketing/service/circuitBreaker';
import type { HttpResponse } from '../../../nodes/EmailMarketing/service/failure';
import { ServiceError } from '../../../nodes/EmailMarketing/service/failure';
import { retryPolicyOf, withRetries } from '../../../nodes/EmailMarketing/service/retry';
import { ConcurrencyLimit } from '../../../nodes/EmailMarketing/util/concurrencyLimit';
import { Pool } from '../../../nodes/EmailMarketing/util/pool';
import { VirtualClock } from './virtualClock';

/** What a simulated service answers to a request that arrives now. */
export interface Decision {
	ms: number;
	status: number;
	retryAfter?: number;
	/** What the HTTP client says where no response comes. */
	lost?: string;
}

export type Behaviour = (arrival: { now: number; inService: number }) => Decision;

export interface Seen {
	at: number;
	status: number;
	inService: number;
	ms: number;
}

export interface Simulated {
	ms: number;
	seen: Seen[];
	refused: Seen[];
	failed: number;
	failures: ServiceError[];
	mostInService: number;
}

export interface Simulation {
	count: number;
	/** A fixed number; absent for "Automatic". */
	parallel?: number;
	/** Of which the next run remembers what it took. */
	service?: string;
	/** What n8n's own process needs for each request, one after the other. */
	ownMs?: number;
	/** Shared by all requests, as in a run of the node. */
	breaker?: CircuitBreaker;
	/** How long a list takes that is read before. */
	listMs?: number;
	/** Whether the requests are reads that serve the whole run. */
	isShared?: boolean;
}

/** How many random services a property is tried with: as many as EMAIL_MARKETING_SEEDS says, for a longer search. */
export const runsOf = (usual: number): number => Number(process.env.EMAIL_MARKETING_SEEDS ?? usual);

/** Sends requests to a simulated service as a run of the node does. */
export async function simulate(
	behaviour: Behaviour,
	{ count, parallel, service, ownMs = 0, breaker, isShared = false, listMs }: Simulation,
): Promise<Simulated> {
	const clock = new VirtualClock();
	const limit = new ConcurrencyLimit({ clock, parallel, service });
	const pool = new Pool({ parallel: () => limit.items });
	const seen: Seen[] = [];
	const failures: ServiceError[] = [];
	let [inService, freeAt] = [0, 0];
	const policy = {
		...retryPolicyOf({ isInteractive: false, retries: true }),
		limit,
		kind: 'POST /contacts/add',
		isShared,
		...(breaker && { breaker }),
	};
	const send = async (arrived: (response: HttpResponse) => void) => {
		if (ownMs > 0) {
			freeAt = Math.max(freeAt, clock.now()) + ownMs;
			await clock.pause(freeAt - clock.now());
		}
		inService++;
		const { ms, status, retryAfter, lost } = behaviour({ now: clock.now(), inService });
		seen.push({ at: clock.now(), status, inService, ms });
		await clock.pause(ms);
		inService--;
		if (lost !== undefined) throw new Error(lost);
		const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
		arrived({ statusCode: status, headers, body: '' });
		if (status === 200) return;
		throw new ServiceError({
			code: 'service-unavailable',
			message: 'Busy',
			description: '',
			effect: status === 504 ? 'unknown' : 'none',
			retryable: true,
			httpCode: String(status),
			...(retryAfter !== undefined && { retryAfterMs: retryAfter * 1000 }),
		});
	};
	const tasks = Array.from({ length: count }, (_value, index) => index);
	const list = async (arrived: (response: HttpResponse) => void) => {
		await clock.pause(listMs ?? 0);
		arrived({ statusCode: 200, headers: {}, body: '' });
	};
	const kind = 'GET /contacts/list';
	const before =
		listMs === undefined
			? undefined
			: withRetries(list, { changesData: false }, { ...policy, limit, kind });
	const run = async () => {
		await before;
		await pool.each(tasks, sendOne);
	};
	const sendOne = async () => {
		await withRetries(send, { changesData: !isShared }, policy).catch((error: unknown) => {
			failures.push(error as ServiceError);
		});
	};
	await clock.runUntil(run());
	const refused = seen.filter(({ status }) => status !== 200);
	const mostInService = Math.max(...seen.map((one) => one.inService));
	const failed = failures.length;
	return { ms: clock.now(), seen, refused, failed, failures, mostInService };
}

/** The shortest time with a fixed number of requests at a time. */
export async function bestFixed(make: () => Behaviour, rest: Simulation): Promise<number> {
	const numbers = [1, 4, 16, 64, 128, 256];
	let best = Infinity;
	for (const parallel of numbers) {
		const { ms, failed } = await simulate(make(), { ...rest, parallel });
		if (failed === 0) best = Math.min(best, ms);
	}
	return best;
}
