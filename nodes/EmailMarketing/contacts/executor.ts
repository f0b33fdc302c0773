import { chunksOf, sendInChunks } from '../util/chunks';
import { csvText } from '../util/csv';
import { addressKey } from '../util/email';
import type { Pool } from '../util/pool';
import type { SuppressedAddress, SyncApi, WriteFailure } from './api';
import { createDirectory } from './identify';
import type { CsvImport, SyncOptions } from './syncOptions';
import type { PlannedRow } from './types';
import { effectsIn, failedRow, verifyWrites, type FindEffect, type SentWrite } from './verify';

const now = (): string => new Date().toISOString();

function csvOf(rows: readonly PlannedRow[], { columns, country }: CsvImport): string {
	const lines = rows.map(({ body, changes }) =>
		columns.map(({ field }) =>
			field === 'country' && country === 'name' ? changes?.country?.to : body?.[field],
		),
	);
	const header = columns.map((column) => column.header);
	return csvText(header, lines, { spreadsheetSafe: false });
}

/** Writes a plan, and records what became of each row. */
export class Executor {
	private readonly sent: SentWrite[] = [];
	private readonly rows: PlannedRow[];
	private readonly api: SyncApi;
	private readonly options: SyncOptions;
	private readonly pool: Pool;

	constructor(rows: readonly PlannedRow[], api: SyncApi, options: SyncOptions, pool: Pool) {
		this.rows = [...rows];
		this.api = api;
		this.options = options;
		this.pool = pool;
	}

	async run(): Promise<PlannedRow[]> {
		const { csvImport } = this.options;
		const creates = this.indexesOf('created');
		const imports = csvImport !== undefined && creates.length > csvImport.above;
		const singles = [...this.indexesOf('updated'), ...(imports ? [] : creates)];
		await this.pool.each(singles, async (index) => await this.write(index));
		if (imports) await this.importAll(creates, csvImport);
		await this.pool.each(this.indexesOf('moved'), async (index) => await this.write(index));
		await this.addAllToGroup(this.indexesOf('addedToGroup'));
		await this.removeAll(this.indexesOf('deleted'));
		this.pool.check();
		const verified = await this.verify();
		const at = now();
		return verified.map((row, index) => (row === this.row(index) ? row : { ...row, at }));
	}

	private indexesOf(action: PlannedRow['action']): number[] {
		return this.rows.flatMap((row, index) => (row.action === action ? [index] : []));
	}

	private row(index: number): PlannedRow {
		return this.rows[index] as PlannedRow;
	}

	private record(index: number, failure: WriteFailure | undefined): void {
		const row = this.row(index);
		const isFailed = failure?.effect === 'none';
		this.rows[index] = { ...(isFailed ? failedRow(row, failure.message) : row), at: now() };
		if (!isFailed) this.sent.push({ index, uncertain: failure?.message });
	}

	private async write(index: number): Promise<void> {
		const { body, contactId } = this.row(index);
		if (!body) return;
		const failure =
			contactId === undefined
				? await this.api.create(body)
				: await this.api.update(contactId, body);
		this.record(index, failure);
	}

	private async importAll(indexes: number[], csvImport: CsvImport): Promise<void> {
		this.pool.check();
		const rows = indexes.map((index) => this.row(index));
		const csv = csvOf(rows, csvImport);
		const failure = await this.api.uploadCsv(this.options.contactTypeId, csv);
		for (const index of indexes) {
			if (failure?.effect === 'none') this.record(index, failure);
			else this.sent.push({ index, uncertain: failure?.message ?? '', imported: true });
		}
	}

	/** One contact that is gone makes the service refuse a whole chunk (#25): its contacts go one by one (#24). */
	private async removeAll(indexes: number[]): Promise<void> {
		const chunks = chunksOf(indexes, this.options.deleteChunk);
		await sendInChunks(this.pool, chunks, async (chunk, isAlone) => {
			const ids = chunk.map((index) => this.row(index).contactId ?? 0);
			const failure = isAlone ? await this.api.remove(ids[0] ?? 0) : await this.api.removeMany(ids);
			return this.recordChunk(chunk, failure);
		});
	}

	private async addAllToGroup(indexes: number[]): Promise<void> {
		const { missing, addressChunk } = this.options;
		if (missing.kind !== 'addToUnsubscribeGroup') return;
		await sendInChunks(this.pool, chunksOf(indexes, addressChunk), async (chunk) => {
			const addresses = chunk.map((index) => this.row(index).email.trim());
			const failure = await this.api.addToGroup(missing.unsubscribeGroupId, addresses);
			return this.recordChunk(chunk, failure);
		});
	}

	/** @returns whether the service rejected several at once, so that each is to be sent alone */
	private recordChunk(chunk: readonly number[], failure: WriteFailure | undefined): boolean {
		if (failure?.isRejected && chunk.length > 1) return true;
		for (const index of chunk) this.record(index, failure);
		return false;
	}

	private async verify(): Promise<PlannedRow[]> {
		const { newIds, contactTypeId, missing } = this.options;
		const isInGroup = ({ index }: SentWrite) => this.row(index).action === 'addedToGroup';
		const inList = this.sent.filter((write) => !isInGroup(write));
		const rows = await verifyWrites(this.rows, inList, {
			readList: async () =>
				effectsIn(createDirectory(await this.api.listContacts(), contactTypeId)),
			rerun: 'existing contacts are not written twice.',
			needsId: ({ action }) => newIds && action === 'created',
		});
		if (missing.kind !== 'addToUnsubscribeGroup') return rows;
		return await verifyWrites(rows, this.sent.filter(isInGroup), {
			readList: async () =>
				membersIn(await this.api.listGroupRecipients(missing.unsubscribeGroupId)),
			rerun: 'who is in the group already is not added twice.',
		});
	}
}

function membersIn(recipients: readonly SuppressedAddress[]): FindEffect {
	const members = new Set(recipients.map(({ email_address: address }) => addressKey(address)));
	return ({ email }) => (members.has(addressKey(email)) ? {} : undefined);
}
