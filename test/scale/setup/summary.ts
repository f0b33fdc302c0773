import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How a test's account came out. */
export type Account = Record<string, number>;

/** What syncs of one kind reached. */
export interface Throughput {
	/** Such as "create, answered after 100 ms". */
	what: string;
	contacts: number;
	workers: number;
	seconds: number;
	contactsPerSecond: number;
}

const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

const inWords = (account: Account) =>
	Object.entries(account)
		.map(([name, count]) => `${number(count)} ${name}`)
		.join(', ');

/** Lines of cells, as a table of plain text. */
function table(rows: string[][]): string {
	const widths = (rows[0] ?? []).map((_, column) =>
		Math.max(...rows.map((row) => (row[column] ?? '').length)),
	);
	const line = (row: string[]) =>
		row
			.map((cell, column) => {
				const width = widths[column] ?? 0;
				return column === 0 ? cell.padEnd(width) : cell.padStart(width);
			})
			.join('   ');
	return rows.map(line).join('\n');
}

/** What all test files found, for the end of the run. */
export class Summary {
	private readonly started = Date.now();
	private readonly accounts: Array<{ test: string; account: Account }> = [];
	private readonly throughput: Throughput[] = [];
	private readonly notes: string[] = [];

	reconciled(test: string, account: Account): void {
		this.accounts.push({ test, account });
		process.stderr.write(`Reconciled: ${test}: ${inWords(account)}\n`);
	}

	measured(throughput: Throughput): void {
		this.throughput.push(throughput);
		const { what, workers, contactsPerSecond } = throughput;
		const speed = `${number(contactsPerSecond)} contacts a second`;
		process.stderr.write(`Workers: ${workers}, ${what}: ${speed}\n`);
	}

	/** Something that n8n did and that a reader of the summary should know. */
	note(text: string): void {
		this.notes.push(text);
		process.stderr.write(`${text}\n`);
	}

	private throughputTable(): string {
		const kinds = [...new Set(this.throughput.map(({ what }) => what))];
		const cell = (what: string, workers: number) => {
			const found = this.throughput.find((one) => one.what === what && one.workers === workers);
			return found ? number(found.contactsPerSecond) : '–';
		};
		return table([
			['Contacts a second', '1 worker', '2 workers'],
			...kinds.map((what) => [what, cell(what, 1), cell(what, 2)]),
		]);
	}

	private get accountLines(): string {
		return this.accounts.map(({ test, account }) => `${test}\n  ${inWords(account)}`).join('\n');
	}

	/** What all tests together asked for and found. */
	private get totals(): string {
		const sums: Account = {};
		for (const { account } of this.accounts) {
			for (const [name, count] of Object.entries(account)) sums[name] = (sums[name] ?? 0) + count;
		}
		return `In all: ${inWords(sums)}`;
	}

	toString(): string {
		const minutes = ((Date.now() - this.started) / 60_000).toFixed(1);
		const parts = [
			this.accounts.length > 0 &&
				`What was asked against what is there\n${this.accountLines}\n${this.totals}`,
			this.notes.length > 0 && `What n8n did\n${this.notes.join('\n')}`,
			this.throughput.length > 0 && this.throughputTable(),
			`${minutes} minutes with the start of the cluster`,
		];
		return parts.filter(Boolean).join('\n\n');
	}

	/** @returns the file */
	async write(folder: string): Promise<string> {
		await mkdir(folder, { recursive: true });
		const file = join(folder, 'scale.json');
		const { accounts, throughput, notes } = this;
		const minutes = (Date.now() - this.started) / 60_000;
		const text = JSON.stringify({ minutes, throughput, accounts, notes }, null, '\t');
		await writeFile(file, `${text}\n`);
		return file;
	}
}

declare global {
	var emailMarketingScaleSummary: Summary | undefined;
}

/** One for all test files, which run in the process of the global setup and with its globals. */
export const summary = (): Summary => (globalThis.emailMarketingScaleSummary ??= new Summary());
