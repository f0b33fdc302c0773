import axios from 'axios';
import type { Fault } from '../../sandbox/faults.ts';
import type { Entry, Violation } from '../../sandbox/journal.ts';
import type { Records, TableName } from '../../sandbox/model.ts';
import type { SeedName } from '../../sandbox/seed.ts';
import type { Settings } from '../../sandbox/settings.ts';

/** The controls of a running sandbox. Every call throws an Error with the answer when it is refused. */
export class SandboxClient {
	readonly url: string;

	constructor(url: string) {
		this.url = url;
	}

	async control<T>(method: string, path: string, body?: unknown): Promise<T> {
		const { status, data } = await axios.request<T>({
			baseURL: `${this.url}/__sandbox`,
			url: path,
			method,
			data: body,
			validateStatus: () => true,
		});
		if (status >= 200 && status < 300) return data;
		throw new Error(
			`The sandbox answered ${method} ${path} with ${status}: ${JSON.stringify(data)}`,
		);
	}

	/** Forgets everything: records, requests, violations, faults, settings, the clock's shift. */
	async reset(seed: SeedName = 'empty'): Promise<void> {
		await this.control('POST', '/reset', { seed });
	}

	/** The requests since the last reset, oldest first. */
	async journal(): Promise<Entry[]> {
		return (await this.control<{ entries: Entry[] }>('GET', '/journal')).entries;
	}

	/** What requests did against the reference since the last reset. */
	async violations(): Promise<Violation[]> {
		return await this.control('GET', '/violations');
	}

	/** All records of one table. */
	async records<T extends TableName>(table: T): Promise<Array<Records[T]>> {
		return await this.control('GET', `/data/${table}`);
	}

	/** Adds a record; what is left out gets a default. */
	async add<T extends TableName>(table: T, fields: Partial<Records[T]>): Promise<Records[T]> {
		return await this.control('POST', `/records/${table}`, fields);
	}

	/** Makes the next matching requests go wrong. */
	async fault(fault: Fault): Promise<void> {
		await this.control('POST', '/faults', fault);
	}

	async clearFaults(): Promise<void> {
		await this.control('DELETE', '/faults');
	}

	/** Changes a record in place, which the service itself does not date. */
	async change<T extends TableName>(
		table: T,
		key: number | string,
		fields: Partial<Records[T]>,
	): Promise<Records[T]> {
		return await this.control('PATCH', `/records/${table}/${key}`, fields);
	}

	async remove(table: TableName, key: number | string): Promise<void> {
		await this.control('DELETE', `/records/${table}/${key}`);
	}

	async configure(settings: Partial<Settings>): Promise<void> {
		await this.control('PATCH', '/settings', settings);
	}

	/** Moves the sandbox's clock on. */
	async advance(ms: number): Promise<void> {
		await this.control('POST', '/clock', { advanceMs: ms });
	}

	/** How many records each table holds. */
	async counts(): Promise<Record<TableName, number>> {
		return (await this.control<{ counts: Record<TableName, number> }>('GET', '/summary')).counts;
	}
}
