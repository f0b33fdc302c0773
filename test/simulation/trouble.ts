import type { IDataObject } from 'n8n-workflow';

import { FAULT_KINDS, type Fault } from '../../sandbox/faults.ts';
import type { Random } from '../../soak/random.ts';
import type { History } from '../histories/history.ts';
import type { N8n } from './n8n.ts';
import type { Scheduler } from './scheduler.ts';
import type { Network, Response, Service } from './service.ts';
import type { World } from './world.ts';

const lists = [
	...['/single-send/list', '/automations', '/contacts/list', '/global-unsubscribes'],
	...['/unsubscribes-groups/recipients-list', '/senders', '/segment/email/list'],
].map((path) => `GET ${path}`);
const STATUSES = [401, 403, 404, 408, 429, 500, 502, 503, 504];
const minute = 60_000;
const hour = 60 * minute;

export interface Troubled {
	scheduler: Scheduler;
	history: History;
	service: Service;
	network: Network;
	n8n: N8n;
	world: World;
	clock: { offset: number };
	/** Requests of the workflows, as `POST /contacts/add`. */
	requests: readonly string[];
}

/** What happens around n8n, each time with choices of its own: any of it can be left out, and the rest stays as it is. */
export class Trouble {
	/** Those that happened. */
	readonly numbers: number[] = [];
	private number = 0;
	private isOver = false;
	private readonly parts: Troubled;
	private readonly random: Random;
	private readonly leftOut: ReadonlySet<number>;

	constructor(parts: Troubled, random: Random, leftOut: ReadonlySet<number>) {
		this.parts = parts;
		this.random = random;
		this.leftOut = leftOut;
	}

	begin(): void {
		this.next();
	}

	/** From now on, all goes well. */
	end(): void {
		const { service, network, n8n } = this.parts;
		this.isOver = true;
		service.state.faults.clear();
		network.slowness = 1;
		network.shorten = (_path, response) => response;
		n8n.failNextCommit = false;
		n8n.isQuiet = true;
		n8n.start();
	}

	private next(): void {
		const number = this.number++;
		const random = this.random.of(String(number));
		// Now and then, nothing happens for a while.
		const wait = random.chance(0.04) ? random.whole(minute, hour) : random.whole(0, 40_000);
		this.parts.scheduler.after(wait, () => {
			if (this.isOver) return;
			this.next();
			if (this.leftOut.has(number)) return;
			this.numbers.push(number);
			const { world, history } = this.parts;
			const what = random.chance(0.6) ? world.act(random) : this.make(random);
			if (what) history.note('trouble', String(number), what);
		});
	}

	private make(random: Random): IDataObject | undefined {
		const { n8n, scheduler, network, clock } = this.parts;
		switch (
			random.pick([
				'fault',
				'fault',
				'fault',
				'kill',
				'lead',
				'clock',
				'slow',
				'short',
				'commit',
				'due',
			])
		) {
			case 'fault':
				return this.fault(random);
			case 'kill': {
				// Between any two things that happen.
				const steps = random.whole(0, 60);
				const downMs = random.whole(1, 120_000);
				const kill = () => {
					n8n.kill();
					scheduler.after(downMs, () => n8n.start());
				};
				const wait = (left: number) =>
					left === 0 ? kill() : scheduler.after(random.whole(0, 9), () => wait(left - 1));
				wait(steps);
				return { kill: steps, downMs };
			}
			case 'lead':
				n8n.handOver();
				return { handOver: true };
			case 'clock': {
				// As when a virtual machine was suspended, or the time is set.
				const jump = random.pick([-hour, -5000, 5000, 10 * minute, hour]);
				clock.offset += jump;
				return { clock: jump };
			}
			case 'slow': {
				const slowness = random.pick([10, 100, 1500]);
				network.slowness = slowness;
				scheduler.after(random.whole(minute, 10 * minute), () => (network.slowness = 1));
				return { slowness };
			}
			case 'short':
				return this.shorten(random);
			case 'commit':
				n8n.failNextCommit = true;
				return { failNextCommit: true };
			default:
				n8n.pollsAtOnce = random.whole(2, 3);
				return { pollsAtOnce: n8n.pollsAtOnce };
		}
	}

	/** For some polls, a list shows only part of its records. */
	private shorten(random: Random): IDataObject {
		const { network, scheduler } = this.parts;
		const path = random.pick(['/single-send/list', '/automations']);
		const isAll = random.chance(0.4);
		network.shorten = (of, response) => (of === path ? withoutSome(response, isAll) : response);
		const ms = random.whole(20_000, 150_000);
		scheduler.after(ms, () => (network.shorten = (_path, response) => response));
		return { shorten: path, isAll, ms };
	}

	private fault(random: Random): IDataObject {
		const { requests, service } = this.parts;
		const request = random.pick(random.chance(0.4) ? requests : lists);
		const [method, path] = request.split(' ');
		const times = random.chance(0.1) ? random.whole(3, 400) : random.whole(1, 3);
		const fault: Fault = {
			...describe(random),
			match: { method, path },
			times,
		};
		service.state.faults.add(fault);
		return { fault: { ...fault } };
	}
}

function describe(random: Random): Fault {
	const kind = random.pick([...FAULT_KINDS, 'status', 'status'] as const);
	const effect = random.chance(0.5);
	switch (kind) {
		case 'status': {
			const status = random.pick(STATUSES);
			if (status !== 429 && status !== 503)
				return { kind, status, effect: effect && status >= 500 };
			return { kind, status, headers: { 'retry-after': String(random.whole(1, 20)) } };
		}
		case 'html':
			return { kind, status: random.pick([200, 502, 503]), effect };
		case 'redirect':
			return { kind, effect };
		case 'shape':
			return { kind, body: random.pick([null, [], {}, 'fine', { status: 'pending' }]), effect };
		case 'slow':
			return { kind, ms: random.pick([500, 5_000, 70_000]) };
		default:
			return { kind };
	}
}

function withoutSome(response: Response, isAll: boolean): Response {
	const parsed = JSON.parse(response.body) as { message?: Record<string, unknown[]> };
	const [[name, rows] = []] = Object.entries(parsed.message ?? {});
	if (name === undefined || !Array.isArray(rows)) return response;
	const shown = isAll ? [] : rows.filter((_row, index) => index % 2 === 0);
	return { ...response, body: JSON.stringify({ ...parsed, message: { [name]: shown } }) };
}
