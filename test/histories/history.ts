import type { IDataObject } from 'n8n-workflow';

/**
 * What happened, as in Jepsen: an operation is invoked, and ends as `ok` (it had its effect), `fail` (it certainly had
 * none) or `info` (nobody can know, such as after a kill). One that has not ended is like one that ended as `info`.
 */
export interface Entry {
	/** Milliseconds since the simulation began. */
	at: number;
	/** Of the operation: what it ended with has the number that it was invoked with. */
	id: number;
	type: 'invoke' | 'ok' | 'fail' | 'info';
	process: string;
	/** `request`, `poll`, `emit`, `sync`, … */
	op: string;
	/** What it is part of: the run that sent a request. */
	of?: number;
	data?: IDataObject;
}

/** What JSON would make of it, which takes longer: a history holds what was there at the time. */
export function asJson<T>(value: T): T {
	if (typeof value !== 'object' || value === null) {
		return (typeof value === 'number' && !Number.isFinite(value) ? null : value) as T;
	}
	if (Array.isArray(value)) return value.map((one: unknown) => asJson(one) ?? null) as T;
	if ('toJSON' in value) return JSON.parse(JSON.stringify(value)) as T;
	const copy: Record<string, unknown> = {};
	for (const [key, one] of Object.entries(value)) {
		if (one !== undefined && typeof one !== 'function') copy[key] = asJson<unknown>(one);
	}
	return copy as T;
}

export class History {
	readonly entries: Entry[] = [];
	private readonly now: () => number;
	private count = 0;

	constructor(now: () => number) {
		this.now = now;
	}

	/** @returns the number of the operation */
	invoke(process: string, op: string, data?: IDataObject, of?: number): number {
		const id = ++this.count;
		this.add({ id, type: 'invoke', process, op, of, data });
		return id;
	}

	end(id: number, type: 'ok' | 'fail' | 'info', process: string, op: string, data?: IDataObject) {
		this.add({ id, type, process, op, data });
	}

	/** What needs no time. */
	note(process: string, op: string, data?: IDataObject): void {
		this.add({ id: ++this.count, type: 'ok', process, op, data });
	}

	private add(entry: Omit<Entry, 'at'>): void {
		const at = Math.round(this.now());
		this.entries.push(asJson({ at, ...entry }));
	}
}

/** One line for people. */
export function shown({ at, id, type, process, op, of, data }: Entry): string {
	const time = `${Math.floor(at / 60_000)}:${((at % 60_000) / 1000).toFixed(3).padStart(6, '0')}`;
	const part = of === undefined ? '' : ` of ${of}`;
	const details = data === undefined ? '' : ` ${JSON.stringify(data)}`;
	return `${time.padStart(11)}  ${type.padEnd(6)}  ${process}: ${op} ${id}${part}${details}`;
}
