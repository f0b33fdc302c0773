import { isDeepStrictEqual } from 'node:util';
import type { Fault, FaultKind } from '../sandbox/faults.ts';
import { FAULT_KINDS } from '../sandbox/faults.ts';
import type { Entry } from '../sandbox/journal.ts';
import type { SandboxClient } from '../scripts/lib/sandbox-client.ts';
import type { Cursors } from './n8n.ts';
import type { Random } from './random.ts';

type Match = NonNullable<Fault['match']>;

/** What meets faults: polls read what the triggers read, reads are the sync's own. */
export const TARGETS = ['polls', 'reads', 'writes'] as const;
export type Target = (typeof TARGETS)[number];

/** Paths that every poll, every sync or nearly every sync asks for, so that no fault waits in vain. */
const MATCHES: Record<Target, Match[]> = {
	polls: matches('GET', '/single-send/list', '/automations', '/contacts/list'),
	reads: matches('GET', '/global-unsubscribes', '/unsubscribes-groups/recipients-list'),
	writes: matches('POST', '/contacts/add', '/contacts/update', '/contacts/bulk-delete'),
};

function matches(method: string, ...paths: string[]): Match[] {
	return paths.map((path) => ({ method, path }));
}

/** Every way in which the sandbox lets a request go wrong; of HTTP statuses each is one. */
const STATUSES = [401, 403, 404, 408, 429, 500, 502, 503, 504];
export const KINDS = [
	...STATUSES.map((status) => `HTTP ${status}`),
	...FAULT_KINDS.filter((kind) => kind !== 'status'),
];

/** What n8n answers with a silence of its own that is longer than the whole run. */
const LEFT_OUT: Record<Cursors, string[]> = {
	// n8n with durable cursors does not poll for half an hour after these.
	durable: ['HTTP 401', 'HTTP 403'],
	// Without durable cursors n8n gives a poll no limit, and the node waits for five minutes.
	plain: ['timeout', 'timeout-after'],
};

/** Whether such a target meets such a fault at all. */
export const isUsed = (cursors: Cursors, target: Target, kind: string) =>
	target !== 'polls' || !LEFT_OUT[cursors].includes(kind);

const targetOf = ({ method, path }: Entry): Target => {
	if (method !== 'GET') return 'writes';
	return MATCHES.polls.some((match) => match.path === path) ? 'polls' : 'reads';
};

const kindOf = ({ fault, status }: Entry) => (fault === 'status' ? `HTTP ${status}` : fault);

/** How many requests to a target met such a fault. */
export const countMet = (journal: Entry[], target: Target, kind: string) =>
	journal.filter((entry) => kindOf(entry) === kind && targetOf(entry) === target).length;

/** Makes requests go wrong: for each target all kinds in a random order, and then all again. */
export class Faults {
	injected = 0;
	private readonly sandbox: SandboxClient;
	private readonly cursors: Cursors;
	private readonly random: Random;
	private readonly left: Record<Target, string[]> = { polls: [], reads: [], writes: [] };

	constructor(sandbox: SandboxClient, cursors: Cursors, random: Random) {
		this.sandbox = sandbox;
		this.cursors = cursors;
		this.random = random;
	}

	/** Adds a fault, unless the requests chosen have one in front of them already. */
	async inject(): Promise<void> {
		const dice = this.random.whole(1, 10);
		// Few at polls: of three lists, one that fails makes the whole poll fail.
		const target: Target = dice <= 2 ? 'polls' : dice <= 5 ? 'reads' : 'writes';
		const match = this.random.pick(MATCHES[target]);
		const waiting = await this.sandbox.control<Fault[]>('GET', '/faults');
		if (waiting.some((fault) => isDeepStrictEqual(fault.match, match))) return;
		// More than the tries that a request has, now and then.
		const times = this.random.whole(1, this.random.chance(0.1) ? 6 : 2);
		await this.sandbox.fault({ ...this.describe(this.next(target)), match, times });
		this.injected++;
	}

	private next(target: Target): string {
		if (this.left[target].length === 0) {
			this.left[target] = KINDS.filter((kind) => isUsed(this.cursors, target, kind));
		}
		const [kind = ''] = this.left[target].splice(
			this.random.whole(0, this.left[target].length - 1),
			1,
		);
		return kind;
	}

	private describe(name: string): Fault {
		const { random } = this;
		const effect = random.chance(0.5);
		if (name.startsWith('HTTP ')) {
			const status = Number(name.slice('HTTP '.length));
			if (status !== 429 && status !== 503)
				return { kind: 'status', status, effect: effect && status >= 500 };
			return { kind: 'status', status, headers: { 'retry-after': String(random.whole(1, 2)) } };
		}
		const kind = name as FaultKind;
		switch (kind) {
			case 'html':
				return { kind, status: random.pick([200, 502, 503]), effect };
			case 'redirect':
				return { kind, url: '/elsewhere', effect };
			case 'shape':
				return { kind, body: random.pick([null, [], {}, 'fine', { status: 'pending' }]), effect };
			case 'truncated':
				return { kind, contentLength: random.pick(['full', 'cut']) };
			case 'slow':
				return { kind, ms: random.whole(200, 1_500) };
			default:
				return { kind };
		}
	}
}
