import type { Service } from '../sandbox';
import type { Gate } from './gate';
import type { Watch } from './keys';
import { pauses } from './pauses';
import type { Row } from './table';

/** How often a request is sent before it counts as failed. */
export const TRIES = 5;

/** What a cell is watched with. */
export class Watched {
	readonly service: Service;
	readonly watch: Watch;
	readonly gate: Gate;
	/** Where a redirect leads to. */
	readonly elsewhere: string;

	constructor(service: Service, watch: Watch, gate: Gate, elsewhere: string) {
		this.service = service;
		this.watch = watch;
		this.gate = gate;
		this.elsewhere = elsewhere;
	}

	baseUrl({ made }: Pick<Row, 'made'>): string {
		return made === 'refused' ? this.gate.baseUrl : this.service.baseUrl;
	}

	pauses(): number {
		return pauses.taken.length;
	}
}

interface Which {
	/** Each of these meets the fault; the first request that comes, unless given. */
	where?: Array<{ path?: string }>;
	/** A service that refuses takes so many connections before. */
	before?: number;
	/** It is there again when so many requests have been refused. */
	requests?: number;
}

/** Makes the fault of a row happen from now on. */
export async function inflict(
	{ service, gate, elsewhere }: Watched,
	{ made }: Pick<Row, 'made'>,
	times: 'once' | 'always',
	{ where = [{}], before = 0, requests = 1 }: Which = {},
): Promise<void> {
	pauses.reset();
	service.state.faults.clear();
	if (made === 'refused') {
		if (before > 0) await gate.open(before);
		else gate.close();
		if (times === 'once') pauses.meanwhile = reopening(gate, requests);
		return;
	}
	for (const match of where) {
		const url = made.kind === 'redirect' ? { url: elsewhere } : {};
		service.fault({ ...made, ...url, match, times: times === 'once' ? 1 : Infinity });
	}
}

/** Holds the requests that were refused until all of them were, and then lets them in. */
function reopening(gate: Gate, requests: number): () => Promise<void> {
	let open = () => {};
	const opened = new Promise<void>((resolve) => (open = resolve));
	return async () => {
		if (pauses.taken.length === requests) {
			await gate.open();
			open();
		}
		await opened;
	};
}
